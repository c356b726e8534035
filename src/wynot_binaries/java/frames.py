"""What a class states of types where code is led to: read, written, worked out."""

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wynot.formats.containers.container import Broken, check
from wynot_binaries.java.constant_pool import ClassBytes, ClassConstants, ConstantPool
from wynot_binaries.java.java_operations import CodeFrame
from wynot_binaries.java.java_types import NULL, OBJECT, TOP, kinds_of

_PLAIN = {0: ".", 1: "I", 2: "F", 3: "D", 4: "J", 5: "N", 6: "T"}
_OBJECT, _UNINITIALISED = 7, 8
_SAME, _ONE_VALUE, _LONG_ONE_VALUE, _LEAST_CHOPPED, _LONG_SAME, _FULL = 63, 127, 247, 248, 251, 255


def read_frames(  # noqa: C901 - one branch for each kind of frame
    source: ClassBytes,
    constants: ClassConstants,
    initial: tuple[str, ...],
    label: Callable[[int], str],
) -> list[tuple[int, CodeFrame]]:
    """Read all frames: where they are, and what they say in full."""

    def value() -> str:
        tag = source.byte()
        if tag == _OBJECT:
            return f"L{constants.class_name(source.short())}"
        if tag == _UNINITIALISED:
            return f"U{label(source.short())}"
        if tag not in _PLAIN:
            raise Broken("it has frames that are unknown")
        return _PLAIN[tag]

    found: list[tuple[int, CodeFrame]] = []
    variables, at = initial, -1
    for _ in range(source.short()):
        tag = source.byte()
        stack: tuple[str, ...] = ()
        check(tag <= _ONE_VALUE or tag >= _LONG_ONE_VALUE, "it has frames that are unknown")
        if tag <= _ONE_VALUE:
            at += tag % 64 + 1
            stack = (value(),) if tag > _SAME else ()
        else:
            at += source.short() + 1
        if tag == _LONG_ONE_VALUE:
            stack = (value(),)
        elif _LEAST_CHOPPED <= tag < _LONG_SAME:
            check(len(variables) >= _LONG_SAME - tag, "it has frames that make no sense")
            variables = variables[: len(variables) - (_LONG_SAME - tag)]
        elif _LONG_SAME < tag < _FULL:
            variables = (*variables, *(value() for _ in range(tag - _LONG_SAME)))
        elif tag == _FULL:
            variables = tuple(value() for _ in range(source.short()))
            stack = tuple(value() for _ in range(source.short()))
        constants.room.take(len(variables))  # most frames say only how they differ from the last
        found.append((at, CodeFrame(variables, stack)))
    source.finish()
    return found


_PLAIN_TAGS = {name: tag for tag, name in _PLAIN.items()}
_SHORT_OFFSETS, _FIRST_ONE_VALUE = 64, 64
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
        return bytes((_PLAIN_TAGS[value],))


Place = str | int
"""A variable, or how many values are below one on the stack."""


@dataclass(slots=True)
class LabelState:
    """The types of variables that can be used, and of what is on the stack."""

    variables: dict[str, str]
    stack: list[str]

    def copied(self) -> "LabelState":
        """Return one that can be changed by itself."""
        return LabelState(dict(self.variables), list(self.stack))


@dataclass(slots=True)
class LabelStates:
    """The states at labels, merged from all places that lead there."""

    hints: Mapping[tuple[str, Place], str]
    """Classes that others have in common, by label and place."""
    states: dict[str, LabelState] = field(default_factory=dict)
    used: dict[str, LabelState] = field(default_factory=dict)
    """As they were when the code there was written."""
    conflicts: set[tuple[str, Place]] = field(default_factory=set)
    """Where different classes meet."""

    def begin(self) -> None:
        """Begin to write the code again, with what is known by now."""
        self.used = {}
        self.conflicts = set()

    @property
    def are_settled(self) -> bool:
        """Whether nothing was learned of a place after the code there was written."""
        return all(self.used.get(label) == state for label, state in self.states.items())

    def arrive(self, label: str, variables: Mapping[str, str], stack: list[str]) -> bool:
        """Lead to a label; False if the stack there is another one."""
        known = self.states.get(label)
        if known is None:
            self.states[label] = LabelState(dict(variables), list(stack))
            return True
        if kinds_of(known.stack) != kinds_of(stack):
            return False
        if variables != known.variables:
            known.variables = self._merged(label, known.variables, variables)
        for at, value in enumerate(stack):
            if value != known.stack[at]:
                known.stack[at] = self._common(label, at, known.stack[at], value)
        return True

    def pass_by(self, label: str) -> LabelState | None:
        """Return the state at a label whose code is written next."""
        known = self.states.get(label)
        if known is None:
            return None
        self.used[label] = known.copied()
        return known.copied()

    def _merged(
        self, label: str, known: Mapping[str, str], others: Mapping[str, str]
    ) -> dict[str, str]:
        found = {}
        for name, value in known.items():
            other = others.get(name, TOP)
            common = value if other == value else self._common(label, name, value, other)
            if common != TOP:
                found[name] = common
        return found

    def _common(self, label: str, place: Place, one: str, other: str) -> str:
        """Return the type of what is one thing or another."""
        firsts = one[0] + other[0]
        if firsts in {"NL", "LN"}:
            return other if one == NULL else one
        if firsts != "LL":
            return TOP
        hint = self.hints.get((label, place), f"L{OBJECT}")
        self.conflicts.add((label, place))
        return hint
