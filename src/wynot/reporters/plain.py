"""Lines, for where nothing can be drawn: a log, a pipe, a plain terminal.

A new best case is told at most every second, the end of a pass if it changed something, and if
neither comes, a sign of life every ten seconds: how many parts of the pass are left, and how many
of them were asked about.
"""

import time
from collections.abc import Callable
from threading import RLock
from typing import TextIO

from wynot.core import events
from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted
from wynot.document.sentences import duration, percent
from wynot.document.text_width import cells, cut
from wynot.reporters.closing import closing, opening
from wynot.reporters.outlet import Outlet
from wynot.reporters.phase_line import PhaseLine
from wynot.reporters.reporter import Reporter, notice
from wynot.reporters.run_figures import RunFigures

_PACE_SECONDS = 1.0
"""Seconds between two lines about new best cases."""
_COLUMNS = (10, 12, 9, 9)


class Plain(Reporter):
    """Writes lines; on a terminal they are as wide as it is, and have a little colour."""

    def __init__(
        self, stream: TextIO, clock: Callable[[], float] = time.monotonic, every: float = 10.0
    ) -> None:
        self._outlet = Outlet(stream)
        self._progress = RunFigures(clock)
        self._every = every
        self._last = self._progress.start
        self._fresh = True
        self._lock = RLock()
        self._phase_line = PhaseLine(self._outlet, self._lock, clock, over=False)
        self._ended = False

    def handle(self, event: events.Event) -> None:
        """Take the event in; write a line if it is time for one."""
        with self._lock:
            progress = self._progress
            progress.fold(event)
            self._phase_line.handle(event)
            match event:
                case events.Ran() | events.CandidateJudged():
                    self._life()
                case events.Accepted():
                    if self._fresh or progress.now - self._last >= _PACE_SECONDS:
                        self._row(self._left(self._pass(event.pass_name)))
                case events.PassEnded():
                    if event.size != progress.before:
                        self._pass_end(event)
                case events.ReductionStarted():
                    self._begin(event)
                case events.Noticed():
                    self._outlet.say(*notice(event, self._outlet))
                case events.ReductionEnded():
                    self._ended = True
                    self._outlet.say("", closing(event, progress.started, self._outlet.width))

    def look(self) -> None:
        """Say what is being done, or give a sign of life, if it is time for that."""
        with self._lock:
            if self._phase_line.keeps:
                self._phase_line.look()
            else:
                self._progress.now = self._progress.clock()
                self._life()

    def _begin(self, started: events.ReductionStarted) -> None:
        self._last = self._progress.now
        heads = ("time", "bytes", "of all", "tests")
        line = "".join(head.rjust(room) for head, room in zip(heads, _COLUMNS, strict=True))
        self._outlet.say(
            *opening(started, self._outlet.width), self._outlet.paint("dim", f"{line}  pass")
        )

    def _pass_end(self, event: events.PassEnded) -> None:
        less = self._progress.before - event.size
        more = f"{counted(-less, 'byte')} more" if less < 0 else f"{counted(less, 'byte')} less"
        end = "done" if event.finished else "stopped"
        self._row(f"{self._pass(event.name)} {end}: {more}", style="green")

    def _life(self) -> None:
        progress = self._progress
        if progress.now - self._last < self._every or progress.started is None or self._ended:
            return
        what = self._pass(progress.current.name) if progress.current else "no pass yet"
        if progress.moved > self._last:
            self._row(self._left(what))
            return
        idle = f"no progress for {duration(progress.idle)}"
        left = self._left(what)
        choices = [f"{left}, {idle}", left] if left != what else [f"{what}: {idle}"]
        fitting = (each for each in choices if cells(each) <= self._room)
        self._row(next(fitting, choices[-1]), style="yellow")

    @property
    def _room(self) -> int:
        """Columns for what is said after the figures."""
        return self._outlet.width - sum(_COLUMNS) - 2

    def _left(self, what: str) -> str:
        """Return what it is about, and how much of the pass is left, if that is known and fits."""
        latest, progress = self._progress.latest, self._progress
        if latest is None or not progress.deltas:
            return what
        left, alone = len(latest.candidate.base), progress.asked_alone
        if alone:
            longer = f"{what}: {alone:,} of {counted(left, 'part')} asked"
        else:
            longer = f"{what}: {left:,} of {counted(progress.deltas, 'part')}"
        return longer if cells(longer) <= self._room else what

    def _pass(self, name: str) -> str:
        current = self._progress.current
        if current and current.name == name and current.again:
            return f"{for_terminal(name)}, asked again"
        if current and current.name == name and current.loop > 1:
            return f"{for_terminal(name)}, loop {current.loop}"
        return for_terminal(name)

    def _row(self, what: str, style: str = "") -> None:
        progress = self._progress
        figures = (
            duration(progress.now - progress.start),
            f"{progress.size:,}",
            percent(progress.size, progress.original),
            f"{progress.tests:,}",
        )
        columns = [f" {each}".rjust(room) for each, room in zip(figures, _COLUMNS, strict=True)]
        what = cut(what, self._outlet.width - sum(map(len, columns)) - 2)  # figures may be long
        paint = self._outlet.paint
        self._outlet.say(
            paint("dim", columns[0])
            + paint("bold", columns[1])
            + "".join(columns[2:])
            + f"  {paint(style, what) if style else what}"
        )
        self._last, self._fresh = progress.now, False
