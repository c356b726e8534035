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
from itertools import islice
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.round import Cost, CostRound, FirstRound, Pick, Reply, Round, Search
from wynot.core.verdict import Verdict
from wynot.search.combinators import Ended, driven, through
from wynot.search.sides.dd import Pair


class Limited(NamedTuple):
    """What came of a search that may have been cut short."""

    found: Pair | None
    reached: Pair


def limited(
    reached: Pair,
    until: float,
    is_wasted: Callable[[Candidate], bool],
    running: Search[Pair],
    settled: int | None = None,
) -> Search[Limited]:
    """Run a search until so many tests were asked for in all.

    A question that ``is_wasted`` takes no test, but counts as one: else a search that asks for
    nothing else would not come to its end. ``settled`` is the question of the first round that is
    to be asked whatever the cost, if there is one.
    """

    def ask(round_: Round) -> Search[Pick | Ended[None] | None]:
        nonlocal reached, until, settled
        assert isinstance(round_, FirstRound)  # noqa: S101 - a search of two sides asks no other
        start, settled = settled, None
        for position, candidate in islice(enumerate(round_.candidates), start or 0, None):
            if position != start:
                cost = yield CostRound()
                if isinstance(cost, Cost) and cost.tests >= until:
                    return Ended(None)
            outer = partial(_resumed, reached, until, is_wasted, position)
            again = through(outer, round_.again)
            pick = yield replace(round_, candidates=[candidate], again=again)
            if isinstance(pick, Pick):
                reached = _moved(reached, pick)
                return pick._replace(position=position)
            until -= is_wasted(candidate)
        return None

    found = yield from driven(running, ask)
    return Limited(found, reached)


def _resumed(
    reached: Pair,
    until: float,
    is_wasted: Callable[[Candidate], bool],
    settled: int,
    running: Search[Pair],
) -> Search[Limited]:
    return limited(reached, until, is_wasted, running, settled)


def _moved(reached: Pair, pick: Pick) -> Pair:
    """Return the two sides after one of them has moved."""
    kept = pick.candidate.kept
    if pick.verdict is Verdict.UNINTERESTING:
        return Pair(kept, reached.failing)
    is_smaller = len(kept) < len(reached.failing)
    return Pair(reached.passing, kept) if is_smaller else reached


def patient(pair: Pair, rounds: int, running: Search[Pair]) -> Search[Pair]:
    """Run a search of two sides until so many rounds have come to nothing."""

    def ask(round_: Round) -> Search[Reply | Ended[Pair]]:
        nonlocal pair, rounds
        again = through(partial(patient, pair, rounds), round_.again)
        reply = yield replace(round_, again=again)
        if isinstance(reply, Pick):
            kept = reply.candidate.kept
            is_failing = reply.verdict is Verdict.INTERESTING
            pair = Pair(pair.passing, kept) if is_failing else Pair(kept, pair.failing)
            return reply
        rounds -= 1
        return reply if rounds else Ended(pair)

    return (yield from driven(running, ask))
