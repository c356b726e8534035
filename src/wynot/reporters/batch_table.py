"""A table of the groups of a batch that is drawn anew four times a second, for terminals."""

import time
from collections.abc import Callable, Iterator
from threading import RLock
from typing import TextIO

from rich.console import Console, ConsoleOptions
from rich.text import Text

from wynot.core import batch_events, events
from wynot.core.foreign_text import for_terminal
from wynot.core.steering import Steering
from wynot.reporters import words
from wynot.reporters.batch_figures import (
    HEADS,
    BatchFigures,
    BatchRow,
    began_words,
    ended_words,
    row_line,
    sorted_words,
)
from wynot.reporters.charts import bar
from wynot.reporters.controls import Controls
from wynot.reporters.live_view import LiveView
from wynot.reporters.notice import notice
from wynot.reporters.outlet import Outlet
from wynot.reporters.vigil import Vigil

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
        self._vigil = Vigil(self._outlet, self._lock, clock, over=True)
        """Says what takes long as long as there is no view."""
        self._told: set[events.Noticed] = set()
        self._view = LiveView(self._outlet)
        self._controls = Controls(self._view, steering)

    def handle(self, event: events.Event) -> None:
        """Count the event; the view begins and ends with its two, and the rest is drawn later."""
        self._controls.open()
        with self._lock:
            self._figures.fold(event)
            if not self._view.is_open:
                self._vigil.handle(event)
        match event:
            case events.PassStarted():
                self._controls.begins()
            case batch_events.BatchStarted():
                self._vigil.close()
                self._view.open(self, [began_words(event)])
            case batch_events.BatchSorted():
                self._view.say([sorted_words(event)])
            case events.Noticed() if event not in self._told:
                self._told.add(event)
                self._view.say(notice(event, self._outlet))
            case batch_events.BatchEnded():
                self.close()
                for row in self._figures.rows:
                    self._outlet.say(row_line(row.cells, self._outlet.width))
                self._outlet.say("", *ended_words(event), f"results   {for_terminal(event.where)}")

    def look(self) -> None:
        """Say what is being done; while the view is shown, it does."""
        self._vigil.look()
        self._controls.look()

    def close(self) -> None:
        """Take the view away."""
        try:
            self._controls.close()
        finally:  # a second Ctrl-C may come in between
            self._vigil.close()
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
        passed = words.duration(figures.elapsed)
        if not figures.rows:
            of = figures.began.inputs if figures.began else 0
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
