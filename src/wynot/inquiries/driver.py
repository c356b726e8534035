"""The driver of all inquiries: follows a story of questions, and lets workers look ahead in it.

A *story* is a plain function that asks one question after the other, and reports each answer::

    def story(course):
        found = yield from course.narrow(CAUSE, case, pair, levels)
        if course.is_live:
            inquiry.report("cause", partial(worded, found.deltas), found.minimal)

It runs many times. The engine follows it *speculatively* for each verdict that a running test may
give, up to the question that comes next then: so a free worker can be at that one (`engine.bets`).
Such a run reports nothing. One run is *live*: it waits at the question under way, gets committed
answers only, and reports. Both find out what was answered before from a script, which remembers it
(`search.script`); so a story does the same each time, and does ``once`` what takes a while.

For example ``wynot changes --good c0 -j 2``, with four commits after ``c0``. The second one breaks
a line of ``shape.py``, and adds one to ``notes.txt``. Both sides were tried; the story is
`changes.ask`. These are the tests in the order of their verdicts, and what goes on meanwhile:

==================  ==============  ==========================================================
test                verdict         live run, and the other worker
==================  ==============  ==========================================================
commit 2            fails           `first_bad` waits in ``narrow``; commit 1 is tested: a
                                    bisection asks about it next if this one fails
commit 1            passes          the same; commit 2 fails, so speculative runs are past the
                                    bisection: if commit 1 fails, half of it is tested next
c0 to 1, notes of   passes          goes on: reports the commit, gets its parent's verdict from
2                                   the memo (`scene_at`), waits in ``narrow`` over the files of
                                    commit 2 (`GuiltyChange`); half of commit 1 was stopped
shape of 2 on c0    fails           waits in ``verdict``: does the line alone make the good side
                                    fail? The last test runs already: it comes next in any case
all but shape of 2  passes          waits in ``first_with``: does the bad side pass without it?
..                  ..              the search is finished: goes on, reports cause and revert
==================  ==============  ==========================================================

All five tests, and their order, are the same at any width. What was started for nothing, the half
of commit 1, is counted as extra.

If something ends an inquiry before its time, the live run gets `StoryEnded` where it waits. There
``narrow`` returns the sides that it has come to, and the story reports them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from math import inf
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import ChangedTest, Interrupted, WynotError
from wynot.core.events import Event
from wynot.core.result import Trace
from wynot.core.round import Cost, CostRound, Search, Stage
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget, Spent
from wynot.engine.memo import ByContent
from wynot.engine.recorder import Commit, Recorder
from wynot.engine.scheduler import Scheduler
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.logs import description_of
from wynot.inquiries.question_stages import (
    NarrowingStage,
    PossibleCase,
    QuestionStage,
    Reached,
    VerdictMemo,
)
from wynot.inquiries.questions import Question
from wynot.job.case_runner import CaseRunner
from wynot.job.evaluator import Evaluator
from wynot.search.first_of import first_of, verdict_of
from wynot.search.lists.singles import singles
from wynot.search.script import Script, scripted
from wynot.search.sides.dd import Pair
from wynot.search.sides.limited import Limited, limited

Subject = TypeVar("Subject")
Found = TypeVar("Found")
Value = TypeVar("Value")


class Restart(Exception):
    """The test runs more often from now on: the story has to be followed again."""


class LessonLearned(Exception):
    """A candidate could not be put in place, which shows what else the case has to know."""

    def __init__(self, case: Any) -> None:
        super().__init__()
        self.case = case
        """The case that knows it: the question has to be asked of this one."""


class StoryEnded(Exception):
    """The inquiry ends before its time: raised in the live run, where it waits for an answer."""

    def __init__(self, stage: "QuestionStage | None") -> None:
        super().__init__()
        self.stage = stage
        """The question that was under way."""


@runtime_checkable
class Teachable(Protocol):
    """Circumstances that learn from a candidate that could not be put in place."""

    def after_refusal(self, subject: Any, reason: str) -> Any:
        """Return the same circumstances knowing more; None if the reason teaches nothing."""


class CommittedScript:
    """The script of the live run: gives it what is committed, and lets it wait for the rest."""

    def __init__(self) -> None:
        self.found: tuple[object, ...] = ()
        self.ended: StoryEnded | None = None
        self._at = 0

    def once(self, make: Callable[[], Value]) -> Value:
        """Return what something came to in the search."""
        if self._at == len(self.found):  # it has failed there, as it will here
            self.found += (make(),)
        return cast("Value", self._next())

    def run(
        self, _search: Callable[[], Search[Value]], _stage: Stage | None = None
    ) -> Search[Value]:
        """Return what a search has found, once that is committed."""
        while self._at == len(self.found):
            if self.ended:
                raise self.ended
            yield CostRound()  # nobody answers: the live run goes on when there is more
        return cast("Value", self._next())

    def _next(self) -> object:
        self._at += 1
        return self.found[self._at - 1]


class Course(Generic[Subject]):
    """What a story asks through; each method is a search."""

    def __init__(
        self, driver: "Driver[Subject]", script: Script | CommittedScript, *, is_live: bool = False
    ) -> None:
        self._driver = driver
        self._script = script
        self.once = script.once
        self.is_live = is_live
        """Whether all answers so far are final: only then anything may be reported."""

    def observe(self, event: Event) -> None:
        """Report an event, if this is the live run."""
        if self.is_live:
            self._driver.observe(event)

    def tests(self, doing: str = "", least_odds: float = 0.0) -> Search[int]:
        """Return how many tests the story has taken.

        ``doing`` says what is done next, if that takes long; and ``least_odds`` how likely it must
        be to come to that for it to be done ahead of time.
        """
        return (yield from self._script.run(partial(_tests, doing, least_odds)))

    def narrow(
        self,
        question: Question,
        case: Circumstances[Subject],
        pair: Pair,
        levels: Sequence[Level],
        most: float = inf,
    ) -> Search[Reached]:
        """Ask a question, from the coarsest level to the finest.

        ``most`` is how many tests it is worth: after so many the answer is left as it is.
        If the inquiry ends in the midst of it, the answer is as good as it has got.
        """
        until = inf if most == inf else most + (yield from self.tests())
        reached = Reached(pair)
        for some in [[level] for level in levels] if question.is_by_level else [levels]:
            make = partial(self._narrowing, question, case, some, reached.pair)
            stage = self.once(make)
            try:
                reached = yield from self._narrow(stage, until)
            except StoryEnded as ended:
                if ended.stage is stage:
                    return Reached(stage.best, is_ended=True)
                if reached.stage is None:
                    raise
                return reached._replace(is_ended=True)
        return reached

    def first_with(
        self,
        case: Circumstances[Subject],
        kept: Sequence[Deltas],
        wanted: Verdict,
        odds: float | None = None,
    ) -> Search[Deltas | None]:
        """Return the first of some configurations that gets this verdict; None if none does."""
        return (yield from self.run(case, partial(first_of, kept, wanted, odds)))

    def verdict(
        self, case: Circumstances[Subject], kept: Deltas, odds: float | None = None
    ) -> Search[Verdict]:
        """Return the verdict of a configuration."""
        return (yield from self.run(case, partial(verdict_of, kept, odds)))

    def run(
        self,
        case: Circumstances[Subject],
        search: Callable[[], Search[Found]],
        on_verdict: Callable[[Commit], None] | None = None,
    ) -> Search[Found]:
        """Run any search; ``on_verdict`` counts its verdicts."""
        possible = PossibleCase(case)
        stage = self.once(
            lambda: QuestionStage(
                possible,
                recorder=Recorder(possible, NONE, case.deltas),
                found=self._script.found,
                on_verdict=on_verdict,
            )
        )
        return (yield from self._script.run(search, stage))

    def _narrow(self, stage: NarrowingStage, until: float) -> Search[Reached]:
        pair, case = stage.pair, stage.circumstances
        search = partial(stage.question.search, pair, stage.levels)
        if until == inf:
            found = yield from self._script.run(search, stage)
            return Reached(found, stage)
        within = partial(_limited, pair, until, case, search)
        cut = yield from self._script.run(within, stage)
        if cut.found is None:
            return Reached(stage.question.best(pair, cut.reached, Trace(pair.failing)))
        return Reached(cut.found, stage)

    def _narrowing(
        self,
        question: Question,
        case: Circumstances[Subject],
        levels: Sequence[Level],
        pair: Pair,
    ) -> NarrowingStage:
        possible = PossibleCase(case)
        return NarrowingStage(
            possible,
            memo=self._driver.memo,
            recorder=Recorder(possible, *pair, memo_proves=True),
            found=self._script.found,
            question=question,
            levels=levels,
            pair=pair,
        )


Story: TypeAlias = Callable[[Course[Subject]], Search[Found]]
"""What an inquiry asks, as a plain function."""


class StoryOutcome(NamedTuple):
    """What a search over a story has come to."""

    found: tuple[object, ...]
    error: WynotError | None


def speculative(
    driver: "Driver[Subject]", story: Story[Subject, object], script: Script
) -> Search[StoryOutcome]:
    """Follow a story as a search; an error in it matters only if it really comes to that."""
    failed = None
    try:
        yield from story(Course(driver, script))
    except WynotError as error:
        failed = error
    return StoryOutcome(script.found, failed)


class LiveRun(Generic[Subject, Found]):
    """The run of a story that follows what is committed, and reports; the ledger of its search."""

    def __init__(self, driver: "Driver[Subject]", story: Story[Subject, Found]) -> None:
        self.result: Found | None = None
        """What the story returns; None until it does."""
        self._driver = driver
        self._script = CommittedScript()
        self._run = story(Course(driver, self._script, is_live=True))
        self._stage: QuestionStage | None = None

    def enter(self, stage: Stage) -> None:
        """Go on to the next question: all verdicts before it are final."""
        driver, entered = self._driver, _of_story(stage)
        self._go_on((*entered.found, entered))
        if driver.ending is not None:  # it came up while an answer was confirmed
            raise driver.ending
        self._stage = entered
        if isinstance(entered, NarrowingStage):
            for event in entered.begin():
                driver.observe(event)

    def commit(self, commit: Commit) -> None:
        """Take a verdict, and report how far its question has got."""
        driver, stage = self._driver, _of_story(commit.stage)
        stage.recorder.commit(commit)
        driver.observe(commit.judged)
        (stage.on_verdict or driver.count_test)(commit)
        if isinstance(stage, NarrowingStage) and commit.judged.decided:
            driver.observe(stage.progress(driver.tests))

    def finish(self, outcome: StoryOutcome) -> None:
        """Go on to the end of the story."""
        self._go_on(outcome.found)
        if outcome.error is not None:
            raise outcome.error

    def end(self) -> None:
        """End the story where it is; it may report what it has got."""
        self._script.ended = StoryEnded(self._stage)
        try:
            self._run.throw(self._script.ended)
        except StopIteration as end:
            self.result = end.value
        except StoryEnded:
            pass

    def _go_on(self, found: tuple[object, ...]) -> None:
        self._script.found = found
        try:
            next(self._run)
        except StopIteration as end:
            self.result = end.value


def _of_story(stage: Stage | None) -> QuestionStage:
    assert isinstance(stage, QuestionStage)  # noqa: S101 - a story has no other stages
    return stage


@dataclass(slots=True)
class Driver(Generic[Subject]):
    """Follows stories, and counts the tests they take.

    Whatever ends one, an interrupt or an error, is kept until the answer so far is reported.
    """

    evaluator: Evaluator[Subject]
    runner: CaseRunner[Subject]
    budget: Budget
    observe: Callable[[Event], None]
    placer: str = ""
    """What puts candidates in place, if those that it refuses are counted apart from tests."""
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

    @property
    def is_going(self) -> bool:
        """Whether nothing has ended the inquiry so far."""
        return self.stopped == Stop.FINISHED

    @property
    def refusals(self) -> tuple[tuple[str, int], ...]:
        """How many candidates were refused, by each that can."""
        by_guards = self.evaluator.oracle.guards.counted(self.refused)
        if not self.placer:
            return by_guards
        return (*by_guards, (self.placer, self.refused[self.placer]))

    def learn(self, case: Circumstances[Subject], kept: Deltas, verdict: Verdict) -> None:
        """Take note of the verdict of a configuration."""
        candidate = Candidate.whole(kept)
        self.memo.learn(candidate, case.digest(candidate), Answer(verdict))

    def learn_sides(self, case: Circumstances[Subject], passing: Verdict) -> None:
        """Take note that the failing side fails, and of the verdict of the passing one."""
        self.learn(case, case.deltas, Verdict.INTERESTING)
        self.learn(case, NONE, passing)

    def verdict_of(self, case: Circumstances[Subject], kept: Deltas) -> Verdict | None:
        """Return the verdict of a configuration, if it is known."""
        candidate = Candidate.whole(kept)
        answer = self.memo.recall(candidate, PossibleCase(case).digest(candidate))
        return None if answer is None else answer.verdict

    def forget(self) -> None:
        """Forget all verdicts: the test runs more often from now on."""
        self.memo = VerdictMemo()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Let an interrupt, or another test, end the inquiry; but keep what was found so far."""
        try:
            yield
        except KeyboardInterrupt as interrupt:
            self.stopped = Interrupted.slug
            self.ending = Interrupted("interrupted", result=None)
            self.ending.__cause__ = interrupt
        except ChangedTest as error:
            self.stopped, self.ending = error.slug, error

    def run(self, story: Story[Subject, Found]) -> Found | None:
        """Follow a story to its end; return its result, None if something has ended it before."""
        if not self.is_going:
            return None
        live = LiveRun(self, story)
        scheduler: Scheduler[StoryOutcome] = Scheduler(
            partial(scripted, partial(speculative, self, story)),
            runner=self.runner,
            ledger=live,
            memo=self.memo,
            budget=self.budget.after(self.tests),
            observe=self.observe,
        )
        try:
            with self.interruptible():
                live.finish(scheduler.run())
        except Spent as spent:
            self.stopped = spent.by
        except WynotError as error:
            self.stopped, self.ending = error.slug, error
        finally:
            self.extra += scheduler.extra
        if not self.is_going:
            live.end()
        return live.result

    def find_first(
        self, case: Circumstances[Subject], kept: Sequence[Deltas], wanted: Verdict
    ) -> Deltas | None:
        """Return the first of some configurations that gets this verdict; None if none does."""
        return self.run(lambda course: course.first_with(case, kept, wanted))

    def passing_without(
        self,
        case: Circumstances[Subject],
        units: Sequence[Deltas],
        show: Callable[[int], None],
        most: float = inf,
    ) -> tuple[int, ...]:
        """Leave out each unit alone; return those without which it passes, the first ones.

        ``show`` is called with how many were tried. What was found before a budget ends counts.
        """
        found: list[int] = []
        done = count(1)
        show(0)

        def on_verdict(commit: Commit) -> None:
            self.count_test(commit)
            show(next(done))
            if commit.judged.decided:
                found.append(units.index(commit.judged.candidate.edit.deltas))

        search = partial(singles, case.deltas, units, most)
        self.run(lambda course: course.run(case, search, on_verdict))
        return tuple(found)

    def count_test(self, commit: Commit) -> None:
        """Count an answer that took a test, and write it down.

        Raise if a candidate that could not be put in place shows what else the case has to know.
        """
        judged, answer = commit.judged, commit.answer
        if judged.from_memo:
            return
        case, log = _of_story(commit.stage).circumstances, self.evaluator.log
        if log.writes:
            name = description_of(case, judged.candidate)
            log.note(cast("bytes", commit.digest), answer, name)
        if self.placer and answer.not_placed:
            self.refused[self.placer] += 1
            if isinstance(case, Teachable):
                taught = case.after_refusal(case.render(judged.candidate), answer.not_placed)
                if taught is not None:
                    raise LessonLearned(taught)
            return
        self.tests += 1
        if judged.verdict is Verdict.UNRESOLVED and self.evaluator.oracle.guards.each:
            self.refused[answer.refused_by] += 1

    def count_checks(self, tests: int) -> None:
        """Count tests of the sides."""
        self.checks += tests

    def count_reduction(self, tests: int, extra: int, refused: "Counter[str]") -> None:
        """Count what a reduction inside of the inquiry took."""
        self.tests += tests
        self.extra += extra
        self.refused += refused

    def stop(self, reason: str) -> None:
        """End the inquiry: something inside of it was ended."""
        self.stopped = reason


def _tests(doing: str, least_odds: float) -> Search[int]:
    cost = yield CostRound(doing, least_odds)
    return cost.tests if isinstance(cost, Cost) else 0


def _limited(
    pair: Pair,
    until: float,
    case: Circumstances[Any],
    search: Callable[[], Search[Pair]],
) -> Search[Limited]:
    def is_impossible(candidate: Candidate) -> bool:
        return bool(case.objection(candidate))

    return limited(pair, until, is_impossible, search())
