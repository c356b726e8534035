"""ddmax: let only the passing side move, and make it as large as it can be.

Zeller & Hildebrandt 2002 (``003``), footnote 15. This is minimizing what must be taken away: any
search that minimizes, asked about the failing side *without* its candidate and looking for a pass.

Cost: that of the minimizing search. Result: no single delta more can be put into the passing side.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeVar, cast

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Pick, Reply, Round, Search
from wynot.core.verdict import Verdict
from wynot.search.combinators import Minimizer, mapped, through
from wynot.search.dd import Pair

Found = TypeVar("Found")

OPPOSITE = {
    Verdict.INTERESTING: Verdict.UNINTERESTING,
    Verdict.UNINTERESTING: Verdict.INTERESTING,
    Verdict.UNRESOLVED: Verdict.UNRESOLVED,
}


def ddmax(pair: Pair, minimizer: Minimizer) -> Search[Pair]:
    """Minimize what has to be taken from the failing side to make it pass."""
    running = opposite(pair.failing, minimizer(pair.failing.toggle(pair.passing)))
    return mapped(running, lambda gone: Pair(pair.failing.toggle(gone), pair.failing))


def opposite(failing: Deltas, running: Search[Found]) -> Search[Found]:
    """Ask about the failing side without what a search asks about, and tell it the opposite."""
    answer: Reply = None
    while True:
        try:
            asked = running.send(answer)
        except StopIteration as end:
            return cast("Found", end.value)
        meant: list[Candidate] = []
        without = _without(failing, asked.candidates, meant)
        pick = yield Round.first(
            without,
            iteration=asked.iteration,
            wanted=frozenset(OPPOSITE[verdict] for verdict in asked.wanted),
            again=through(partial(opposite, failing), asked.again),
        )
        answer = None
        if isinstance(pick, Pick):
            # The engine may come back to a round that is decided, and ask for no candidate of it.
            while len(meant) <= pick.position:
                next(without)
            said = OPPOSITE[pick.verdict]
            answer = pick._replace(candidate=meant[pick.position], verdict=said)


def _without(
    failing: Deltas, candidates: Iterable[Candidate], meant: list[Candidate]
) -> Iterator[Candidate]:
    for candidate in candidates:
        meant.append(candidate)
        yield Candidate(failing, Edit.drop(candidate.kept), candidate.name)
