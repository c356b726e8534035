"""ddmin, the minimizing delta debugging algorithm.

Zeller & Hildebrandt 2002 (``003``), Fig. 5; Hodován & Kiss 2016 (``000``), Algorithms 1 to 4. All
variants are one loop with other ``Rules``: parallel is the engine's business, and combined that of
the rounds.

Cost: n² + 3n tests at worst (Prop. 12), 2·log₂n if one delta alone fails (Prop. 13).
Result: 1-minimal.
"""

from fractions import Fraction
from functools import partial

from wynot.core.deltas import Deltas
from wynot.core.round import Again, FirstRound, Pick, Search
from wynot.search.lists.rules import CLASSIC, Offset, Rules
from wynot.search.lists.split import Chunks


def ddmin(
    kept: Deltas,
    rules: Rules = CLASSIC,
    chunks: Chunks = (),
    iteration: int = 1,
    offset: Offset = 0,
) -> Search[Deltas]:
    """Reduce to a subset, else to a complement, else increase granularity, else be done."""
    while len(kept) > 1:
        chunks = chunks if len(chunks) > 1 else rules.start(kept)
        again: Again = partial(ddmin, kept, rules, chunks, iteration, offset)
        for candidates in rules.phases(kept, chunks, offset, iteration):
            pick = yield FirstRound(candidates, iteration=iteration, again=again, sweep=len(chunks))
            again = None  # the second round is reached through the first
            if pick:
                break
        iteration += 1
        if isinstance(pick, Pick) and pick.candidate.edit.verb == "keep":  # reduce to subset
            kept, chunks, offset = pick.candidate.kept, (), 0
        elif isinstance(pick, Pick):  # reduce to complement
            gone = chunks.index(pick.candidate.edit.deltas)
            kept, chunks = pick.candidate.kept, chunks[:gone] + chunks[gone + 1 :]
            offset = 0 if rules.restart else gone
        elif len(chunks) < len(kept):  # increase granularity
            finer = rules.finer(kept, chunks)
            offset, chunks = Fraction(offset * len(finer), len(chunks)), finer
        else:  # done
            break
    return kept
