"""The one door to a test on disk: places the candidate, runs the test, says what came of it."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache, partial
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from wynot.agents.sandbox import Sandbox
from wynot.commands.shared_options import FailureOptions
from wynot.core.answer import CUT_OFF, Answer
from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.diagnostic_reading import read_diagnostics
from wynot.oracle.confining import FREE, Confinement, confinement
from wynot.oracle.guards import UNGUARDED, Guard, Guards, LearnedGuards, Refusal
from wynot.oracle.launch_errors import not_placed, not_started
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.provisioner import (
    UNPLACED,
    Inapplicable,
    Invocation,
    Provisioner,
)
from wynot.oracle.repetition import RELIABLE, Repetition
from wynot.oracle.trial import Trial, TrialResult
from wynot.oracle.watch import UNWATCHED, Watch
from wynot.wire.run_request import Limits, Survivors

Subject = TypeVar("Subject")
Found = TypeVar("Found")

EARLY = "cut off early"
"""How the text begins on tests that had less time than they may take."""


class Judgement(NamedTuple):
    """An answer, and how the run ended that decided it."""

    answer: Answer
    how: str
    timed_out: bool = False
    """Whether it ran into the time limit, and nothing is known for that reason."""
    is_doubtful: bool = False
    """Whether it is that of a copy which has looked at what is different in copies."""


NOT_RUN = Ending(125, 0.0)
"""How a test ends that was not even begun; 125 is what ``git bisect`` has for it."""


class RunPurpose(Enum):
    """Why the user's command is started."""

    CHECK = "check"
    """To see whether the test is good, or whether a result holds."""
    QUESTION = "question"
    """To answer a question of a search, which may be speculative."""
    REPEAT = "repeat"
    """To answer the same question once more: with more time, or since one run does not tell."""

    @property
    def again(self) -> "RunPurpose":
        """Why it is started again for the same reason."""
        return RunPurpose.CHECK if self is RunPurpose.CHECK else RunPurpose.REPEAT


class RunTotals(NamedTuple):
    """What events say of how often the user's command was started."""

    runs: int
    checks: int
    repeated: int


class RunTally:
    """Counts the starts of the user's command; workers' threads add to it.

    A start that a warm copy stands in for counts, and so does a question to a server of the user's.
    """

    def __init__(self, total: "RunTally | None" = None) -> None:
        """Count in another one, too."""
        self._total = total
        self._lock = threading.Lock()
        self._counts = dict.fromkeys(RunPurpose, 0)
        self.notes = {purpose: partial(self._note, purpose) for purpose in RunPurpose}
        """What is called at each start."""

    def figures(self, checks: int = 0) -> RunTotals:
        """Return what events say of it, if so many checks are among the tests."""
        with self._lock:
            counts = dict(self._counts)
        uncounted = counts[RunPurpose.CHECK] - checks
        return RunTotals(sum(counts.values()), uncounted, counts[RunPurpose.REPEAT])

    def _note(self, purpose: RunPurpose) -> None:
        with self._lock:
            self._counts[purpose] += 1
        if self._total is not None:
            self._total.notes[purpose]()


@lru_cache(maxsize=16)
def _for_test(limits: Limits, timeout: float, note_start: Callable[[], None]) -> Limits:
    return limits._replace(timeout=timeout, is_test=True, note_start=note_start)


def ignore_find(_subject: object, _ending: Ending) -> None:
    """What is done with side finds by default: nothing."""


