"""One Pass Delta Debugging: no chunk is visited twice at one granularity.

Gharachorlu & Sumner 2018 (``002``), Fig. 6. Where ddmin goes round again after each removal, this
folds once over the chunks, each tried on what the ones before have left, and then goes finer. The
paper names three reasons why that is enough: dependences mostly go one way (visit backward, and
uses go before what they use), failures mostly have one cause, and what was missed goes later, when
it is cut finer.

Cost: O(n) tests. Result: fails, but need not be 1-minimal; ``star`` makes it so.
"""

from functools import partial

from wynot.core.deltas import Deltas
from wynot.core.round import FirstRound, Pick, Search
from wynot.search.lists.rules import CLASSIC, Rules
from wynot.search.lists.split import Chunks, Visits, fold


def opdd(
    kept: Deltas,
    rules: Rules = CLASSIC,
    chunks: Chunks = (),
    iteration: int = 1,
    visits: Visits | None = None,
) -> Search[Deltas]:
    """Reduce to a subset, else fold over the complements; then refine.

    ``visits`` are those that the fold has yet to make; None: it has not begun.
    """
    while len(kept) > 1:
        chunks = chunks or rules.start(kept)
        if visits is None and rules.subsets:
            subsets = rules.alone(kept, chunks, iteration)
            again = partial(opdd, kept, rules, chunks, iteration)
            pick = yield FirstRound(subsets, iteration=iteration, again=again)
            if isinstance(pick, Pick):  # reduce to subset
                kept, chunks, iteration = pick.candidate.kept, (), iteration + 1
                continue
        if visits is None:
            visits = tuple(rules.order(chunks, 0, iteration))
        resume = partial(opdd, rules=rules, chunks=chunks, iteration=iteration)
        kept = yield from fold(kept, chunks, visits, resume, iteration)
        chunks = tuple(filter(kept.holds, chunks))
        visits, iteration = None, iteration + 1
        if len(chunks) == len(kept):  # done
            break
        chunks = rules.finer(kept, chunks)
    return kept
