"""What of a large source nothing else needs: deletions that go together by use.

From all that stays, whatever it mentions is needed, and what that mentions, in turn: a template
with its specialisations, a class with its members elsewhere, all overloads of a name. The rest can
go at once, however much it is, and leaves no name without what gives it. (C-Reduce's
``remove-unused-function`` takes one at a time; a linker's ``--gc-sections`` all, as here.)
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wynot.core.deltas import NONE, Deltas
from wynot.core.recent import Recent
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId
from wynot.passes.source_units import NO_UNIT, SourceUnits

MIN_LARGE_TOKENS = 10_000
"""Tokens from which on a source is large enough for this to be worth the tests."""
KEPT_ANSWERS = 64
"""How many answers are remembered: each is asked for to see what it is worth, and to try it."""


@dataclass(slots=True)
class Needed:
    """Finds out what is needed."""

    forest: Forest
    units: SourceUnits = field(init=False)
    _needs: dict[int, frozenset[int]] = field(default_factory=dict)
    """Of units the names in them, while all of them is kept."""
    _answers: Recent[tuple[tuple[NodeId, ...], int, bool], Deltas] = field(
        default_factory=lambda: Recent(KEPT_ANSWERS)
    )

    def __post_init__(self) -> None:
        self.units = SourceUnits(self.forest)

    def useless(self, nodes: Sequence[NodeId], kept: Deltas, *, members: bool) -> Deltas:
        """Return the tokens of what is in some nodes, and is not needed by what is outside of them.

        Of a class that is needed, members may be useless too.
        """
        inside = [
            (bisect_left(self.units.nodes, node), bisect_left(self.units.nodes, end))
            for node, end in ((node, self.forest.subtree_ends[node]) for node in nodes)
        ]
        if not any(start < stop for start, stop in inside):
            return NONE
        key = tuple(nodes), kept.key, members
        return self._answers.get(key, lambda: self._useless(inside, kept, members=members))

    def _useless(self, inside: Iterable[tuple[int, int]], kept: Deltas, *, members: bool) -> Deltas:
        reached = bytearray(b"\1" * len(self.units.nodes))
        for start, stop in inside:
            reached[start:stop] = bytes(stop - start)
        marks = self.forest.marks(kept)
        _Reaching(self, marks, reached, members=members).finish()
        return self._tokens(map(int(False).__eq__, reached), kept)

    def _span(self, unit: int) -> tuple[int, int]:
        return self.forest.firsts[self.units.nodes[unit]], self.units.stops[unit]

    def _tokens(self, gone: Iterable[bool], kept: Deltas) -> Deltas:
        """Return the tokens of some units; what is inside of them goes with them."""
        runs: list[tuple[int, int]] = []
        for unit, is_gone in enumerate(gone):
            start, stop = self._span(unit)
            if is_gone and (not runs or start >= runs[-1][1]):
                runs.append((start, stop))
        return Deltas.covering(runs).common(kept)

    def needs(self, unit: int, marks: bytes) -> frozenset[int]:
        """Return the names that are mentioned in a unit, as far as it is kept."""
        units = self.units
        runs = list(units.own_runs(unit))
        if any(marks.find(0, *run) >= 0 for run in runs):
            return units.mentioned(
                unit, (each for run in runs for each in range(*run) if marks[each])
            )
        found = self._needs.get(unit)
        if found is None:
            tokens = (each for run in runs for each in range(*run))
            found = self._needs[unit] = units.mentioned(unit, tokens)
        return found


class _Reaching:
    """One walk from what stays to all that it needs."""

    def __init__(self, needed: Needed, marks: bytes, reached: bytearray, *, members: bool) -> None:
        self._needed = needed
        self._units = needed.units
        self._marks = marks
        self._reached = reached
        self._members = members
        self._mentioned = bytearray(len(needed.units.givers))
        self._queue = [unit for unit, is_reached in enumerate(reached) if is_reached]

    def finish(self) -> None:
        """Mark all that is needed by what was reached from the start."""
        self._follow()
        for unit in self._nameless():
            if all(map(self._is_known, self._needed.needs(unit, self._marks))):
                self._reach(unit)
        for unit, opener in self._units.closers.items():
            if self._reached[opener]:
                self._reach(unit)
        self._follow()

    def _reach(self, unit: int) -> None:
        while unit != NO_UNIT and not self._reached[unit]:
            self._reached[unit] = 1
            self._queue.append(unit)
            unit = self._units.parents[unit]

    def _follow(self) -> None:
        """Go from what was reached to what it mentions, until there is nothing new."""
        units = self._units
        while self._queue:
            unit = self._queue.pop()
            if units.is_class[unit]:
                for member in range(unit + 1, units.ends[unit]):
                    given = units.given[member]
                    if not self._members or (
                        units.classes[member] == unit
                        and (not given or any(map(self._mentioned.__getitem__, given)))
                    ):
                        self._reach(member)
                self._fill(unit)
            for name in self._needed.needs(unit, self._marks):
                if not self._mentioned[name]:
                    self._mentioned[name] = 1
                    for giver in units.givers[name]:
                        around = units.classes[giver]
                        if around == NO_UNIT or self._reached[around]:
                            self._reach(giver)

    def _fill(self, unit: int) -> None:
        """Have something stay in a class where lines mean something: it cannot be empty."""
        forest, units = self._needed.forest, self._units
        inside = range(unit + 1, units.ends[unit])
        if inside and forest.language(units.nodes[unit]).newline_sensitive:
            sizes = (forest.weight(units.nodes[each]) for each in inside)
            self._reach(min(zip(sizes, inside, strict=True))[1])

    def _nameless(self) -> Iterator[int]:
        """Yield the units that nothing can mention: they stay if all that they mention does."""
        units, forest = self._units, self._needed.forest
        for unit, names in enumerate(units.given):
            if names or self._reached[unit] or units.ends[unit] > unit + 1:
                continue
            around = units.classes[unit]
            is_there = around == NO_UNIT or self._reached[around]
            is_idle = kinds.is_instantiation(forest.kind(units.nodes[unit]))
            if is_there and not is_idle and unit not in units.closers:
                yield unit

    def _is_known(self, name: int) -> bool:
        return any(map(self._reached.__getitem__, self._units.givers[name]))
