"""What is printed of a batch: lines, figures, and the table at the end."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import RLock
from typing import TextIO

from rich.console import Console, ConsoleOptions
from rich.text import Text

from wynot.core import events
from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted
from wynot.core.standing import Steering, Stop
from wynot.document.sentences import batch_facts, duration, test_cost
from wynot.document.text_width import cut, wrap
from wynot.reporters.closing import stopped_by
from wynot.reporters.controls import Controls
from wynot.reporters.live_view import LiveView
from wynot.reporters.outlet import Outlet
from wynot.reporters.phase_line import PhaseLine
from wynot.reporters.reporter import notice
from wynot.reporters.run_figures import bar

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
        self.started: events.BatchStarted | None = None
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
            case events.BatchStarted():
                self.started = event
            case events.Doing() if event.of and not self.rows:
                self.done = event.done
            case events.BatchSorted():
                self.rows = [
                    BatchRow(each.number, each.failure, each.members, each.size, each.size)
                    for each in event.groups
                ]
            case events.GroupStarted():
                self.current = row = self.rows[event.number - 1]
                self.name, row.state = event.name, _NOW
                row.before = row.size = event.size
            case events.Accepted() if self.current:
                self.current.size, self.current.tests = event.size, event.tests
            case events.CandidateJudged() if self.current:
                self.current.tests += not event.from_memo
            case events.GroupEnded():
                self._end(self.rows[event.number - 1], event)

    def _end(self, row: BatchRow, event: events.GroupEnded) -> None:
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


def began_words(event: events.BatchStarted) -> str:
    """Return what is about to be done, in a sentence."""
    return (
        f"{for_terminal(event.folder)}: {counted(event.inputs, 'input')}, each is run once, "
        f"{event.jobs} at a time"
    )


def sorted_words(event: events.BatchSorted) -> str:
    """Return what the first runs have shown, in a sentence."""
    failing = sum(group.members for group in event.groups)
    facts = [
        f"{counted(failing, 'input')} in {counted(len(event.groups), 'group')}",
        *batch_facts(event.passing, event.rejected, event.hanging, event.missing),
        f"{event.known:,} known from an earlier run" if event.known else "",
    ]
    return "; ".join(filter(None, facts))


def ended_words(event: events.BatchEnded) -> list[str]:
    """Return what came of it, in sentences."""
    shared = f", {counted(event.shared, 'answer')} shared" if event.shared else ""
    tests = test_cost(event.tests, event.runs, event.checks, event.repeated)
    head = (
        f"{counted(event.causes, 'cause')} of {counted(event.failing, 'failing input')} "
        f"({counted(event.inputs, 'input')}) in {tests}{shared}, "
        f"{duration(event.seconds)}."
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
    return cut(f"{row}  {last}", width)


_BAR_COLUMNS = 24
_OTHER_LINES = 5
"""Lines of the terminal that are not for rows."""


class BatchTable:
    """Shows the groups, and how far the one is that is reduced now."""

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        steering: Steering | None = None,
    ) -> None:
        """Take what keys are to steer."""
        self._outlet = Outlet(stream)
        self._figures = BatchFigures(clock)
        self._lock = RLock()
        self._phase_line = PhaseLine(self._outlet, self._lock, clock, over=True)
        """Says what takes long as long as there is no view."""
        self._noticed: set[events.Noticed] = set()
        self._view = LiveView(self._outlet)
        self._controls = Controls(self._view, steering)

    def handle(self, event: events.Event) -> None:
        """Count the event; the view begins and ends with its two, and the rest is drawn later."""
        self._controls.open()
        with self._lock:
            self._figures.fold(event)
            if not self._view.is_open:
                self._phase_line.handle(event)
        match event:
            case events.PassStarted():
                self._controls.begins()
            case events.BatchStarted():
                self._phase_line.close()
                self._view.open(self, [began_words(event)])
            case events.BatchSorted():
                self._view.say([sorted_words(event)])
            case events.Noticed() if event not in self._noticed:
                self._noticed.add(event)
                self._view.say(notice(event, self._outlet))
            case events.BatchEnded():
                self.close()
                for row in self._figures.rows:
                    self._outlet.say(row_line(row.cells, self._outlet.width))
                self._outlet.say("", *ended_words(event), f"results   {for_terminal(event.where)}")

    def look(self) -> None:
        """Say what is being done; while the view is shown, it does."""
        self._phase_line.look()
        self._controls.look()

    def close(self) -> None:
        """Take the view away."""
        try:
            self._controls.close()
        finally:  # a second Ctrl-C may come in between
            self._phase_line.close()
            self._view.close()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = min(options.max_width, self._outlet.width)
        with self._lock:
            lines = list(self._lines(width, console.size.height))
        last = self._controls.line(width - 2)
        if last is not None:
            lines.append(last)
        for line in lines:
            line.no_wrap = True
            line.truncate(width, overflow="ellipsis")
            yield line

    def _lines(self, width: int, height: int) -> Iterator[Text]:
        figures = self._figures
        passed = duration(figures.elapsed)
        if not figures.rows:
            of = figures.started.inputs if figures.started else 0
            yield _progress("inputs run once", figures.done, of, passed)
            return
        yield Text(row_line(HEADS, width), "dim")
        room = max(3, height - _OTHER_LINES)
        for row in _shown(figures.rows, room):
            style = "bold" if row is figures.current else "dim" if row.is_done else ""
            yield Text(row_line(row.cells, width), style)
        yield _progress("groups done", figures.finished, len(figures.rows), passed)
        if figures.current:
            yield Text(f"now: {for_terminal(figures.name)}", "dim")


def _progress(what: str, done: int, of: int, passed: str) -> Text:
    full, empty = bar(done / of if of else 0.0, _BAR_COLUMNS)
    return Text.assemble(
        (full, "magenta"), (empty, "dim"), f" {done:,} of {of:,} {what} · {passed}"
    )


def _shown(rows: list[BatchRow], room: int) -> list[BatchRow]:
    """Return as many rows as there is room for, around the one that is not done yet."""
    first = next((at for at, row in enumerate(rows) if not row.is_done), len(rows))
    begin = max(0, min(first - room // 2, len(rows) - room))
    return rows[begin : begin + room]


_MARGIN = " " * 6
_LIFE_SECONDS = 10.0
"""Seconds without a line before there is a sign of life."""


class BatchLines:
    """Writes lines; with ``quiet`` problems and one at the end."""

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        *,
        quiet: bool = False,
    ) -> None:
        self._outlet = Outlet(stream)
        self._figures = BatchFigures(clock)
        self._quiet = quiet
        self._last = clock()
        self._noticed: set[events.Noticed] = set()
        self._lock = RLock()
        self._phase_line = PhaseLine(self._outlet, self._lock, clock, over=True)
        """Says what takes long before there is anything else to tell."""

    def handle(self, event: events.Event) -> None:
        """Take the event in; write what there is to be said of it."""
        with self._lock:
            self._figures.fold(event)
            if self._figures.started is None and not self._quiet:
                self._phase_line.handle(event)
            match event:
                case events.Noticed() if event not in self._noticed:
                    self._noticed.add(event)
                    self._outlet.say(*notice(event, self._outlet))
                case events.BatchEnded():
                    self._end(event)
                case _ if not self._quiet:
                    self._tell(event)

    def look(self) -> None:
        """Give a sign of life, if it is time for that."""
        with self._lock:
            figures = self._figures
            if figures.started is None:
                self._phase_line.look()
            if self._quiet or figures.clock() - self._last < _LIFE_SECONDS or not figures.started:
                return
            passed = duration(figures.elapsed)
            if not figures.rows:
                self._say(f"{passed}: {figures.done:,} of {figures.started.inputs:,} inputs run")
            elif row := figures.current:
                self._say(
                    f"{passed}: group {row.number} of {len(figures.rows)}, {row.before:,} → "
                    f"{row.size:,} bytes, {row.tests:,} tests"
                )

    def close(self) -> None:
        """Leave no line that was to be written over."""
        self._phase_line.close()

    def _tell(self, event: events.Event) -> None:
        match event:
            case events.BatchStarted():
                self._phase_line.close()
                self._say(began_words(event), wrapped=True)
            case events.BatchSorted():
                self._say(sorted_words(event), wrapped=True)
                self._say(self._outlet.paint("dim", row_line(HEADS, self._outlet.width)))
            case events.GroupEnded():
                self._say(row_line(self._figures.rows[event.number - 1].cells, self._outlet.width))
                if event.why and event.state != "duplicate":
                    why, width = for_terminal(event.why), self._outlet.width
                    self._say(*wrap(why, first=_MARGIN, indent=_MARGIN, width=width))

    def _end(self, event: events.BatchEnded) -> None:
        lines = ended_words(event)
        if self._quiet:
            self._say(lines[0])
            return
        self._say("", *lines, wrapped=True)
        self._say(f"results   {for_terminal(event.where)}")

    def _say(self, *lines: str, wrapped: bool = False) -> None:
        width = self._outlet.width
        for line in lines:
            parts = wrap(line, indent="  ", width=width) if wrapped and line else [line]
            self._outlet.say(*parts)
        self._last = self._figures.clock()
