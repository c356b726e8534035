"""The searches of an inquiry, one after the other, and what they have come to so far.

Whatever ends one of them, an interrupt or an error, is kept until the answer so far is told.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from math import inf
from typing import Generic, TypeVar, cast

from wynot.core.candidate import Candidate
from wynot.core.circumstances import Circumstances, Level
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import ChangedTest, Interrupted, WynotError
from wynot.core.events import Event, LevelStarted, Narrowed
from wynot.core.round import Search
from wynot.core.stop import Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget, Spent
from wynot.engine.commit import Commit
from wynot.engine.recorder import Recorder
from wynot.engine.session import Session, SessionResult
from wynot.inquiries.logs import words_of
from wynot.inquiries.questions import Finding, Question, clipped, in_words
from wynot.job.case_runner import CaseRunner
from wynot.job.evaluator import Evaluator
from wynot.oracle.memo import ByContent
from wynot.search.dd import Pair
from wynot.search.first_of import first_of
from wynot.search.singles import singles

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
    memo: ByContent = field(default_factory=ByContent)
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
        self.memo.learn(candidate, case.digest(candidate), verdict)

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

    def narrowed(
        self,
        question: Question,
        case: Circumstances[Subject],
        pair: Pair,
        levels: Sequence[Level],
        most: float = inf,
    ) -> Finding:
        """Ask a question, from the coarsest level to the finest; return the answer so far.

        ``most`` is how many tests it is worth: after so many the answer is left as it is.
        """
        minimal, end = "", self.tests + most
        for some in [[level] for level in levels] if question.is_by_level else [levels]:
            if self.stopped == Stop.FINISHED:
                pair, minimal = self._narrow(question, case, some, pair, end)
        return Finding(pair, minimal)

    def first_of(
        self, case: Circumstances[Subject], kept: Sequence[Deltas], wanted: Verdict
    ) -> Deltas | None:
        """Return the first of some configurations that gets this verdict; None if none does."""
        if self.stopped != Stop.FINISHED:
            return None
        recorder = Recorder(case, NONE, case.deltas)
        outcome = self.run(case, partial(first_of, kept, wanted), recorder, self.count_test)
        return outcome.found

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
            if commit.asked.decided:
                found.append(units.index(commit.asked.candidate.edit.deltas))

        recorder = Recorder(case, NONE, case.deltas)
        self.run(case, partial(singles, case.deltas, units, most), recorder, note)
        return tuple(found)

    def _log(
        self, case: Circumstances[Subject], candidate: Candidate, digest: bytes, verdict: Verdict
    ) -> None:
        """Write a verdict down that a search has got."""
        transcript = self.evaluator.transcript
        if transcript.writes:
            seconds = self.evaluator.seconds(digest)
            transcript.note(digest, verdict, seconds, words_of(case, candidate))

    def _narrow(
        self,
        question: Question,
        case: Circumstances[Subject],
        levels: Sequence[Level],
        pair: Pair,
        end: float,
    ) -> tuple[Pair, str]:
        """Search; return both sides, and the kind of groups of which none can change sides."""
        level, units = in_words(levels, pair)
        if units > 1:
            self.observe(LevelStarted(question.name, level, units))
        recorder = Recorder(case, *pair, memo_proves=True)
        for side in pair:
            known = self.memo.recall(Candidate.whole(side), case.digest(Candidate.whole(side)))
            if known is not None:
                recorder.checked(side, known)
        best = partial(question.best, pair, recorder)
        outcome: SessionResult[Pair] = self.run(
            case,
            partial(question.search, pair, levels),
            recorder,
            partial(self._count, question, levels, best),
            end,
        )
        found = outcome.found
        if found is None:
            return best(), ""
        is_proved = question.proof(recorder, found, clipped(levels[-1], found))
        return found, levels[-1].name if is_proved else ""

    def run(
        self,
        case: Circumstances[Subject],
        search: Callable[[], Search[Found]],
        recorder: Recorder,
        count: Callable[[Circumstances[Subject], Commit], None],
        end: float = inf,
    ) -> SessionResult[Found]:
        """Run a search, until there were so many tests in all; keep what has ended it, if so."""
        budget = replace(self.budget, max_tests=min(self.budget.max_tests, end))
        session: Session[Found, SessionResult[Found]] = Session(
            case=case,
            runner=CaseRunner(self.evaluator, lambda _case, each: bool(case.objection(each))),
            memo=self.memo,
            budget=budget.after(self.tests),
            pick="in-order",
            checks=(),
            observe=self.observe,
            result=lambda outcome: outcome,
            on_commit=partial(count, case),
        )
        try:
            outcome = session.run(search, recorder)
        except (Interrupted, WynotError) as error:
            outcome, self.ending = cast("SessionResult[Found]", error.result), error
        self.extra += outcome.tally.extra
        is_enough = outcome.stopped == Stop.MAX_TESTS and self.budget.left(self.tests) > 0
        self.stopped = Stop.FINISHED if is_enough else outcome.stopped
        return outcome

    def count_test(self, case: Circumstances[Subject], commit: Commit) -> None:
        """Count a verdict that took a test."""
        asked = commit.asked
        if not asked.from_memo and not case.objection(asked.candidate):
            self._log(case, asked.candidate, cast("bytes", commit.digest), asked.verdict)
            why = self.evaluator.unplaced(cast("bytes", commit.digest)) if self.placer else ""
            if why:
                self.refused[self.placer] += 1
                if self.heed(case.render(asked.candidate), why):
                    raise Spent(Stop.TAUGHT)
                return
            self.tests += 1
            if asked.verdict is Verdict.UNRESOLVED and self.evaluator.oracle.guards.each:
                self.refused[self.evaluator.refuser(cast("bytes", commit.digest))] += 1

    def _count(
        self,
        question: Question,
        levels: Sequence[Level],
        best: Callable[[], Pair],
        case: Circumstances[Subject],
        commit: Commit,
    ) -> None:
        """Count a verdict, and tell how far it has got."""
        self.count_test(case, commit)
        if commit.asked.decided:
            self.observe(Narrowed(question.name, *in_words(levels, best()), self.tests))
