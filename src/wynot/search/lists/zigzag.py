"""zigzag: one pass over the chunks per granularity, to and fro, and at the end until nothing goes.

OPDD (``002``) with two changes that make its result 1-minimal at little cost. Passes alternate in
direction, so that a chain of dependences, whichever way it runs, is taken apart in two passes and
not one link a pass; and passes over single deltas are repeated until one changes nothing.

Cost: O(n) tests, times the passes over single deltas: two if dependences run one way each.
Result: 1-minimal.
"""

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.lists.granular import granular
from wynot.search.lists.rules import CLASSIC, Rules
from wynot.search.lists.split import Visits, fold


def zigzag(kept: Deltas, rules: Rules = CLASSIC) -> Search[Deltas]:
    """Fold over the chunks, turn round, cut finer; at single deltas until nothing goes."""
    return granular(kept, rules, fold, to_and_fro)


def to_and_fro(order: Visits, iteration: int) -> Visits:
    """Go backward first, since what is used later mostly goes before what declares it."""
    return order if iteration % 2 == 0 else order[::-1]
