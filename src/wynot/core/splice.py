"""A splice: bytes of a text, and what stands there instead.

How a candidate's text differs from its base's is a few splices, whatever the size of the text.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Splice(NamedTuple):
    """Bytes that are replaced."""

    start: int
    stop: int
    instead: bytes


def spliced(content: bytes, splices: Sequence[Splice]) -> bytes:
    """Return a text after splices, which are in order and do not overlap."""
    if not splices:
        return content
    view = memoryview(content)
    pieces: list[bytes | memoryview] = []
    cursor = 0
    for start, stop, instead in splices:
        pieces += (view[cursor:start], instead)
        cursor = stop
    pieces.append(view[cursor:])
    return b"".join(pieces)
