"""The seam between the engine and whatever runs a test; runners for functions.

dask's own executor writes a traceback to standard error for each task that is cancelled: so there
is one here.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    InvalidStateError,
    ThreadPoolExecutor,
)
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.errors import InvalidOption
from wynot.core.round import Stage
from wynot.core.verdict import Verdict


class Runner(Protocol):
    """Runs tests, some of them at a time.

    ``cancel()`` of a future asks for its test to be stopped; a runner that cannot stop a running
    test lets it end, and its slot stays taken until then.
    """

    @property
    def width(self) -> int:
        """How many tests can run at once."""

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Answer]:
        """Start the test of a candidate, which is cut from the case of the stage."""

    def close(self, *, wait: bool) -> None:
        """Let everything go; with wait, only once what still runs has ended."""


class FinishedFuture(Future[Answer]):
    """A future that was done from the start; it has no locks, which cost more than a small test."""

    def __init__(self, answer: Answer | None, error: BaseException | None = None) -> None:
        # Not Future's own: what it sets up is for those who wait.
        self._answer = answer
        self._error = error

    def cancel(self) -> bool:
        """It is too late: the test has run already."""
        return False

    def cancelled(self) -> bool:
        """Never: the test has run already."""
        return False

    def done(self) -> bool:
        """Always: the test has run already."""
        return True

    def exception(self, timeout: float | None = None) -> BaseException | None:  # noqa: ARG002
        """Return what the test raised."""
        return self._error

    def result(self, timeout: float | None = None) -> Answer:  # noqa: ARG002
        """Return the answer."""
        if self._answer is None:
            assert self._error is not None  # noqa: S101 - one or the other
            raise self._error
        return self._answer

    def add_done_callback(self, fn: Callable[[Future[Answer]], object]) -> None:
        """Call it now."""
        fn(self)


@dataclass(frozen=True, slots=True)
class Inline:
    """Calls the test when it is submitted."""

    judge: Callable[[Any], Verdict]
    width: int = 1

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Answer]:
        """Run the test now; the future is done when this returns."""
        try:
            return FinishedFuture(Answer(self.judge(stage.case.render(candidate))))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a test raises is its future's
            return FinishedFuture(None, error)

    def close(self, *, wait: bool) -> None:
        """Nothing is held."""


Judged = Callable[[Any], Verdict]


class Pool:
    """Tests in the workers of an executor, which are given the candidate written out.

    The case is asked by the thread that submits, the judge by the workers.
    """

    def __init__(self, executor: Executor, width: int, judge: Judged) -> None:
        self.width = width
        self._executor = executor
        self._judge = judge

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Answer]:
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


def _answer(judge: Judged, argument: object) -> Answer:
    return Answer(judge(argument))


def _submit(executor: Executor, judge: Judged, argument: object) -> Future[Answer]:
    """Submit, and let a future tell if the executor no longer takes anything."""
    try:
        return executor.submit(_answer, judge, argument)
    except RuntimeError as error:  # broken, or shut down
        failed: Future[Answer] = Future()
        failed.set_exception(BrokenExecutor(str(error)))
        return failed


Found = TypeVar("Found")


class ClientExecutor(Executor):
    """Whoever has made the client closes it."""

    def __init__(self, client: Any) -> None:
        """Take a client of dask; raise if it is one that cannot be asked, or not any more."""
        if getattr(client, "asynchronous", False):
            raise InvalidOption(
                "workers is a client that is to be awaited",
                hint="make it without asynchronous=True",
            )
        if getattr(client, "status", "running") == "closed":
            raise InvalidOption(
                "workers is a client that is closed",
                hint="call wynot before the client is closed: inside its with block, say",
            )
        self._client = client

    @property
    def slots(self) -> int:
        """How many tasks can run at once."""
        threads: Mapping[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, fn: Callable[..., Found], /, *args: Any, **kwargs: Any) -> "Future[Found]":
        """Have a function called, each time that it is asked for."""
        ours: Future[Found] = Future()
        theirs = self._client.submit(fn, *args, **kwargs, pure=False)
        theirs.add_done_callback(lambda _: _settle(ours, theirs))
        ours.add_done_callback(lambda _: theirs.cancel() if ours.cancelled() else None)
        return ours


def _settle(ours: "Future[Any]", theirs: Any) -> None:
    """Tell what has become of a task."""
    if ours.cancelled():
        return
    with suppress(InvalidStateError):  # it is cancelled meanwhile
        try:
            answer = theirs.result()
        except Exception as error:  # noqa: BLE001 - it is the business of whoever asked
            if not theirs.cancelled():
                ours.set_exception(error)
            else:
                ours.cancel()
        else:
            ours.set_result(answer)
