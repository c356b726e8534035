"""From the candidates of a search to the workers that test them."""

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.complaints import Complaints
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.job.evaluator import Evaluator
from wynot.runners.runner import FinishedFuture

Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class CaseRunner(Generic[Subject]):
    """The runner that a scheduler sees: writes candidates out, and asks about them.

    The scheduler's thread calls it.
    """

    evaluator: Evaluator[Subject]
    refuses: Callable[[Case[Any], Candidate], bool]
    """Tells what is not even to be tested: it cannot be told what would come of it."""
    ahead: bool = False
    """Whether short tests are handed over before there is a worker for them."""

    @property
    def width(self) -> int:
        """How many tests to have under way."""
        return self.evaluator.depth if self.ahead else self.evaluator.reach

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Verdict]:
        """Start the test of a candidate."""
        case = stage.case
        if self.refuses(case, candidate):
            return FinishedFuture(Verdict.UNRESOLVED)
        digest = cast("bytes", case.digest(candidate))
        subject = case.render(candidate)
        return self.evaluator.ask(subject, digest, tight=stage.hurried, hears=stage.hears)

    def is_final(self, stage: Stage, digest: Hashable) -> bool:
        """Tell whether a verdict stays as it is, or may change with more time for its test."""
        return self.evaluator.is_final(digest, tight=stage.hurried)

    def hear(self, digest: Hashable) -> Complaints:
        """Return what the program has said of a candidate, in a stage that hears it."""
        return self.evaluator.heard(digest)

    def close(self, *, wait: bool) -> None:
        """Leave the workers to whoever has made them."""
