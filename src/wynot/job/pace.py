"""How long tests take, and therefore how many are handed over before there is a worker for them."""

SHORT_SECONDS, JOBS_AHEAD = 0.003, 3
"""Seconds; of shorter tests, handing over the next one takes a good part of the time. So some more
are handed over; those that were in vain cost little."""
RECENT_TESTS = 16
"""How many tests the average is of, about."""


class Pace:
    """The average of the last tests; at first they are taken for long."""

    def __init__(self) -> None:
        self._seconds = 2 * SHORT_SECONDS

    def note(self, seconds: float) -> None:
        """Take note of a test that has ended."""
        self._seconds += (seconds - self._seconds) / RECENT_TESTS

    @property
    def is_short(self) -> bool:
        """Whether tests are short."""
        return self._seconds < SHORT_SECONDS

    def depth(self, width: int) -> int:
        """Return how many short tests to hand over to so many workers, so that none waits."""
        return 2 * width + JOBS_AHEAD
