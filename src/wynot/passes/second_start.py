"""A second start: where the result is still large, another order may leave less.

Greedy order decides where a failure hangs on many parts at once, as on the edges of a graph: what
goes first settles what can go at all. Heavy parts first is best for most. Where the quick tier has
left a lot by it, its files are reduced again in another order, once nothing more can go. That may
take as many tests as the quick tier took, and is given up unless it leaves well under as much.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from wynot.core.files import Files, is_text
from wynot.core.round import Search
from wynot.passes.progress import FirstTurns, Progress, Runs
from wynot.passes.tiers import Context, Tier
from wynot.passes.trees.parsed_files import LARGE_PROPOSAL_BYTES
from wynot.search.combinators import done, in_turn, mapped

MIN_RESULT_BYTES, MIN_RESULT_TOKENS = 200, 160
"""How many bytes the first start leaves at least, and the quick tier more tokens, where this is
worth it: as in dot-init-rank, and in no other case of the account."""
SECOND_SHARE = 0.8
"""What fraction of the result of the quick tier a second start may leave at most to go on."""


@dataclass(frozen=True, slots=True)
class SecondStart:
    """Starts again, and keeps the smaller result."""

    context: Context
    quick: Tier
    until_stable: Callable[[Runs, Progress], Search[Progress]]
    """Runs all tiers until nothing changes."""

    def __call__(self, first: Progress) -> Search[Progress]:
        """Start again where that may be of use."""
        turns = first.first_turns
        if turns is None or first.view.weight < MIN_RESULT_BYTES or not self._is_much(turns.result):
            return done(first)
        start = replace(
            turns.start, cost=first.cost, short_timeout=first.short_timeout, rival=first.files
        )
        steps = partial(self._quick, turns), partial(self._go_on, first, turns)
        return mapped(in_turn(steps, start), partial(_lighter, first))

    def _quick(self, turns: FirstTurns, progress: Progress) -> Search[Progress]:
        """Run the quick tier in another order, with no more tests than before."""
        context = self.context.limited(turns.tests, progress)
        runs = replace(context.runs, ignores_weight=True)
        return self.quick.run(replace(context, runs=runs), progress)

    def _go_on(self, first: Progress, turns: FirstTurns, progress: Progress) -> Search[Progress]:
        """Run all tiers if that promises anything, or if the result is kept: it needs a proof."""
        is_promising = progress.view.weight <= turns.result.weight * SECOND_SHARE
        if not is_promising and progress.files.weight >= first.files.weight:
            return done(progress)
        return self.until_stable(self.context.limited(first.cost.tests, first).runs, progress)

    def _is_much(self, files: Files) -> bool:
        """Tell whether the quick tier has left more than a single cause needs, mostly."""
        if files.size > LARGE_PROPOSAL_BYTES or not all(map(is_text, files.contents.values())):
            return False
        return len(self.context.trees.forest(files).leaves) > MIN_RESULT_TOKENS


def _lighter(first: Progress, second: Progress) -> Progress:
    """Return the lighter result; both have been paid for."""
    if second.files.weight < first.files.weight:
        return replace(second, rival=None)
    return replace(first, cost=second.cost)
