"""The best case so far: kept in the journal at once, and put in place every now and then."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from wynot.core.errors import BrokenJournal, NoSpace
from wynot.core.events import Accepted, Event
from wynot.core.files import Files
from wynot.disk.journal import Journal
from wynot.disk.output import Output
from wynot.disk.rows import StepRow

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
        """Put it in place; or, if this run has not got as far as an earlier one, what that had.

        The final one is the result, whatever steps a damaged journal has left after it.
        """
        try:
            if is_final:
                self.journal.forget_after(self.number)
            last = self.journal.last_step()
            if last is not None and last.number > self.number:
                self.number, self.files = last.number, self.journal.restore(last.number)
        except BrokenJournal:  # it was damaged just now; what an earlier run had may be in place
            self.output.write_smaller(self.files)
        else:
            self._place()
        self.wrote = self.clock()

    def _place(self) -> None:
        """Put it in place; the journal knows before: a kill may leave a part of the files."""
        number = str(self.number)
        self.places = tuple(dict.fromkeys((*self.places, number)))
        with suppress(NoSpace):  # the smaller result may still find room
            self.journal.note_synced(PLACES_FACT, " ".join(self.places))
        self.output.write(self.files)
        self.places = (number,)
