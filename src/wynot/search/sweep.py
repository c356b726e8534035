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
from wynot.search.rules import CLASSIC, Rules
from wynot.search.split import Chunks


def sweep(
    kept: Deltas, rules: Rules = CLASSIC, chunks: Chunks = (), iteration: int = 1
) -> Search[Deltas]:
    """Try all chunks, merge what worked, cut finer; at single deltas until nothing goes."""
    while len(kept) > 1:
        chunks = chunks or rules.start(kept)
        drops = (Edit.drop(chunks[index]) for index in rules.order(chunks, 0, iteration))
        again = partial(sweep, kept, rules, chunks, iteration)
        merge = yield Round.every(kept, drops, iteration=iteration, again=again)
        iteration += 1
        finest = len(chunks) == len(kept)
        if isinstance(merge, Merge):
            kept = merge.kept
            chunks = tuple(filter(kept.holds, chunks))
        elif finest:
            break
        if not finest:
            chunks = rules.finer(kept, chunks)
    return kept
