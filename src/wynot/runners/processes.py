"""Several tests at a time, each in a process of its own."""

import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from queue import SimpleQueue
from time import monotonic
from typing import Any

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import Deltas
from wynot.core.errors import BrokenRunner, InvalidArgument
from wynot.core.round import Stage
from wynot.core.verdict import Verdict

Judged = Callable[[Any], Verdict]


class ProcessAnswer(Future[Answer]):
    """The answer of a test in a process; cancelling it ends the process, if that saves time."""

    worker: "Worker | None" = None
    killed = False

    def cancel(self) -> bool:
        """Give the test up: at once if it waits, by killing it if it has run for long."""
        if super().cancel():
            return True
        self.killed = self.killed or (self.worker is not None and self.worker.give_up(self))
        return self.killed

    def cancelled(self) -> bool:
        """Tell whether it was given up."""
        return self.killed or super().cancelled()


@dataclass(slots=True, eq=False)
class Worker:
    """A process, and the pipe to it. Only the thread that has it talks to it; any may kill it."""

    process: ForkServerProcess
    connection: Connection
    start_up: float
    current: ProcessAnswer | None = None
    since: float = 0.0
    dead: bool = False
    # So that a kill meets the test that it is meant for, and not the next one.
    lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def start(cls, context: ForkServerContext, packed: bytes) -> "Worker":
        """Start a process, and wait until it is ready."""
        before = monotonic()
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(packed, theirs), daemon=True)
        process.start()
        theirs.close()  # so that the end of the process is seen as the end of the pipe
        with suppress(EOFError, OSError):  # then the first question finds out
            ours.recv()
        return cls(process, ours, monotonic() - before)

    def ask(self, future: ProcessAnswer, bounds: tuple[int, ...]) -> Verdict | BaseException:
        """Ask, and wait for the answer; raise EOFError if the process ends first."""
        with self.lock:
            self.current, self.since = future, monotonic()
            future.worker = self
        try:
            self.connection.send(bounds)
            answer: Verdict | BaseException = self.connection.recv()
        finally:
            with self.lock:
                self.current = None
        return answer

    def give_up(self, future: ProcessAnswer) -> bool:
        """Kill the process if it is at this test for longer than another takes to start."""
        with self.lock:
            if self.current is not future or monotonic() - self.since < self.start_up:
                return False
            self.kill()
            return True

    def kill(self) -> None:
        """End the process and what it has started, whatever they do."""
        self.dead = True
        with suppress(ProcessLookupError, TypeError):  # gone already, or never there
            os.killpg(self.process.pid, signal.SIGKILL)  # type: ignore[arg-type]
        self.process.kill()


class Processes:
    """Tests in processes: for tests that compute, or that may take their process down.

    The case and the test are sent to each process once; a candidate is then only its boundaries. A
    process that a test ends costs that test alone: the next one gets a new process. They start from
    a clean fork server: forking this process would copy its threads' locks. For each process there
    is a thread that waits for its answers; the caller's own thread only submits and closes.
    """

    def __init__(self, width: int, case: Case[Any], judge: Judged) -> None:
        self.width = width
        self._packed = _packed(case, judge)
        self._context = get_context("forkserver")
        self._queue: SimpleQueue[tuple[ProcessAnswer, tuple[int, ...]] | None] = SimpleQueue()
        self._workers: set[Worker] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(width)]
        for thread in self._threads:
            thread.start()

    def submit(self, _stage: Stage, candidate: Candidate) -> Future[Answer]:
        """Hand the candidate's boundaries to a process that is free, or will be."""
        future = ProcessAnswer()
        self._queue.put((future, candidate.kept.bounds))
        return future

    def close(self, *, wait: bool) -> None:
        """End all processes, whatever they do: what they were asked is no longer of interest."""
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.kill()
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def _work(self) -> None:
        """Answer what is asked, with one process after another."""
        worker: Worker | None = None
        while (entry := self._queue.get()) is not None:
            future, bounds = entry
            if self._closed or not future.set_running_or_notify_cancel():
                continue
            try:
                worker = worker or self._start()
            except OSError as error:  # no more open files, say
                future.set_exception(_not_started(error))
                continue
            try:
                answer = worker.ask(future, bounds)
            except (EOFError, OSError):
                answer = BrokenExecutor(f"the process of a test has ended: {self._end(worker)}")
                worker = None
            if worker is not None and worker.dead:  # just too late: the answer was on its way
                self._end(worker)
                worker = None
            if isinstance(answer, Verdict):
                future.set_result(Answer(answer))
            else:
                future.set_exception(answer)
        if worker is not None:
            self._end(worker)

    def _start(self) -> Worker:
        worker = Worker.start(self._context, self._packed)
        with self._lock:
            self._workers.add(worker)
            if self._closed:
                worker.kill()
        return worker

    def _end(self, worker: Worker) -> str:
        """Let go of a process that has ended or is to end; return how it did."""
        with self._lock:  # first of all: once it is joined, its number may be another's
            self._workers.discard(worker)
        worker.kill()
        worker.process.join()
        worker.connection.close()
        return f"exit status {worker.process.exitcode}"


def _not_started(error: OSError) -> BrokenRunner:
    return BrokenRunner(
        f"no process can be started for a test: {error}",
        hint="higher limits, fewer jobs, or workers='threads'",
    )


def _packed(case: Case[Any], judge: Judged) -> bytes:
    try:
        return pickle.dumps((case, judge))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InvalidArgument(
            f"the test or an item cannot be sent to another process: {error}",
            hint="define the test at the top of a module, or use workers='threads'",
        ) from error


def _serve(packed: bytes, connection: Connection) -> None:
    """Answer what is asked, for as long as it is asked: the far side of the pipe."""
    os.setpgid(0, 0)  # so that what a test starts can be ended with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    case, judge = pickle.loads(packed)  # noqa: S301 - from our own parent process
    connection.send("ready")
    while True:
        try:
            kept = Deltas(connection.recv())
        except EOFError:
            return
        try:
            answer: Verdict | BaseException = judge(case.render(Candidate.whole(kept)))
        except BaseException as error:  # noqa: BLE001 - it is the caller's business
            answer = _sendable(error)
        connection.send(answer)


def _sendable(error: BaseException) -> BaseException:
    """Return the error, or one that says the same, if it would not arrive."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own, to see whether it can be made
    except Exception:  # noqa: BLE001 - whatever the reason
        return RuntimeError(repr(error))
    return error