@dataclass(frozen=True, slots=True)
class Oracle(Generic[Subject]):
    """Asks the test about candidates; workers' threads do that, several at once."""

    trial: Trial
    provisioner: Provisioner[Subject]
    limits: Limits
    time_limit: LearnedTimeout
    repetition: Repetition = RELIABLE
    also: frozenset[int] = frozenset()
    """Exit statuses of candidates that are kept, though they are not what is looked for."""
    find: Callable[[Subject, Ending], None] = ignore_find
    guards: Guards = UNGUARDED
    """What has to succeed on every case that is taken, besides."""
    confinement: Confinement = FREE
    """Where the tests can write, and why."""
    watch: Watch = UNWATCHED
    """The files of the test itself: if one of them changes, no verdict can be believed."""
    tally: RunTally = field(default_factory=RunTally)
    """How often the test was started."""

    @classmethod
    def of(
        cls,
        failure: FailureOptions,
        trial: Trial,
        provisioner: Provisioner[Subject],
        guards: Sequence[Guard],
        *,
        candidates: Sequence[str] = (),
        apart: Sequence[str | Path] = (),
    ) -> "Oracle[Subject]":
        """Return one that keeps to the limits that the options give.

        ``candidates`` are files that the command may run. What is in ``apart`` may change.
        """
        confined = confinement(failure, candidates)
        return cls(
            trial,
            provisioner,
            Limits(memory=failure.memory, writable=confined.writable),
            LearnedTimeout(failure.longest),
            confinement=confined,
            guards=Guards(guards),
            watch=Watch.of(failure, apart),
        )

    @property
    def unconfined(self) -> "Oracle[Subject]":
        """The same, but for tests that can write wherever the user may."""
        return replace(self, limits=self.limits._replace(writable=None))

    def ask(
        self,
        subject: Subject,
        sandbox: Sandbox,
        first: TrialResult | None = None,
        *,
        short: bool = False,
        diagnostics: bool = False,
        purpose: RunPurpose = RunPurpose.QUESTION,
    ) -> Judgement:
        """Return the verdict on a candidate, asking as often as it takes to believe it.

        ``first`` is a run that was made before. With ``short`` it is cut off early, and the outcome
        says so. With ``diagnostics`` it has those of the program.
        """
        repetition, seconds, shown, runs = self.repetition, 0.0, 0, 0
        decided, otherwise = None, Verdict.UNRESOLVED
        while decided is None:
            if first:
                result = self.trial.judged(first)
            else:
                result = self.once(
                    subject, sandbox, short=short, capture=diagnostics, purpose=purpose
                )
            first, purpose = None, purpose.again
            runs += 1
            seconds += result.seconds
            if result.ending.is_doubtful:
                unknown = Answer(Verdict.UNRESOLVED, seconds=seconds)
                return Judgement(unknown, result.words, is_doubtful=True)
            if result.early:  # the next one would be as well, most likely
                cut_off = CUT_OFF._replace(seconds=seconds)
                return Judgement(cut_off, f"{EARLY}: {result.words}", timed_out=True)
            if result.verdict is Verdict.INTERESTING:
                shown += 1
            else:
                otherwise = result.verdict
            decided = repetition.decide(shown, runs)
        printed = read_diagnostics(result.ending) if diagnostics else None
        if decided:
            answer = Answer(Verdict.INTERESTING, diagnostics=printed, seconds=seconds)
            return self._guarded(subject, sandbox, Judgement(answer, result.words))
        # A failure that shows too rarely is neither; unless that is what chance makes of a pass.
        is_rare = shown and not repetition.noise
        verdict = Verdict.UNRESOLVED if is_rare else otherwise
        how = f"{UNPLACED}{result.why}" if result.why else result.words
        answer = Answer(verdict, diagnostics=printed, not_placed=result.why, seconds=seconds)
        return Judgement(answer, how, timed_out=result.timed_out)

    def refusal(self, subject: Subject, sandbox: Sandbox) -> Refusal | None:
        """Return the first of the guards that does not let a candidate pass."""
        if not self.guards.each:
            return None
        return self._with_invocation(self.guards.refusal, subject, sandbox)

    def learn_guards(self, original: Subject, sandbox: Sandbox) -> LearnedGuards:
        """Try the guards on the original, from which they may learn what to look for."""
        return self._with_invocation(self.guards.learned, original, sandbox)

    def _with_invocation(
        self,
        ask: Callable[[Callable[[], Invocation], Sandbox, Limits], Found],
        subject: Subject,
        sandbox: Sandbox,
    ) -> Found:
        # A guard is another command.
        limits = self.limits._replace(is_test=True, warm_plan=None, may_reuse_server=False)
        with self._watching(sandbox):
            return ask(partial(self._placed, subject, sandbox), sandbox, limits)

    @contextmanager
    def _watching(self, sandbox: Sandbox) -> Iterator[None]:
        """Raise if the test has changed: only afterwards is it known that what ran was the same."""
        try:
            yield
        except (Survivors, OSError) as error:
            self.watch.require_unchanged()  # that it is gone, or being written, may be why
            raise not_started(error, sandbox) from error
        self.watch.require_unchanged()

    def _guarded(self, subject: Subject, sandbox: Sandbox, judgement: Judgement) -> Judgement:
        """Return what becomes of a verdict when the guards were asked too."""
        answer = judgement.answer
        try:
            refusal = self.refusal(subject, sandbox)
        except Inapplicable as why:  # it was put in place before, but now cannot be
            return Judgement(answer._replace(verdict=Verdict.UNRESOLVED), str(why))
        if refusal is None:
            return judgement
        refused = answer._replace(
            verdict=Verdict.UNRESOLVED,
            refused_by=refusal.guard.option,
            seconds=answer.seconds + refusal.ending.seconds,
        )
        return Judgement(refused, refusal.words)

    def once(
        self,
        subject: Subject,
        sandbox: Sandbox,
        *,
        capture: bool = False,
        short: bool = False,
        purpose: RunPurpose = RunPurpose.CHECK,
    ) -> TrialResult:
        """Run the test once; again with more time if it took too long and that may be why."""
        limit = self.time_limit.short if short else self.time_limit.limit
        result = self._run(subject, sandbox, limit, purpose, capture=capture)
        if short and result.timed_out and limit < self.time_limit.limit:
            return result._replace(early=True)
        longer = self.time_limit.second_limit
        if result.timed_out and longer:
            before = result.ending.seconds
            result = self._run(subject, sandbox, longer, purpose.again, capture=capture)
            result = result._replace(before=before)
            self.time_limit.tried_longer(in_vain=result.verdict is not Verdict.INTERESTING)
        if result.ending.is_doubtful:
            return result
        interesting = result.verdict is Verdict.INTERESTING
        if interesting:
            self.time_limit.learn(result.ending.seconds)
        if not result.ending.limit and not result.why:
            self.time_limit.ended(result.ending.seconds, interesting=interesting)
        if result.ending.status in self.also and not result.ending.limit:
            self.find(subject, result.ending)
        return result

    def _run(
        self,
        subject: Subject,
        sandbox: Sandbox,
        timeout: float,
        purpose: RunPurpose,
        *,
        capture: bool,
    ) -> TrialResult:
        limits = _for_test(self.limits, timeout, self.tally.notes[purpose])
        try:
            with self._watching(sandbox):
                invocation = self._placed(subject, sandbox)
                try:
                    return self.trial.run(sandbox, invocation, limits, capture=capture)
                except FileNotFoundError:  # a test beside it may have removed all there is
                    invocation = self._placed(subject, sandbox)
                    return self.trial.run(sandbox, invocation, limits, capture=capture)
        except Inapplicable as why:
            return TrialResult(Verdict.UNRESOLVED, NOT_RUN, why=str(why))

    def in_folder(self, folder: Path, invocation: Invocation, sandbox: Sandbox) -> TrialResult:
        """Run the test once in another folder, on what is there."""
        limits = self.limits._replace(
            timeout=self.time_limit.limit, note_start=self.tally.notes[RunPurpose.CHECK]
        )
        with self._watching(sandbox):
            return self.trial.run(sandbox, invocation._replace(folder=folder), limits, capture=True)

    def _placed(self, subject: Subject, sandbox: Sandbox) -> Invocation:
        try:
            return self.provisioner.provision(subject, sandbox)
        except OSError as error:
            raise not_placed(error, sandbox) from error
