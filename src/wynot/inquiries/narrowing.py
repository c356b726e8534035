"""The searches of an inquiry, one after the other, and what they have come to so far.

Whatever ends one of them, an interrupt or an error, is kept until the answer so far is told.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from math import inf
from typing import Generic, TypeVar, cast

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.errors import ChangedTest, Interrupted, WynotError
from wynot.core.events import Event
from wynot.core.round import Search
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget, Spent
from wynot.engine.memo import ByContent
from wynot.engine.recorder import Commit
from wynot.engine.scheduler import Scheduler
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.course import Course, InquiryLedger, Played, QuestionStage, VerdictMemo
from wynot.inquiries.logs import words_of
from wynot.inquiries.questions import Finding, Question
from wynot.job.case_runner import CaseRunner
from wynot.job.evaluator import Evaluator
from wynot.search.lists.singles import singles
from wynot.search.script import scripted
from wynot.search.sides.dd import Pair

Subject = TypeVar("Subject")
Found = TypeVar("Found")


@dataclass(slots=True)
class Narrowing(Generic[Subject]):
    """Narrows pairs of sides, and counts what that takes."""

    evaluator: Evaluator[Subject]
    budget: Budget
    observe: Callable[[Event], None]
    checks: int = 0
    """Tests of the sides, before and after the searches: they are in no budget."""
    tests: int = 0
    extra: int = 0
    refused: "Counter[str]" = field(default_factory=Counter)
    """How many candidates each guard has refused; under no name, those that none has."""
    stopped: str = Stop.FINISHED
    ending: BaseException | None = None
    """What has ended it, if it has not come to its end."""
    memo: ByContent = field(default_factory=VerdictMemo)
    left: QuestionStage | None = None
    """What was asked when the last course was ended before its time."""
    placer: str = ""
    """What puts candidates in place, if those that it refuses are counted apart from tests."""
    heed: Callable[[Subject, str], bool] = lambda _subject, _why: False
    """Told why a candidate could not be put in place; says if another case is to be asked about."""

    @property
    def refusals(self) -> tuple[tuple[str, int], ...]:
        """How many candidates were refused, by each that can."""
        by_guards = self.evaluator.oracle.guards.counted(self.refused)
        if not self.placer:
            return by_guards
        return (*by_guards, (self.placer, self.refused[self.placer]))

    def learn(self, case: Circumstances[Subject], side: Deltas, verdict: Verdict) -> None:
        """Take note of what the test says of a side."""
        candidate = Candidate.whole(side)
        self.memo.learn(candidate, case.digest(candidate), Answer(verdict))

    @contextmanager
    def heeding(self) -> Iterator[None]:
        """Let an interrupt, or another test, end the inquiry; but keep what was found so far."""
        try:
            yield
        except KeyboardInterrupt as interrupt:
            self.stopped = Interrupted.slug
            self.ending = Interrupted("interrupted", result=None)
            self.ending.__cause__ = interrupt
        except ChangedTest as error:
            self.stopped, self.ending = error.slug, error

    def play(self, write: Callable[[Course[Subject]], Search[Found]]) -> Found | None:
        """Follow a course to its end; None: something has ended it, which is kept.

        What the course wants to be told in that case is told.
        """
        self.left = None
        if self.stopped != Stop.FINISHED:
            return None
        ledger = InquiryLedger(self.observe)
        scheduler: Scheduler[Played[Found]] = Scheduler(
            partial(scripted, partial(Course.played, self, write)),
            runner=CaseRunner(self.evaluator, lambda _case, _candidate: False),
            ledger=ledger,
            memo=self.memo,
            budget=self.budget.after(self.tests),
            observe=self.observe,
        )
        try:
            with self.heeding():
                played = scheduler.run()
                ledger.take(played.notes)
                return played.found
        except Spent as spent:
            self.stopped = spent.by
        except WynotError as error:
            self.stopped, self.ending = error.slug, error
        finally:
            self.extra += scheduler.extra
        self.left = ledger.stage
        if self.left is not None:
            self.left.otherwise(self.left.best())
        return None

    def narrowed(
        self,
        question: Question,
        case: Circumstances[Subject],
        pair: Pair,
        levels: Sequence[Level],
    ) -> Finding:
        """Ask a question, from the coarsest level to the finest; return the answer so far."""
        reached = self.play(lambda course: course.narrowed(question, case, pair, levels))
        if reached is None:
            return Finding(pair if self.left is None else self.left.best(), "")
        return Finding(reached.pair, reached.minimal())

    def first_of(
        self, case: Circumstances[Subject], kept: Sequence[Deltas], wanted: Verdict
    ) -> Deltas | None:
        """Return the first of some configurations that gets this verdict; None if none does."""
        return self.play(lambda course: course.first_of(case, kept, wanted))

    def passing_without(
        self,
        case: Circumstances[Subject],
        units: Sequence[Deltas],
        tell: Callable[[int], None],
        most: float = inf,
    ) -> tuple[int, ...]:
        """Leave out each unit alone; return those without which it passes, the first ones.

        ``tell`` is called with how many were tried. What was found before a budget ends counts.
        """
        found: list[int] = []
        done = count(1)
        tell(0)

        def note(case: Circumstances[Subject], commit: Commit) -> None:
            self.count_test(case, commit)
            tell(next(done))
            if commit.judged.decided:
                found.append(units.index(commit.judged.candidate.edit.deltas))

        search = partial(singles, case.deltas, units, most)
        self.play(lambda course: course.run(case, search, note))
        return tuple(found)

    def count_test(self, case: Circumstances[Subject], commit: Commit) -> None:
        """Count an answer that took a test, and write it down."""
        judged, answer = commit.judged, commit.answer
        if not judged.from_memo:
            transcript = self.evaluator.transcript
            if transcript.writes:
                transcript.note(
                    cast("bytes", commit.digest), answer, words_of(case, judged.candidate)
                )
            if self.placer and answer.not_placed:
                self.refused[self.placer] += 1
                if self.heed(case.render(judged.candidate), answer.not_placed):
                    raise Spent(Stop.TAUGHT)
                return
            self.tests += 1
            if judged.verdict is Verdict.UNRESOLVED and self.evaluator.oracle.guards.each:
                self.refused[answer.refused_by] += 1
