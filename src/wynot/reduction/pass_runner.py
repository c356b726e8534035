"""What the session of one pass sees of the workers."""

from concurrent.futures import Future
from dataclasses import dataclass

from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.engine.tester import Tester
from wynot.passes.base import CutCase
from wynot.reduction.keeps import Keeps
from wynot.runners.inline import Done


@dataclass(frozen=True, slots=True)
class PassRunner:
    """The runner that the session of one pass sees."""

    tester: Tester[Files]
    case: CutCase
    keeps: Keeps
    tight: bool
    """Whether candidates may be cut off early."""

    @property
    def width(self) -> int:
        """How many tests to have under way."""
        return self.tester.depth

    def submit(self, candidate: Candidate) -> Future[Verdict]:
        """Start the test of a candidate."""
        files = self.case.render(candidate)
        if not self.keeps.are_in(files):
            return Done(Verdict.UNRESOLVED)
        return self.tester.ask(files, self.case.digest(candidate), tight=self.tight)

    def close(self, *, wait: bool) -> None:
        """Leave the workers to the next pass."""
