"""Writes what a class says of types where code is led to, in as few bytes as can be."""

import struct
from collections.abc import Iterator, Mapping, Sequence

from wynot.formats.containers.classfiles.code_items import CodeFrame
from wynot.formats.containers.classfiles.constant_pool import ConstantPool

_PLAIN = {".": 0, "I": 1, "F": 2, "D": 3, "J": 4, "N": 5, "T": 6}
_OBJECT, _UNINITIALISED = 7, 8
_SHORT_OFFSETS, _FIRST_ONE_VALUE, _LONG_ONE_VALUE, _LONG_SAME, _FULL = 64, 64, 247, 251, 255
_MOST_CHANGED = 3


class FrameWriting:
    """Writes the frames of one method."""

    def __init__(self, pool: ConstantPool, offsets: Mapping[str, int]) -> None:
        self._pool, self._offsets = pool, offsets

    def written(self, frames: Mapping[str, CodeFrame], initial: Sequence[str], size: int) -> bytes:
        """Return all frames that are where an instruction begins, in order; empty if none is."""
        placed = {
            self._offsets[label]: frame
            for label, frame in reversed(list(frames.items()))
            if label in self._offsets and self._offsets[label] < size
        }
        pieces = [*self._pieces(placed, tuple(initial))]
        return struct.pack(">H", len(pieces)) + b"".join(pieces) if pieces else b""

    def _pieces(self, placed: Mapping[int, CodeFrame], before: tuple[str, ...]) -> Iterator[bytes]:
        last = -1
        for at in sorted(placed):
            variables, stack = placed[at]
            yield self._frame(at - last - 1, before, variables, stack)
            last, before = at, variables

    def _frame(
        self,
        offset: int,
        before: tuple[str, ...],
        variables: tuple[str, ...],
        stack: tuple[str, ...],
    ) -> bytes:
        if variables == before and len(stack) == 1:
            if offset < _SHORT_OFFSETS:
                return bytes((_FIRST_ONE_VALUE + offset,)) + self._value(stack[0])
            return struct.pack(">BH", _LONG_ONE_VALUE, offset) + self._value(stack[0])
        if not stack:
            more = len(variables) - len(before)
            if more == 0 and variables == before:
                if offset < _SHORT_OFFSETS:
                    return bytes((offset,))
                return struct.pack(">BH", _LONG_SAME, offset)
            same = min(len(variables), len(before))
            if 0 < abs(more) <= _MOST_CHANGED and variables[:same] == before[:same]:
                added = b"".join(map(self._value, variables[same:]))
                return struct.pack(">BH", _LONG_SAME + more, offset) + added
        pieces = [struct.pack(">BH", _FULL, offset)]
        for values in (variables, stack):
            pieces.append(struct.pack(">H", len(values)))
            pieces += map(self._value, values)
        return b"".join(pieces)

    def _value(self, value: str) -> bytes:
        if value[0] == "L":
            return struct.pack(">BH", _OBJECT, self._pool.class_name(value[1:]))
        if value[0] == "U":
            at = self._offsets.get(value[1:])
            return b"\0" if at is None else struct.pack(">BH", _UNINITIALISED, at)
        return bytes((_PLAIN[value],))
