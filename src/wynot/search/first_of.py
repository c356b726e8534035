"""first_of: the first of some configurations that gets a verdict; a list of guesses, best first.

Cost: as many tests as there are guesses before it, and one.
Result: that configuration, None if no guess is right.
"""

from collections.abc import Sequence
from functools import partial

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.round import Pick, Round, Search
from wynot.core.verdict import Verdict


def first_of(guesses: Sequence[Deltas], wanted: Verdict) -> Search[Deltas | None]:
    """Ask about one after the other."""
    again = partial(first_of, guesses, wanted)
    candidates = map(Candidate.whole, guesses)
    pick = yield Round.first(candidates, wanted=frozenset({wanted}), again=again)
    return pick.candidate.kept if isinstance(pick, Pick) else None
