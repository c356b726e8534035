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
from wynot.search.fold import Visits, fold
from wynot.search.rules import CLASSIC, Rules

LIKELY = 0.1
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
    iteration: int = 1,
    visits: Visits | None = None,
    whole: Deltas | None = None,
) -> Search[Deltas]:
    """Fold over chunks of the size that the counter gives, until they are single deltas.

    ``whole`` is what this pass was cut from, ``visits`` what it has yet to try.
    """
    while len(kept) > 1:
        whole = kept if whole is None else whole
        size = best_size(LIKELY / (1 - 1 / e) ** (iteration - 1))
        chunks = tuple(
            whole.part(at, min(at + size, len(whole))) for at in range(0, len(whole), size)
        )
        if visits is None:
            visits = tuple(rules.order(chunks, 0, iteration))
        resume = partial(_resume, rules, iteration, whole)
        kept = yield from fold(kept, chunks, visits, resume, iteration=iteration)
        visits, whole, iteration = None, None, iteration + 1
        if size == 1:
            break
    return kept


def _resume(
    rules: Rules, iteration: int, whole: Deltas, kept: Deltas, visits: Visits
) -> Search[Deltas]:
    return cdd(kept, rules, iteration, visits, whole)
