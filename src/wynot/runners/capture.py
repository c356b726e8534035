"""What a program prints, kept in a file, never in a pipe that somebody could hold open.

Of a long output the middle is taken away while the program runs: the file gets a hole, and stays as
long as it is. So nothing that is written at the same time is lost, and nobody notices.
"""

import ctypes
import os
from pathlib import Path

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
