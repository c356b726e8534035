"""One test at a time, in the caller's own thread."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from wynot.core.candidate import Candidate
from wynot.core.round import Stage
from wynot.core.verdict import Verdict


class FinishedFuture(Future[Verdict]):
    """A future that was done from the start; it has no locks, which cost more than a small test."""

    def __init__(self, verdict: Verdict | None, error: BaseException | None = None) -> None:
        # Not Future's own: what it sets up is for those who wait.
        self._verdict = verdict
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

    def result(self, timeout: float | None = None) -> Verdict:  # noqa: ARG002
        """Return the verdict."""
        if self._verdict is None:
            assert self._error is not None  # noqa: S101 - one or the other
            raise self._error
        return self._verdict

    def add_done_callback(self, fn: Callable[[Future[Verdict]], object]) -> None:
        """Call it now."""
        fn(self)


@dataclass(frozen=True, slots=True)
class Inline:
    """Calls the test when it is submitted."""

    judge: Callable[[Any], Verdict]
    width: int = 1

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Verdict]:
        """Run the test now; the future is done when this returns."""
        try:
            return FinishedFuture(self.judge(stage.case.render(candidate)))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a test raises is its future's
            return FinishedFuture(None, error)

    def close(self, *, wait: bool) -> None:
        """Nothing is held."""
