"""The best case so far: kept, put in place, and run again to see whether it still fails.

A test that answers differently when asked again is noticed in two ways: on the original, before
anything is left out, and on the best case, every hundred tests or so and at the end. From then on
every candidate is asked about several times; and if the best case does not hold, the last accepted
one that does is where the reduction goes on.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from wynot.core.errors import BrokenJournal, NoSpace, Unreliable
from wynot.core.events import Accepted, Event, Noticed
from wynot.core.files import Files
from wynot.disk.journal import Journal
from wynot.disk.output import Output
from wynot.disk.rows import StepRow
from wynot.job.calibration import Calibration
from wynot.job.evaluator import Evaluator
from wynot.job.warm_tests import WarmDiffers
from wynot.job.warming import FACT, cool_down
from wynot.oracle.repetition import BY_CHANCE_SHARE, RAREST_RATE, RELIABLE, Repetition

PLACES_FACT = "places"
NOTHING_PLACED = "none"
"""What it holds in place of the number of a step, if nothing was there."""

SECONDS_BETWEEN_WRITES = 1.0
"""Seconds between two writes of the result while it is still getting smaller."""


@dataclass(slots=True)
class Best:
    """The smallest interesting case, and how it came about."""

    files: Files
    journal: Journal
    output: Output
    observe: Callable[[Event], None]
    clock: Callable[[], float]
    began: float
    number: int = 0
    wrote: float = 0.0
    places: tuple[str, ...] = ()
    """Steps of which files may be in place: of more than one if a write was cut short."""

    def accept(
        self, files: Files, digest: bytes, pass_name: str, candidate: str, tests: int
    ) -> None:
        """Take a smaller case: first in the journal, so that nothing is in place that it lacks."""
        number, now = self.number + 1, self.clock()
        seconds = round(now - self.began, 3)
        row = StepRow(number, pass_name, candidate, tests, seconds, files.size, digest)
        is_new = self.journal.keep_step(row, files)
        self.number, self.files = number, files
        self.observe(Accepted(number, files.size, tests, pass_name, candidate))
        # A step that an earlier run has come to as well is on the way to one that is in place.
        if is_new and now - self.wrote >= SECONDS_BETWEEN_WRITES:
            self.write()

    def go_back(self, number: int, digest: bytes, files: Files, tests: int) -> None:
        """Take an earlier case again: later ones turned out not to be reliable."""
        self.accept(files, digest, f"back to step {number}", "", tests)

    def write(self, *, is_final: bool = False) -> None:
        """Put the best case in place; the final one is the result.

        A run that continues an earlier one may be stopped before it has come as far: at step 12,
        say, when the earlier one had come to step 40, which is in place. Then step 40 becomes the
        best case of this run, too. But if this run has come to its end at step 12, that is the
        result, and steps after it are the rest of a damaged journal.
        """
        try:
            if is_final:
                self.journal.forget_after(self.number)
            else:
                self._catch_up()
        except BrokenJournal:  # it was damaged just now; what an earlier run had may be in place
            self.output.write_smaller(self.files)
        else:
            self._place()
        self.wrote = self.clock()

    def _catch_up(self) -> None:
        """Take the last step of an earlier run, if this one has not come as far."""
        last = self.journal.last_step()
        if last is not None and last.number > self.number:
            self.number, self.files = last.number, self.journal.restore(last.number)

    def _place(self) -> None:
        """Put it in place; the journal knows before: a kill may leave a part of the files."""
        number = str(self.number)
        self.places = tuple(dict.fromkeys((*self.places, number)))
        with suppress(NoSpace):  # the smaller result may still find room
            self.journal.note_synced(PLACES_FACT, " ".join(self.places))
        self.output.write(self.files)
        self.places = (number,)


TESTS_BETWEEN_CHECKS = 100
"""Tests after which the best case is asked about again, in the course of a reduction."""

MAX_RETURNS = 4
"""How often the reduction goes back, before it is given up."""

QUICK_SECONDS, QUICK_TIMES = 1.0, 5
"""A test that takes less than a second is asked five times about the result, others once."""


class TrustedTest:
    """A test that is not asked again: what it has said once holds."""

    def still_holds(self, _name: str, _tests: int) -> bool:
        """Tell whether the best case still fails, if it is time to ask."""
        return True

    def holds_at_the_end(self) -> bool:
        """Tell whether the result fails."""
        return True

    def recover(self, _tests: int, _why: WarmDiffers | None) -> None:
        """Go back to a case that holds: the best one does."""


@dataclass(slots=True)
class Reliability(TrustedTest):
    """Asks about the best case again, and goes back if it has to.

    An example: a test fails on the original in 90 % of runs, and has accepted steps 1 to 8. After a
    hundred tests step 8 is run once more, and does not fail: `recover` begins. Step 8 fails in 10 %
    of the runs of a sample, less than half of 90 %: so that is chance, which is expected of every
    candidate from now on. Of the earlier steps, 4 holds when it is run often enough to be sure, 6
    does not, 5 does. Its files become step 9, where the reduction goes on in the next epoch: there,
    earlier verdicts do not count, and each candidate is run as often as it takes at these rates.
    A resumed run recalls all these runs by their names, which hold the epoch and the step.
    """

    evaluator: Evaluator[Files]
    best: Best
    calibration: Calibration[Files]
    observe: Callable[[Event], None]
    checked: bytes = b""
    last: int = 0
    confirmed: int = 0
    """The last step that failed when it was asked about again; 0 is the original."""
    base: int = 0
    """The step that the reduction went back to last."""

    def __post_init__(self) -> None:
        self.checked = self.best.files.digest
        self._tell()

    def still_holds(self, name: str, tests: int) -> bool:
        """Ask about the best case again, if it is a new one and that was a while ago."""
        if self.best.files.digest == self.checked or tests - self.last < TESTS_BETWEEN_CHECKS:
            return True
        self.checked, self.last = self.best.files.digest, tests
        return self._holds(name)

    def holds_at_the_end(self) -> bool:
        """Ask about the result again, some more times if that is no matter of time.

        Of an unreliable test, find out how often the failure shows on it.
        """
        oracle = self.evaluator.oracle
        if oracle.repetition is not RELIABLE:
            return self._holds("end", tell=True)
        is_quick = oracle.time_limit.seconds < QUICK_SECONDS
        return self._holds(*(f"end {number}" for number in range(QUICK_TIMES if is_quick else 1)))

    def recover(self, tests: int, why: WarmDiffers | None) -> None:
        """Find out how unreliable the test is, and go back to the last case that holds.

        If modules were loaded ahead, that may be why: then they no longer are.
        """
        if (warm := self.evaluator.warm) is not None:
            self._start_anew(tests, why, warm.notices.does_not_hold)
            return
        epoch = self.evaluator.epoch + 1
        refuted = self.calibration.runs.rate(f"rate {epoch} refuted", self.best.files)
        rate, empty = self.calibration.rates(f"{epoch}")
        # What was accepted and does not hold shows the failure by chance, if at all.
        chance = refuted if refuted < BY_CHANCE_SHARE * rate else 0.0
        noise = max(self.evaluator.oracle.repetition.noise, empty, chance)
        if rate >= RAREST_RATE:
            runs, repetition = self.calibration.runs, Repetition(rate, noise)
            self.confirmed = self._last_that_holds(
                lambda step, files: (
                    runs.confirmed(f"confirmed {epoch} step {step}", files, repetition).holds
                )
            )
        self._go_back(tests)
        if epoch > MAX_RETURNS or rate < RAREST_RATE:
            self._give_up(rate)
        self.evaluator.begin(self.best.journal, epoch)
        self.calibration.use(Repetition(rate, noise))
        self._tell()

    def _holds(self, *names: str, tell: bool = False) -> bool:
        """Ask about the best case: once for each name, or as often as it takes to be sure."""
        epoch, files = self.evaluator.epoch, self.best.files
        repetition = self.evaluator.oracle.repetition
        if repetition is RELIABLE:
            holds = self.calibration.runs.holds([f"holds {epoch} {name}" for name in names], files)
        else:
            holds, shown, runs = self.calibration.runs.confirmed(
                f"confirmed {epoch} {names[0]}", files, repetition
            )
            if tell:
                notice = f"the failure showed in {shown} of {runs} runs on the result"
                self.observe(Noticed("flaky", notice))
        if holds:
            self.confirmed = self.best.number
        return holds

    def _start_anew(self, tests: int, why: WarmDiffers | None, does_not_hold: str) -> None:
        """Load no modules ahead, and begin again: the result is to be that of a cold run.

        A step that fails when it is started cold, too, may follow from one that does not, or from
        a candidate that was wrongly refused.
        """
        self.observe(Noticed(FACT, does_not_hold if why is None else why.message))
        cool_down(self.evaluator, self.best.journal, why)
        self.confirmed = self.base
        self._go_back(tests)
        self.evaluator.begin(self.best.journal, self.evaluator.epoch + 1)

    def _last_that_holds(self, holds: Callable[[int, Files], bool]) -> int:
        """Return the last step that fails as the original does, by bisection."""
        low, high = self.base, self.best.number + 1  # the base holds; the original is one
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (
                (middle, high)
                if holds(middle, self.best.journal.restore(middle))
                else (low, middle)
            )
        return low

    def _go_back(self, tests: int) -> None:
        """Take the last step again that is known to hold."""
        if self.confirmed != self.best.number:
            files = self.best.journal.restore(self.confirmed)
            self.best.go_back(self.confirmed, files.digest, files, tests)
        self.base = self.confirmed = self.best.number

    def _give_up(self, rate: float) -> None:
        raise Unreliable(
            "the test is not reliable: again and again it says interesting of a case, and then "
            f"does not; of the original it says so in {rate:.0%} of runs. The last case that "
            f"was confirmed, {self.best.files.size} bytes, is in place",
            hint="make the failure more likely inside the test, and rule out chance in it",
        )

    def _tell(self) -> None:
        """Say that the test is not reliable, if it is not."""
        if self.evaluator.oracle.repetition is not RELIABLE:
            self.observe(Noticed("flaky", self.evaluator.oracle.repetition.notice))
