"""Which assumptions of a case do verdicts refute? In a few tests for each.

To assume that a number counts something is of use if the program checks it, and in the way if it
does not. Whether it does is asked first: with all such numbers wrong the failure mostly shows if
none matters. Where one matters, some of what it counts is left out, with the number put right and
with the number as it is. If only the second works, then the number matters but counts nothing.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Round, Search


class Assumption(NamedTuple):
    """What can be left out of a case to put an assumption to the test."""

    sound: Deltas
    """Without this, what is assumed to hold does not."""
    upheld: Deltas
    """Without this, nobody sees to it that it holds."""
    parts: tuple[Deltas, ...]
    """What it is about."""


def doubted(assumptions: Sequence[Assumption], kept: Deltas) -> Search[Deltas]:
    """Return what is left, without what upholds assumptions that are of no use."""
    if not assumptions:
        return kept
    together = Deltas.of(each for assumption in assumptions for each in assumption.sound)
    again = partial(doubted, assumptions, kept)
    if isinstance((yield _all_wrong(kept, together, again)), Pick):
        return kept.toggle(Deltas.of(each for one in assumptions for each in one.upheld))
    return (yield from _one_by_one(assumptions, kept, 0))


def _one_by_one(assumptions: Sequence[Assumption], kept: Deltas, at: int) -> Search[Deltas]:
    for number in range(at, len(assumptions)):
        sound, upheld, _ = assumption = assumptions[number]
        again = partial(_one_by_one, assumptions, kept, number)
        alone = len(assumptions) == 1  # then it was asked before
        if not alone and isinstance((yield _all_wrong(kept, sound, again)), Pick):
            kept = kept.toggle(upheld)
            continue
        pick = yield FirstRound(_trials(assumption, kept), iteration=number + 2)
        kept = pick.candidate.kept if isinstance(pick, Pick) else kept
    return kept


def _all_wrong(kept: Deltas, sound: Deltas, again: partial[Search[Deltas]]) -> Round:
    return FirstRound(iter([Candidate(kept, Edit.drop(sound), "wrong")]), again=again)


def _trials(assumption: Assumption, kept: Deltas) -> Iterator[Candidate]:
    """Yield what may be left out, as assumed and otherwise."""
    _, upheld, parts = assumption
    left = [each for each in parts if kept.holds(each)]
    everything = Deltas.of(each for part in left for each in part)
    for part in dict.fromkeys((everything, *left)):
        if part:
            yield Candidate(kept, Edit.drop(part), "as assumed")
            yield Candidate(kept, Edit.drop(part.toggle(upheld)), "not as assumed")
