"""Whether a case fails each time: of one that does not, nothing is said with confidence."""

from dataclasses import dataclass

from wynot.core.errors import Unreliable
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.job.evaluator import Evaluator

QUICK_SECONDS, QUICK_RUNS, SLOW_RUNS = 1.0, 10, 3
"""Before and after, a test that takes less than a second is run ten times, others three times."""
DOUBTS = ("rate", "empty rate", "confirmed")
"""Names of checks that a reduction makes of a test only if it is not reliable."""
UNRELIABLE_HINT = (
    "make the failure more likely inside the test, say by running the program 20 times"
)


@dataclass(slots=True)
class CaseReliability:
    """Runs the case again, and counts; what the journal has is not run again."""

    evaluator: Evaluator[Files]
    journal: Journal
    case: Files
    seconds: float
    """How long a run takes."""
    shown: int = 0
    runs: int = 0

    @property
    def times(self) -> int:
        """How often it is run before and after."""
        return QUICK_RUNS if self.seconds < QUICK_SECONDS else SLOW_RUNS

    def require_reliable_test(self) -> None:
        """Raise if the reduction has found the test to be unreliable."""
        rows = self.journal.read("SELECT name FROM checks")
        if any(str(name).startswith(DOUBTS) for (name,) in rows):
            raise Unreliable(
                "the test is not reliable: in the reduction it has said now this, now that, of the "
                "same case. So nothing can be told for certain from single runs",
                hint=UNRELIABLE_HINT,
            )

    def require(self, when: str) -> None:
        """Raise unless the failure shows in each of some runs."""
        name = f"explain {when} {self.case.digest.hex()[:16]}"
        match self.journal.check(name):
            case [int(shown), int(runs)]:
                pass
            case _:
                self.evaluator.tell("finding out whether the case fails each time")
                said = self.evaluator.run(self.case, self.times)
                runs = len(said)
                shown = sum(each.verdict is Verdict.INTERESTING for each in said)
                self.journal.keep_check(name, [shown, runs])
        self.shown, self.runs = self.shown + shown, self.runs + runs
        if self.shown < self.runs:
            raise Unreliable(
                f"the case does not fail reliably: the failure showed in {self.shown} of "
                f"{self.runs} runs, so that nothing can be said for certain",
                hint=UNRELIABLE_HINT,
            )
