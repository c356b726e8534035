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
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.engine.budget import Budget
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.course import AskedAnew, Course, Reached, VerdictMemo
from wynot.inquiries.logs import transcript_of, words_of
from wynot.inquiries.narrowing import Narrowing
from wynot.inquiries.questions import Finding, Question
from wynot.inquiries.sides import Names, SideMeasuring, Tried, TriedFailing
from wynot.inquiries.varying import Varying
from wynot.inquiries.verdicts import Verdicts
from wynot.inquiries.worded import WordAnswer, Worded
from wynot.job.calibration import Calibration
from wynot.job.clusters import workers_of
from wynot.job.evaluator import Evaluator
from wynot.job.transcript import Transcript
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
    transcript: Transcript | None = None
    """What the answers go to, and may come from; None: it is as the options say."""
    tally: RunTally = field(default_factory=RunTally)
    """Has counted the starts of the test that were made before."""
    ahead: int = 0
    """How many candidates are put in place while the test of another one runs."""
    written: list[tuple[str, str]] = field(default_factory=list)
    narrowing: Narrowing[Subject] = field(init=False)
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
            transcript = self.transcript or transcript_of(self.options, self.command)
            here = self.command not in ANYWHERE
            jobs, agents = workers_of(self.options, self.options.width, self.observe, here=here)
            self._evaluator = Evaluator(
                jobs, oracle, self.observe, self.room, ahead=self.ahead, agents=agents
            )
        except BaseException:
            self._verdicts.end(is_finished=False)
            raise
        self._evaluator.send_ahead()
        self._evaluator.transcript = transcript
        self._evaluator.begin(self._verdicts.journal, 0)
        budget = Budget.of(self.options.max_tests, self.options.max_time, self._began)
        self.narrowing = Narrowing(self._evaluator, budget, self.observe, placer=self.names.placer)
        self.varying = Varying(self.narrowing, self.names, self.options, self._verdicts.journal)
        return self

    @property
    def stopped(self) -> str:
        """Why it ended; ``finished`` as long as it goes on."""
        return self.narrowing.stopped

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        try:
            self._evaluator.close()
        finally:
            self._verdicts.end(is_finished=error is None and self.stopped == Stop.FINISHED)
            self._evaluator.transcript.close()

    def try_sides(self, case: Circumstances[Subject], subject: str, *, once: bool = False) -> Tried:
        """Try both sides, and tell that it begins; ``once``: what fails is not tried again."""
        self.names.refuse_impossible(case)
        tried = self.try_passing(case, self.try_failing(case, once=once))
        self.begin(case, subject, tried)
        return tried

    def try_failing(self, case: Circumstances[Subject], *, once: bool = False) -> TriedFailing:
        """Try the failing side; raise if it does not fail."""
        self.require_guards(case)
        calibration = self._calibration(case)
        self._evaluator.transcript.require(calibration.sides.failing, self.options.replay)
        measuring = SideMeasuring(self._evaluator, calibration.sides, self.names, self.observe)
        self.narrowing.checks += measuring.run(self.options.threshold)
        is_known = self._verdicts.known > 0 or bool(self.options.replay)
        varies = self.varying.expected
        if not varies:
            calibration.choose_machines()
        found = calibration.first_runs(is_known=is_known, once=once, by_chance=varies)
        return TriedFailing(found, calibration.runs.tests, calibration.varying)

    def try_passing(
        self, case: Circumstances[Subject], failing: TriedFailing, *, once: bool = False
    ) -> Tried:
        """Try the passing side, after the failing one; ``once``: also if it fails."""
        calibration = self._calibration(case)
        passing = calibration.passing() if once else self.varying.tried(calibration, failing)
        self._verdicts.begin(self._evaluator, self.observe)
        return Tried(self.names, failing.seconds, passing, failing.tests + calibration.runs.tests)

    def _calibration(self, case: Circumstances[Subject]) -> Calibration[Subject]:
        failing = self._called(case, case.deltas, self.names.failing)
        passing = self._called(case, NONE, self.names.passing)
        return Calibration(self._evaluator, self.names.sides(failing, passing), self.observe)

    def _called(self, case: Circumstances[Subject], side: Deltas, words: str = "") -> Subject:
        """Return a case that is run outside of a search; the log knows it by its words."""
        candidate = Candidate.whole(side)
        subject = case.render(candidate)
        called = words or words_of(case, candidate)
        self._evaluator.transcript.call(subject, case.digest(candidate), called)
        return subject

    def require_guards(self, case: Circumstances[Subject]) -> None:
        """Raise if a guard does not let the failing side pass."""
        for message in self._calibration(case).require_guards():
            self.observe(Noticed("guard", message))

    def begin(self, case: Circumstances[Subject], subject: str, tried: Tried) -> None:
        """Take both sides for what they were tried to be, and tell that it begins."""
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
        self.narrowing.checks += tests
        self.narrowing.learn(case, case.deltas, Verdict.INTERESTING)
        self.narrowing.learn(case, NONE, passing.verdict)

    def report(self, question: str, worded: Worded, minimal: str = "", out: str = "") -> None:
        """Tell an answer, and write its files into a folder, if one is given."""
        self.tell(question, worded, minimal)
        self.written += worded.write(out) if out else ()

    def tell(self, question: str, worded: Worded, minimal: str = "") -> None:
        """Tell an answer."""
        title, lines, data, _, pairs = worded
        self.observe(Answered(question, title, lines, minimal, data, pairs))

    def ask(
        self,
        question: Question,
        case: Circumstances[Subject],
        *,
        levels: Sequence[Level] | None = None,
    ) -> Finding:
        """Ask a question, and look once more at the sides that the answer stands on."""
        whole, levels = Pair(NONE, case.deltas), levels or case.levels
        finding = self.narrowing.narrowed(question, case, whole, levels)
        while not self.confirmed(question, case, finding.pair) and not self.varying.sides:
            finding = self.narrowing.narrowed(question, case, whole, levels)
        return finding

    def confirmed(self, question: Question, case: Circumstances[Subject], pair: Pair) -> bool:
        """Tell whether an answer can be left at that; if not, more is asked from now on."""
        with self.narrowing.heeding():
            if self.stopped == Stop.FINISHED and not self._holds(question, case, pair):
                self._repeat(case)
                return False
        return True

    def _holds(self, question: Question, case: Circumstances[Subject], pair: Pair) -> bool:
        """Ask once more about the sides that an answer stands on."""
        runs = self._calibration(case).runs
        sides = [(self._called(case, side), said) for side, said in question.stands_on(pair)]
        holds = all(runs.verdict("answer", side) is said for side, said in sides)
        self.narrowing.checks += runs.tests
        return holds

    def _repeat(self, case: Circumstances[Subject]) -> None:
        """Ask more often from now on: the test said something else when asked again."""
        if self._evaluator.oracle.repetition is not RELIABLE:
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
        self.narrowing.memo = VerdictMemo()
        self._learn(case, calibration.passing(), calibration.runs.tests)

    def conclude(self) -> InquiryEnded:
        """Tell how it ended; raise what has ended it before its time."""
        toll = self._evaluator.toll
        concluded = InquiryEnded(
            self.stopped,
            self.narrowing.tests + self.narrowing.checks,
            self.narrowing.extra,
            monotonic() - self._began,
            tuple(self.written),
            test_seconds=toll.seconds,
            timed_out=toll.timed_out,
            timed_out_seconds=toll.timed_out_seconds,
            refused=self.narrowing.refusals,
            **self._evaluator.figures(self.narrowing.checks)._asdict(),
        )
        self.observe(concluded)
        if self.narrowing.ending is not None:
            raise self.narrowing.ending
        return concluded


