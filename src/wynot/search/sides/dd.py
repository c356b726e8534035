"""dd, the general delta debugging algorithm: isolate a difference between passing and failing.

Zeller & Hildebrandt 2002 (``003``), §5 and Fig. 15. The failing side shrinks when a smaller
configuration fails, the passing side grows when a larger one passes, until no chunk of what lies
between them can be moved to either side. The figure's five rules are the five branches below; its
"∃i" does not say which i or rule comes first, and here the first resolved test decides, so that
with no unresolved tests the search is the binary search of Prop. 18.

Cost: n² + 3n tests at worst (Prop. 17), log₂n if every test is resolved (Prop. 18).
Result: a difference that is 1-minimal (Def. 15), of one delta if every test is resolved (Cor. 19).
"""

from fractions import Fraction
from functools import partial
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import RESOLVED, FirstRound, Pick, Search
from wynot.core.verdict import Verdict
from wynot.search.lists.rules import CLASSIC, Offset, Rules
from wynot.search.lists.split import Chunks


class Pair(NamedTuple):
    """A passing configuration inside a failing one."""

    passing: Deltas
    failing: Deltas


def dd(
    pair: Pair,
    rules: Rules = CLASSIC,
    chunks: Chunks = (),
    iteration: int = 1,
    offset: Offset = 0,
) -> Search[Pair]:
    """Narrow the difference from both sides."""
    while len(difference := pair.failing.toggle(pair.passing)) > 1:
        chunks = chunks if len(chunks) > 1 else rules.start(difference)
        again = partial(dd, pair, rules, chunks, iteration, offset)
        order = rules.order(chunks, offset, iteration)
        grown = [Candidate(pair.passing, Edit.add(chunks[i]), f"r{iteration}/s{i}") for i in order]
        cut = [Candidate(pair.failing, Edit.drop(chunks[i]), f"r{iteration}/c{i}") for i in order]
        both = grown + cut if rules.subsets_first else cut + grown
        round_ = FirstRound(both, iteration=iteration, wanted=RESOLVED, again=again, odds=0.5)
        pick = yield round_
        iteration += 1
        if not isinstance(pick, Pick):
            if len(chunks) == len(difference):  # done
                break
            finer = rules.finer(difference, chunks)  # increase granularity
            offset, chunks = Fraction(offset * len(finer), len(chunks)), finer
            continue
        kept, chunk = pick.candidate.kept, chunks.index(pick.candidate.edit.deltas)
        match pick.candidate.edit.verb, pick.verdict:
            case "add", Verdict.INTERESTING:  # reduce to subset
                pair, chunks, offset = Pair(pair.passing, kept), (), 0
            case "drop", Verdict.UNINTERESTING:  # increase to complement
                pair, chunks, offset = Pair(kept, pair.failing), (), 0
            case "add", _:  # increase to subset
                pair, chunks = Pair(kept, pair.failing), chunks[:chunk] + chunks[chunk + 1 :]
                offset = 0 if rules.restart else chunk
            case _:  # reduce to complement
                pair, chunks = Pair(pair.passing, kept), chunks[:chunk] + chunks[chunk + 1 :]
                offset = 0 if rules.restart else chunk
    return pair
