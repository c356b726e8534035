"""What the tests of a run have cost."""

import threading
from dataclasses import dataclass, field


@dataclass(slots=True)
class Toll:
    """What the tests that were really run have cost; added to by the threads of all workers."""

    seconds: float = 0.0
    timed_out: int = 0
    timed_out_seconds: float = 0.0
    """How many of the seconds went into tests that timed out."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, seconds: float, *, timed_out: bool) -> None:
        """Count a test that has ended."""
        with self._lock:
            self.seconds += seconds
            if timed_out:
                self.timed_out += 1
                self.timed_out_seconds += seconds
