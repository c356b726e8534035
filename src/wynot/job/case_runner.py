"""From the candidates of a search to the workers that test them."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.diagnostics import NO_DIAGNOSTICS
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.job.evaluator import Evaluator
from wynot.runners.runner import FinishedFuture

Subject = TypeVar("Subject")

NOT_TESTED = Answer(Verdict.UNRESOLVED, diagnostics=NO_DIAGNOSTICS)
"""The answer on a candidate that no test is run on."""


@dataclass(frozen=True, slots=True)
class CaseRunner(Generic[Subject]):
    """The runner that a scheduler sees: writes candidates out, and asks about them.

    The scheduler's thread calls it.
    """

    evaluator: Evaluator[Subject]
    refuses: Callable[[Case[Any], Candidate], bool]
    """Tells what is not even to be tested: it cannot be told what would come of it."""
    queues_short_tests: bool = False
    """Whether short tests are handed over before there is a worker for them."""

    @property
    def width(self) -> int:
        """How many tests to have under way."""
        return self.evaluator.depth if self.queues_short_tests else self.evaluator.reach

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Answer]:
        """Start the test of a candidate."""
        case = stage.case
        if self.refuses(case, candidate):
            return FinishedFuture(NOT_TESTED)
        digest = cast("bytes", case.digest(candidate))
        subject = case.render(candidate)
        return self.evaluator.ask(
            subject, digest, short=stage.short_timeout, diagnostics=stage.wants_diagnostics
        )

    def close(self, *, wait: bool) -> None:
        """Leave the workers to whoever has made them."""
