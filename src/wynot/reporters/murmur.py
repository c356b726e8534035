"""For commands that write what they find themselves: says only what is being done meanwhile."""

import sys
import time
from collections.abc import Callable
from threading import RLock
from typing import TextIO

from wynot.core.events import Event
from wynot.reporters.outlet import Outlet
from wynot.reporters.vigil import Vigil


class Murmur:
    """Says what takes long, and nothing else; on standard error, so that the output stays clean."""

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._vigil = Vigil(Outlet(stream or sys.stderr), RLock(), clock, over=True)

    def handle(self, event: Event) -> None:
        """Take note of what begins, or has ended."""
        self._vigil.handle(event)

    def look(self) -> None:
        """Say what is due by now."""
        self._vigil.look()

    def close(self) -> None:
        """Leave no line that was to be written over."""
        self._vigil.end()
