"""In turn: several searches, each on what the one before has left."""

from functools import partial

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.star import Minimizer
from wynot.search.within import within


def in_turn(
    minimizers: tuple[Minimizer, ...],
    kept: Deltas,
    after: int = 0,
    running: Search[Deltas] | None = None,
) -> Search[Deltas]:
    """Run the searches one after the other."""
    while minimizers:
        running = minimizers[0](kept) if running is None else running
        outer = partial(in_turn, minimizers, kept, after)
        kept, after = yield from within(running, outer, after=after)
        minimizers, running = minimizers[1:], None
    return kept
