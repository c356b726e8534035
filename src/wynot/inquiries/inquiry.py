"""An inquiry into circumstances: tries both sides, asks its questions, answers.

Each question is asked of coarse groups first, and then of the finer ones that are in what is left.
Whatever ends an inquiry, the answer so far is one: it fails, or passes, as it says.

While an answer is checked and worded, workers are at the next question.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Generic, TypeVar

from wynot.commands.inquiry_options import InquiryOptions
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import Unreliable
from wynot.core.events import Answered, Event, InquiryEnded, InquiryStarted, Noticed
from wynot.core.round import Search
from wynot.engine.budget import Budget
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.driver import Course, Driver, Restart
from wynot.inquiries.logs import description_of, log_of
from wynot.inquiries.question_stages import Reached
from wynot.inquiries.questions import Question
from wynot.inquiries.sides import Names, SideMeasuring, Tried, TriedFailing
from wynot.inquiries.varying import Varying
from wynot.inquiries.verdicts import Verdicts
from wynot.inquiries.worded import WordAnswer, Worded
from wynot.job.calibration import Calibration
from wynot.job.case_runner import CaseRunner
from wynot.job.clusters import workers_of
from wynot.job.evaluator import Evaluator
from wynot.job.inquiry_log import InquiryLog
from wynot.oracle.guards import Guard
from wynot.oracle.oracle import Oracle, RunTally
from wynot.oracle.provisioner import Provisioner
from wynot.oracle.repetition import RELIABLE
from wynot.oracle.trial import Trial, TrialResult
from wynot.search.sides.dd import Pair

Subject = TypeVar("Subject")
ON_DISK = 1 << 40
"""Room for a candidate, in bytes: more than any memory has, so that it is put on a disk."""


ANYWHERE = frozenset({"isolate", "options"})
"""Commands whose candidates are files; the others need programs of this machine to make one."""


@dataclass(slots=True)
class Inquiry(Generic[Subject]):
    """One inquiry, from the first look at both sides to the last answer; a context manager."""

    command: str
    identity: Sequence[object]
    """All that the verdicts depend on besides the options: what an earlier run is known by."""
    options: InquiryOptions
    trial: Trial
    provisioner: Provisioner[Subject]
    names: Names
    observe: Callable[[Event], None]
    room: int = 0
    """Bytes that one candidate may need."""
    guards: Sequence[Guard] = ()
    """What has to succeed on every case that fails."""
    apart: Sequence[str | Path] = ()
    """Where the candidate's own files are: that a program there changes is no matter."""
    candidates: Sequence[str] = ()
    """Files that are what differs, if they are: the command may run them."""
    log: InquiryLog | None = None
    """What the answers go to, and may come from; None: it is as the options say."""
    tally: RunTally = field(default_factory=RunTally)
    """Has counted the starts of the test that were made before."""
    ahead: int = 0
    """How many candidates are put in place while the test of another one runs."""
    written: list[tuple[str, str]] = field(default_factory=list)
    driver: Driver[Subject] = field(init=False)
    varying: Varying[Subject] = field(init=False)
    _began: float = 0.0
    _verdicts: Verdicts = field(init=False)
    _evaluator: Evaluator[Subject] = field(init=False)

    def __enter__(self) -> "Inquiry[Subject]":
        self.options.validate()
        self._began = monotonic()
        oracle = Oracle.of(
            self.options,
            self.trial,
            self.provisioner,
            self.guards,
            candidates=self.candidates,
            apart=self.apart,
        )
        oracle = replace(oracle, tally=self.tally)
        known_by = json.dumps([self.options.identity, *self.identity], default=str)
        identity = "\n".join([known_by, *oracle.watch.identity])
        self._verdicts = Verdicts(self.command, identity, fresh=self.options.fresh)
        try:
            log = self.log or log_of(self.options, self.command)
            here = self.command not in ANYWHERE
            jobs, agents = workers_of(self.options, self.options.width, self.observe, here=here)
            self._evaluator = Evaluator(
                jobs, oracle, self.observe, self.room, prepared=self.ahead, agents=agents
            )
        except BaseException:
            self._verdicts.end(is_finished=False)
            raise
        self._evaluator.preload()
        self._evaluator.log = log
        self._evaluator.begin(self._verdicts.journal, 0)
        budget = Budget.of(self.options.max_tests, self.options.max_time, self._began)
        runner = CaseRunner(self._evaluator, lambda _case, _candidate: False)
        self.driver = Driver(self._evaluator, runner, budget, self.observe, self.names.placer)
        self.varying = Varying(self.driver, self.names, self.options, self._verdicts.journal)
        return self

    @property
    def is_going(self) -> bool:
        """Whether nothing has ended it so far."""
        return self.driver.is_going

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        try:
            self._evaluator.close()
        finally:
            self._verdicts.end(is_finished=error is None and self.is_going)
            self._evaluator.log.close()

    def try_sides(
        self, case: Circumstances[Subject], subject: str, *, once: bool = False, spent: int = 0
    ) -> Tried:
        """Try both sides, and report that it begins; some tests were ``spent`` before.

        ``once``: a side that fails is not tried again.
        """
        self.names.refuse_impossible(case)
        tried = self.try_passing(case, self.try_failing(case, once=once))
        self.begin(case, subject, tried)
        self.driver.count_checks(spent)
        return tried

    def try_failing(self, case: Circumstances[Subject], *, once: bool = False) -> TriedFailing:
        """Try the failing side; raise if it does not fail."""
        self.require_guards(case)
        calibration = self._calibration(case)
        self._evaluator.log.require(calibration.sides.failing, self.options.replay)
        measuring = SideMeasuring(self._evaluator, calibration.sides, self.names, self.observe)
        self.driver.count_checks(measuring.run(self.options.threshold))
        is_known = self._verdicts.known > 0 or bool(self.options.replay)
        varies = self.varying.expected
        if not varies:
            calibration.choose_machines()
        found = calibration.first_runs(is_known=is_known, once=once, by_chance=varies)
        return TriedFailing(found, calibration.runs.tests, calibration.varying)

    def try_passing(
        self,
        case: Circumstances[Subject],
        failing: TriedFailing,
        *,
        once: bool = False,
        names: Names | None = None,
    ) -> Tried:
        """Try the passing side, after the failing one, under these names.

        ``once``: also if it fails.
        """
        names = names or self.names
        calibration = self._calibration(case, names)
        passing = calibration.passing() if once else self.varying.tried(calibration, failing)
        self._verdicts.begin(self._evaluator, self.observe)
        return Tried(names, failing.seconds, passing, failing.tests + calibration.runs.tests)

    def _calibration(
        self, case: Circumstances[Subject], names: Names | None = None
    ) -> Calibration[Subject]:
        names = names or self.names
        failing = self._logged(case, case.deltas, names.failing)
        passing = self._logged(case, NONE, names.passing)
        return Calibration(self._evaluator, names.sides(failing, passing), self.observe)

    def _logged(self, case: Circumstances[Subject], side: Deltas, name: str = "") -> Subject:
        """Return a case that is run outside of a search; the log knows it by its name."""
        candidate = Candidate.whole(side)
        subject = case.render(candidate)
        name = name or description_of(case, candidate)
        self._evaluator.log.call(subject, case.digest(candidate), name)
        return subject

    def require_guards(self, case: Circumstances[Subject]) -> None:
        """Raise if a guard does not let the failing side pass."""
        for message in self._calibration(case).require_guards():
            self.observe(Noticed("guard", message))

    def begin(self, case: Circumstances[Subject], subject: str, tried: Tried) -> None:
        """Take both sides for what they were tried to be, and report that it begins."""
        self._learn(case, tried.passing, tried.tests)
        self.observe(
            InquiryStarted(
                subject,
                self._evaluator.width,
                self._evaluator.oracle.trial.words,
                tried.seconds,
                self._verdicts.known,
                passes=self._evaluator.oracle.guards.words,
                writable=self._evaluator.oracle.limits.writable,
                options=self.options.given,
            )
        )

    def _learn(self, case: Circumstances[Subject], passing: TrialResult, tests: int) -> None:
        """Take both sides for what they were found to be, in so many tests."""
        self.driver.count_checks(tests)
        self.driver.learn_sides(case, passing.verdict)

    def learn_time(self, seconds: float) -> None:
        """Take note of how long a run takes that was made before."""
        self._evaluator.oracle.time_limit.learn(seconds)

    def provision(self, subjects: Sequence[Subject]) -> None:
        """Put candidates in place without a test."""
        for subject in subjects:
            self._evaluator.do(partial(self.provisioner.provision, subject))

    def progress(self, doing: str, done: int = 0, of: int = 0) -> None:
        """Report what takes a while, and how much of it is done."""
        self._evaluator.tell(doing, done=done, of=of)

    def report(
        self, question: str, word: Callable[[], Worded], minimal: str = "", out: str = ""
    ) -> None:
        """Report an answer, and write its files into a folder, if one is given.

        It is known, so an interrupt comes after it.
        """
        worded = None
        with self.driver.interruptible():
            worded = word()
        worded = worded or word()
        self.tell(question, worded, minimal)
        self.written += worded.write(out) if out else ()

    def tell(self, question: str, worded: Worded, minimal: str = "") -> None:
        """Report an answer in words."""
        title, lines, data, _, pairs = worded
        self.observe(Answered(question, title, lines, minimal, data, pairs))

    def ask(
        self,
        question: Question,
        case: Circumstances[Subject],
        *,
        levels: Sequence[Level] | None = None,
    ) -> Reached:
        """Ask a question, and look once more at the sides that the answer stands on."""
        whole, levels = Pair(NONE, case.deltas), levels or case.levels
        while True:
            found = self.driver.run(lambda course: course.narrow(question, case, whole, levels))
            found = found or Reached(whole)
            if self.confirmed(question, case, found.pair) or self.varying.sides:
                return found

    def answer(
        self,
        questions: Sequence[Question],
        case: Circumstances[Subject],
        word: WordAnswer,
        *,
        levels: Callable[[Question], Sequence[Level]] | None = None,
        out: str = "",
    ) -> InquiryEnded:
        """Ask one question after the other; report each answer, and write its files.

        While an answer is confirmed and worded, workers are at the next question.
        """
        levels_of = levels or (lambda _question: case.levels)
        unanswered = [*questions]

        def in_turn(remaining: Sequence[Question], course: Course[Subject]) -> Search[None]:
            for each in remaining:
                whole = Pair(NONE, case.deltas)
                found = yield from course.narrow(each, case, whole, levels_of(each))
                if course.is_live:
                    if not found.is_ended:
                        self.require_confirmed(each, case, found.pair)
                    self.report(
                        each.name, partial(word, each.name, found.deltas), found.minimal, out
                    )
                    unanswered.remove(each)

        while unanswered and self.varying.sides is None and self.is_going:
            with suppress(Restart):
                self.driver.run(partial(in_turn, tuple(unanswered)))
        sides = self.varying.sides
        if unanswered and sides is not None:
            first = unanswered[0]
            step = self.varying.worded_step(first.name, case, word, levels_of(first), sides)
            self.report(first.name, lambda: step, "", out)
        return self.conclude()

    def require_confirmed(
        self, question: Question, case: Circumstances[Subject], pair: Pair
    ) -> None:
        """Restart what is asked if the test gives another verdict of a side of an answer."""
        if not self.confirmed(question, case, pair):
            raise Restart

    def confirmed(self, question: Question, case: Circumstances[Subject], pair: Pair) -> bool:
        """Tell whether an answer can be left at that; if not, the test runs more often now."""
        with self.driver.interruptible():
            if self.is_going and not self._holds(question, case, pair):
                self._repeat(case)
                return False
        return True

    def _holds(self, question: Question, case: Circumstances[Subject], pair: Pair) -> bool:
        """Ask once more about the sides that an answer stands on."""
        runs = self._calibration(case).runs
        sides = [(self._logged(case, side), known) for side, known in question.stands_on(pair)]
        holds = all(runs.verdict("answer", side) is known for side, known in sides)
        self.driver.count_checks(runs.tests)
        return holds

    @property
    def width(self) -> int:
        """How many tests run at once."""
        return self._evaluator.width

    @property
    def is_repeating(self) -> bool:
        """Whether the test runs several times for each verdict."""
        return self._evaluator.oracle.repetition is not RELIABLE

    def _repeat(self, case: Circumstances[Subject]) -> None:
        """Run the test more often from now on: it gave another verdict when asked again."""
        if self.is_repeating:
            raise Unreliable(
                "the test is not reliable: asked again about its answer, it gives another",
                hint="make the failure more likely inside the test, and rule out chance in it",
            )
        calibration = self._calibration(case)
        if calibration.fails_by_chance():
            self.varying.begin(calibration.varying)
            return
        calibration.use(calibration.repetition(calibration.measure()))
        self._verdicts.begin(self._evaluator, self.observe)
        self.driver.forget()
        self._learn(case, calibration.passing(), calibration.runs.tests)

    def conclude(self) -> InquiryEnded:
        """Report how it ended; raise what has ended it before its time."""
        driver, costs = self.driver, self._evaluator.costs
        concluded = InquiryEnded(
            driver.stopped,
            driver.tests + driver.checks,
            driver.extra,
            monotonic() - self._began,
            tuple(self.written),
            test_seconds=costs.seconds,
            timed_out=costs.timed_out,
            timed_out_seconds=costs.timed_out_seconds,
            refused=driver.refusals,
            **self._evaluator.figures(driver.checks)._asdict(),
        )
        self.observe(concluded)
        if driver.ending is not None:
            raise driver.ending
        return concluded
