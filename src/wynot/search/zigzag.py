"""zigzag: one pass over the chunks per granularity, to and fro, and at the end until nothing goes.

OPDD (``002``) with two changes that make its result 1-minimal at little cost. Passes alternate in
direction, so that a chain of dependences, whichever way it runs, is taken apart in two passes and
not one link a pass; and passes over single deltas are repeated until one changes nothing.

Cost: O(n) tests, times the passes over single deltas: two if dependences run one way each.
Result: 1-minimal.
"""

from functools import partial

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.fold import Visits, fold
from wynot.search.rules import CLASSIC, Rules
from wynot.search.split import Chunks


def zigzag(
    kept: Deltas,
    rules: Rules = CLASSIC,
    chunks: Chunks = (),
    iteration: int = 1,
    visits: Visits | None = None,
) -> Search[Deltas]:
    """Fold over the chunks, turn round, cut finer; at single deltas until nothing goes.

    ``chunks`` are those that the pass began with, ``visits`` those it has yet to make.
    """
    while len(kept) > 1:
        chunks = chunks or rules.start(kept)
        if visits is None:
            order = tuple(rules.order(chunks, 0, iteration))
            visits = order if iteration % 2 == 0 else order[::-1]  # backward first: uses go first
        resume = partial(_resume, rules, chunks, iteration)
        kept = yield from fold(kept, chunks, visits, resume, iteration=iteration)
        left = tuple(filter(kept.holds, chunks))
        finest, changed = len(left) == len(kept), len(left) < len(chunks)
        if finest and not changed:
            break
        chunks = left if finest else rules.finer(kept, left)
        visits, iteration = None, iteration + 1
    return kept


def _resume(
    rules: Rules, chunks: Chunks, iteration: int, kept: Deltas, visits: Visits
) -> Search[Deltas]:
    return zigzag(kept, rules, chunks, iteration, visits)
