"""first_of: the first of some configurations that gets a verdict; a list of guesses, best first.

Cost: as many tests as there are guesses before it, and one.
Result: that configuration, None if no guess is right.
"""

from collections.abc import Sequence
from functools import partial

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.round import RESOLVED, FirstRound, Pick, Search
from wynot.core.verdict import Verdict


def first_of(
    guesses: Sequence[Deltas], wanted: Verdict, odds: float | None = None
) -> Search[Deltas | None]:
    """Ask about one after the other; ``odds``: how likely each is to be interesting, if known."""
    again = partial(first_of, guesses, wanted, odds)
    candidates = map(Candidate.whole, guesses)
    pick = yield FirstRound(candidates, wanted=frozenset({wanted}), again=again, odds=odds)
    return pick.candidate.kept if isinstance(pick, Pick) else None


def verdict_of(kept: Deltas, odds: float | None = None) -> Search[Verdict]:
    """Ask about one configuration, and return what the test says of it."""
    again = partial(verdict_of, kept, odds)
    pick = yield FirstRound([Candidate.whole(kept)], wanted=RESOLVED, again=again, odds=odds)
    return pick.verdict if isinstance(pick, Pick) else Verdict.UNRESOLVED