def answer(
    inquiry: Inquiry[Subject],
    questions: Sequence[Question],
    case: Circumstances[Subject],
    word: WordAnswer,
    *,
    levels: Callable[[Question], Sequence[Level]] | None = None,
    out: str = "",
) -> InquiryEnded:
    """Ask one question after the other; tell each answer, and write its files."""
    some = levels or (lambda _question: case.levels)
    _Settling(inquiry, case, word, some, out, [*questions]).run()
    return inquiry.conclude()


@dataclass(slots=True)
class _Settling(Generic[Subject]):
    """Some questions about one case."""

    inquiry: Inquiry[Subject]
    case: Circumstances[Subject]
    word: WordAnswer
    levels: Callable[[Question], Sequence[Level]]
    out: str
    left: list[Question]
    """Those that are not answered yet."""

    def run(self) -> None:
        """Ask them all, more often if asked again the test says something else."""
        inquiry = self.inquiry
        varying = inquiry.varying
        while self.left and varying.sides is None and inquiry.stopped == Stop.FINISHED:
            with suppress(AskedAnew):
                inquiry.narrowing.play(partial(self._asked, tuple(self.left)))
        if self.left and varying.sides is not None:
            first = self.left[0]
            found, told = varying.answer(first.name, self.case, self.word, self.levels(first))
            if told is not None:
                inquiry.report(first.name, told, found.minimal, self.out)

    def _asked(self, questions: Sequence[Question], course: Course[Subject]) -> Search[None]:
        whole = Pair(NONE, self.case.deltas)
        for each in questions:
            course.otherwise = partial(self._tell_so_far, each)
            found = yield from course.narrowed(each, self.case, whole, self.levels(each))
            course.note(partial(self._settle, each, found))

    def _settle(self, question: Question, found: Reached) -> None:
        """Look at an answer once more, and tell it; raise if it has to be asked anew."""
        if not self.inquiry.confirmed(question, self.case, found.pair):
            raise AskedAnew
        self._tell(question, found)
        self.left.remove(question)
        if self.inquiry.narrowing.ending is not None:
            raise self.inquiry.narrowing.ending

    def _tell_so_far(self, question: Question, pair: Pair) -> None:
        self._tell(question, Reached(pair, str))

    def _tell(self, question: Question, found: Reached) -> None:
        told = self.word(question.name, found.deltas)
        self.inquiry.report(question.name, told, found.minimal(), self.out)
