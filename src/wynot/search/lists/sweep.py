"""sweep: OPDD's one pass per granularity, with the chunks of a pass asked about all at once.

``002`` observes that failures mostly are unambiguous: what can go alone can go together. A fold
still has to wait for each removal before it tries the next; here all chunks of a pass are tried on
the same base and what worked is merged (EveryRound), so a pass is as wide as it has chunks.

Cost: O(n) tests a pass and one more per merge; the last passes, over single deltas, are repeated
until one changes nothing, which is O(n²) where deltas can only go one after another.
Result: 1-minimal.
"""

from functools import partial

from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import EveryRound, Merge, Search
from wynot.search.lists.granular import granular
from wynot.search.lists.rules import CLASSIC, Rules
from wynot.search.lists.split import Chunks, Resume, Visits

BATCH_CHUNKS = 512
"""How many chunks a round asks about: wide enough, and short enough to be taken back to."""


def sweep(kept: Deltas, rules: Rules = CLASSIC) -> Search[Deltas]:
    """Try all chunks, merge what worked, cut finer; at single deltas until nothing goes."""
    return granular(kept, rules, merging, lambda order, _iteration: order)


def merging(
    kept: Deltas,
    chunks: Chunks,
    visits: Visits,
    resume: Resume,
    iteration: int,
) -> Search[Deltas]:
    """Try chunks on the same configuration, and take out all that can go together."""
    while visits and len(kept) > 1:
        drops = (Edit.drop(chunks[number]) for number in visits[:BATCH_CHUNKS])
        again = partial(resume, kept, visits=visits)
        count = len(visits)
        merge = yield EveryRound(kept, drops, iteration=iteration, again=again, sweep=count)
        kept = merge.kept if isinstance(merge, Merge) else kept
        visits = visits[BATCH_CHUNKS:]
    return kept
