"""What the tests that were really run have cost."""

import threading
from dataclasses import dataclass, field


@dataclass(slots=True)
class Toll:
    """Seconds of all workers together, and how many of them went into tests that timed out."""

    seconds: float = 0.0
    timed_out: int = 0
    timed_out_seconds: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, seconds: float, *, timed_out: bool) -> None:
        """Count a test that has ended; any thread may."""
        with self._lock:
            self.seconds += seconds
            if timed_out:
                self.timed_out += 1
                self.timed_out_seconds += seconds
