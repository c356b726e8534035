"""ddmax: let only the passing side move, and make it as large as it can be.

Zeller & Hildebrandt 2002 (``003``), footnote 15. This is minimizing what must be taken away: any
search that minimizes, asked about the failing side *without* its candidate and looking for a pass.

Cost: that of the minimizing search. Result: no single delta more can be put into the passing side.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Round, Search
from wynot.core.verdict import Verdict
from wynot.search.combinators import Minimizer, driven, mapped, through
from wynot.search.sides.dd import Pair

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
    """Ask about the failing side without what a search asks about, and reply with the opposite."""

    def ask(round_: Round) -> Search[Pick | None]:
        assert isinstance(round_, FirstRound)  # noqa: S101 - what minimizes for ddmax asks no other
        originals: list[Candidate] = []
        without = _without(failing, round_.candidates, originals)
        pick = yield FirstRound(
            without,
            iteration=round_.iteration,
            wanted=frozenset(OPPOSITE[verdict] for verdict in round_.wanted),
            again=through(partial(opposite, failing), round_.again),
        )
        if not isinstance(pick, Pick):
            return None
        # The engine may come back to a round that is decided, and ask for no candidate of it.
        while len(originals) <= pick.position:
            next(without)
        return Pick(pick.position, OPPOSITE[pick.verdict], originals[pick.position])

    return (yield from driven(running, ask))


def _without(
    failing: Deltas, candidates: Iterable[Candidate], originals: list[Candidate]
) -> Iterator[Candidate]:
    for candidate in candidates:
        originals.append(candidate)
        yield Candidate(failing, Edit.drop(candidate.kept), candidate.name)
