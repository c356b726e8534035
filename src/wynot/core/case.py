"""A case: the thing being reduced, as the engine sees it."""

from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar, cast

from wynot.core.candidate import Candidate
from wynot.core.content import Contents, Cutter
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
