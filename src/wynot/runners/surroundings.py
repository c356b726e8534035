"""What a test leaves beside its folder, as ``../x`` does: it goes before the next test comes."""

import os
import time
from contextlib import suppress
from pathlib import Path

from wynot.runners.filling import CLOCK, Stamp, stamp_of
from wynot.runners.removal import remove


class Surroundings:
    """The folder around that of a candidate, and what was in it when a test began."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._stamp: Stamp | None = None
        self._names: set[str] = set()
        self._started = 0

    def start(self) -> None:
        """Take note of what is there."""
        with suppress(OSError):
            seen = stamp_of(os.lstat(self._folder))
            if seen != self._stamp:
                self._names, self._stamp = set(_names(self._folder)), seen
        self._started = time.clock_gettime_ns(CLOCK)

    def clear(self) -> None:
        """Remove what has been added since."""
        with suppress(OSError):
            seen = stamp_of(os.lstat(self._folder))
            # What was added within the grain of the clock does not show in the times.
            if seen == self._stamp and seen[0] < self._started:
                return
            for name in _names(self._folder):
                if name not in self._names:
                    remove(f"{self._folder}/{name}")
            self._stamp = None


def _names(folder: str) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - names are what is compared
