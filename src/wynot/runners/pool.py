"""Several tests at a time, on any executor of the concurrent.futures kind."""

from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ThreadPoolExecutor,
)
from typing import Any

from wynot.core.candidate import Candidate
from wynot.core.round import Stage
from wynot.core.verdict import Verdict

Judged = Callable[[Any], Verdict]


class Pool:
    """Tests in the workers of an executor, which are given the candidate written out.

    The case is asked by the thread that submits, the judge by the workers.
    """

    def __init__(self, executor: Executor, width: int, judge: Judged) -> None:
        self.width = width
        self._executor = executor
        self._judge = judge

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Verdict]:
        """Hand the candidate to a worker."""
        return _submit(self._executor, self._judge, stage.case.render(candidate))

    def close(self, *, wait: bool) -> None:
        """Leave the executor to its owner."""


class Threads(Pool):
    """Tests in threads of this process: for tests that wait, or that release the interpreter."""

    def __init__(self, width: int, judge: Judged) -> None:
        super().__init__(ThreadPoolExecutor(width, "wynot"), width, judge)

    def close(self, *, wait: bool) -> None:
        """Let the threads go; with wait, no test goes on behind the caller's back."""
        self._executor.shutdown(wait=wait, cancel_futures=True)


def _submit(executor: Executor, run: Judged, argument: object) -> Future[Verdict]:
    """Submit, and let a future tell if the executor no longer takes anything."""
    try:
        return executor.submit(run, argument)
    except RuntimeError as error:  # broken, or shut down
        failed: Future[Verdict] = Future()
        failed.set_exception(BrokenExecutor(str(error)))
        return failed
