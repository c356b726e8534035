"""Instructions of any lists, written such that each finds what it needs."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from wynot_binaries.java.constant_pool import JavaConstant, MemberMention
from wynot_binaries.java.item_texts import (
    CONSTANT_HEADS,
    NOTE_HEADS,
    ClassTable,
    item_of,
)
from wynot_binaries.java.java_operations import (
    BRANCHES,
    JAVA_CODES,
    LABEL,
    STACK_SHAPES,
    VARIABLE_KINDS,
    WIDE_KINDS,
    CodeItem,
    given_types,
    named_shape,
    taken_kinds,
)
from wynot_binaries.java.java_types import NULL, THIS, kind_of, kinds_of
from wynot_binaries.stack_machine import last_places, passed_below, run_nested, usable
from wynot_binaries.symbolic_lists import FormList, head_of, name_of

STAND_IN_ITEMS: dict[str, CodeItem] = {
    "I": ("ldc", JavaConstant("int", 0)),
    "J": ("ldc", JavaConstant("long", 0)),
    "F": ("ldc", JavaConstant("float", bytes(4))),
    "D": ("ldc", JavaConstant("double", bytes(8))),
    "A": ("aconst_null",),
}


_PLAIN_CONSTANTS = frozenset({"int", "long", "float", "double", "string"})
"""Those that can be left out without anybody noticing."""


@dataclass(slots=True)
class ValueGroup:
    """Some instructions, and the types of the values that they leave on the stack."""

    items: list[CodeItem]
    types: list[str]
    uses_base: bool = False
    """Whether they use what was on the stack before: nothing can be put before them."""


class FittedValues(NamedTuple):
    """Instructions that together give what was wanted."""

    items: list[CodeItem]
    over: list[str]
    """Values below those."""
    taken: list[str]
    """The types of what was wanted."""
    used: int
    """How many values were on the stack before."""
    uses_base: bool


def pops(types: Sequence[str]) -> list[CodeItem]:
    """Return what takes some values off the stack, the last one first."""
    return [("pop2",) if each in WIDE_KINDS else ("pop",) for each in reversed(types)]


def discard(items: list[CodeItem], types: Sequence[str]) -> None:
    """Take the last values off the stack; what only puts one there goes instead."""
    for each in reversed(types):
        if items and _only_puts(items[-1]):
            items.pop()
        else:
            items += pops([each])


def _only_puts(item: CodeItem) -> bool:
    name = item[0]
    if name == "ldc":
        return item[1].kind in _PLAIN_CONSTANTS
    return name in {"aconst_null", "dup"} or (name in VARIABLE_KINDS and name.endswith("load"))


def dropped(groups: Iterable[ValueGroup]) -> ValueGroup:
    """Return instructions whose values nobody wants."""
    found = ValueGroup([], [])
    for each in groups:
        found.items += each.items
        discard(found.items, each.types)
        found.uses_base |= each.uses_base
    return found


def joined_groups(groups: Iterable[ValueGroup]) -> ValueGroup:
    """Return instructions with all their values."""
    found = ValueGroup([], [])
    for each in groups:
        found.items += each.items
        found.types += each.types
        found.uses_base |= each.uses_base
    return found


def stand_in_items(kinds: str) -> list[CodeItem]:
    """Return what gives values that are as plain as can be."""
    return [STAND_IN_ITEMS[kind] for kind in kinds]


def fitted_values(
    groups: Sequence[ValueGroup], wanted: str, base: Sequence[str]
) -> FittedValues | None:
    """Let instructions give exactly what is wanted; None if there is nothing that could stand in.

    What is missing first may be on the stack already, in ``base``.
    """
    kinds = "".join(kinds_of(each.types) for each in groups)
    if kinds == wanted:
        whole = joined_groups(groups)
        return FittedValues(whole.items, [], whole.types, 0, whole.uses_base)
    fitting = _Fitting(wanted, base)
    places, at = last_places(kinds, wanted), 0
    for each in groups:
        fitting.add(each, places[at : at + len(each.types)])
        at += len(each.types)
    fitting.fill(len(wanted))
    missing = [wanted[place] for place in fitting.stood_in]
    return None if "U" in missing else fitting.result()


class _Fitting:
    """Operands that are put one after the other."""

    def __init__(self, wanted: str, base: Sequence[str]) -> None:
        self._wanted, self._base = wanted, base
        self._items: list[CodeItem] = []
        self._over: list[str] = []
        self._taken = [kind if kind in "IJFD" else NULL for kind in wanted]
        self._filled, self._used = 0, 0
        self._is_first, self._uses_base = True, False
        self.stood_in: list[int] = []

    def result(self) -> FittedValues:
        """Return what was put."""
        uses_base = self._uses_base or self._used > 0
        return FittedValues(self._items, self._over, self._taken, self._used, uses_base)

    def add(self, group: ValueGroup, places: list[int]) -> None:
        """Put what a group gives, or let it go."""
        kept, passed = usable(places, self._filled), 0
        if self._is_first and not kept and not self._filled:
            passed = passed_below(places)
        if passed:
            self._over, kept = group.types[:passed], places[passed:]
        if kept and group.uses_base and self._there(kept[0]) + self._filled < kept[0]:
            kept = []  # nothing can be put before it
        if kept and not passed:
            self.fill(kept[0])
        if kept:
            self._filled = kept[-1] + 1
            for place, value in zip(kept, group.types[passed:], strict=False):
                self._taken[place] = value
        own = list(group.items)
        discard(own, group.types[passed + len(kept) :])
        self._items += own
        self._uses_base |= group.uses_base
        self._is_first = self._is_first and not places

    def fill(self, until: int) -> None:
        """Put what is missing before a place; the first of it may be there."""
        if not self._filled and not self._over:
            self._used = self._there(until)
            if self._used:
                self._taken[: self._used] = self._base[len(self._base) - self._used :]
            self._filled = self._used
        missing = range(self._filled, until)
        self.stood_in += missing
        self._items += (STAND_IN_ITEMS.get(self._wanted[at], ("nop",)) for at in missing)
        self._filled = max(self._filled, until)

    def _there(self, until: int) -> int:
        """Return how many of the first values are on the stack already."""
        if self._filled or self._items or self._over:
            return 0
        kinds = "".join(map(kind_of, self._base[len(self._base) - until :] if until else ()))
        counts = range(len(kinds), 0, -1)
        return next((n for n in counts if kinds[len(kinds) - n :] == self._wanted[:n]), 0)


Fitting: TypeAlias = "Generator[Fitting, ValueGroup, ValueGroup]"
"""Asks for what is inside, and is given it."""
CONTROL_HEADS = frozenset({*BRANCHES, "goto", "switch", "return", "athrow", "push"})
POSITION = "at"
WIDE_MARK = "'"
"""Ends the names of variables of two places: these share no place with others of the name."""
CONSTRUCTOR_NAME = "<init>"
_KNOWN_HEADS = frozenset({*JAVA_CODES, *CONSTANT_HEADS, "null", *CONTROL_HEADS})


class MethodHead(NamedTuple):
    """What is known of a method whose code is written."""

    variables: Mapping[str, str]
    """The types of its parameters by their names."""
    this: str
    """How it calls the object whose method it is."""
    given_kind: str
    is_constructor: bool


class InstructionFitting:
    """Writes instructions that lead nowhere else."""

    def __init__(self, table: ClassTable, head: MethodHead) -> None:
        self._table, self._head = table, head
        self._variables = dict(head.variables)
        self._stack: list[str] = []
        """What is on the stack between statements."""
        self._pending: list[list[ValueGroup]] = []
        """The operands so far of all instructions that are still written."""
        self._placed: set[str] = set()
        self._made: dict[int, str] = {}
        """Which number the objects have that a list makes."""
        self._classes: dict[str, str] = {}
        """The classes of objects that are not initialised."""

    def _changed(self) -> None:
        """Note that a variable has another type now."""
        raise NotImplementedError

    def _pass_position(self, name: str) -> None:
        """Note that a label is here."""
        raise NotImplementedError

    def value(self, form: FormList, *, first: bool = True) -> ValueGroup:
        """Write an instruction with all that is in it, however deep.

        ``first``: nothing was put on the stack by what it is in.
        """
        return run_nested(self._value(form, first=first))

    def operands(self, form: FormList) -> list[ValueGroup]:
        """Write what is inside of an instruction."""
        groups: list[ValueGroup] = []
        self._pending.append(groups)
        for item in form:
            if not isinstance(item, list) or head_of(item) in NOTE_HEADS:
                continue
            groups.append(self.value(item, first=not any(each.types for each in groups)))
        self._pending.pop()
        return groups

    def _value(self, form: FormList, *, first: bool) -> Fitting:
        groups: list[ValueGroup] = []
        self._pending.append(groups)
        for item in form:
            if not isinstance(item, list) or head_of(item) in NOTE_HEADS:
                continue
            is_first = first and not any(each.types for each in groups)
            if any(isinstance(inner, list) for inner in item):
                groups.append((yield self._value(item, first=is_first)))
            else:
                groups.append(self._instruction(item, [], first=is_first))
        self._pending.pop()
        return self._instruction(form, groups, first=first)

    def _instruction(  # noqa: PLR0911 - one for each kind
        self, form: FormList, groups: list[ValueGroup], *, first: bool
    ) -> ValueGroup:
        head = head_of(form)
        base = self._stack if first else []
        if head == POSITION:
            return self._position(form, groups)
        if head in STACK_SHAPES or head in {"swap", "pop", "pop2"}:
            return self._moved(head, groups, base)
        if head in CONTROL_HEADS:
            return dropped(groups)  # it leads out of a computation
        if head in VARIABLE_KINDS and head.endswith("load"):
            return self._loaded(head, name_of(form), groups)
        item = item_of(form, self._table)
        if item is None:
            return dropped(groups) if head in _KNOWN_HEADS else joined_groups(groups)
        if item[0] == "new":
            return self._new(form, item, groups)
        if item[0] == "iinc" and self._variables.get(item[1]) != "I":
            return dropped(groups)
        return self._usual(item, groups, base)

    def _position(self, form: FormList, groups: list[ValueGroup]) -> ValueGroup:
        found, name = joined_groups(groups), name_of(form)
        if name and name not in self._placed:
            self._placed.add(name)
            self._pass_position(name)
            found.items.append((LABEL, name))
        return found

    def _usual(self, item: CodeItem, groups: list[ValueGroup], base: list[str]) -> ValueGroup:
        if item[0] == "invokespecial" and item[1].name == CONSTRUCTOR_NAME:
            item = self._constructing(item, groups, base)
        takes = self._wanted(item, groups, base)
        found = fitted_values(groups, takes, base)
        if found is None:
            return dropped(groups)
        if found.used:
            del base[len(base) - found.used :]
        group = ValueGroup([*found.items, item], list(found.over), found.uses_base)
        if item[0] in VARIABLE_KINDS:
            name = variable_name(item[1], VARIABLE_KINDS[item[0]])
            group.items[-1] = (item[0], name)
            self._variables[name] = found.taken[0]
            self._changed()
        elif takes.startswith("U") and item[0] == "invokespecial":
            self._initialise(found.taken[0], group)
        group.types += given_types(item, found.taken)
        return group

    def _wanted(self, item: CodeItem, groups: list[ValueGroup], base: list[str]) -> str:
        """Return what an instruction takes; some can take what is not initialised, too."""
        takes = taken_kinds(item)
        given = [value for each in groups for value in each.types] or base[-len(takes or "A") :]
        if item[0] == "astore" and given and kind_of(given[-1]) == "U":
            return "U"
        if item[0] == "putfield" and THIS in given:
            return "U" + takes[1:]
        return takes

    def _constructing(self, item: CodeItem, groups: list[ValueGroup], base: list[str]) -> CodeItem:
        """Return the call of a constructor that the object has: its own, or that of its base."""
        member: MemberMention = item[1]
        made = [value for each in groups for value in each.types if kind_of(value) == "U"]
        value = next(reversed(made or [each for each in base if kind_of(each) == "U"]), "")
        if value in self._classes and self._classes[value] != member.owner:
            return (item[0], member._replace(owner=self._classes[value]))
        if value == THIS and member.owner not in {self._table.name, self._table.base}:
            return (item[0], MemberMention(self._table.base, CONSTRUCTOR_NAME, "()V"))
        return item

    def _initialise(self, value: str, group: ValueGroup) -> None:
        """Note that an object is one of its class from now on."""
        known = f"L{self._classes.get(value, self._table.name)}"
        lists = [group.types, self._stack]
        lists += (each.types for groups in self._pending for each in groups)
        for types in lists:
            types[:] = [known if each == value else each for each in types]
        for name, each in self._variables.items():
            if each == value:
                self._variables[name] = known
        self._changed()

    def _loaded(self, head: str, name: str, groups: list[ValueGroup]) -> ValueGroup:
        found, kind = dropped(groups), VARIABLE_KINDS[head]
        name = variable_name(name, kind)
        value = self._variables.get(name, "")
        if value and kind_of(value) in ("AU" if kind == "A" else kind):
            found.items.append((head, name))
            found.types.append(value)
        else:
            found.items.append(STAND_IN_ITEMS[kind])
            found.types.append("N" if kind == "A" else kind)
        return found

    def _new(self, form: FormList, item: CodeItem, groups: list[ValueGroup]) -> ValueGroup:
        found = dropped(groups)
        label = self._made.setdefault(id(form), f"new {len(self._made)}")
        self._classes[f"U{label}"] = item[1]
        found.items += [(LABEL, label), item]
        found.types.append(f"U{label}")
        return found

    def _moved(self, head: str, groups: list[ValueGroup], base: list[str]) -> ValueGroup:
        """Write what doubles values, changes their order, or takes them away."""
        found = joined_groups(groups)
        doubled, below = STACK_SHAPES.get(head, (0, {"swap": 2, "pop2": 2}.get(head, 1)))
        missing = doubled + below - len(found.types)
        if missing > len(base):
            return found
        if missing > 0:
            found.types = base[len(base) - missing :] + found.types
            del base[len(base) - missing :]
            found.uses_base = True
        start = len(found.types) - doubled - below
        rest, taken = found.types[:start], found.types[start:]
        kinds = kinds_of(taken)
        is_wide = any(kind in WIDE_KINDS for kind in kinds)
        if doubled:
            name, left = named_shape(kinds[below:], kinds[:below]), taken[below:] + taken
        elif head == "swap":
            name, left = (None if is_wide else head), taken[::-1]
        elif head == "pop2" and not is_wide:
            name, left = head, []
        else:
            name, left = ("pop2" if kinds[-1] in WIDE_KINDS else "pop"), taken[:-1]
        if name is None:
            return found
        return ValueGroup([*found.items, (name,)], rest + left, found.uses_base)


def variable_name(name: str, kind: str) -> str:
    """Return what a variable of a kind is known by."""
    return name + WIDE_MARK if kind in WIDE_KINDS else name
