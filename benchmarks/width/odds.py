"""How good the odds are by which tests are run ahead.

A reduction with one worker is gone through again; before each test the engine says how likely it is
to be interesting, as it does when it chooses what to test ahead. Beside it: the same guess for all,
the share that was interesting in the end, which nobody can know beforehand.
"""

from collections.abc import Sequence
from functools import partial
from math import log2
from typing import NamedTuple

from benchmarks.width.virtual_time import Judge, VirtualRunner, reduction_of

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.answer import Answer
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.engine.bets import Foresight
from wynot.engine.memo import ByContent
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.passes.progress import Progress


class Guess(NamedTuple):
    """How likely a candidate was said to be interesting, and whether it was."""

    odds: float
    came_true: bool


class Decile(NamedTuple):
    """Guesses between two tenths, and what came of them."""

    tests: int
    given: float
    """The odds, on average."""
    came_true: float


def guesses(files: Files, judge: Judge, options: ReduceOptions) -> list[Guess]:
    """Go through a reduction; return the odds of each test, and what came of it."""
    reduction = reduction_of(files, VirtualRunner(judge, 1), options)
    cursor = SearchCursor(partial(reduction.plan, Progress(files)))
    foresight, memo, found = Foresight(), ByContent(), list[Guess]()
    while (question := cursor.question) is not None:
        candidate, stage = question.candidate, cursor.checkpoint.round_.stage
        assert stage is not None  # noqa: S101 - a plan's rounds name it
        digest = stage.case.digest(candidate)
        answer = memo.recall(candidate, digest)
        is_test = answer is None
        if answer is None:
            odds = foresight.odds(question, stage).interesting
            is_interesting = judge(stage.case.render(candidate))
            answer = Answer(Verdict.INTERESTING if is_interesting else Verdict.UNINTERESTING)
            found.append(Guess(odds, is_interesting))
            foresight.learn(candidate, stage, answer.verdict)
            memo.learn(candidate, digest, answer)
        cursor.tell(Outcome.of(answer, stage, is_test=is_test))
    return found


def by_deciles(found: Sequence[Guess]) -> list[Decile | None]:
    """Return what came of odds of 0 to 10 %, of 10 to 20 %, and so on."""
    tenths: list[list[Guess]] = [[] for _ in range(10)]
    for guess in found:
        tenths[min(9, int(guess.odds * 10))].append(guess)
    return [
        Decile(
            len(tenth),
            sum(guess.odds for guess in tenth) / len(tenth),
            sum(guess.came_true for guess in tenth) / len(tenth),
        )
        if tenth
        else None
        for tenth in tenths
    ]


def brier(found: Sequence[Guess]) -> float:
    """Return the mean square of how far guesses were off (Brier 1950): 0 is perfect."""
    return sum((guess.odds - guess.came_true) ** 2 for guess in found) / len(found)


def log_loss(found: Sequence[Guess]) -> float:
    """Return how surprising what came was on average, in bits: what a test still tells."""
    return -sum(log2(g.odds if g.came_true else 1 - g.odds) for g in found) / len(found)


def fixed(found: Sequence[Guess]) -> list[Guess]:
    """Return the same with the average for all odds."""
    rate = sum(guess.came_true for guess in found) / len(found)
    return [guess._replace(odds=rate) for guess in found]
