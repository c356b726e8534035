"""How much a run has written so far, while it goes on writing.

Counted is whatever has changed in the private folder since the run began, and the files that its
processes hold open though they have no name any more, those in memory (``memfd_create``) included.
Not seen are files that are only mapped, and what is so deep that its path is too long for the
system.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

_BLOCK_BYTES = 512
_LEAST_BYTES = 4096  # what a file costs at least, so that a multitude of empty ones counts too
_FILES_PER_LOOK = 2000
"""How many files are looked at in one go, some milliseconds: the end of a run is not noticed
meanwhile, and a work tree may have a hundred times as many."""


class Footprint(NamedTuple):
    """What a run has written: where that is, and since when."""

    folders: tuple[Path, ...]
    """Those in which it can write most come first."""
    since: int = 0
    """The start of the run by the clock of files, in nanoseconds."""


class DiskUsage:
    """Counts, a part at each look; the next round begins when one is through."""

    def __init__(self, written: Footprint, most: int, streams: Iterable[int]) -> None:
        """Take the bytes that are allowed, and the descriptors of streams that are cut anyway."""
        self._folders, self._since = written
        self._most = most
        self._streams = {_identity(os.fstat(each)) for each in streams if each >= 0}
        self._round: Iterator[int] | None = None

    def is_exceeded(self, processes: Iterable[int]) -> bool:
        """Look at some more files; tell whether those of this round are too large already."""
        if self._round is None:
            self._round = self._sums([*processes])
        looked = 0
        for used in islice(self._round, _FILES_PER_LOOK):
            looked += 1
            if used > self._most:
                return True
        if looked < _FILES_PER_LOOK:
            self._round = None
        return False

    def _sums(self, processes: Iterable[int]) -> Iterator[int]:
        """Yield the bytes found so far, at each file."""
        used = 0
        for size in self._nameless(processes):
            used += size
            yield used
        line = [os.fspath(folder) for folder in self._folders]
        known = set(line)
        for folder in line:  # it grows as it is gone through
            with suppress(OSError), os.scandir(folder) as entries:  # it may vanish while we look
                for entry in entries:
                    with suppress(OSError):
                        seen = entry.stat(follow_symlinks=False)
                        if seen.st_ctime_ns >= self._since:
                            used += max(seen.st_blocks * _BLOCK_BYTES, _LEAST_BYTES)
                        if stat.S_ISDIR(seen.st_mode) and entry.path not in known:
                            line.append(entry.path)
                    yield used

    def _nameless(self, processes: Iterable[int]) -> Iterator[int]:
        """Yield the size of each open file that no folder has any more; 0 for the others."""
        counted = set(self._streams)
        for pid in processes:
            with suppress(OSError), os.scandir(f"/proc/{pid}/fd") as entries:
                for entry in entries:
                    size = 0
                    with suppress(OSError):
                        seen = entry.stat()
                        if not seen.st_nlink and _identity(seen) not in counted:
                            counted.add(_identity(seen))
                            size = seen.st_blocks * _BLOCK_BYTES
                    yield size


def _identity(seen: os.stat_result) -> tuple[int, int]:
    return seen.st_dev, seen.st_ino
