"""All causes: what else makes it fail.

Zeller & Hildebrandt 2002 (``003``), footnote 12: once a cause is found, run again on what remains
without it. Causes found this way have no delta in common.
"""

from functools import partial

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Search
from wynot.search.combinators import Minimizer, nested


def causes(
    minimizer: Minimizer,
    whole: Deltas,
    found: tuple[Deltas, ...] = (),
    after: int = 0,
    running: Search[Deltas] | None = None,
) -> Search[tuple[Deltas, ...]]:
    """Minimize; take the cause out; if the rest still fails, go on with it."""
    while True:
        running = minimizer(whole) if running is None else running
        outer = partial(causes, minimizer, whole, found, after)
        cause, after = yield from nested(running, outer, after=after, so_far=found)
        running, found, after = None, (*found, cause), after + 1
        rest = Candidate(whole, Edit.drop(cause), f"rest{len(found)}")
        # Without `again`: this round is reached through the last one of the minimizer.
        candidates = (rest,) if len(cause) < len(whole) else ()
        pick = yield FirstRound(candidates, iteration=after, so_far=found)
        if not isinstance(pick, Pick):
            return found
        whole = rest.kept
