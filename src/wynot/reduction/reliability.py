"""Whether the best case still fails, and what is done when it does not.

A test that answers differently when asked again is noticed in two ways: on the original, before
anything is left out, and on the best case, every hundred tests or so and at the end. From then on
every candidate is asked about several times; and if the best case does not hold, the last accepted
one that does is where the reduction goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass

from wynot.core.errors import Unreliable
from wynot.core.events import Event, Noticed
from wynot.core.files import Files
from wynot.engine.tester import Tester
from wynot.oracle.repetition import RAREST, RELIABLE, SAMPLE, Repetition
from wynot.reduction.best import Best
from wynot.reduction.first_run import FirstRun

OFTEN = 100
"""Tests after which the best case is asked about again, in the course of a reduction."""

MOST = 4
"""How often the reduction goes back, before it is given up."""

QUICK, MANY = 1.0, 5
"""A test that takes less than a second is asked five times about the result, others once."""

HALF = 0.5
"""A case holds if the failure shows on it at least half as often as on the original."""


@dataclass(slots=True)
class Reliability:
    """Asks about the best case again, and goes back if it has to."""

    tester: Tester[Files]
    best: Best
    first_run: FirstRun
    observe: Callable[[Event], None]
    rate: float
    trusted: bool = False
    """Whether the user wants no questions asked that the searches do not ask."""
    checked: bytes = b""
    last: int = 0

    def __post_init__(self) -> None:
        self.checked = self.best.files.digest
        if self.rate < 1:
            self._repeat()

    def still_holds(self, name: str, tests: int) -> bool:
        """Ask about the best case again, if it is a new one and that was a while ago."""
        digest = self.best.files.digest
        if self.trusted or digest == self.checked or tests - self.last < OFTEN:
            return True
        self.checked, self.last = digest, tests
        return self.first_run.holds(f"holds {self.tester.epoch} {name}", self.best.files)

    def holds_at_the_end(self) -> bool:
        """Ask about the result again, some more times if that is no matter of time.

        Of an unreliable test, find out how often the failure shows on it.
        """
        if self.trusted:
            return True
        name = f"{self.tester.epoch} end"
        if self.tester.oracle.repetition is RELIABLE:
            times = MANY if self.tester.oracle.patience.seconds < QUICK else 1
            return all(
                self.first_run.holds(f"holds {name} {number}", self.best.files)
                for number in range(times)
            )
        rate = self.first_run.rate(f"rate {name}", self.best.files)
        shown = f"the failure showed in {round(rate * SAMPLE)} of {SAMPLE} runs on the result"
        self.observe(Noticed("flaky", shown))
        return rate >= HALF * self.rate

    def recover(self, tests: int) -> None:
        """Find out how unreliable the test is, and go back to the last case that holds."""
        journal, number = self.best.journal, self.best.number
        epoch = self.tester.epoch + 1
        if epoch > MOST:
            self._give_up()
        self.rate = self.first_run.rate(f"rate {epoch}", journal.original())
        if self.rate < RAREST:
            self._give_up()
        low, high = 0, number + 1  # step 0, the original, holds; what is there now does not
        while high - low > 1:
            middle = (low + high) // 2
            rate = self.first_run.rate(f"rate {epoch} step {middle}", journal.restore(middle))
            low, high = (middle, high) if rate >= HALF * self.rate else (low, middle)
        self.tester.begin(journal, epoch)
        self._repeat()
        if low != number:
            files = journal.restore(low)
            self.best.go_back(low, files.digest, files, tests)

    def _give_up(self) -> None:
        raise Unreliable(
            f"the test is not reliable: it said interesting of {self.best.files.size} bytes, and "
            f"now does not; of the original it says so in {round(self.rate * SAMPLE)} of {SAMPLE} "
            "runs",
            hint="make the failure more likely inside the test, and rule out chance in it",
        )

    def _repeat(self) -> None:
        repetition = Repetition(self.rate)
        self.tester.oracle.repetition = repetition
        self.observe(
            Noticed(
                "flaky",
                f"the test is not reliable: the failure showed in {round(self.rate * SAMPLE)} of "
                f"{SAMPLE} runs; {repetition.words}",
            )
        )
