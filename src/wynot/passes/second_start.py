"""A second start: where much is left, another order may leave less.

Greedy order decides where a failure hangs on many parts at once, as on the edges of a graph: what
goes first settles what can go at all. Heavy parts first is best for most; where the first quick
turns of the passes have left a lot by it, what they began with is reduced again in another order,
once nothing more can go. That is given as many tests as those turns took, and given up unless it is
well under what they had come to.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from wynot.core.files import Files
from wynot.core.round import Search
from wynot.formats.format import is_text
from wynot.passes.catalog import PlanOptions
from wynot.passes.leftovers.short_text import MOST_LEFT_TOKENS
from wynot.passes.progress import FirstTurns, Progress, Runs
from wynot.passes.trees import LARGE_PROPOSAL_BYTES, Trees
from wynot.passes.turns import PASS_PATIENCE, TakeTurns
from wynot.search.combinators import Step, done, in_turn, mapped

LEAST_REST = 200
"""Bytes that are left at least where this is worth it."""
SECOND_SHARE = 0.8
"""Which part of what the first turns have left a second start may leave at most to go on."""


@dataclass(frozen=True, slots=True)
class SecondStart:
    """Starts again, and keeps the smaller result."""

    runs: Runs
    options: PlanOptions
    trees: Trees
    through: Callable[[float], Step[Progress]]
    """Goes through all passes again, up to so many tests in all."""

    def __call__(self, first: Progress) -> Search[Progress]:
        """Start again where that may be of use."""
        turns = first.first_turns
        if turns is None or first.view.weight < LEAST_REST or not self._is_much(turns.left):
            return done(first)
        start = replace(
            turns.start,
            cost=first.cost,
            hurried=first.hurried,
            first_turns=turns,
            rival=first.files,
        )
        until = 2 * first.cost.tests
        steps = (partial(self.quickly, turns), partial(self.thoroughly, turns, until))
        return mapped(in_turn(steps, start), partial(_smaller, first))

    def quickly(self, turns: FirstTurns, progress: Progress) -> Search[Progress]:
        """Let the passes take turns, in another order and with no more tests than before."""
        runs = replace(self.runs, until=progress.cost.tests + turns.tests, evenly=True)
        return TakeTurns(runs, self.options, self.trees, PASS_PATIENCE)(progress)

    def thoroughly(self, turns: FirstTurns, until: float, progress: Progress) -> Search[Progress]:
        """Go on as ever, if that promises anything."""
        if progress.view.weight > turns.left.weight * SECOND_SHARE:
            return done(progress)
        return self.through(until)(progress)

    def _is_much(self, files: Files) -> bool:
        """Tell whether the turns have left more than a single cause needs, mostly."""
        if files.size > LARGE_PROPOSAL_BYTES or not all(map(is_text, files.contents.values())):
            return False
        return len(self.trees.forest(files).leaves) > MOST_LEFT_TOKENS


def _smaller(first: Progress, second: Progress) -> Progress:
    """Return what is smaller; both have been paid for."""
    if second.files.weight < first.files.weight:
        return replace(second, rival=None)
    return replace(first, cost=second.cost)
