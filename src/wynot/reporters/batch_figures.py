"""How far a batch has come: its groups, as rows of a table."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from wynot.core import batch_events, events
from wynot.core.foreign_text import for_terminal
from wynot.core.phrases import counted
from wynot.core.stop import Stop
from wynot.reporters import words
from wynot.reporters.closing import stopped_by

HEADS = ("#", "inputs", "bytes", "tests", "state", "failure")
"""What the columns of the table are called."""
_COLUMNS = (3, 7, 15, 7, 11)
"""How wide they are, but for the last, which has the rest."""
_OPEN, _NOW = "", "…"


@dataclass(slots=True)
class BatchRow:
    """A group, as it is shown."""

    number: int
    failure: str
    members: int
    before: int
    size: int
    tests: int = 0
    state: str = _OPEN

    @property
    def is_done(self) -> bool:
        """Whether its turn is over."""
        return self.state not in {_OPEN, _NOW}

    @property
    def cells(self) -> tuple[str, ...]:
        """What is shown of it, in the order of the columns."""
        change = f"{self.before:,} → {self.size:,}" if self.state else f"{self.before:,}"
        tests = f"{self.tests:,}" if self.tests else ""
        failure = for_terminal(self.failure)
        return (str(self.number), f"{self.members:,}", change, tests, self.state, failure)


class BatchFigures:
    """Counts events; whoever shows them asks when it likes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.start = clock()
        self.rows: list[BatchRow] = []
        self.began: batch_events.BatchStarted | None = None
        self.current: BatchRow | None = None
        self.name = ""
        """The input that is reduced now."""
        self.done = 0
        """How many inputs were run."""
        self.runs = 0

    def fold(self, event: events.Event) -> None:
        """Take an event in."""
        match event:
            case events.Ran():
                self.runs += 1
            case batch_events.BatchStarted():
                self.began = event
            case events.Doing() if event.of and not self.rows:
                self.done = event.done
            case batch_events.BatchSorted():
                self.rows = [
                    BatchRow(each.number, each.failure, each.members, each.size, each.size)
                    for each in event.groups
                ]
            case batch_events.GroupStarted():
                self.current = row = self.rows[event.number - 1]
                self.name, row.state = event.name, _NOW
                row.before = row.size = event.size
            case events.Accepted() if self.current:
                self.current.size, self.current.tests = event.size, event.tests
            case events.CandidateJudged() if self.current:
                self.current.tests += not event.from_memo
            case batch_events.GroupEnded():
                self._end(self.rows[event.number - 1], event)

    def _end(self, row: BatchRow, event: batch_events.GroupEnded) -> None:
        row.before, row.size, row.tests = event.before, event.size, event.tests
        row.state = f"= {event.why}" if event.state == "duplicate" else event.state
        self.current = None

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    @property
    def finished(self) -> int:
        """How many groups are done."""
        return sum(row.is_done for row in self.rows)


def began_words(event: batch_events.BatchStarted) -> str:
    """Return what is about to be done, in a sentence."""
    return (
        f"{for_terminal(event.folder)}: {counted(event.inputs, 'input')}, each is run once, "
        f"{event.jobs} at a time"
    )


def sorted_words(event: batch_events.BatchSorted) -> str:
    """Return what the first runs have shown, in a sentence."""
    failing = sum(group.members for group in event.groups)
    facts = [
        f"{counted(failing, 'input')} in {counted(len(event.groups), 'group')}",
        f"{event.passing:,} not failing" if event.passing else "",
        f"{event.rejected:,} rejected with an ordinary error" if event.rejected else "",
        f"{event.hanging:,} did not end in time (--hangs asks for them)" if event.hanging else "",
        f"{event.missing:,} not run" if event.missing else "",
        f"{event.known:,} known from an earlier run" if event.known else "",
    ]
    return "; ".join(filter(None, facts))


def ended_words(event: batch_events.BatchEnded) -> list[str]:
    """Return what came of it, in sentences."""
    shared = f", {counted(event.shared, 'answer')} shared" if event.shared else ""
    tests = words.test_cost(event.tests, event.runs, event.checks, event.repeated)
    head = (
        f"{counted(event.causes, 'cause')} of {counted(event.failing, 'failing input')} "
        f"({counted(event.inputs, 'input')}) in {tests}{shared}, "
        f"{words.duration(event.seconds)}."
    )
    lines = [head]
    if event.stopped != Stop.FINISHED:
        lines.append(f"{stopped_by(event.stopped)}. The same command continues from there.")
    elif event.unfinished:
        lines.append(
            f"{counted(event.unfinished, 'group')} stopped by --max-time-each; the same command "
            "continues from there."
        )
    if event.unusable:
        lines.append(
            f"{counted(event.unusable, 'group')} could not be reduced; index.html says why."
        )
    return lines


def row_line(cells: tuple[str, ...], width: int) -> str:
    """Return a row of the table in so many columns."""
    *figures, last = cells
    row = "".join(f" {each}".rjust(room) for each, room in zip(figures, _COLUMNS, strict=True))
    return words.cut(f"{row}  {last}", width)
