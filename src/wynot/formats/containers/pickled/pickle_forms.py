"""The lists of a text as values of a pickle: which of their items are values, pairs and names."""

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from wynot.formats.containers.pickled.pickle_codes import CONSTANT_CODES
from wynot.formats.containers.symbolic.symbolic_lists import FormItem, head_of, words_of

INTEGER_WORD = re.compile(r"[-+]?(?:0x[0-9a-fA-F]+|[0-9]{1,21})")
_FLOAT = re.compile(r"[-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|inf|nan(?::0x[0-9a-f]+)?)", re.IGNORECASE)
ADDING_HEADS = frozenset({"append", "setitem", "additem"})
LITERAL_HEADS = frozenset({"list", "dict", "set"})
_HEADS = (
    ADDING_HEADS
    | LITERAL_HEADS
    | {
        *("tuple", "frozenset", "call", "new", "newex", "build", "pers", "ext", "global"),
        *("bytes", "bytearray", "str"),
    }
)


class PickledName(NamedTuple):
    """What is on the stack gets a name here."""

    name: str


NameOfValue: TypeAlias = list[PickledName]
"""The name of a value, if it has one."""


def values_of(items: Sequence[FormItem]) -> list[FormItem]:
    """Return what stands for a value."""
    return [item for item in items if not isinstance(item, str) or _is_value(item)]


def _is_value(word: str) -> bool:
    is_number = INTEGER_WORD.fullmatch(word) or _FLOAT.fullmatch(word)
    return word in CONSTANT_CODES or word.startswith("$") or is_number is not None


def first_value(form: FormItem) -> FormItem:
    """Return the first value in a list."""
    return next(iter(values_of(form)), "None") if isinstance(form, list) else form


def unwrapped(form: FormItem) -> tuple[FormItem, NameOfValue]:
    """Return the value that is in lists that say nothing, and its name."""
    name: NameOfValue = []
    while isinstance(form, list):
        own = [PickledName(word[1:]) for word in words_of(form) if word.startswith("=")]
        if head_of(form) in _HEADS:
            name = own[:1]
            break
        form = first_value(form)
    return form, name


def pairs_of(items: Sequence[FormItem]) -> list[list[FormItem]]:
    """Return keys with their values, each pair a list; a value that is missing is None."""
    pairs: list[list[FormItem]] = []
    for item in values_of(items):
        is_pair = isinstance(item, list) and head_of(item) not in _HEADS
        values = values_of(item) if is_pair and isinstance(item, list) else [item]
        if values:
            pairs.append([*values, "None"][:2])
    return pairs
