"""How a round is answered, one verdict at a time.

Both policies are generators that yield questions and are sent verdicts. They know nothing of
workers either: the scheduler runs them ahead on guesses and takes wrong guesses back.
"""

from collections.abc import Generator, Sequence
from functools import reduce
from itertools import islice
from typing import NamedTuple, TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import EveryRound, FirstRound, Merge, Pick, Reply, TestRound
from wynot.core.verdict import Verdict


class RoundQuestion(NamedTuple):
    """A candidate, and what is known of it beforehand."""

    candidate: Candidate
    odds: float | None = None
    """How likely it is to be interesting, if the search can say."""
    is_independent: bool = False
    """Whether the next question is the same, whatever comes of it."""


RoundInProgress: TypeAlias = Generator[RoundQuestion, Verdict, Reply]

START, MOST = 256, 4096
"""How many edits a group of independent edits has at first, and at most."""

MERGE_ODDS = 0.8
"""How likely it is that edits work together which each work alone."""


def answer_round(round_: TestRound) -> RoundInProgress:
    """Return the way to answer this round."""
    return first(round_) if isinstance(round_, FirstRound) else every(round_)


def first(round_: FirstRound) -> RoundInProgress:
    """Find the first candidate with a wanted verdict."""
    for position, candidate in enumerate(round_.candidates):
        verdict = yield RoundQuestion(candidate, round_.odds)
        if verdict in round_.wanted:
            return Pick(position, verdict, candidate)
    return None


def every(round_: EveryRound) -> RoundInProgress:
    """Try independent drops in groups: each alone on the same base, then merged.

    A group's size depends on earlier verdicts only, never on the number of workers, or the result
    would: it doubles while groups merge whole and is halved when one does not.

    An example: a group of four drops, ``a`` to ``d``; ``b`` does not work, and ``a`` and ``d`` do
    not work together. Asked are::

        r1/e1 a     yes      each alone, on the same base: none depends on another
        r1/e2 b     no
        r1/e3 c     yes
        r1/e4 d     yes
        r1/m4+2 acd no       the merge: a is in, and how many of c and d go with it?
        r1/m4+1 ac  yes      by bisection: c does; so d, the next one, does not

    The base of the next group is the one without ``a`` and ``c``; as ``d`` did not merge, that
    group has half the size.
    """
    edits, size = enumerate(round_.edits), START
    base = start = round_.base
    while group := list(islice(edits, size)):
        works: list[Edit] = []
        last, _ = group[-1]
        for place, edit in group:
            if len(edit.deltas) == len(base):  # nothing would be left
                continue
            alone = Candidate(base, edit, f"r{round_.iteration}/e{place + 1}")
            if (yield RoundQuestion(alone, is_independent=place != last)) is Verdict.INTERESTING:
                works.append(edit)
        merged = yield from merge(base, works, f"r{round_.iteration}/m{last + 1}")
        if merged:
            base = reduce(Edit.combine, [works[number] for number in merged]).apply(base)
        size = min(2 * size, MOST) if len(merged) == len(works) else max(size // 2, 1)
    return Merge(base) if base is not start else None


def merge(
    base: Deltas, edits: Sequence[Edit], name: str
) -> Generator[RoundQuestion, Verdict, list[int]]:
    """Return which drops work together, of drops that each work alone.

    All of them, if they do; else the longest prefix that does, found by bisection; then the next
    one is left out and the rest are tried on top. Something is always left. Of drops 0 to 4, of
    which 2 does not work with 1: 0 is in; tried are 1-4 (no), 1-2 (no), 1 (yes); 2 is left out;
    tried are 3-4 on top of 0 and 1 (yes).
    """
    merged = list(range(len(edits[:1])))
    rest = list(range(len(edits)))[1:]
    while rest:
        works, fails = 0, len(rest) + 1
        count = len(rest)
        while fails - works > 1:
            union = reduce(Edit.combine, [edits[each] for each in (*merged, *rest[:count])])
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
