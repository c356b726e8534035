"""The course of an inquiry: one search over all its questions, told of in order."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import pytest

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import NothingToReduce
from wynot.core.events import Event, LevelStarted
from wynot.core.round import Search, Stage
from wynot.core.verdict import Verdict
from wynot.engine.bets import Bets
from wynot.engine.budget import Budget, Spent
from wynot.engine.memo import ByContent
from wynot.engine.recorder import Commit
from wynot.engine.scheduler import Scheduler
from wynot.engine.search_cursor import announce_nothing
from wynot.inquiries.circumstances import Choice, Circumstances
from wynot.inquiries.course import Course, InquiryLedger, Played, VerdictMemo
from wynot.inquiries.questions import CAUSE, CURE, DIFFERENCE
from wynot.runners.runner import FinishedFuture
from wynot.search.script import scripted
from wynot.search.sides.dd import Pair


@dataclass(frozen=True)
class Words:
    """What is chosen, as the test gets it."""

    kept: Deltas

    @property
    def digest(self) -> bytes:
        return repr(self.kept.bounds).encode()


class Wheels(Choice[Words]):
    """Sixteen deltas; those that have the last one but not the first cannot be."""

    kind = "wheels"
    deltas = Deltas.first(16)

    def chosen(self, kept: Deltas) -> Words:
        return Words(kept)

    def objection(self, candidate: Candidate) -> str:
        return "no first one" if 15 in candidate.kept and 0 not in candidate.kept else ""


Found = TypeVar("Found")
CASE = Wheels()
WHOLE = Pair(NONE, CASE.deltas)


@dataclass
class Sheet:
    """Counts tests, and keeps what happens."""

    memo: ByContent = field(default_factory=VerdictMemo)
    """Knows both sides at first."""
    tests: int = 0
    seen: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for side, said in ((NONE, Verdict.UNINTERESTING), (CASE.deltas, Verdict.INTERESTING)):
            self.memo.learn(Candidate.whole(side), Words(side).digest, Answer(said))

    def observe(self, event: Event, /) -> None:
        if isinstance(event, LevelStarted):
            self.seen.append(event.question)

    def count_test(self, _case: Circumstances[Words], commit: Commit) -> None:
        self.tests += not commit.judged.from_memo


@dataclass
class Prompt:
    """Answers at once, and knows what it was asked."""

    width: int
    asked: list[Deltas] = field(default_factory=list)

    def submit(self, _stage: Stage, candidate: Candidate) -> Future[Answer]:
        self.asked.append(candidate.kept)
        fails = {3, 9} <= set(candidate.kept)
        return FinishedFuture(Answer(Verdict.INTERESTING if fails else Verdict.UNINTERESTING))

    def close(self, *, wait: bool) -> None: ...


def causes_and_cure(sheet: Sheet, course: Course[Words]) -> Search[list[int]]:
    course.otherwise = lambda pair: sheet.seen.append(f"so far {len(pair.failing)}")
    cause = yield from course.narrowed(CAUSE, CASE, WHOLE, CASE.levels)
    course.note(lambda: sheet.seen.append(f"told, minimal: {cause.minimal()}"))
    cure = yield from course.narrowed(CURE, CASE, WHOLE, CASE.levels)
    course.note(lambda: sheet.seen.append(f"told, minimal: {cure.minimal()}"))
    return [*cause.deltas, *cure.deltas]


def begun(
    sheet: Sheet, write: Callable[[Course[Words]], Search[Found]]
) -> Callable[[], Search[Played[Found]]]:
    return partial(scripted, partial(Course.played, sheet, write))


def scheduler(sheet: Sheet, width: int, most: float = 100) -> Scheduler[Played[list[int]]]:
    return Scheduler(
        begun(sheet, partial(causes_and_cure, sheet)),
        runner=Prompt(width),
        ledger=InquiryLedger(sheet.observe),
        memo=sheet.memo,
        budget=Budget(most),
    )


@pytest.mark.parametrize("width", [1, 4, 16])
def test_all_is_told_in_order_and_counted_alike_at_any_width(width: int) -> None:
    sheet = Sheet()
    running = scheduler(sheet, width)
    played = running.run()
    assert isinstance(running.ledger, InquiryLedger)
    running.ledger.take(played.notes)
    assert played.found == [3, 9, 9]
    told = "told, minimal: wheels"
    assert sheet.seen == ["cause", told, "cure", told]
    assert sheet.tests == running.tests == TESTS


TESTS = 14


def test_workers_look_ahead_to_the_next_question() -> None:
    sheet = Sheet()

    def write(course: Course[Words]) -> Search[Verdict]:
        said = yield from course.verdict(CASE, Deltas.of([3]), 0.5)
        course.note(lambda: sheet.seen.append("told"))
        both = Deltas.of([3, 9] if said is Verdict.UNINTERESTING else [9])
        return (yield from course.verdict(CASE, both))

    bets = Bets(begun(sheet, write), None, sheet.memo, announce_nothing)
    ahead = [bet for _, bet in bets.likeliest(8)]
    assert [[*bet.question.candidate.kept] for bet in ahead] == [[3], [9], [3, 9]]
    assert len({bet.stage for bet in ahead}) == len(ahead)
    assert sheet.seen == []


def test_what_is_ended_early_is_told_as_far_as_it_goes() -> None:
    sheet = Sheet()
    running = scheduler(sheet, 4, most=2)
    with pytest.raises(Spent):
        running.run()
    assert isinstance(running.ledger, InquiryLedger)
    left = running.ledger.stage
    assert left is not None
    left.otherwise(left.best())
    assert sheet.seen == ["cause", "so far 12"]


def test_what_cannot_be_is_not_tested_and_proves_as_much() -> None:
    sheet = Sheet()

    def write(course: Course[Words]) -> Search[str]:
        pair = Pair(Deltas.of([1]), Deltas.of([0, 1, 3, 9, 15]))
        found = yield from course.narrowed(DIFFERENCE, CASE, pair, CASE.levels)
        return found.minimal()

    prompt = Prompt(4)
    played = Scheduler(
        begun(sheet, write),
        runner=prompt,
        ledger=InquiryLedger(sheet.observe),
        memo=sheet.memo,
    ).run()
    assert played.found == "wheels"
    assert all(15 not in kept or 0 in kept for kept in prompt.asked)


def test_an_error_counts_only_if_it_comes_to_that() -> None:
    sheet = Sheet()

    def write(course: Course[Words]) -> Search[Deltas | None]:
        said = yield from course.verdict(CASE, Deltas.of([3, 9]), 0.5)
        if said is not Verdict.INTERESTING:
            raise NothingToReduce("nothing", hint="none")
        return (yield from course.first_of(CASE, [Deltas.of([3])], Verdict.INTERESTING))

    ledger = InquiryLedger(sheet.observe)
    played = Scheduler(
        begun(sheet, write),
        runner=Prompt(8),
        ledger=ledger,
        memo=sheet.memo,
    ).run()
    ledger.take(played.notes)
    assert played.found is None
    assert sheet.tests == 2
