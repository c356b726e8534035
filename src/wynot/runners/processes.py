"""Several tests at a time, each in a process of its own."""

import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.errors import InvalidArgument
from wynot.core.verdict import Verdict

Judged = Callable[[Any], Verdict]


class Processes:
    """Tests in processes: for tests that compute, and for tests that may crash.

    The case and the test are sent to each process once; a candidate is then only its boundaries. A
    process that a test ends costs that test alone: the next one gets a new process. They start from
    a clean fork server: forking this process would copy its threads' locks.
    """

    def __init__(self, width: int, case: Case[Any], judge: Judged) -> None:
        self.width = width
        self._packed = _packed(case, judge)
        self._context = get_context("forkserver")
        self._threads = ThreadPoolExecutor(width, "wynot")
        self._slot = threading.local()
        self._lock = threading.Lock()
        self._processes: set[ForkServerProcess] = set()
        self._closed = False

    def submit(self, candidate: Candidate) -> Future[Verdict]:
        """Hand the candidate's boundaries to a process that is free, or will be."""
        return self._threads.submit(self._ask, candidate.kept.bounds)

    def close(self, *, wait: bool) -> None:
        """End all processes, whatever they do: what they were asked is no longer of interest."""
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.kill()
        self._threads.shutdown(wait=wait, cancel_futures=True)
        for process in self._processes:
            process.join()

    def _ask(self, bounds: tuple[int, ...]) -> Verdict:
        """Ask the process of this thread."""
        connection: Connection = getattr(self._slot, "connection", None) or self._start()
        try:
            connection.send(bounds)
            answer: Verdict | BaseException = connection.recv()
        except (EOFError, OSError):
            process, self._slot.connection = self._slot.process, None
            process.join()
            raise BrokenExecutor(
                f"the process of a test has ended with exit status {process.exitcode}"
            ) from None
        if isinstance(answer, Verdict):
            return answer
        raise answer

    def _start(self) -> Connection:
        """Start a process for this thread."""
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(self._packed, theirs), daemon=True)
        with self._lock:
            if self._closed:
                raise BrokenExecutor("the runner is closed")
            process.start()
            self._processes.add(process)
        theirs.close()  # so that its end is seen when the process ends
        self._slot.process, self._slot.connection = process, ours
        return ours


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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who started us
    case, judge = pickle.loads(packed)  # noqa: S301 - from our own parent process
    while True:
        try:
            kept = Deltas(connection.recv())
        except EOFError:
            return
        try:
            answer: Verdict | Exception = judge(case.render(Candidate(kept, Edit.keep(kept), "")))
        except Exception as error:  # noqa: BLE001 - it is the caller's business
            answer = _sendable(error)
        connection.send(answer)


def _sendable(error: Exception) -> Exception:
    """Return the error, or one that says the same, if it would not arrive."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own, to see whether it can be made
    except Exception:  # noqa: BLE001 - whatever the reason
        return RuntimeError(repr(error))
    return error
