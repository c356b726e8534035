"""Whether the best case still fails, and what is done when it does not.

A test that answers differently when asked again is noticed in two ways: on the original, before
anything is left out, and on the best case, every hundred tests or so and at the end. From then on
every candidate is asked about several times; and if the best case does not hold, the last accepted
one that does is where the reduction goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from wynot.core.errors import Unreliable
from wynot.core.events import Event, Noticed
from wynot.core.files import Files
from wynot.engine.tester import Tester
from wynot.oracle.repetition import HALF, RAREST, RELIABLE, Repetition
from wynot.reduction.best import Best
from wynot.reduction.first_run import FirstRun

OFTEN = 100
"""Tests after which the best case is asked about again, in the course of a reduction."""

MOST = 4
"""How often the reduction goes back, before it is given up."""

QUICK, MANY = 1.0, 5
"""A test that takes less than a second is asked five times about the result, others once."""


@dataclass(slots=True)
class Reliability:
    """Asks about the best case again, and goes back if it has to."""

    tester: Tester[Files]
    best: Best
    first_run: FirstRun
    observe: Callable[[Event], None]
    rate: float
    noise: float = 0.0
    trusted: bool = False
    """Whether the user wants no questions asked that the searches do not ask."""
    checked: bytes = b""
    last: int = 0
    confirmed: int = 0
    """The last step that failed when it was asked about again; 0 is the original."""
    base: int = 0
    """The step that the reduction went back to last."""

    def __post_init__(self) -> None:
        self.checked = self.best.files.digest
        if self.rate < 1 or self.noise:
            self._repeat()

    def still_holds(self, name: str, tests: int) -> bool:
        """Ask about the best case again, if it is a new one and that was a while ago."""
        digest = self.best.files.digest
        if self.trusted or digest == self.checked or tests - self.last < OFTEN:
            return True
        self.checked, self.last = digest, tests
        return self._holds(f"{self.tester.epoch} {name}")

    def holds_at_the_end(self) -> bool:
        """Ask about the result again, some more times if that is no matter of time.

        Of an unreliable test, find out how often the failure shows on it.
        """
        if self.trusted:
            return True
        name = f"{self.tester.epoch} end"
        if self.tester.oracle.repetition is RELIABLE:
            times = MANY if self.tester.oracle.patience.seconds < QUICK else 1
            return all(self._holds(f"{name} {number}", shows=not number) for number in range(times))
        return self._holds(name, tell=True)

    def recover(self, tests: int) -> None:
        """Find out how unreliable the test is, and go back to the last case that holds."""
        journal, epoch = self.best.journal, self.tester.epoch + 1
        refuted = self.first_run.rate(f"rate {epoch} refuted", self.best.files)
        self.rate, empty = self.first_run.rates(f"{epoch}")
        if self.rate >= RAREST:
            # What was accepted and does not hold shows the failure by chance, if at all.
            chance = refuted if refuted < HALF * self.rate else 0.0
            self.noise = max(self.noise, empty, chance)
            self.confirmed = self._last_that_holds(epoch)
        self._go_back(tests)
        if epoch > MOST or self.rate < RAREST:
            self._give_up()
        self.tester.begin(journal, epoch)
        self._repeat()

    def _holds(self, name: str, *, tell: bool = False, shows: bool = False) -> bool:
        """Ask about the best case; once, or as often as it takes to be sure.

        ``shows``: what it looks like will be told.
        """
        repetition = self.tester.oracle.repetition
        if repetition is RELIABLE:
            ask = self.first_run.shows if shows else self.first_run.holds
            holds = ask(f"holds {name}", self.best.files)
        else:
            holds, shown, runs = self.first_run.confirmed(
                f"confirmed {name}", self.best.files, repetition
            )
            if tell:
                said = f"the failure showed in {shown} of {runs} runs on the result"
                self.observe(Noticed("flaky", said))
        if holds:
            self.confirmed = self.best.number
        return holds

    def _last_that_holds(self, epoch: int) -> int:
        """Return the last step that fails about as often as the original, by bisection."""
        repetition, journal = Repetition(self.rate, self.noise), self.best.journal
        low, high = self.base, self.best.number + 1  # the base holds; the original is one
        while high - low > 1:
            middle = (low + high) // 2
            name, files = f"confirmed {epoch} step {middle}", journal.restore(middle)
            holds = self.first_run.confirmed(name, files, repetition).holds
            low, high = (middle, high) if holds else (low, middle)
        return low

    def _go_back(self, tests: int) -> None:
        """Take the last step again that is known to hold."""
        if self.confirmed != self.best.number:
            files = self.best.journal.restore(self.confirmed)
            self.best.go_back(self.confirmed, files.digest, files, tests)
        self.base = self.confirmed = self.best.number

    def _give_up(self) -> None:
        raise Unreliable(
            "the test is not reliable: again and again it says interesting of a case, and then "
            f"does not; of the original it says so in {self.rate:.0%} of runs. The last case that "
            f"was confirmed, {self.best.files.size} bytes, is in place",
            hint="make the failure more likely inside the test, and rule out chance in it",
        )

    def _repeat(self) -> None:
        repetition = Repetition(self.rate, self.noise)
        repetition.require_apart()
        self.tester.use(replace(self.tester.oracle, repetition=repetition))
        chance = f", and in {self.noise:.0%} where it is not" if self.noise else ""
        self.observe(
            Noticed(
                "flaky",
                f"the test is not reliable: the failure showed in {self.rate:.0%} of runs{chance}; "
                f"{repetition.words}",
            )
        )
