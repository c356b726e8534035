"""Runs the tests of one run; what the journal has an answer to is not run again.

Tests that share a folder cannot run side by side. But what takes long may be to put a candidate in
place: to install its packages. So there are more sandboxes than tests run: in each of them a
candidate is made ready, and waits there until its question is asked. If it never is, the job is
given up, and nobody has noticed anything of it.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeVar

from wynot.agents.agent_source import AgentSource
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import NAP_SECONDS, LocalWorkers
from wynot.core.answer import Answer
from wynot.core.events import Doing, Event, GivenUp, Noticed, Ran
from wynot.core.system.folder_files import FolderFiles
from wynot.disk.journal import Journal
from wynot.job.answers import AnswerStore
from wynot.job.inquiry_log import InquiryLog
from wynot.job.warm_tests import WarmTests
from wynot.oracle.guards import LearnedGuards
from wynot.oracle.oracle import Judgement, Oracle, RunPurpose, RunTotals
from wynot.oracle.provisioner import FilesInFolder, Invocation, Provisioner
from wynot.oracle.trial import Trial, TrialResult
from wynot.oracle.watch import MAX_READ_BYTES, SCRIPTS
from wynot.runners.runner import FinishedFuture
from wynot.wire.file_edits import NO_FILES, HeldFiles, Preload
from wynot.wire.run_request import Killed


@contextmanager
def observed_if_killed(
    observe: Callable[[Event], None], worker: int, start: float
) -> Iterator[None]:
    """Let observers know of a test that is given up while it runs, since that time."""
    try:
        yield
    except Killed:
        observe(GivenUp(worker, monotonic() - start))
        raise


UNDELETABLE = (
    "a test leaves {!r}, which cannot be removed: it has files of another user, immutable files or "
    "a mount; the tests continue in new folders: remove {!r} afterwards"
)


class UndeletableFiles:
    """Reports the files of tests that cannot be removed; any thread may call it."""

    def __init__(self, observe: Callable[[Event], None]) -> None:
        self._observe = observe
        self._reported: set[Path] = set()

    def look(self, sandbox: Sandbox) -> None:
        """Report what is stuck in a sandbox, unless that was done."""
        if sandbox.stuck is not None and (root := sandbox.private.parent) not in self._reported:
            self._reported.add(root)
            self._observe(Noticed("left-over", UNDELETABLE.format(str(sandbox.stuck), str(root))))


def preload_of(oracle: Oracle[Any], original: FolderFiles) -> Preload:
    """Return the original, what is beside it for every test, and the scripts of the test."""
    contents = dict(original.contents)
    if isinstance(oracle.provisioner, FilesInFolder):
        contents = {**oracle.provisioner.fixed.contents, **contents}
    paths = (watched.path for watched in oracle.watch.files)
    programs = {path: content for path in paths if (content := _script(Path(path)))}
    return Preload.of(HeldFiles(contents), programs)


def _script(path: Path) -> bytes:
    """Return what is in a file, if it is a script: programs have to be installed everywhere."""
    try:
        if path.stat().st_size > MAX_READ_BYTES:
            return b""
        content = path.read_bytes()
    except OSError:  # whoever runs it will say so
        return b""
    return content if content.startswith(b"#!") or path.suffix.lower() in SCRIPTS else b""


SHORT_SECONDS, QUEUED_JOBS = 0.003, 3
"""Seconds; of shorter tests, handing over the next one takes a good part of the time. So some more
are handed over; those that were in vain cost little."""
RECENT_TESTS = 16
"""How many tests the average is of, about."""


class TestSpeed:
    """How long the last tests took on average; at first they are treated as long."""

    def __init__(self) -> None:
        self._seconds = 2 * SHORT_SECONDS

    def note(self, seconds: float) -> None:
        """Take note of a test that has ended."""
        self._seconds += (seconds - self._seconds) / RECENT_TESTS

    @property
    def is_short(self) -> bool:
        """Whether tests are short."""
        return self._seconds < SHORT_SECONDS

    def depth(self, width: int) -> int:
        """Return how many short tests to hand over to so many workers, so that none waits."""
        return 2 * width + QUEUED_JOBS


@dataclass(slots=True)
class TestCosts:
    """The time that tests have taken; the threads of all workers add to it."""

    seconds: float = 0.0
    timed_out: int = 0
    timed_out_seconds: float = 0.0
    """How many of the seconds went into tests that timed out."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, seconds: float, *, timed_out: bool) -> None:
        """Count a test that has ended."""
        with self._lock:
            self.seconds += seconds
            if timed_out:
                self.timed_out += 1
                self.timed_out_seconds += seconds


Subject = TypeVar("Subject")

LOOK_SECONDS = 0.02
"""Seconds after which one that waits looks whether it was given up."""


