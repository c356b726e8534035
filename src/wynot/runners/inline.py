"""One test at a time, in the caller's own thread."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Inline:
    """Calls the test when it is submitted."""

    case: Case[Any]
    judge: Callable[[Any], Verdict]
    width: int = 1

    def submit(self, candidate: Candidate) -> Future[Verdict]:
        """Run the test now; the future is done when this returns."""
        future: Future[Verdict] = Future()
        try:
            future.set_result(self.judge(self.case.render(candidate)))
        except Exception as error:  # noqa: BLE001 - whatever a test raises belongs to its future
            future.set_exception(error)
        return future

    def close(self, *, wait: bool) -> None:
        """Nothing is held."""
