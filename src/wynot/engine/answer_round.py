"""How a round is answered, one verdict at a time.

Both policies are generators that ask about candidates and are told verdicts. They know nothing of
workers either: the scheduler runs them ahead on guesses and takes back what was guessed wrong.
"""

from collections.abc import Generator, Sequence
from functools import reduce
from itertools import islice
from typing import NamedTuple, TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Answer, Merge, Pick, Round
from wynot.core.verdict import Verdict


class RoundQuestion(NamedTuple):
    """A candidate, and what is known of it beforehand."""

    candidate: Candidate
    odds: float | None = None
    """How likely it is to be interesting, if the search can say."""
    is_independent: bool = False
    """Whether the next question is the same, whatever comes of it."""


RoundInProgress: TypeAlias = Generator[RoundQuestion, Verdict, Answer]

START, MOST = 256, 4096
"""How many edits a group of independent edits has at first, and at most."""

MERGE_ODDS = 0.8
"""How likely it is that edits work together which each work alone."""


def answer_round(asked: Round) -> RoundInProgress:
    """Return the way to answer this round."""
    return first(asked) if asked.base is None else every(asked, asked.base)


def first(asked: Round) -> RoundInProgress:
    """Find the first candidate with a wanted verdict."""
    for position, candidate in enumerate(asked.candidates):
        verdict = yield RoundQuestion(candidate, asked.odds)
        if verdict in asked.wanted:
            return Pick(position, verdict, candidate)
    return None


def every(asked: Round, base: Deltas) -> RoundInProgress:
    """Try independent drops in groups: each alone on the same base, then merged.

    A group's size depends on earlier verdicts only, never on the number of workers, or the result
    would: it doubles while groups merge whole and is halved when one does not.
    """
    edits, size, accepted, tried = iter(asked.edits), START, 0, 0
    while group := list(islice(edits, size)):
        works = []
        for edit in group:
            tried += 1
            if len(edit.deltas) == len(base):
                continue  # the empty configuration is never asked for
            candidate = Candidate(base, edit, f"r{asked.iteration}/e{tried}")
            question = RoundQuestion(candidate, is_independent=edit is not group[-1])
            if (yield question) is Verdict.INTERESTING:
                works.append(edit)
        merged = yield from merge(base, works, f"r{asked.iteration}/m{tried}")
        for edit in merged:
            base = edit.apply(base)
        accepted += len(merged)
        size = min(2 * size, MOST) if len(merged) == len(works) else max(size // 2, 1)
    return Merge(base, accepted) if accepted else None


def merge(
    base: Deltas, edits: Sequence[Edit], name: str
) -> Generator[RoundQuestion, Verdict, list[Edit]]:
    """Return drops that work together, of drops that each work alone.

    All of them, if they do; else the longest prefix that does, found by bisection; then the next
    one is left out and the rest are tried on top.
    """
    merged: list[Edit] = list(edits[:1])
    rest = list(edits[1:])
    while rest:
        works, fails = 0, len(rest) + 1
        count = len(rest)
        while fails - works > 1:
            union = reduce(Edit.combine, [*merged, *rest[:count]])
            together = Candidate(base, union, f"{name}+{count}")
            if (
                len(union.deltas) < len(base)
                and (yield RoundQuestion(together, MERGE_ODDS)) is Verdict.INTERESTING
            ):
                works = count
            else:
                fails = count
            count = (works + fails) // 2
        merged += rest[:works]
        rest = rest[works + 1 :]
    return merged
