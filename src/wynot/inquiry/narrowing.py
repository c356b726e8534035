"""The searches of an inquiry, one after the other, and what they have come to so far.

Whatever ends one of them, an interrupt or an error, is kept until the answer so far is told.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Generic, TypeVar, cast

from wynot.core.candidate import Candidate
from wynot.core.circumstances import Circumstances, Level
from wynot.core.deltas import Deltas
from wynot.core.errors import ChangedTest, Interrupted, WynotError
from wynot.core.events import Asked, Event, LevelBegan, Narrowed
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget, Spent
from wynot.engine.recorder import Recorder
from wynot.engine.session import Outcome, Session
from wynot.engine.tester import Tester
from wynot.inquiry.questions import Finding, Question, in_words, within
from wynot.oracle.memo import ByContent
from wynot.runners.inline import Done
from wynot.search.dd import Pair

Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class _Runner(Generic[Subject]):
    """The runner that the session of one level sees."""

    tester: Tester[Subject]
    case: Circumstances[Subject]

    @property
    def width(self) -> int:
        """How many tests to have under way."""
        return self.tester.width

    def submit(self, candidate: Candidate) -> Future[Verdict]:
        """Start the test of a candidate, unless there can be no such thing."""
        if self.case.objection(candidate):
            return Done(Verdict.UNRESOLVED)
        return self.tester.ask(self.case.render(candidate), self.case.digest(candidate))

    def close(self, *, wait: bool) -> None:
        """Leave the workers to the next level."""


@dataclass(slots=True)
class Narrowing(Generic[Subject]):
    """Narrows pairs of sides, and counts what that takes."""

    tester: Tester[Subject]
    budget: Callable[[int], Budget]
    """What is left after so many tests."""
    observe: Callable[[Event], None]
    checks: int = 0
    """Tests of the sides, before and after the searches: they are in no budget."""
    tests: int = 0
    extra: int = 0
    refused: "Counter[str]" = field(default_factory=Counter)
    """How many candidates each guard has refused; under no name, those that none has."""
    stopped: str = "finished"
    ending: BaseException | None = None
    """What has ended it, if it has not come to its end."""
    memo: ByContent = field(default_factory=ByContent)

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
    ) -> Finding:
        """Ask a question, from the coarsest level to the finest; return the answer so far."""
        minimal = ""
        for some in [[level] for level in levels] if question.is_by_level else [levels]:
            if self.stopped == "finished":
                pair, minimal = self._narrow(question, case, some, pair)
        return Finding(pair, minimal)

    def first_passing(self, variants: Iterable[Subject], most: int) -> Subject | None:
        """Return the first of some variants that passes, of so many at most; None if none does."""
        tester, tried = self.tester, 0
        waiting = islice(variants, most)
        tester.tell("looking for a variant that passes", done=tried, of=most)
        while some := list(islice(waiting, tester.width)):
            budget = self.budget(self.tests)
            try:
                budget.require(0)
                budget.seconds()
            except Spent as spent:
                self.stopped = spent.by
                return None
            tasks = [partial(tester.oracle.ask, variant) for variant in some]
            for place, said in enumerate(tester.do_all(tasks)):
                self.tests += 1
                if said.verdict is Verdict.UNINTERESTING:
                    self.extra += len(some) - place - 1
                    return some[place]
            tried += len(some)
            tester.tell("looking for a variant that passes", done=tried, of=most)
        return None

    def _narrow(
        self,
        question: Question,
        case: Circumstances[Subject],
        levels: Sequence[Level],
        pair: Pair,
    ) -> tuple[Pair, str]:
        """Search; return both sides, and the kind of groups of which none can change sides."""
        level, units = in_words(levels, pair)
        if units > 1:
            self.observe(LevelBegan(question.name, level, units))
        recorder = Recorder(case, *pair, memo_proves=True)
        for side in pair:
            known = self.memo.recall(Candidate.whole(side), case.digest(Candidate.whole(side)))
            if known is not None:
                recorder.checked(side, known)
        session: Session[Pair, Outcome[Pair]] = Session(
            case=case,
            runner=_Runner(self.tester, case),
            memo=self.memo,
            budget=self.budget(self.tests),
            pick="in-order",
            checks=(),
            observe=partial(
                self._watch, question, case, levels, partial(question.best, pair, recorder)
            ),
            result=lambda outcome: outcome,
        )
        try:
            outcome = session.run(partial(question.search, pair, levels), recorder)
        except (Interrupted, WynotError) as error:
            outcome, self.ending = cast("Outcome[Pair]", error.result), error
        self.extra += outcome.tally.extra
        self.stopped = outcome.stopped
        found = outcome.found
        if found is None:
            return question.best(pair, recorder), ""
        is_proved = question.proof(recorder, found, within(levels[-1], found))
        return found, levels[-1].name if is_proved else ""

    def _watch(
        self,
        question: Question,
        case: Circumstances[Subject],
        levels: Sequence[Level],
        best: Callable[[], Pair],
        event: Event,
    ) -> None:
        if not isinstance(event, Asked):
            return
        self.observe(event)
        if not event.from_memo and not case.objection(event.candidate):
            self.tests += 1
            if event.verdict is Verdict.UNRESOLVED and self.tester.oracle.guards.each:
                self.refused[self.tester.refuser(case.digest(event.candidate))] += 1
        if event.decided:
            self.observe(Narrowed(question.name, *in_words(levels, best()), self.tests))
