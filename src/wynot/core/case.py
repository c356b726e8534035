"""A case: the thing being reduced, as the engine sees it."""

from array import array
from collections.abc import Hashable, Iterable, MutableSequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Generic, Protocol, TypeVar, cast

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit

Item = TypeVar("Item")
Rendered_co = TypeVar("Rendered_co", covariant=True)


class Case(Protocol[Rendered_co]):
    """Deltas, and a way from a candidate to what the test is given."""

    @property
    def deltas(self) -> Deltas:
        """All deltas of the case."""
        ...

    def render(self, candidate: Candidate) -> Rendered_co:
        """Return what the test is given for this candidate."""
        ...

    def digest(self, candidate: Candidate) -> Hashable:
        """Return a key that two candidates share exactly if the test cannot tell them apart."""
        ...


class Cutter:
    """Cuts candidates out of a sequence with as few copies as can be.

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
        if base is not self._base:
            self._written = self._write(base)
            self._base = base
        if edit.verb == "add" or not edit.deltas:
            return self._write(candidate.kept)
        start, stop = base.rank(edit.deltas.bounds[0]), base.rank(edit.deltas.bounds[-1])
        if stop - start != len(edit.deltas):  # not one chunk of the base
            return self._write(candidate.kept)
        if edit.verb == "keep":
            return self._written[start:stop]
        rest = self._written[:]
        del rest[start:stop]
        return rest

    def _write(self, deltas: Deltas) -> MutableSequence[Any]:
        written = self._whole[:0]
        for start, stop in deltas.runs:
            written += self._whole[start:stop]
        return written


class ItemsCase(Generic[Item]):
    """A sequence of any objects; each item is a delta.

    Where ``inverted`` deltas are kept, their items are *not* there: so a delta can take an item out.
    """

    def __init__(self, items: Iterable[Item], inverted: Deltas = NONE) -> None:
        self.items = list(items)
        self.deltas = Deltas.first(len(self.items))
        self._inverted = inverted
        self._items = Cutter(self.items)

    def render(self, candidate: Candidate) -> list[Item]:
        """Return the candidate's items, in a list that the test may keep or change."""
        return cast("list[Item]", self._items.cut(self._seen(candidate)))

    def written(self, deltas: Deltas) -> list[Item]:
        """Return the items of a configuration."""
        return self.render(Candidate(deltas, Edit.keep(deltas), ""))

    def digest(self, candidate: Candidate) -> Hashable:
        """Return the candidate's key, by content: two equal lists share it, wherever cut from."""
        if self._kinds is None:
            return candidate.key
        return sha256(cast("array[int]", self._kinds.cut(self._seen(candidate)))).digest()

    def _seen(self, candidate: Candidate) -> Candidate:
        """Return the candidate whose deltas are the items that are there."""
        if not self._inverted:
            return candidate
        there = candidate.kept.toggle(self._inverted)
        return Candidate(there, Edit.keep(there), candidate.name)

    @cached_property
    def _kinds(self) -> Cutter | None:
        """The items numbered by content; None if no content comes twice, so that index is content.

        Found out when first asked for: for a million items it costs more than many a search.
        """
        try:
            if len(set(self.items)) == len(self.items):
                return None
        except TypeError:
            pass  # unhashable items are told apart one by one
        kinds = numbered(self.items)
        return Cutter(array("I", kinds)) if max(kinds) < len(kinds) - 1 else None


def numbered(items: Iterable[object]) -> list[int]:
    """Return a number for each item, the same for items of the same content."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(_content(item), len(numbers)) for item in items]


_PLAIN: frozenset[type] = frozenset({str, bytes, int, bool, type(None)})


def _content(item: object, depth: int = 4) -> Hashable:
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
        return (kind, *(_content(part, depth - 1) for part in cast("list[object]", item)))
    return (object, id(item))
