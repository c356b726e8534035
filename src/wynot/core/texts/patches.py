"""Steps as what they change, unpacked within bounds."""

import json
import zlib
from collections.abc import Callable

from wynot.core.files import Files

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


DAMAGED = (
    *(ValueError, TypeError, KeyError, AttributeError, MemoryError, RecursionError),
    zlib.error,
)
"""What comes of reading a damaged patch."""


def patch(before: Files, after: Files) -> bytes:
    """Return what leads from one to the other: per file what is in place of its middle."""
    changes: list[list[object]] = [
        [path, 0, 0, None] for path in before.contents if path not in after.contents
    ]
    for path, new in after.contents.items():
        old = before.contents.get(path)
        if old is None:  # gone, and back again with an earlier step
            changes.append([path, 0, 0, new.decode("latin-1")])
        elif new != old:
            head, tail = common_ends(old, new)
            changes.append([path, head, tail, new[head : len(new) - tail].decode("latin-1")])
    return _packed(changes)


def whole(original: Files, after: Files) -> bytes:
    """Return a patch that leads there from any step: each file in full, or that it is gone."""
    return _packed(
        [
            [path, 0, 0, None if new is None else new.decode("latin-1")]
            for path in original.contents
            for new in [after.contents.get(path)]
        ]
    )


def patched(
    files: Files, change: bytes, original: Files, unpack: Callable[[bytes], bytes] = unpacked
) -> Files:
    """Return what a patch makes of files, in the order of the original, and no others than its.

    Of a damaged patch anything may come, exceptions too: the digest of the step tells. But nothing
    grows by more than what the patch holds.
    """
    contents = dict(files.contents)
    changes = json.loads(unpack(change))
    if len({path for path, *_ in changes}) < len(changes):
        raise ValueError("a file is changed twice")
    for path, head, tail, middle in changes:
        old = contents.pop(path, b"") if middle is None else contents.get(path, b"")
        if not 0 <= head <= len(old) - tail <= len(old):
            raise ValueError("what should stay of a file is not in it")
        if middle is not None:
            contents[path] = old[:head] + middle.encode("latin-1") + old[len(old) - tail :]
    return files.replaced({path: contents[path] for path in original.contents if path in contents})


def _packed(changes: list[list[object]]) -> bytes:
    return zlib.compress(json.dumps(changes).encode("ascii"), 1)


def common_ends(old: bytes, new: bytes) -> tuple[int, int]:
    """Return the lengths of the beginning and the end that two contents have in common."""
    head = _same(old, new)
    tail = _same(old[head:][::-1], new[head:][::-1])
    return head, tail


def _same(one: bytes, other: bytes) -> int:
    """Return how far two contents are the same, by bisection: comparing slices is quick."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
