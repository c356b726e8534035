"""What a program prints, kept in a file, and how much a run has written.

The middle of a long output is taken away while the program runs: the file gets a hole, and stays as
long as it is. So nothing that is written at the same time is lost, and nobody notices.

What a run has written is whatever has changed in the private folder since the run began, and the
files that its processes hold open though they have no name any more, those in memory
(``memfd_create``) included. Files that are only mapped, and paths that are too long for the system,
are not seen.

Files that a test has written are read back with care, since it can make anything of its folder: a
link to a file of the user's, a FIFO that nobody writes to, a file that is larger than memory.
"""

import ctypes
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from wynot.core.system.beneath import open_beneath

_FLAGS = os.O_RDWR | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
_NEW = _FLAGS | os.O_CREAT | os.O_NOFOLLOW
_NAMELESS = _FLAGS | getattr(os, "O_TMPFILE", os.O_CREAT)
_KEEP_SIZE, _PUNCH_HOLE = 1, 2

_library = ctypes.CDLL(None)
_fallocate = getattr(_library, "fallocate64", getattr(_library, "fallocate", None))


class Stream:
    """One stream of a run."""

    def __init__(self, folder: Path, most: int) -> None:
        self.descriptor = _nameless(folder)
        self._head = most // 2
        self._tail = most - self._head
        self._hole = self._head
        """Where the hole ends so far."""

    def cut(self) -> bool:
        """Take the middle away if the file has become too long since; tell whether it had."""
        end = os.fstat(self.descriptor).st_size - self._tail
        if end <= self._hole:
            return False
        if not _punch(self.descriptor, self._hole, end):
            # What is written at this moment may be lost; what comes then goes to where it now ends.
            os.ftruncate(self.descriptor, self._head)
            return True
        self._hole = end
        return True

    def read(self) -> bytes:
        """Return what was written, or the beginning and the end of it."""
        size = os.fstat(self.descriptor).st_size
        left_out = size - self._head - self._tail
        if left_out <= 0:
            return _read(self.descriptor, 0, size)
        note = b"\n[... %d bytes left out ...]\n" % left_out
        end = _read(self.descriptor, size - self._tail, self._tail)
        return _read(self.descriptor, 0, self._head) + note + end

    def clear(self) -> None:
        """Forget what was written: what comes then is appended to nothing."""
        os.ftruncate(self.descriptor, 0)
        self._hole = self._head

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


def _nameless(folder: Path) -> int:
    """Open a new file that nobody else finds, and that goes away with its descriptor."""
    try:
        return os.open(folder, _NAMELESS, 0o600)
    except FileNotFoundError:
        raise
    except OSError:  # not every system has those, nor every disk
        path = folder / f"stream-{os.urandom(8).hex()}"
        descriptor = os.open(path, _NEW, 0o600)
        path.unlink()
        return descriptor


def _punch(descriptor: int, start: int, end: int) -> bool:
    """Give back what a file takes between two places; tell whether that was possible."""
    if _fallocate is None:
        return False
    place, length = ctypes.c_int64(start), ctypes.c_int64(end - start)
    done: int = _fallocate(descriptor, _KEEP_SIZE | _PUNCH_HOLE, place, length)
    return done == 0


def _read(descriptor: int, start: int, most: int) -> bytes:
    """Read so many bytes from there on, or to the end."""
    pieces = []
    while most > 0 and (piece := os.pread(descriptor, most, start)):
        pieces.append(piece)
        start += len(piece)
        most -= len(piece)
    return b"".join(pieces)


class Streams:
    """The three streams of a run: its input, and its output if it is wanted."""

    __slots__ = ("_captured", "_stdin", "standard")

    def __init__(self, null: int, stdin: int | None, captured: tuple[Stream, ...]) -> None:
        self._stdin = stdin
        self._captured = captured
        outputs = tuple(stream.descriptor for stream in captured) or (null, null)
        self.standard = (null if stdin is None else stdin, *outputs)

    def cut(self) -> bool:
        """Cut back what has become too long; tell whether anything had."""
        return sum(stream.cut() for stream in self._captured) > 0

    def read(self) -> tuple[bytes, bytes]:
        """Return what was captured, nothing if it was not to be."""
        stdout, stderr = [stream.read() for stream in self._captured] or (b"", b"")
        return stdout, stderr

    def close(self) -> None:
        """Close the files."""
        if self._stdin is not None:
            os.close(self._stdin)
        for stream in self._captured:
            stream.close()


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


def read_back(folder: Path, path: str, most: int) -> bytes | None:
    """Return the beginning of a file in a folder, None if there is no plain file to be read."""
    try:
        handle = open_beneath(folder, path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)
