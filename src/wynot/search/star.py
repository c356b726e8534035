"""Star: repeat a search on its own result until nothing changes (HDD*, Picire's DD*)."""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.within import within

Minimizer: TypeAlias = Callable[[Deltas], Search[Deltas]]


def star(
    minimizer: Minimizer, kept: Deltas, after: int = 0, running: Search[Deltas] | None = None
) -> Search[Deltas]:
    """Run the minimizer until a run changes nothing: that makes a one-pass search 1-minimal."""
    while True:
        running = minimizer(kept) if running is None else running
        outer = partial(star, minimizer, kept, after)
        found, after = yield from within(running, outer, after=after)
        if found == kept:
            return kept
        kept, running = found, None
