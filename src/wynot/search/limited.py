"""A search of two sides that may take so many tests, or goes on while they are resolved.

``limited``. Cost: that of the search, or the limit. Result: what the search finds, None if it did
not come to its end; and the sides that it had reached.

``patient``. dd (Zeller & Hildebrandt 2002, ``003``, Fig. 15) takes log₂n tests where each is
resolved, but n² of them where none is: what has to be there together is cut finer and finer, and
nothing comes of it. So a search is left after some rounds in which no test was resolved, with the
sides as they are.

Cost: that of the search, less what it asks after those rounds.
Result: two sides that were tested; the difference need not be 1-minimal.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.round import Cost, Pick, Reply, Round, Search
from wynot.core.verdict import Verdict
from wynot.search.combinators import through
from wynot.search.dd import Pair


class Limited(NamedTuple):
    """What came of a search that may have been cut short."""

    found: Pair | None
    reached: Pair


def limited(
    reached: Pair,
    until: float,
    is_wasted: Callable[[Candidate], bool],
    running: Search[Pair],
    asking: int | None = None,
) -> Search[Limited]:
    """Run a search until so many tests were asked for in all.

    A question that ``is_wasted`` takes no test, but counts as one: else a search that asks for
    nothing else would not come to its end. ``asking`` is which question of the first round is to
    be asked, if that is settled.
    """
    answer: Reply = None
    while True:
        try:
            asked = running.send(answer)
        except StopIteration as end:
            return Limited(end.value, reached)
        answer = None
        for position, candidate in enumerate(asked.candidates):
            if position < (asking or 0):
                continue
            if position != asking:
                cost = yield Round.cost()
                if isinstance(cost, Cost) and cost.tests >= until:
                    return Limited(None, reached)
            outer = partial(_resumed, reached, until, is_wasted, position)
            answer = yield replace(asked, candidates=[candidate], again=through(outer, asked.again))
            if isinstance(answer, Pick):
                reached = _moved(reached, answer)
                answer = answer._replace(position=position)
                break
            until -= is_wasted(candidate)
        asking = None


def _resumed(
    reached: Pair,
    until: float,
    is_wasted: Callable[[Candidate], bool],
    asking: int,
    running: Search[Pair],
) -> Search[Limited]:
    return limited(reached, until, is_wasted, running, asking)


def _moved(reached: Pair, pick: Pick) -> Pair:
    """Return the two sides after one of them has moved."""
    kept = pick.candidate.kept
    if pick.verdict is Verdict.UNINTERESTING:
        return Pair(kept, reached.failing)
    is_smaller = len(kept) < len(reached.failing)
    return Pair(reached.passing, kept) if is_smaller else reached


def patient(pair: Pair, rounds: int, running: Search[Pair]) -> Search[Pair]:
    """Run a search of two sides until so many rounds have come to nothing."""
    answer: Reply = None
    while True:
        try:
            asked = running.send(answer)
        except StopIteration as end:
            return Pair(*end.value)
        again = through(partial(patient, pair, rounds), asked.again)
        answer = yield replace(asked, again=again)
        if isinstance(answer, Pick):
            kept = answer.candidate.kept
            is_failing = answer.verdict is Verdict.INTERESTING
            pair = Pair(pair.passing, kept) if is_failing else Pair(kept, pair.failing)
            continue
        rounds -= 1
        if not rounds:
            return pair
