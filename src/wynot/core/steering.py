"""The door through which a person asks something of a run that is under way.

Whoever hears keys knocks from its own thread; the engine looks between two verdicts, on its own
thread, and does what is asked when it can. A run that nobody steers never learns that there is such
a door: what it asks, and in which order, depends on verdicts only.
"""

from collections.abc import Callable, Mapping
from threading import Event, Lock

PresentCase = Callable[[], Mapping[str, bytes]]
"""Returns the best case so far: the content of each file, by path."""


class Steering:
    """What is asked for: to skip the present pass, to pause, to stop; and what there is to see."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._skips = 0
        self._stop = Event()
        self._going = Event()
        self._going.set()
        self._present: PresentCase | None = None

    # For those who ask.

    def skip(self) -> None:
        """Ask for the present pass to end with what it has reached."""
        with self._lock:
            self._skips += 1

    def pause(self) -> None:
        """Ask for no more tests to be started; those that run may end."""
        self._going.clear()

    def resume(self) -> None:
        """Let tests be started again."""
        self._going.set()

    def stop(self) -> None:
        """Ask for the end, with the best case so far; a run that is paused ends, too."""
        self._stop.set()
        self._going.set()

    @property
    def case(self) -> Mapping[str, bytes]:
        """The best case so far; empty as long as there is none."""
        return self._present() if self._present else {}

    # For the one who is asked.

    def shows(self, present: PresentCase) -> None:
        """Let the best case be looked at, from any thread."""
        self._present = present

    @property
    def is_paused(self) -> bool:
        """Whether no test is to be started."""
        return not self._going.is_set()

    @property
    def is_stopped(self) -> bool:
        """Whether the run is to end."""
        return self._stop.is_set()

    def takes_skip(self) -> bool:
        """Tell whether the present pass is to end; each request is told once."""
        with self._lock:
            is_asked = self._skips > 0
            self._skips -= is_asked
        return is_asked

    def rest(self, seconds: float) -> None:
        """Wait for so long, or until the run is to end."""
        self._stop.wait(seconds)

    def wait(self, seconds: float) -> None:
        """Wait until it is to go on, or for so long."""
        self._going.wait(seconds)
