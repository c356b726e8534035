"""CDD, counter-based delta debugging: chunk sizes from a counter, no model to keep.

Zhang et al. 2024, "Toward a Better Understanding of Probabilistic Delta Debugging". ProbDD's
probabilities all rise alike, so that the r-th pass may as well use the chunk size that suits a
probability of p₀ / (1 - 1/e)ʳ. Each pass folds over the chunks once; the last has chunks of one.

Cost: O(n) tests. Result: fails, but need not be 1-minimal; ``star`` makes it so.
"""

from functools import partial
from math import e, log

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.lists.rules import CLASSIC, Rules
from wynot.search.lists.split import Chunks, Visits, fold

LIKELY_NEEDED = 0.1
"""p₀: how likely a delta is thought to be needed before anything is known (the papers' value)."""


def best_size(chance: float) -> int:
    """Return the s with the largest expected gain s·(1-p)ˢ, each delta needed with chance p."""
    if chance >= 1:
        return 1
    ideal = int(-1 / log(1 - chance))
    # Rounded, so that of two that gain the same the larger is taken: 10, not 9, at p = 0.1.
    return max(ideal + 1, ideal, 1, key=lambda size: round(size * (1 - chance) ** size, 9))


def cdd(
    kept: Deltas,
    rules: Rules = CLASSIC,
    chunks: Chunks = (),
    iteration: int = 1,
    visits: Visits | None = None,
) -> Search[Deltas]:
    """Fold over chunks of the size that the counter gives, until they are single deltas.

    ``chunks`` are those of this pass, ``visits`` those it has yet to make.
    """
    while len(kept) > 1:
        size = best_size(LIKELY_NEEDED / (1 - 1 / e) ** (iteration - 1))
        chunks = chunks or _chunks_of(kept, size)
        if visits is None:
            visits = tuple(rules.order(chunks, 0, iteration))
        resume = partial(cdd, rules=rules, chunks=chunks, iteration=iteration)
        kept = yield from fold(kept, chunks, visits, resume, iteration)
        visits, chunks, iteration = None, (), iteration + 1
        if size == 1:
            break
    return kept


def _chunks_of(kept: Deltas, size: int) -> Chunks:
    starts = range(0, len(kept), size)
    return tuple(kept.part(start, min(start + size, len(kept))) for start in starts)
