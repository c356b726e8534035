"""What a test leaves beside its folder, as ``../x`` does: it goes before the next test comes."""

import os
from contextlib import suppress
from pathlib import Path

from wynot.runners.removal import remove


class Surroundings:
    """The folder around that of a candidate, and what was in it when a test began."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._changed = -1
        self._names: set[str] = set()
        self._started = 0

    def start(self, now: int) -> None:
        """Take note of what is there, and of the time by the clock of files."""
        self._started = now
        try:
            changed = os.lstat(self._folder).st_ctime_ns
            if changed != self._changed:
                self._names, self._changed = set(_names(self._folder)), changed
        except OSError:  # a test beside it may have removed all there is
            self._changed = -1

    def clear(self) -> None:
        """Remove what has been added since."""
        try:
            changed = os.lstat(self._folder).st_ctime_ns
        except OSError:
            return
        # What was added within the grain of the clock does not show in the times.
        if changed == self._changed and changed < self._started:
            return
        with suppress(OSError):
            for name in _names(self._folder):
                if name not in self._names:
                    remove(f"{self._folder}/{name}")
        self._changed = -1


def _names(folder: str) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208 - names are what is compared
