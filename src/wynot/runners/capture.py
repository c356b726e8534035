"""What a program prints, kept in a file, never in a pipe that somebody could hold open.

The file is cut back while the program runs: it keeps its beginning, what was at its end is kept
here. It is opened for appending, so that whatever comes next goes to where it now ends.
"""

import os
from pathlib import Path

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class Stream:
    """One stream of a run."""

    def __init__(self, folder: Path, most: int) -> None:
        path = folder / f"stream-{os.urandom(8).hex()}"
        self.descriptor = os.open(path, _FLAGS, 0o600)
        path.unlink()  # nobody else is to find it, and it goes away with its descriptor
        self._head = most // 2
        self._most = most
        self._end = b""
        self._left_out = 0

    def cut(self) -> bool:
        """Cut the file back if it has become too long; tell whether it had."""
        size = os.fstat(self.descriptor).st_size
        if size <= self._most:
            return False
        self._take_end(size)
        os.ftruncate(self.descriptor, self._head)
        return True

    def read(self) -> bytes:
        """Return what was written, or the beginning and the end of it."""
        size = os.fstat(self.descriptor).st_size
        if not self._left_out and size <= self._most:
            return _read(self.descriptor, 0, size)
        self._take_end(size)
        note = b"\n[... %d bytes left out ...]\n" % self._left_out
        return _read(self.descriptor, 0, self._head) + note + self._end

    def close(self) -> None:
        """Let the file go."""
        os.close(self.descriptor)

    def _take_end(self, size: int) -> None:
        """Put what is behind the beginning to what was there before, and keep the end of both."""
        room = self._most - self._head
        new = _read(self.descriptor, max(self._head, size - room), room)
        end = self._end + new
        self._end = end[max(len(end) - room, 0) :]
        self._left_out += max(size - self._head - len(new), 0) + len(end) - len(self._end)


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

    def read(self) -> tuple[bytes, ...]:
        """Return what was captured, nothing if it was not to be."""
        return tuple(stream.read() for stream in self._captured)

    def close(self) -> None:
        """Let the files go."""
        if self._stdin is not None:
            os.close(self._stdin)
        for stream in self._captured:
            stream.close()
