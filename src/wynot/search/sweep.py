"""sweep: OPDD's one pass per granularity, with the chunks of a pass asked about all at once.

``002`` observes that failures mostly are unambiguous: what can go alone can go together. A fold
still has to wait for each removal before it tries the next; here all chunks of a pass are tried on
the same base and what worked is merged (Round.every), so a pass is as wide as it has chunks.

Cost: O(n) tests a pass and one more per merge; the last passes, over single deltas, are repeated
until one changes nothing, which is O(n²) where deltas can only go one after another.
Result: 1-minimal.
"""

from functools import partial

from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Merge, Round, Search
from wynot.search.fold import Visits
from wynot.search.rules import CLASSIC, Rules
from wynot.search.split import Chunks

BATCH = 512
"""How many chunks a round asks about: wide enough, and short enough to be taken back to."""


def sweep(
    kept: Deltas,
    rules: Rules = CLASSIC,
    chunks: Chunks = (),
    iteration: int = 1,
    visits: Visits | None = None,
) -> Search[Deltas]:
    """Try all chunks, merge what worked, cut finer; at single deltas until nothing goes.

    ``chunks`` are those that the pass began with, ``visits`` those it has yet to make.
    """
    while len(kept) > 1:
        chunks = chunks or rules.start(kept)
        if visits is None:
            visits = tuple(rules.order(chunks, 0, iteration))
        while visits:
            drops = (Edit.drop(chunks[index]) for index in visits[:BATCH])
            again = partial(sweep, kept, rules, chunks, iteration, visits)
            merge = yield Round.every(kept, drops, iteration=iteration, again=again)
            kept = merge.kept if isinstance(merge, Merge) else kept
            visits = visits[BATCH:]
        left = tuple(filter(kept.holds, chunks))
        finest, changed = len(left) == len(kept), len(left) < len(chunks)
        if finest and not changed:
            break
        chunks = left if finest else rules.finer(kept, left)
        visits, iteration = None, iteration + 1
    return kept
