"""An inquiry into circumstances: tries both sides, asks its questions, and says how it ended.

Each question is asked of coarse groups first, and then of the finer ones that are in what is left.
Whatever ends an inquiry, the answer so far is one: it fails, or passes, as it says.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from math import inf
from time import monotonic
from types import TracebackType
from typing import Generic, TypeVar

from wynot.assemble import LONGEST
from wynot.core.candidate import Candidate
from wynot.core.circumstances import Circumstances, Level
from wynot.core.deltas import NONE
from wynot.core.errors import Interrupted, NotInteresting, Unreliable
from wynot.core.events import (
    Answered,
    Asked,
    Concluded,
    Event,
    Inquired,
    LevelBegan,
    Narrowed,
    Noticed,
)
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget
from wynot.engine.recorder import Recorder
from wynot.engine.session import Outcome, Session
from wynot.engine.tester import Tester
from wynot.inquiry.questions import Finding, Question, in_words, within
from wynot.inquiry.sides import Names, Sides, Tried
from wynot.inquiry.terms import Terms
from wynot.inquiry.verdicts import Verdicts
from wynot.oracle.memo import ByContent
from wynot.oracle.oracle import Oracle
from wynot.oracle.patience import Patience
from wynot.oracle.placing import Placing
from wynot.oracle.repetition import RELIABLE, SAMPLE, Repetition
from wynot.oracle.trial import Trial
from wynot.runners.child import Limits
from wynot.runners.inline import Done
from wynot.search.dd import Pair

Subject = TypeVar("Subject")
ON_DISK = 1 << 40
"""Room for a candidate, in bytes: more than any memory has, so that it is put on a disk."""


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
class Inquiry(Generic[Subject]):
    """One inquiry, from the first look at both sides to the last answer; a context manager."""

    command: str
    identity: str
    """All that the verdicts depend on, in words: what an earlier run is known by."""
    terms: Terms
    trial: Trial
    placing: Placing[Subject]
    names: Names
    observe: Callable[[Event], None]
    room: int = 0
    """Bytes that one candidate may need."""
    clock: Callable[[], float] = monotonic
    stopped: str = "finished"
    tests: int = 0
    extra: int = 0
    written: list[tuple[str, str]] = field(default_factory=list)
    _memo: ByContent = field(default_factory=ByContent)
    _interrupt: KeyboardInterrupt | None = None
    _began: float = 0.0
    _verdicts: Verdicts = field(init=False)
    _tester: Tester[Subject] = field(init=False)

    def __enter__(self) -> "Inquiry[Subject]":
        self.terms.check()
        self._began = self.clock()
        self._verdicts = Verdicts(self.command, self.identity, fresh=self.terms.fresh)
        limits = Limits(memory=self.terms.memory)
        oracle = Oracle(self.trial, self.placing, limits, Patience(self.terms.longest))
        self._tester = Tester(self.terms.jobs, oracle, self.observe, self.room)
        self._tester.begin(self._verdicts.journal, 0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._tester.close()
            self.placing.close()
        finally:
            self._verdicts.is_finished = error is None and self.stopped == "finished"
            self._verdicts.__exit__(kind, error, trace)

    def try_sides(self, case: Circumstances[Subject], subject: str) -> Tried:
        """Try both sides, and tell that it begins; raise if the failing side does not fail."""
        self._refuse_impossible(case)
        failing, passing = Candidate.whole(case.deltas), Candidate.whole(NONE)
        sides = Sides(self._tester, self.names)
        tried = sides.tried(case.render(failing), case.render(passing))
        if tried.rate < 1:
            repetition = self._tester.oracle.repetition
            self.observe(Noticed("flaky", f"the test is not reliable; {repetition.words}"))
        self.begin(case, subject, tried)
        return tried

    def begin(self, case: Circumstances[Subject], subject: str, tried: Tried) -> None:
        """Take both sides for what they were tried to be, and tell that it begins."""
        self.tests += tried.tests
        failing, passing = Candidate.whole(case.deltas), Candidate.whole(NONE)
        self._memo.learn(failing, case.digest(failing), Verdict.INTERESTING)
        self._memo.learn(passing, case.digest(passing), tried.passing.verdict)
        self.observe(
            Inquired(
                subject,
                self._tester.width,
                self._tester.oracle.trial.words,
                tried.seconds,
                self._verdicts.known,
            )
        )

    def require_pass(self, tried: Tried) -> None:
        """Raise if the passing side does not pass."""
        Sides(self._tester, self.names).require_pass(tried.passing)

    def ask(
        self,
        question: Question,
        case: Circumstances[Subject],
        *,
        levels: Sequence[Level] | None = None,
    ) -> Finding:
        """Ask a question, and look once more at the sides that the answer stands on."""
        whole, levels = Pair(NONE, case.deltas), levels or case.levels
        finding = self.narrowed(question, case, whole, levels)
        while not self.confirmed(question, case, finding.pair):
            finding = self.narrowed(question, case, whole, levels)
        return finding

    def confirmed(self, question: Question, case: Circumstances[Subject], pair: Pair) -> bool:
        """Tell whether an answer can be left at that; if not, more is asked from now on."""
        with self.heeding():
            if self.stopped == "finished" and not self._holds(question, case, pair):
                self._repeat(case)
                return False
        return True

    @contextmanager
    def heeding(self) -> Iterator[None]:
        """Let an interrupt end the inquiry, but keep what was found so far."""
        try:
            yield
        except KeyboardInterrupt as interrupt:
            self.stopped = Interrupted.slug
            self._interrupt = Interrupted("interrupted", result=None)
            self._interrupt.__cause__ = interrupt

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

    def _holds(self, question: Question, case: Circumstances[Subject], pair: Pair) -> bool:
        """Ask once more about the sides that an answer stands on."""
        for side, verdict in question.stands_on(pair):
            candidate = Candidate.whole(side)
            [said] = self._tester.do(partial(self._tester.oracle.ask, case.render(candidate)))
            self.tests += 1
            if said.verdict is not verdict:
                return False
        return True

    def _repeat(self, case: Circumstances[Subject]) -> None:
        """Ask more often from now on: the test said something else when asked again."""
        oracle = self._tester.oracle
        if oracle.repetition is not RELIABLE:
            raise Unreliable(
                "the test is not reliable: asked again about its own answer it says another thing",
                hint="make the failure more likely inside the test, and rule out chance in it",
            )
        failing = case.render(Candidate.whole(case.deltas))
        oracle.repetition = Repetition(Sides(self._tester, self.names).rate(failing))
        self.tests += SAMPLE
        self.observe(Noticed("flaky", f"the test is not reliable; {oracle.repetition.words}"))
        self._tester.begin(self._verdicts.journal, self._tester.epoch + 1)
        self._memo = ByContent()

    def first_passing(self, variants: Iterable[Subject], most: int) -> Subject | None:
        """Return the first of some variants that passes, of so many at most; None if none does."""
        tester = self._tester
        waiting = list(islice(variants, most))
        while waiting:
            some, waiting = waiting[: tester.width], waiting[tester.width :]
            tasks = [partial(tester.oracle.ask, variant) for variant in some]
            for place, said in enumerate(tester.do_all(tasks)):
                self.tests += 1
                if said.verdict is Verdict.UNINTERESTING:
                    self.extra += len(some) - place - 1
                    return some[place]
        return None

    def answer(self, answered: Answered) -> None:
        """Tell an answer."""
        self.observe(answered)

    def conclude(self) -> Concluded:
        """Tell how it ended; raise if it was interrupted."""
        concluded = Concluded(
            self.stopped,
            self.tests,
            self.extra,
            self.clock() - self._began,
            tuple(self.written),
        )
        self.observe(concluded)
        if self._interrupt is not None:
            raise self._interrupt
        return concluded

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
            known = self._memo.recall(Candidate.whole(side), case.digest(Candidate.whole(side)))
            if known is not None:
                recorder.checked(side, known)
        session: Session[Pair, Outcome[Pair]] = Session(
            case=case,
            runner=_Runner(self._tester, case),
            memo=self._memo,
            budget=self._budget(),
            pick="in-order",
            checks=(),
            observe=partial(
                self._watch, question, case, levels, partial(question.best, pair, recorder)
            ),
            result=lambda outcome: outcome,
        )
        try:
            outcome = session.run(partial(question.search, pair, levels), recorder)
        except Interrupted as interrupt:
            outcome, self._interrupt = interrupt.result, interrupt  # type: ignore[assignment]
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
        if event.decided:
            self.observe(Narrowed(question.name, *in_words(levels, best()), self.tests))

    def _refuse_impossible(self, case: Circumstances[Subject]) -> None:
        for side, name in ((NONE, self.names.passing), (case.deltas, self.names.failing)):
            objection = case.objection(Candidate.whole(side))
            if objection:
                raise NotInteresting(f"{name} cannot be had: {objection}", hint=self.names.hint)

    def _budget(self) -> Budget:
        most, seconds = self.terms.max_tests, self.terms.max_time
        return Budget(
            max_tests=inf if most is None else most - self.tests,
            deadline=inf if seconds is None else self._began + min(seconds, LONGEST),
            clock=self.clock,
        )
