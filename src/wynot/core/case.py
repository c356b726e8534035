"""A case: the thing being reduced, as the engine sees it; and which candidates have equal content.

``2,4`` and ``2,4`` are one candidate, wherever in ``2,4,2,4`` they were cut from. If no two items
are alike, configurations are alike only if they are the same; finding that out takes longer for a
million items than many a search. So at first configurations of one size are compared with each
other, where they part: one pair of unlike items tells them apart. Only when there are many of one
size, or a pair of like items is met, are all items numbered by what they are.
"""

from array import array
from collections import defaultdict
from collections.abc import Hashable, Iterable, MutableSequence, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Generic, Protocol, TypeVar, cast

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas

Item = TypeVar("Item")
Rendered_co = TypeVar("Rendered_co", covariant=True)


class Case(Protocol[Rendered_co]):
    """Deltas, and a way from a candidate to what the test is given."""

    @property
    def deltas(self) -> Deltas:
        """All deltas of the case."""

    def render(self, candidate: Candidate) -> Rendered_co:
        """Return what the test is given for this candidate."""

    def digest(self, candidate: Candidate) -> Hashable:
        """Return a key that two candidates share exactly if the test cannot tell them apart."""

    def size(self, deltas: Deltas) -> int:
        """Return how many items the test sees of a configuration."""


class ItemsCase(Generic[Item]):
    """A sequence of any objects; each item is a delta.

    Where ``inverted`` deltas are kept, their items are *not* there: so deltas can take items out.
    """

    def __init__(self, items: list[Item], inverted: Deltas = NONE) -> None:
        self.items = items
        self.deltas = Deltas.first(len(self.items))
        self._inverted = inverted
        self._cutter = Cutter(items)
        self._contents = Contents(items)

    def render(self, candidate: Candidate) -> list[Item]:
        """Return the candidate's items, in a list that the test may keep or change."""
        return cast("list[Item]", self._cutter.cut(self._there(candidate)))

    def written(self, deltas: Deltas) -> list[Item]:
        """Return the items of a configuration."""
        return self.render(Candidate.whole(deltas))

    def size(self, deltas: Deltas) -> int:
        """Return how many items a configuration has."""
        return len(deltas.toggle(self._inverted)) if self._inverted else len(deltas)

    def digest(self, candidate: Candidate) -> Hashable:
        """Return the candidate's digest, by content: equal lists share it, wherever cut from."""
        return self._contents.digest(self._there(candidate))

    def _there(self, candidate: Candidate) -> Candidate:
        """Return the candidate whose deltas are the items that are there."""
        if not self._inverted:
            return candidate
        return Candidate.whole(candidate.kept.toggle(self._inverted))


class Cutter:
    """Cuts candidates out of one sequence, a list or an array.

    A candidate is nearly always its base with one chunk taken out, and the next ones have the same
    base; so the base is written out once, and a candidate is one copy and one deletion of it.
    """

    def __init__(self, whole: MutableSequence[Any]) -> None:
        self._whole = whole
        self._base: Deltas | None = None
        self._written = whole

    def cut(self, candidate: Candidate) -> MutableSequence[Any]:
        """Return a fresh sequence of the members of a candidate."""
        base, edit = candidate.base, candidate.edit
        if edit.verb == "keep" and edit.deltas is base:
            return self._write(base)
        if base is not self._base:
            everything = len(base) == len(self._whole)
            self._written = self._whole if everything else self._write(base)
            self._base = base
        if edit.verb == "add" or not edit.deltas:
            return self._write(candidate.kept)
        start, stop = base.rank(edit.deltas.bounds[0]), base.rank(edit.deltas.bounds[-1])
        if stop - start != len(edit.deltas):  # not one chunk of the base
            return self._write(candidate.kept)
        if edit.verb == "keep":
            return self._written[start:stop]
        if start == 0:
            return self._written[stop:]
        rest = self._written[:] if stop < len(base) else self._written[:start]
        del rest[start:stop]
        return rest

    def _write(self, deltas: Deltas) -> MutableSequence[Any]:
        runs = deltas.runs
        written = self._whole[slice(*next(runs, (0, 0)))]
        for start, stop in runs:
            written += self._whole[start:stop]
        return written


