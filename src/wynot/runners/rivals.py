"""Tests that take suspiciously long where they run are run elsewhere, too: the machine may be slow.

As backup tasks in MapReduce (Dean and Ghemawat, 2004): the first answer counts, and the other run
is killed.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socket import socket
from typing import TypeAlias

ElsewhereConnecting: TypeAlias = Callable[[socket], socket | None]
"""Starts an agent on another worker than that of a connection; None: there is no other."""

LEAST_SECONDS = 2.0
"""Seconds that are never suspicious."""
PATIENCE_FACTOR = 3.0
"""How many times as long as all recent tests one has to take to be suspicious."""
RECENT_TESTS = 64


class Rivals:
    """Decides when a test is to be run elsewhere, too. Any thread may ask."""

    def __init__(self, connect: ElsewhereConnecting) -> None:
        self.connect = connect
        self._recent: deque[float] = deque(maxlen=RECENT_TESTS)
        self._lock = threading.Lock()
        self._running = 0

    def note(self, seconds: float) -> None:
        """Take note of a test that has ended."""
        with self._lock:
            self._recent.append(seconds)

    def is_due(self, seconds: float) -> bool:
        """Tell whether a test that runs for so long takes suspiciously long."""
        with self._lock:
            recent = [*self._recent]
        # One is enough: at the very beginning all may wait for the second.
        return bool(recent) and seconds > max(LEAST_SECONDS, PATIENCE_FACTOR * max(recent))

    @contextmanager
    def elsewhere(self, slow: socket) -> Iterator[socket | None]:
        """Have a connection to another worker, if there is one; not too many have."""
        with self._lock:
            is_allowed = self._running < max(1, len(self._recent) // 8)
            self._running += is_allowed
        try:
            yield self.connect(slow) if is_allowed else None
        finally:
            with self._lock:
                self._running -= is_allowed
