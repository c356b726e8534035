"""Compressed data unpacked within bounds: a few kilobytes of zlib can be gigabytes of zeros."""

import zlib

MAX_UNPACKED_BYTES = 4 << 30
"""No file that wynot reduces is as large."""


def unpacked(packed: bytes, most: int = MAX_UNPACKED_BYTES) -> bytes:
    """Return what was compressed with zlib.

    Raises zlib.error if it is damaged, and ValueError if it is too large.
    """
    stream = zlib.decompressobj()
    content = stream.decompress(packed, most + 1)
    if len(content) > most:
        raise ValueError(f"it has more than {most:,} bytes")
    if not stream.eof:
        raise zlib.error("the end is missing")
    return content


class UnpackingRoom:
    """How much may be unpacked of the file of a stranger: at once, and in all."""

    def __init__(self, most_at_once: int, most_in_all: int) -> None:
        self._most_at_once = most_at_once
        self._left = most_in_all

    def unpacked(self, packed: bytes) -> bytes:
        """Unpack as long as there is room; raise ValueError if there is not."""
        content = unpacked(packed, min(self._most_at_once, self._left))
        self._left -= len(content)
        return content
