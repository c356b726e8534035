"""Passes that take turns: next is the one that has saved most bytes for a test."""

from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import NamedTuple

from wynot.core.round import Search
from wynot.passes.catalog import WHITE_SPACE, PlanOptions, simplifying
from wynot.passes.progress import FirstTurns, Progress, Runs
from wynot.passes.reduction_pass import Pass
from wynot.passes.trees import Trees
from wynot.search.combinators import Step, one_after_another

PASS_PATIENCE = 25
"""Failures in a row after which the next pass may have a go, as long as any pass is of use."""
MUCH_BYTES = 16 << 10
"""Bytes from which on blanks are only a small part of what there is to save."""
LAYOUT_TESTS = 8
"""Tests that they may cost then, at a time."""
MOST_IDLE_TURNS = 40
"""Turns that may change something without making anything lighter, before they count as vain."""


class Turns(NamedTuple):
    """What is remembered of passes that take turns."""

    passes: tuple[Pass, ...]
    saved: tuple[float, ...]
    """Bytes that each has saved for a test, the last time it ran."""
    vain: frozenset[int]
    """Those that have nothing to offer for the files as they are."""
    patience: float
    number: int = 0
    before: Progress | None = None
    """Where the last one began."""
    start: Progress | None = None
    """Where the first one began."""
    least: float = inf
    """What the files have weighed at least."""
    idle: int = 0
    """How many turns since then have changed something, but made nothing lighter."""

    @classmethod
    def of(cls, passes: tuple[Pass, ...], patience: float) -> "Turns":
        """Return how it begins: each is to show what it can do."""
        return cls(passes, (inf,) * len(passes), frozenset(), patience)

    def begun(self, progress: Progress) -> "Turns":
        """Return the same with the next pass begun: the best of those that may have something."""
        waiting = (each for each in range(len(self.passes)) if each not in self.vain)
        number = max(waiting, key=self.saved.__getitem__)
        return self._replace(number=number, before=progress, start=self.start or progress)

    def after(self, progress: Progress) -> "Turns":
        """Return the same after the pass whose turn it was."""
        if self.before is None:
            return self
        before, after = self.before.view, progress.view
        tests = progress.cost.tests - self.before.cost.tests
        saved = list(self.saved)
        saved[self.number] = max(before.weight - after.weight, 0) / (tests + 1)
        is_lighter, has_changed = after.weight < self.least, after.contents != before.contents
        idle = 0 if is_lighter else self.idle + has_changed
        # What only changes may change back: two passes could go on like that for ever.
        vain = frozenset() if has_changed and idle < MOST_IDLE_TURNS else self.vain
        # It went on for as long as it was of use.
        vain |= {self.number}
        least = min(self.least, after.weight)
        return self._replace(saved=tuple(saved), vain=vain, least=least, idle=idle)


@dataclass(frozen=True, slots=True)
class TakeTurns:
    """Leave out and rewrite nodes: next is the pass that has saved most bytes for a test.

    As long as any pass is of use, one that fails for long lets the next one have a go. When none
    is, each may try all it has; but not again when little has changed since.
    """

    runs: Runs
    options: PlanOptions
    trees: Trees
    most: float
    """The patience of each when none is of use any more."""

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Go on until no pass is of use."""
        return one_after_another(self._next, self._turns(PASS_PATIENCE), progress)

    def _turns(self, patience: float) -> Turns:
        return Turns.of(simplifying(self.options, self.trees, patience), patience)

    def _next(self, turns: Turns, progress: Progress) -> tuple[Step[Progress], Turns] | None:
        turns = turns.after(progress)
        if len(turns.vain) == len(turns.passes):
            if turns.patience == self.most:
                return None
            progress = _with_first_turns(progress, turns.start)
            turns = self._turns(self.most)
        turns = turns.begun(progress)
        step = turns.passes[turns.number]
        return partial(self._run, step, progress.first_turns), turns

    def _run(
        self, step: Pass, first_turns: FirstTurns | None, progress: Progress
    ) -> Search[Progress]:
        runs = self.runs
        if step.name == WHITE_SPACE and progress.view.weight > MUCH_BYTES:
            runs = replace(runs, until=min(runs.until, progress.cost.tests + LAYOUT_TESTS))
        return runs.run_inside(step, replace(progress, first_turns=first_turns))


def _with_first_turns(progress: Progress, start: Progress | None) -> Progress:
    """Take note of what the first quick turns have come to."""
    if start is None or progress.first_turns is not None:
        return progress
    tests = progress.cost.tests - start.cost.tests
    return replace(progress, first_turns=FirstTurns(start, progress.view, tests))
