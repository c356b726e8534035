"""For those who want to hear only of problems, and of the result."""

import sys
from threading import RLock
from typing import TextIO

from wynot.core.events import Event, Noticed, ReductionEnded, ReductionStarted
from wynot.core.stop import Stop
from wynot.reporters.closing import headline, why
from wynot.reporters.notice import notice
from wynot.reporters.outlet import Outlet
from wynot.reporters.reporter import Reporter


class Silent(Reporter):
    """Says what was noticed, and one line at the end."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._outlet = Outlet(stream or sys.stderr)
        self._began: ReductionStarted | None = None
        self._lock = RLock()

    def handle(self, event: Event) -> None:
        """Print the event if it is one of the two."""
        match event:
            case ReductionStarted():
                self._began = event
            case Noticed():
                with self._lock:
                    self._outlet.say(*notice(event, self._outlet))
            case ReductionEnded():
                line = headline(event, self._began)
                if event.stopped not in {Stop.FINISHED, Stop.ALREADY_FINISHED}:
                    line = f"{line} {why(event)}."
                with self._lock:
                    self._outlet.say(line)
