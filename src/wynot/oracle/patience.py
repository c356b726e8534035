"""How long a test may take, learned from those that were interesting.

A candidate that is still the failure takes about as long as those before; one that runs ten times
as long hangs, in all likelihood. The first few that do are given four times as long again: if one
of them turns out to be interesting, the guess was too short, and all later tests get more. That it
merely ends says nothing: a script with a ``timeout 10`` of its own always does.
"""

import threading

FIRST = 300.0
"""Seconds that the first run may take, when nothing is known yet."""

LEAST = 2.0
"""No shorter than that: a busy machine can make anything wait."""

TIMES = 10
AGAIN = 4
DOUBTS = 3
"""How many longer tries in a row must be in vain before a time-out is believed at once."""


class Patience:
    """The time limit of tests: given by the user, or learned."""

    def __init__(self, given: float | None = None) -> None:
        self._given = given
        self._slowest: float | None = None
        self._hung = 0
        self._lock = threading.Lock()

    @property
    def limit(self) -> float:
        """Seconds that a test may take now."""
        if self._given is not None:
            return self._given
        if self._slowest is None:
            return FIRST
        return min(FIRST, max(LEAST, TIMES * self._slowest))

    @property
    def seconds(self) -> float:
        """Seconds that an interesting test takes, as far as is known."""
        return 0.0 if self._slowest is None else self._slowest

    @property
    def second_limit(self) -> float | None:
        """Seconds for another try of a test that took too long; None if that is known enough."""
        if self._given is not None or self._slowest is None or self._hung >= DOUBTS:
            return None
        longer = min(FIRST, AGAIN * self.limit)
        return longer if longer > self.limit else None

    def learn(self, seconds: float) -> None:
        """Take note of how long an interesting test took."""
        with self._lock:
            self._slowest = max(self._slowest or 0.0, seconds)

    def tried_longer(self, *, in_vain: bool) -> None:
        """Take note of what a second, longer try was good for."""
        with self._lock:
            self._hung = self._hung + 1 if in_vain else 0
