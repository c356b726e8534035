"""What makes any operands fit an instruction: values that are missing are plain, others go."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from wynot.formats.containers.classfiles.class_bytes import JavaConstant
from wynot.formats.containers.classfiles.code_items import CodeItem
from wynot.formats.containers.classfiles.java_operations import VARIABLE_KINDS, WIDE_KINDS
from wynot.formats.containers.classfiles.java_types import NULL, kind_of, kinds_of
from wynot.formats.containers.symbolic.value_places import NO_PLACE, last_places

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
        kept, passed = self._usable(places), 0
        if self._is_first and not kept and not self._filled:
            passed = _passed(places)
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

    def _usable(self, places: list[int]) -> list[int]:
        """Return the places that the first values of a group are for, without a gap."""
        kept: list[int] = []
        for place in places:
            if place < self._filled or (kept and place != kept[-1] + 1):
                break
            kept.append(place)
        return kept if all(place == NO_PLACE for place in places[len(kept) :]) else []


def _passed(places: list[int]) -> int:
    """Return how many values are below those that are wanted, if these are all that is above."""
    count = sum(place == NO_PLACE for place in places)
    wanted = places[count:]
    is_together = all(after == before + 1 for before, after in pairwise(wanted))
    is_below = all(place == NO_PLACE for place in places[:count])
    return count if count and is_below and wanted and wanted[0] == 0 and is_together else 0
