"""How a batch is told in lines: a row when a group is done, and signs of life."""

import time
from collections.abc import Callable
from threading import RLock
from typing import TextIO

from wynot.core import batch_events, events
from wynot.core.foreign_text import for_terminal
from wynot.reporters import words
from wynot.reporters.batch_figures import (
    HEADS,
    BatchFigures,
    began_words,
    ended_words,
    row_line,
    sorted_words,
)
from wynot.reporters.notice import notice
from wynot.reporters.outlet import Outlet
from wynot.reporters.vigil import Vigil

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
        self._told: set[events.Noticed] = set()
        self._lock = RLock()
        self._vigil = Vigil(self._outlet, self._lock, clock, over=True)
        """Says what takes long before there is anything else to tell."""

    def handle(self, event: events.Event) -> None:
        """Take the event in; write what there is to be said of it."""
        with self._lock:
            self._figures.fold(event)
            if self._figures.began is None and not self._quiet:
                self._vigil.handle(event)
            match event:
                case events.Noticed() if event not in self._told:
                    self._told.add(event)
                    self._outlet.say(*notice(event, self._outlet))
                case batch_events.BatchEnded():
                    self._end(event)
                case _ if not self._quiet:
                    self._tell(event)

    def look(self) -> None:
        """Give a sign of life, if it is time for that."""
        with self._lock:
            figures = self._figures
            if figures.began is None:
                self._vigil.look()
            if self._quiet or figures.clock() - self._last < _LIFE_SECONDS or not figures.began:
                return
            passed = words.duration(figures.elapsed)
            if not figures.rows:
                self._say(f"{passed}: {figures.done:,} of {figures.began.inputs:,} inputs run")
            elif row := figures.current:
                self._say(
                    f"{passed}: group {row.number} of {len(figures.rows)}, {row.before:,} → "
                    f"{row.size:,} bytes, {row.tests:,} tests"
                )

    def close(self) -> None:
        """Leave no line that was to be written over."""
        self._vigil.close()

    def _tell(self, event: events.Event) -> None:
        match event:
            case batch_events.BatchStarted():
                self._vigil.close()
                self._say(began_words(event), wrapped=True)
            case batch_events.BatchSorted():
                self._say(sorted_words(event), wrapped=True)
                self._say(self._outlet.paint("dim", row_line(HEADS, self._outlet.width)))
            case batch_events.GroupEnded():
                self._say(row_line(self._figures.rows[event.number - 1].cells, self._outlet.width))
                if event.why and event.state != "duplicate":
                    why, width = for_terminal(event.why), self._outlet.width
                    self._say(*words.wrap(why, first=_MARGIN, indent=_MARGIN, width=width))

    def _end(self, event: batch_events.BatchEnded) -> None:
        lines = ended_words(event)
        if self._quiet:
            self._say(lines[0])
            return
        self._say("", *lines, wrapped=True)
        self._say(f"results   {for_terminal(event.where)}")

    def _say(self, *lines: str, wrapped: bool = False) -> None:
        width = self._outlet.width
        for line in lines:
            parts = words.wrap(line, indent="  ", width=width) if wrapped and line else [line]
            self._outlet.say(*parts)
        self._last = self._figures.clock()
