"""A part of a terminal that is drawn anew four times a second, by a thread of rich's.

What others print while it is shown appears above it; when it is closed, nothing of it is left.
"""

import sys
from typing import IO, cast

from rich.console import Console, RenderableType
from rich.live import Live as Display

from wynot.reporters.outlet import Outlet

_FRAMES_A_SECOND = 4


class LiveView:
    """Shows one thing, from when it is opened until it is closed."""

    def __init__(self, outlet: Outlet) -> None:
        # Rich's markup and emoji are off: nothing that is shown is ours to trust.
        self.console = Console(
            file=cast("IO[str]", outlet), markup=False, emoji=False, highlight=False
        )
        self._display: Display | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self._display is not None

    def open(self, shown: RenderableType) -> None:
        """Show something."""
        self._display = Display(
            shown,
            console=self.console,
            refresh_per_second=_FRAMES_A_SECOND,
            transient=True,
            vertical_overflow="crop",
            # What is written to a pipe is for a program, and must not land in the view.
            redirect_stdout=Outlet(sys.stdout).isatty(),
            redirect_stderr=Outlet(sys.stderr).isatty(),
        )
        self._display.start(refresh=True)

    def close(self) -> None:
        """Take it away, if it is shown."""
        display, self._display = self._display, None
        if display:
            try:
                display.stop()
            finally:  # a second Ctrl-C may come in between
                self.console.show_cursor()
