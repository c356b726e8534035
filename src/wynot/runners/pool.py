"""Several tests at a time, on any executor of the concurrent.futures kind."""

import pickle
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing import get_context
from typing import Any

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.errors import InvalidArgument
from wynot.core.verdict import Verdict

Judged = Callable[[Any], Verdict]


class Pool:
    """Tests in the workers of an executor, which are given the candidate written out."""

    def __init__(self, executor: Executor, width: int, case: Case[Any], judge: Judged) -> None:
        self.width = width
        self._executor = executor
        self._case = case
        self._judge = judge

    def submit(self, candidate: Candidate) -> Future[Verdict]:
        """Hand the candidate to a worker."""
        return _submit(self._executor, self._judge, self._case.render(candidate))

    def close(self, *, wait: bool) -> None:
        """Leave the executor to its owner."""


class Threads(Pool):
    """Tests in threads of this process: for tests that wait, or that release the interpreter."""

    def __init__(self, width: int, case: Case[Any], judge: Judged) -> None:
        super().__init__(ThreadPoolExecutor(width, "wynot"), width, case, judge)

    def close(self, *, wait: bool) -> None:
        """Let the threads go; with wait, no test goes on behind the caller's back."""
        self._executor.shutdown(wait=wait, cancel_futures=True)


class Processes:
    """Tests in processes of their own: for tests that compute.

    The case and the test are sent to each process once; a candidate is then only its boundaries.
    They start from a clean fork server: forking this process would copy its threads' locks.
    """

    def __init__(self, width: int, case: Case[Any], judge: Judged) -> None:
        self.width = width
        self._executor = ProcessPoolExecutor(
            width,
            mp_context=get_context("forkserver"),
            initializer=_receive,
            initargs=(_packed(case, judge),),
        )

    def submit(self, candidate: Candidate) -> Future[Verdict]:
        """Hand the candidate's boundaries to a process."""
        return _submit(self._executor, _run, candidate.kept.bounds)

    def close(self, *, wait: bool) -> None:
        """End the processes once the tests that still run are done."""
        self._executor.shutdown(wait=wait, cancel_futures=True)


def _submit(executor: Executor, run: Judged, argument: object) -> Future[Verdict]:
    """Submit, and let a future tell if the executor no longer takes anything."""
    try:
        return executor.submit(run, argument)
    except RuntimeError as error:  # broken, or shut down
        failed: Future[Verdict] = Future()
        failed.set_exception(BrokenExecutor(str(error)))
        return failed


_received: tuple[Case[Any], Judged]


def _packed(case: Case[Any], judge: Judged) -> bytes:
    try:
        return pickle.dumps((case, judge))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InvalidArgument(
            f"the test or an item cannot be sent to another process: {error}",
            hint="define the test at the top of a module, or use workers='threads'",
        ) from error


def _receive(packed: bytes) -> None:
    """Keep what every test of this process needs."""
    global _received  # noqa: PLW0603 - a worker process has one session, and no object to hold it
    _received = pickle.loads(packed)  # noqa: S301 - from our own parent process


def _run(bounds: tuple[int, ...]) -> Verdict:
    case, judge = _received
    whole = Deltas(bounds)
    return judge(case.render(Candidate(whole, Edit.keep(whole), "")))
