"""Reads bytes from the first to the last; what is cut short raises ``Broken``."""

from wynot.formats.containers.container import CUT_SHORT, check


class ByteReader:
    """Bytes, and how far they are read."""

    def __init__(self, data: bytes, at: int = 0, stop: int | None = None) -> None:
        self.data, self.at = data, at
        self.stop = len(data) if stop is None else stop

    @property
    def is_read(self) -> bool:
        """Whether there is no more."""
        return self.at >= self.stop

    def byte(self) -> int:
        """Read one byte."""
        at = self.at
        check(at < self.stop, CUT_SHORT)
        self.at = at + 1
        return self.data[at]

    def take(self, size: int) -> bytes:
        """Read some bytes."""
        start = self.at
        check(size <= self.stop - start, CUT_SHORT)
        self.at = start + size
        return self.data[start : self.at]
