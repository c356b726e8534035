"""Down to nothing: after a search, try the empty configuration too.

List searches never ask for it, since a failing input that is empty is mostly a broken test. But
where the deltas are only some parts of a case, none of them need be needed.
"""

from collections.abc import Iterator
from functools import partial

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import Pick, Round, Search
from wynot.search.star import Minimizer
from wynot.search.within import within


def down_to_nothing(
    minimizer: Minimizer, kept: Deltas, running: Search[Deltas] | None = None
) -> Search[Deltas]:
    """Run the minimizer; if it leaves a single delta, try without that one."""
    outer = partial(down_to_nothing, minimizer, kept)
    running = minimizer(kept) if running is None else running
    found, after = yield from within(running, outer)
    return (yield from _without_last(found, after + 1)) if len(found) == 1 else found


def _without_last(found: Deltas, iteration: int) -> Search[Deltas]:
    candidates: Iterator[Candidate] = iter(
        [Candidate(found, Edit.drop(found), f"r{iteration}/none")]
    )
    again = partial(_without_last, found, iteration)
    pick = yield Round.first(candidates, iteration=iteration, again=again)
    return NONE if isinstance(pick, Pick) else found
