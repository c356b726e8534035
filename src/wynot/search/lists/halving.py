"""halving: the one needed delta by halves of what is left; if there is no such one, chase.

Where a delta costs time of its own, as an earlier test that has to run does, a prefix is dear: each
of them has nearly all deltas in it if the needed one is among the last. A half of what is left is a
quarter of the whole next, so that all questions together cost about as much as the whole does once.
It is ddmin's "reduce to subset" (Zeller & Hildebrandt 2002 (``003``), Fig. 5) of which only one of
two halves is asked about: if it does not fail, the other one has to, provided that one delta alone
fails (Prop. 13). That is foretold, and asked about only when it has come down to one. If that one
does not fail, several are needed together, and `chase` looks for them in the last half that failed.

Cost: ⌈log₂n⌉ tests if one delta alone fails, and one more if it was foretold; else that and chase.
Result: 1-minimal, in deltas.
"""

from functools import partial

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Search
from wynot.search.combinators import in_turn
from wynot.search.lists.chase import chase


def halving(kept: Deltas) -> Search[Deltas]:
    """Find the needed delta, or those that are needed together."""
    return in_turn((_halved, chase), kept)


def _halved(kept: Deltas, rest: Deltas | None = None, iteration: int = 1) -> Search[Deltas]:
    """Look for a delta that fails alone; return the least that was seen to fail.

    ``kept`` fails; if one of it alone does, that is in ``rest``.
    """
    rest = kept if rest is None else rest
    while len(kept) > 1:
        half = _first_half(rest)
        candidates = [Candidate(kept, Edit.keep(half), f"r{iteration}/h{len(half)}")]
        again = partial(_halved, kept, rest, iteration)
        pick = yield FirstRound(candidates, iteration=iteration, again=again)
        iteration += 1
        if isinstance(pick, Pick):
            kept = rest = half
        elif half == rest:
            break
        else:
            rest = rest.toggle(half)
    return kept


def _first_half(rest: Deltas) -> Deltas:
    """Return the half that is asked about; a single delta is one itself."""
    return rest.part(0, len(rest) // 2) if len(rest) > 1 else rest


def is_foretold(kept: Deltas, found: Deltas) -> bool:
    """Tell whether a delta was asked about because the others were seen not to fail.

    Then the answer was a prediction, and the last test has borne it out.
    """
    rest, foretold = kept, False
    while len(rest) > 1:
        half = _first_half(rest)
        foretold = not half.holds(found)
        rest = rest.toggle(half) if foretold else half
    return foretold and rest == found