class SerialProvisioner(Generic[Subject]):
    """Puts candidates in place, and has each wait there for its turn."""

    def __init__(self, provisioner: Provisioner[Subject]) -> None:
        self._provisioner = provisioner
        self._turn = threading.Lock()
        self._holder: Sandbox | None = None
        self._go_aheads: dict[Sandbox, threading.Event] = {}

    def begin(self, sandbox: Sandbox, go_ahead: threading.Event | None) -> None:
        """Begin a job in a sandbox: it has to wait until its question is asked, if it is ever."""
        if go_ahead is not None:
            self._go_aheads[sandbox] = go_ahead

    def finish(self, sandbox: Sandbox) -> None:
        """End the job: it is the turn of another one."""
        self._go_aheads.pop(sandbox, None)
        if self._holder is sandbox:
            self._holder = None
            self._turn.release()

    def provision(self, subject: Subject, sandbox: Sandbox) -> Invocation:
        """Put a candidate in place; return when its test may run."""
        invocation = self._provisioner.provision(subject, sandbox)
        if self._holder is sandbox:
            return invocation
        go_ahead = self._go_aheads.get(sandbox)
        while go_ahead is not None and not go_ahead.wait(LOOK_SECONDS):
            sandbox.switch.require_on()
        while not self._turn.acquire(timeout=LOOK_SECONDS):
            sandbox.switch.require_on()
        self._holder = sandbox
        # Other tests have run since then: what they have done to it is mended.
        return self._provisioner.provision(subject, sandbox)


Found = TypeVar("Found")

LIMIT_HINT = "--timeout TIME sets the limit"
"""What the user can do about a run that takes long."""


