"""The seam between the engine and whatever runs a test."""

from concurrent.futures import Future
from typing import Protocol

from wynot.core.candidate import Candidate
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

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Verdict]:
        """Start the test of a candidate, which is cut from the case of the stage."""

    def close(self, *, wait: bool) -> None:
        """Let everything go; with wait, only once what still runs has ended."""
