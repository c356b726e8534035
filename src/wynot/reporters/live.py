"""A view that is drawn anew four times a second, for terminals.

Events are only counted when they come; a thread of rich's draws. What others print while it is
shown appears above it. At the end it makes room for the last paragraph.
"""

import sys
import time
from collections.abc import Callable
from threading import RLock
from typing import IO, TextIO, cast

from rich.console import Console
from rich.live import Live as Display

from wynot.core.events import Event, Noticed, ReductionEnded, ReductionStarted
from wynot.reporters.closing import closing
from wynot.reporters.notice import notice
from wynot.reporters.opening import opening
from wynot.reporters.outlet import Outlet
from wynot.reporters.panel import Panel
from wynot.reporters.run_figures import RunFigures
from wynot.reporters.vigil import Vigil

_FRAMES_A_SECOND = 4
"""A second."""
_HELD_LINES = 50


class Live:
    """Shows how a reduction goes, from its ``ReductionStarted`` to its ``ReductionEnded``."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._outlet = Outlet(stream)
        self._progress = RunFigures(clock)
        self._lock = RLock()
        self._vigil = Vigil(self._outlet, self._lock, clock, over=True)
        """Says what is being done as long as there is no view."""
        # Rich's markup and emoji are off: nothing that is shown is ours to trust.
        self._console = Console(
            file=cast("IO[str]", self._outlet), markup=False, emoji=False, highlight=False
        )
        self._display: Display | None = None
        self._held: dict[Noticed, None] = {}
        """Notices that the view shows, and that are to stay when it goes."""

    def handle(self, event: Event) -> None:
        """Count the event; the view begins and ends with its two, and the rest is drawn later."""
        with self._lock:
            self._progress.fold(event)
            if self._display is None:
                self._vigil.handle(event)
        match event:
            case ReductionStarted():
                self._open(event)
            case Noticed():
                self._hold(event)
            case ReductionEnded():
                self.close()
                self._outlet.say(closing(event, self._progress.began, self._outlet.width))

    def look(self) -> None:
        """Say what is being done; while the view is shown, it does."""
        self._vigil.look()

    def close(self) -> None:
        """Take the view away, and leave what it said of problems."""
        self._vigil.close()
        display, self._display = self._display, None
        if display:
            try:
                display.stop()
            finally:  # a second Ctrl-C may come in between
                self._console.show_cursor()
        with self._lock:
            held, self._held = self._held, {}
        for each in held:
            self._outlet.say(*notice(each, self._outlet))

    def _hold(self, event: Noticed) -> None:
        with self._lock:
            shown = self._display is not None
            if shown and len(self._held) < _HELD_LINES:
                self._held[event] = None
        if not shown:
            self._vigil.clear()
            self._outlet.say(*notice(event, self._outlet))

    def _open(self, began: ReductionStarted) -> None:
        if self._display:
            return
        self._outlet.say(*opening(began, self._outlet.width))
        self._display = Display(
            Panel(self._progress, self._lock),
            console=self._console,
            refresh_per_second=_FRAMES_A_SECOND,
            transient=True,
            vertical_overflow="crop",
            # What is written to a pipe is for a program, and must not land in the view.
            redirect_stdout=Outlet(sys.stdout).isatty(),
            redirect_stderr=Outlet(sys.stderr).isatty(),
        )
        self._display.start(refresh=True)