class Evaluator(Generic[Subject]):
    """Some workers, the oracle, and the journal that every verdict goes to.

    All is called by the thread of whoever searches, but for what begins with an underscore: that is
    done by the workers' threads. What both write to is written one entry at a time.
    """

    def __init__(
        self,
        jobs: int,
        oracle: Oracle[Subject],
        observe: Callable[[Event], None],
        room: int,
        *,
        prepared: int = 0,
        agents: AgentSource | None = None,
    ) -> None:
        """Run so many tests at once; with ``prepared`` one, and make so many candidates more ready.

        ``agents`` says where; None: on this machine.
        """
        self._serial = SerialProvisioner(oracle.provisioner) if prepared else None
        self._oracle = replace(oracle, provisioner=self._serial) if self._serial else oracle
        self.costs = TestCosts()
        self._observe = observe
        self._answers = AnswerStore()
        self._undeletable = UndeletableFiles(observe)
        self.log = InquiryLog()
        self.warm: WarmTests | None = None
        """How a search asks, if tests may begin with their modules loaded; other runs never do."""
        self._speed = TestSpeed()
        self.agents = agents
        self._local = LocalWorkers(1 + prepared if prepared else jobs, room, agents)

    def preload(self, original: FolderFiles = NO_FILES) -> None:
        """Have the test, and what it is run on at first, on all machines where agents are."""
        if self.agents is not None:
            self.agents.upload(preload_of(self._oracle, original))

    @property
    def oracle(self) -> Oracle[Subject]:
        """What is asked; it never changes, but `use` has another one asked."""
        return self._oracle

    def use(self, oracle: Oracle[Subject]) -> None:
        """Ask another oracle from now on: one that was calibrated on what it has seen."""
        self._oracle = oracle

    def learn_guards(self, original: Subject) -> LearnedGuards:
        """Try the guards on the original, and use what they have learned from it."""
        [settled] = self.do(partial(self.oracle.learn_guards, original))
        self.use(replace(self.oracle, guards=settled.guards))
        return settled

    @property
    def width(self) -> int:
        """How many tests can run at once; that may become more."""
        return 1 if self._serial else self._local.width

    @property
    def reach(self) -> int:
        """How many tests can be under way, those that only wait for their turn among them."""
        return self._local.width

    @property
    def depth(self) -> int:
        """How many tests to hand over: of short ones some more than can run, so that none waits."""
        return self._speed.depth(self.width) if self._is_short else self.width

    @property
    def _is_short(self) -> bool:
        return not self._serial and self._speed.is_short

    def begin(self, journal: Journal, epoch: int) -> None:
        """Keep verdicts in this journal from now on, and use those that it has of this epoch."""
        self._answers.begin(journal, epoch, self.oracle.guards)

    @property
    def epoch(self) -> int:
        """The number of the test: verdicts of another one do not count."""
        return self._answers.epoch

    def tell(self, what: str, *, done: int = 0, of: int = 0) -> None:
        """Say what the next runs are for; how long one of them may take is known here."""
        longest = 0.0 if of else self.oracle.time_limit.limit
        self._observe(Doing(what, LIMIT_HINT, longest, done, of))

    def do(self, task: Callable[[Sandbox], Found], times: int = 1) -> list[Found]:
        """Do something several times, on whichever sandboxes are free, and wait for it."""
        return self.do_all([task] * times)

    def do_all(self, tasks: Sequence[Callable[[Sandbox], Found]]) -> list[Found]:
        """Do several things, on whichever sandboxes are free, and wait for all.

        Whatever ends the waiting, none of them goes on after it.
        """
        under_way = [self._local.submit(partial(self._do, task)) for task in tasks]
        try:
            while not all(task.done() for task in under_way):
                wait(under_way, timeout=NAP_SECONDS)
            return [task.result() for task in under_way]
        finally:
            for task in under_way:
                task.cancel()

    def run_unconfined(self, subject: Subject, trial: Trial) -> TrialResult:
        """Run the test once as it would be if it could write wherever the user may."""
        unconfined = replace(self.oracle.unconfined, trial=trial)
        [result] = self.do(partial(unconfined.once, subject, capture=True))
        return result

    def run(self, subject: Subject, times: int = 1, *, capture: bool = False) -> list[TrialResult]:
        """Run the test some times outside of a search, and wait for it."""
        return self.run_all([subject] * times, capture=capture)

    def run_all(self, subjects: Sequence[Subject], *, capture: bool = False) -> list[TrialResult]:
        """Run the test on each of these cases outside of a search, and wait for it."""
        known = [self.log.recall_runs(each, 1) for each in subjects]
        missing = [each for each, recalled in zip(subjects, known, strict=True) if not recalled]
        run = [partial(self.oracle.once, each, capture=capture) for each in missing]
        ran = iter(self.do_all(run))
        found = [recalled[0] if recalled else next(ran) for recalled in known]
        for subject, result in zip(subjects, found, strict=True):
            self.log.note_run(subject, result)
        return found

    def judge(self, subject: Subject) -> Answer:
        """Ask about a case outside of a search, as a search does, and wait for it."""
        answer = self.log.recall_again(subject)
        if answer is None:
            ask = partial(self.oracle.ask, subject, purpose=RunPurpose.CHECK)
            [judgement] = self.do(ask)
            answer = judgement.answer
        self.log.note_again(subject, answer)
        return answer

    def ask(
        self, subject: Subject, digest: bytes, *, short: bool = False, diagnostics: bool = False
    ) -> Future[Answer]:
        """Ask about a candidate, unless the answer is known.

        With ``short`` its test may be cut off early. With ``diagnostics``, an answer without any
        does not count.
        """
        known = self.log.recall(digest)
        known = known or self._answers.find(digest, short=short, diagnostics=diagnostics)
        if known is not None:
            return FinishedFuture(known)
        job = partial(
            self._evaluate, subject, digest, self.epoch, short=short, diagnostics=diagnostics
        )
        go_ahead = threading.Event() if self._serial else None
        task = self._local.submit(
            partial(self._do, job, go_ahead=go_ahead), is_short=self._is_short
        )
        task.go_ahead = go_ahead
        return task

    def _do(
        self,
        job: Callable[[Sandbox], Found],
        sandbox: Sandbox,
        *,
        go_ahead: threading.Event | None = None,
    ) -> Found:
        """Do something in a sandbox, when it is its turn if there are turns."""
        if self._serial is None:
            return job(sandbox)
        self._serial.begin(sandbox, go_ahead)
        try:
            return job(sandbox)
        finally:
            self._serial.finish(sandbox)

    def _evaluate(
        self,
        subject: Subject,
        digest: bytes,
        epoch: int,
        sandbox: Sandbox,
        *,
        short: bool,
        diagnostics: bool,
    ) -> Answer:
        """Run the test."""
        with observed_if_killed(self._observe, sandbox.worker, monotonic()):
            if self.warm is not None:
                what = self.oracle, subject, digest, sandbox
                judgement = self.warm.ask(*what, short=short, diagnostics=diagnostics)
            else:
                judgement = self.oracle.ask(subject, sandbox, short=short, diagnostics=diagnostics)
        return self._keep(digest, epoch, judgement, sandbox)

    def _keep(self, digest: bytes, epoch: int, judgement: Judgement, sandbox: Sandbox) -> Answer:
        """Write a verdict down before anyone knows of it."""
        self._undeletable.look(sandbox)
        answer = self._answers.keep(digest, epoch, judgement, sandbox.worker)
        seconds, timed_out = judgement.answer.seconds, judgement.timed_out
        self._speed.note(seconds)
        self.costs.add(seconds, timed_out=timed_out)
        self._observe(
            Ran(sandbox.worker, answer.verdict, seconds, judgement.how, timed_out=timed_out)
        )
        return answer

    def figures(self, checks: int = 0) -> RunTotals:
        """Return how often the test was started, if so many checks are among the tests.

        Nothing runs any more.
        """
        self._local.drain()
        return self.oracle.tally.figures(checks)

    def close(self) -> None:
        """End what runs, and remove what was put on disk for it."""
        self._local.close(wait=True)
