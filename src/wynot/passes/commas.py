"""Which commas go with what goes: those that would part nothing without it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId


class Members(NamedTuple):
    """The children of a node that has commas."""

    children: Sequence[NodeId]
    firsts: Sequence[int]
    """The first token of each."""
    commas: Sequence[int]
    """The tokens that are commas."""


@dataclass(slots=True)
class Commas:
    """Finds commas; how long that takes depends on what goes, not on how long a list is."""

    forest: Forest
    _members: dict[NodeId, Members | None] = field(default_factory=dict)
    """Of nodes that were asked about; None: one without commas."""

    def without(self, nodes: Sequence[NodeId], kept: Deltas) -> Iterator[int]:
        """Return a comma for each node that goes.

        It is the one before it, or, if nothing is left before it, the one behind.
        """
        forest = self.forest
        parents = {forest.parents[node] for node in nodes}
        lists = [(parent, found) for parent in parents if (found := self._of(parent))]
        if not lists:
            return
        gone = Deltas.covering((forest.firsts[node], forest.ends[node]) for node in nodes)
        for parent, members in lists:
            yield from self._in_list(parent, members, gone, forest.marks(kept))

    def _in_list(
        self, parent: NodeId, members: Members, gone: Deltas, kept: bytes
    ) -> Iterator[int]:
        start = self._first_left(parent, members, gone, kept)
        yield from filter(kept.__getitem__, members.commas[: bisect_left(members.commas, start)])
        bounds = gone.bounds
        # The runs that reach into what comes after, each with the members that begin in it.
        for at in range(bisect_right(bounds, start) // 2, len(bounds) // 2):
            low = bisect_left(members.firsts, max(bounds[2 * at], start))
            high = bisect_left(members.firsts, bounds[2 * at + 1])
            if low == len(members.firsts):
                break
            for place in range(low, high):
                if self._is_element(members.children[place], kept):
                    yield from self._before(members, place, kept)

    def _first_left(self, parent: NodeId, members: Members, gone: Deltas, kept: bytes) -> int:
        """Return the first token of the first element that stays, or the end of the list."""
        forest = self.forest
        end = forest.ends[parent]
        token = kept.find(1, forest.firsts[parent], end)
        while token >= 0:
            child = members.children[bisect_right(members.firsts, token) - 1]
            if forest.is_named(child) and forest.firsts[child] not in gone:
                return forest.firsts[child]
            token = kept.find(1, forest.ends[child], end)
        return end

    def _before(self, members: Members, place: int, kept: bytes) -> Iterator[int]:
        """Return the last comma before a member, if it is not before another one."""
        forest = self.forest
        token = kept.rfind(1, 0, members.firsts[place])
        while token >= members.firsts[0]:
            child = members.children[bisect_right(members.firsts, token) - 1]
            if forest.is_named(child):
                return
            if forest.kind(child) == ",":
                yield token
                return
            token = kept.rfind(1, 0, forest.firsts[child])

    def _is_element(self, child: NodeId, kept: bytes) -> bool:
        forest = self.forest
        return (
            forest.is_named(child) and kept.find(1, forest.firsts[child], forest.ends[child]) >= 0
        )

    def _of(self, parent: NodeId) -> Members | None:
        if parent not in self._members:
            forest = self.forest
            children = list(forest.children(parent))
            firsts = [forest.firsts[child] for child in children]
            commas = [forest.firsts[child] for child in children if forest.kind(child) == ","]
            self._members[parent] = Members(children, firsts, commas) if commas else None
        return self._members[parent]