FEW_CONFIGURATIONS = 32
"""How many configurations of one size are compared one by one."""

SHORT_SEQUENCE = 4096
"""A sequence up to this length is numbered at once: that takes less time than the comparisons."""


class Contents:
    """Gives configurations of a sequence a digest that is equal if and only if the content is."""

    def __init__(self, items: Sequence[object]) -> None:
        self._items = items
        self._seen: defaultdict[int, list[Deltas]] = defaultdict(list)
        self._numbers: Cutter | None = None
        self._distinct = False
        self._given: dict[bytes, int] = {}

    def digest(self, candidate: Candidate) -> Hashable:
        """Return the digest of a candidate."""
        if not self._distinct and self._numbers is None:
            self._tell_apart(candidate)
        if self._numbers is None:
            return candidate.key
        digest = self._hash(self._numbers, candidate)
        return self._given.get(digest, digest)

    def _tell_apart(self, candidate: Candidate) -> None:
        """Tell a candidate from those seen; if that takes too long, number the items."""
        if len(self._items) <= SHORT_SEQUENCE:
            self._number()
            return
        kept = candidate.kept
        seen = self._seen[len(kept)]
        if kept in seen:
            return
        if len(seen) < FEW_CONFIGURATIONS and not any(
            self._are_alike(kept, other) for other in seen
        ):
            seen.append(kept)
        else:
            self._number()

    def _are_alike(self, one: Deltas, other: Deltas) -> bool:
        """Compare two different configurations of one size at the first place where they differ."""
        left, right = parting(one.bounds, other.bounds)
        return content(self._items[left]) == content(self._items[right])

    def _number(self) -> None:
        with suppress(Exception):  # items that cannot be hashed are told apart one by one
            self._distinct = len(set(self._items)) == len(self._items)
        numbers = [] if self._distinct else numbered(self._items)
        self._distinct = self._distinct or len(set(numbers)) == len(numbers)
        if self._distinct:
            return
        cutter = self._numbers = Cutter(array("I", numbers))
        # What was given a digest before keeps it.
        for kept in (kept for seen in self._seen.values() for kept in seen):
            self._given[self._hash(cutter, Candidate.whole(kept))] = kept.key
        self._seen.clear()

    @staticmethod
    def _hash(numbers: Cutter, candidate: Candidate) -> bytes:
        return sha256(cast("array[int]", numbers.cut(candidate))).digest()


def parting(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, int]:
    """Return the members at the first place where two configurations differ."""
    for at, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right and at % 2 == 0:  # both start a run here, at different members
            return left, right
        if left < right:  # this run ends; the other's goes on
            return one[at + 1], left
        if right < left:
            return right, other[at + 1]
    raise AssertionError("two configurations of one size, one inside the other")


def numbered(items: Iterable[object]) -> list[int]:
    """Return a number for each item, the same for items of the same content."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(content(item), len(numbers)) for item in items]


_PLAIN: frozenset[type] = frozenset({str, bytes, int, bool, type(None)})


def content(item: object, depth: int = 4) -> Hashable:
    """Return a key that only items which no test can tell apart have in common.

    Equality is not enough: ``1 == 1.0 == True`` and ``0.0 == -0.0``, yet a test may well tell them
    apart. What is not of a known plain type, or nested deeply, counts as itself only.
    """
    kind = type(item)
    if kind in _PLAIN:
        return (kind, item)
    if kind is float:
        return (kind, cast("float", item).hex())
    if kind in {tuple, list} and depth:
        return (kind, *(content(part, depth - 1) for part in cast("list[object]", item)))
    return (object, id(item))
