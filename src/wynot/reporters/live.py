"""A view that is drawn anew four times a second, for terminals.

Events are only counted when they come; it is drawn by the clock, and when a key is pressed. What
others print while it is shown appears above it. At the end it makes room for the last paragraph.
"""

import time
from collections.abc import Callable
from threading import RLock
from typing import TextIO

from wynot.core.events import Event, Noticed, PassStarted, ReductionEnded, ReductionStarted
from wynot.core.standing import Steering
from wynot.reporters.closing import closing, opening
from wynot.reporters.controls import Controls
from wynot.reporters.live_view import LiveView
from wynot.reporters.outlet import Outlet
from wynot.reporters.panel import Panel
from wynot.reporters.phase_line import PhaseLine
from wynot.reporters.reporter import notice
from wynot.reporters.run_figures import RunFigures

_HELD_LINES = 50


class Live:
    """Shows how a reduction goes, from its ``ReductionStarted`` to its ``ReductionEnded``."""

    def __init__(
        self,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        steering: Steering | None = None,
        *,
        watches: bool = False,
    ) -> None:
        """Take what keys are to steer; or, with ``watches``, a run that is only looked at."""
        self._outlet = Outlet(stream)
        self._progress = RunFigures(clock)
        self._lock = RLock()
        self._phase_line = PhaseLine(self._outlet, self._lock, clock, over=True)
        """Says what is being done as long as there is no view."""
        self._view = LiveView(self._outlet)
        self._controls = Controls(self._view, steering, watches=watches)
        self._held: dict[Noticed, None] = {}
        """Notices that the view shows, and that are to stay when it goes."""

    def handle(self, event: Event) -> None:
        """Count the event; the view begins and ends with its two, and the rest is drawn later."""
        self._controls.open()
        with self._lock:
            self._progress.fold(event)
            if not self._view.is_open:
                self._phase_line.handle(event)
        match event:
            case ReductionStarted():
                self._open(event)
            case PassStarted():
                self._controls.begins()
            case Noticed():
                self._hold(event)
            case ReductionEnded():
                self.close()
                self._outlet.say(closing(event, self._progress.started, self._outlet.width))

    def look(self) -> None:
        """Say what is being done; while the view is shown, it does."""
        self._phase_line.look()
        self._controls.look()

    def close(self) -> None:
        """Take the view away, and leave what it said of problems."""
        try:
            self._controls.close()
        finally:  # a second Ctrl-C may come in between
            self._phase_line.close()
            self._view.close()
        with self._lock:
            held, self._held = self._held, {}
        for each in held:
            self._outlet.say(*notice(each, self._outlet))

    def _hold(self, event: Noticed) -> None:
        with self._lock:
            shown = self._view.is_open
            if shown and len(self._held) < _HELD_LINES:
                self._held[event] = None
        if not shown:
            self._phase_line.clear()
            self._outlet.say(*notice(event, self._outlet))

    def _open(self, started: ReductionStarted) -> None:
        if self._view.is_open:
            return
        head = opening(started, self._outlet.width)
        self._view.open(Panel(self._progress, self._lock, self._controls.line), head)
