"""Code as a list of items: instructions, and labels between them.

An item is a tuple: the name of the instruction, and what it is about. Forms that only differ in
how they are written are one: constants are ``ldc`` of a `JavaConstant`, variables have their
number, both kinds of ``switch`` are one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

CodeItem: TypeAlias = tuple[Any, ...]
"""``("label", name)``, ``("ldc", constant)``, ``("iload", 3)``, ``("goto", label)``,
``("switch", label, ((number, label), …))``, ``("invokestatic", member)`` …"""
LABEL = "label"
DEFAULT_VERSION = 49
"""The last version of class files whose code is verified without being told of types."""


class CodeHandler(NamedTuple):
    """Where exceptions are caught; all are labels."""

    start: str
    stop: str
    handler: str
    caught: str
    """The name of a class; empty if it is any."""


class CodeFrame(NamedTuple):
    """The types of variables, and of what is on the stack; of two places they are one."""

    variables: tuple[str, ...]
    stack: tuple[str, ...]


class CodeVariable(NamedTuple):
    """What a variable is called in the source, from one label to another."""

    number: int
    name: str
    type: str
    """Its descriptor; or its signature, if that is what it is about."""
    start: str
    stop: str
    is_generic: bool


@dataclass(frozen=True, slots=True)
class JavaCode:
    """The code of a method, and what is said of it."""

    max_stack: int
    max_variables: int
    items: Sequence[CodeItem]
    handlers: Sequence[CodeHandler] = ()
    frames: Mapping[str, CodeFrame] = field(default_factory=dict)
    """By label, in order."""
    lines: Sequence[tuple[str, int]] = ()
    """Labels, and the lines of the source that begin there."""
    variables: Sequence[CodeVariable] = ()


def labels_of(item: CodeItem) -> Iterator[str]:
    """Return where an instruction may lead to."""
    if item[0] == "switch":
        yield item[1]
        yield from (label for _, label in item[2])
    elif item[0] in JUMPS:
        yield item[1]


JUMPS = frozenset(
    {
        *("goto", "goto_w", "jsr", "jsr_w", "ifnull", "ifnonnull", "if_acmpeq", "if_acmpne"),
        *(f"if{each}" for each in ("eq", "ne", "lt", "ge", "gt", "le")),
        *(f"if_icmp{each}" for each in ("eq", "ne", "lt", "ge", "gt", "le")),
    }
)


def places_in(items: Sequence[CodeItem]) -> tuple[dict[str, int], int]:
    """Return how many instructions are before each label, and how many there are."""
    places, count = dict[str, int](), 0
    for item in items:
        if item[0] == LABEL:
            places.setdefault(item[1], count)
        else:
            count += 1
    return places, count


def without_idle_cases(items: Sequence[CodeItem]) -> list[CodeItem]:
    """Return instructions of which no switch says of a case what it says of all others."""
    places, _ = places_in(items)
    found = []
    for item in items:
        if item[0] != "switch":
            found.append(item)
            continue
        _, otherwise, cases = item
        kept = tuple(case for case in cases if places[case[1]] != places[otherwise])
        found.append(("switch", otherwise, kept))
    return found


def placed(items: Sequence[CodeItem]) -> list[CodeItem]:
    """Return instructions that say by number where they lead to: to compare them."""
    places, _ = places_in(items)
    return [_placed(item, places) for item in items if item[0] != LABEL]


def _placed(item: CodeItem, places: Mapping[str, int]) -> CodeItem:
    if item[0] == "switch":
        cases = tuple((number, places[label]) for number, label in item[2])
        return ("switch", places[item[1]], cases)
    return (item[0], places[item[1]]) if item[0] in JUMPS else item


def first_version(item: CodeItem) -> int:
    """Return the first version that knows an instruction."""
    if item[0] == "ldc" and item[1].kind in {"methodtype", "handle", "dynamic"}:
        return 55 if item[1].kind == "dynamic" else 51
    if item[0] in {"invokestatic", "invokespecial"} and item[1].of_interface:
        return 52
    return 51 if item[0] == "invokedynamic" else DEFAULT_VERSION
