"""The driver of inquiries: one search over a story of questions, reported in order."""

from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import pytest

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import NothingToReduce
from wynot.core.events import Event, LevelStarted
from wynot.core.round import Search, Stage
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.engine.bets import Bets
from wynot.engine.budget import Budget
from wynot.engine.recorder import Commit
from wynot.engine.search_cursor import announce_nothing
from wynot.inquiries.circumstances import Choice
from wynot.inquiries.driver import Course, Driver, speculative
from wynot.inquiries.question_stages import Reached
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


CASE = Wheels()
WHOLE = Pair(NONE, CASE.deltas)


@dataclass
class PromptRunner:
    """Answers at once, and knows what it was asked."""

    width: int
    asked: list[Deltas] = field(default_factory=list)

    def submit(self, _stage: Stage, candidate: Candidate) -> Future[Answer]:
        self.asked.append(candidate.kept)
        fails = {3, 9} <= set(candidate.kept)
        return FinishedFuture(Answer(Verdict.INTERESTING if fails else Verdict.UNINTERESTING))

    def close(self, *, wait: bool) -> None: ...


@dataclass(slots=True)
class Numbering(Driver[Words]):
    """A driver without an evaluator, which knows both sides at first."""

    seen: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, width: int, most: float = 100) -> "Numbering":
        runner = cast("Any", PromptRunner(width))
        driver = cls(cast("Any", None), runner, Budget(most), lambda _event: None)
        driver.observe = driver.note
        driver.learn_sides(CASE, Verdict.UNINTERESTING)
        return driver

    def note(self, event: Event) -> None:
        if isinstance(event, LevelStarted):
            self.seen.append(event.question)

    def count_test(self, commit: Commit) -> None:
        self.tests += not commit.judged.from_memo


def causes_and_cure(seen: list[str], course: Course[Words]) -> Search[list[int]]:
    cause = yield from course.narrow(CAUSE, CASE, WHOLE, CASE.levels)
    report(seen, course, cause)
    cure = yield from course.narrow(CURE, CASE, WHOLE, CASE.levels)
    report(seen, course, cure)
    return [*cause.deltas, *cure.deltas]


def report(seen: list[str], course: Course[Words], reached: Reached) -> None:
    if course.is_live:
        so_far = f"so far {len(reached.pair.failing)}"
        seen.append(so_far if reached.is_ended else f"minimal: {reached.minimal}")


@pytest.mark.parametrize("width", [1, 4, 16])
def test_answers_are_reported_in_order_and_counted_alike_at_any_width(width: int) -> None:
    driver = Numbering.of(width)
    assert driver.run(partial(causes_and_cure, driver.seen)) == [3, 9, 9]
    assert driver.seen == ["cause", "minimal: wheels", "cure", "minimal: wheels"]
    assert driver.tests == TESTS


TESTS = 14


def test_workers_look_ahead_to_the_next_question() -> None:
    driver = Numbering.of(8)

    def story(course: Course[Words]) -> Search[Verdict]:
        verdict = yield from course.verdict(CASE, Deltas.of([3]), 0.5)
        course.observe(LevelStarted("reported", "wheels", 1))
        both = Deltas.of([3, 9] if verdict is Verdict.UNINTERESTING else [9])
        return (yield from course.verdict(CASE, both))

    search = partial(scripted, partial(speculative, driver, story))
    bets = Bets(search, None, driver.memo, announce_nothing)
    ahead = [bet for _, bet in bets.likeliest(8)]
    assert [[*bet.question.candidate.kept] for bet in ahead] == [[3], [9], [3, 9]]
    assert len({bet.stage for bet in ahead}) == len(ahead)
    assert driver.seen == []
    driver.run(story)
    assert driver.seen == ["reported"]


def test_an_inquiry_that_ends_early_reports_the_answer_so_far() -> None:
    driver = Numbering.of(4, most=2)
    assert driver.run(partial(causes_and_cure, driver.seen)) is None
    assert (driver.seen, driver.stopped) == (["cause", "so far 12"], Stop.MAX_TESTS)


def test_an_error_while_an_answer_is_confirmed_ends_the_next_question() -> None:
    """Its answer is reported, and nothing of the question that was not asked any more."""
    driver = Numbering.of(4)

    def story(course: Course[Words]) -> Search[None]:
        cause = yield from course.narrow(CAUSE, CASE, WHOLE, CASE.levels)
        if course.is_live:
            with driver.interruptible():
                raise KeyboardInterrupt
        report(driver.seen, course, cause)
        report(driver.seen, course, (yield from course.narrow(CURE, CASE, WHOLE, CASE.levels)))

    assert driver.run(story) is None
    assert (driver.seen, driver.stopped) == (["cause", "minimal: wheels"], Stop.INTERRUPTED)


def test_an_impossible_candidate_is_not_tested_and_proves_as_much() -> None:
    driver = Numbering.of(4)

    def story(course: Course[Words]) -> Search[str]:
        pair = Pair(Deltas.of([1]), Deltas.of([0, 1, 3, 9, 15]))
        found = yield from course.narrow(DIFFERENCE, CASE, pair, CASE.levels)
        return found.minimal if course.is_live else ""

    assert driver.run(story) == "wheels"
    asked = cast("PromptRunner", driver.runner).asked
    assert all(15 not in kept or 0 in kept for kept in asked)


@pytest.mark.parametrize(
    ("expected", "tests", "slug"),
    [
        (Verdict.INTERESTING, 2, Stop.FINISHED),
        (Verdict.UNRESOLVED, 1, NothingToReduce.slug),
    ],
)
def test_an_error_counts_only_if_the_story_comes_to_it(
    expected: Verdict, tests: int, slug: str
) -> None:
    def story(course: Course[Words]) -> Search[Deltas | None]:
        verdict = yield from course.verdict(CASE, Deltas.of([3, 9]), 0.5)
        if verdict is not expected:
            raise NothingToReduce("nothing", hint="none")
        return (yield from course.first_with(CASE, [Deltas.of([3])], Verdict.INTERESTING))

    driver = Numbering.of(8)
    assert driver.run(story) is None
    assert (driver.tests, driver.stopped) == (tests, slug)
