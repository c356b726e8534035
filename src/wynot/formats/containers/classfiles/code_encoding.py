"""Writes the code of methods: the shortest form of each instruction, and offsets for labels."""

import struct
from collections.abc import Callable, Sequence
from typing import ClassVar

from wynot.formats.containers.classfiles.class_bytes import DynamicMention, JavaConstant
from wynot.formats.containers.classfiles.code_items import (
    JUMPS,
    LABEL,
    CodeItem,
    JavaCode,
    without_idle_cases,
)
from wynot.formats.containers.classfiles.constant_pool import ConstantPool
from wynot.formats.containers.classfiles.frame_writing import FrameWriting
from wynot.formats.containers.classfiles.java_operations import (
    ARRAY_KINDS,
    CLASS_NAMES,
    FIELD_NAMES,
    INVOKE_NAMES,
    JAVA_CODES,
    VARIABLE_KINDS,
    width_of,
)
from wynot.formats.containers.classfiles.java_types import method_type
from wynot.formats.containers.symbolic.float_texts import float_bytes

_MAX_CODE_BYTES = (1 << 16) - 1
_SHORT_LIMIT = 1 << 15
_WIDE = bytes((JAVA_CODES["wide"],))
_ONE_BYTE = 256
_SHORT_VARIABLES = 4
_PLAIN_FLOATS = {
    **{float_bytes(str(number), "f"): 11 + number for number in range(3)},
    **{float_bytes(str(number), "d"): 14 + number for number in range(2)},
}


class CodeTooLargeError(Exception):
    """There is more code than a method may have, or something leads too far."""


class CodeEncoding:
    """One method's code that is written."""

    def __init__(self, pool: ConstantPool) -> None:
        self._pool = pool
        self._offsets: dict[str, int] = {}
        self._at = 0

    def written(self, code: JavaCode, initial: Sequence[str], *, has_frames: bool) -> bytes:
        """Return the content of the attribute; ``initial``: the types of variables at first."""
        pieces: list[tuple[int, bytes, CodeItem | None]] = []
        for item in without_idle_cases(code.items):
            if item[0] == LABEL:
                self._offsets.setdefault(item[1], self._at)
                continue
            content = self._WRITERS.get(item[0], _plain)(self, item)
            leads = item if item[0] in JUMPS or item[0] == "switch" else None
            pieces.append((self._at, content, leads))
            self._at += len(content)
        if self._at > _MAX_CODE_BYTES:
            raise CodeTooLargeError
        body = b"".join(self._led(*piece) for piece in pieces)
        attributes = [*self._attributes(code, initial, has_frames=has_frames)]
        handlers = self._handlers(code)
        return b"".join(
            (
                struct.pack(">HHI", code.max_stack, code.max_variables, len(body)),
                body,
                struct.pack(">H", len(handlers)),
                *handlers,
                struct.pack(">H", len(attributes)),
                *attributes,
            )
        )

    def _handlers(self, code: JavaCode) -> list[bytes]:
        found = []
        for start, stop, handler, caught in code.handlers:
            places = [self._offsets.get(label, -1) for label in (start, stop, handler)]
            if min(places) >= 0 and places[0] < places[1] and places[2] < self._at:
                number = self._pool.class_name(caught) if caught else 0
                found.append(struct.pack(">4H", *places, number))
        return found

    def _attributes(
        self, code: JavaCode, initial: Sequence[str], *, has_frames: bool
    ) -> list[bytes]:
        found = []
        lines = [
            struct.pack(">HH", self._offsets[label], line)
            for label, line in code.lines
            if self._offsets.get(label, self._at) < self._at
        ]
        if lines:
            found.append(self._attribute("LineNumberTable", lines))
        for is_generic, name in ((False, "LocalVariableTable"), (True, "LocalVariableTypeTable")):
            variables = [*self._variables(code, is_generic=is_generic)]
            if variables:
                found.append(self._attribute(name, variables))
        frames = FrameWriting(self._pool, self._offsets) if has_frames else None
        content = frames.written(code.frames, initial, self._at) if frames else b""
        if content:
            number = self._pool.text("StackMapTable")
            found.append(struct.pack(">HI", number, len(content)) + content)
        return found

    def _attribute(self, name: str, entries: list[bytes]) -> bytes:
        content = struct.pack(">H", len(entries)) + b"".join(entries)
        return struct.pack(">HI", self._pool.text(name), len(content)) + content

    def _variables(self, code: JavaCode, *, is_generic: bool) -> list[bytes]:
        """Return what variables are called; none twice, and no signature of what is not called."""
        plain: dict[tuple[int, int, str, int], str] = {}
        generic: dict[tuple[int, int, str, int], str] = {}
        for each in code.variables:
            start, stop = self._offsets.get(each.start, -1), self._offsets.get(each.stop, -1)
            if 0 <= start <= stop:
                key = start, stop - start, each.name, each.number
                (generic if each.is_generic else plain).setdefault(key, each.type)
        if is_generic:
            plain = {key: kind for key, kind in generic.items() if key in plain}
        return [
            struct.pack(">5H", start, size, self._pool.text(name), self._pool.text(kind), number)
            for (start, size, name, number), kind in plain.items()
        ]

    def _led(self, at: int, content: bytes, item: CodeItem | None) -> bytes:
        """Return an instruction with the offsets of where it leads to."""
        if item is None:
            return content
        if item[0] == "switch":
            return self._switched(at, item)
        offset = self._offsets[item[1]] - at
        if item[0].endswith("_w"):
            return content[:1] + struct.pack(">i", offset)
        if not -_SHORT_LIMIT <= offset < _SHORT_LIMIT:
            raise CodeTooLargeError
        return content[:1] + struct.pack(">h", offset)

    def _switched(self, at: int, item: CodeItem) -> bytes:
        _, otherwise, cases = item
        offsets = {number: self._offsets[label] - at for number, label in cases}
        name = b"\xaa" if _is_table(cases) else b"\xab"
        head = name + bytes(-(at + 1) % 4) + struct.pack(">i", self._offsets[otherwise] - at)
        if name == b"\xaa":
            low, high = cases[0][0], cases[-1][0]
            rest = self._offsets[otherwise] - at
            targets = [offsets.get(number, rest) for number in range(low, high + 1)]
            return head + struct.pack(f">{2 + len(targets)}i", low, high, *targets)
        pairs = [number for pair in offsets.items() for number in pair]
        return head + struct.pack(f">{1 + len(pairs)}i", len(cases), *pairs)

    def _switch(self, item: CodeItem) -> bytes:
        """Return as many bytes as it will have."""
        cases = item[2]
        size = 1 + -(self._at + 1) % 4 + 8 + 8 * len(cases)
        if _is_table(cases):
            size = 1 + -(self._at + 1) % 4 + 12 + 4 * (cases[-1][0] - cases[0][0] + 1)
        return bytes(size)

    def _variable(self, item: CodeItem) -> bytes:
        name, number = item
        if number < _SHORT_VARIABLES and name != "ret":
            return bytes((JAVA_CODES[f"{name}_{number}"],))
        code = bytes((JAVA_CODES[name],))
        if number < _ONE_BYTE:
            return code + bytes((number,))
        return _WIDE + code + struct.pack(">H", number)

    def _increment(self, item: CodeItem) -> bytes:
        _, number, step = item
        code = bytes((JAVA_CODES["iinc"],))
        if number < _ONE_BYTE and -128 <= step < 128:  # noqa: PLR2004 - one byte
            return code + struct.pack(">Bb", number, step)
        return _WIDE + code + struct.pack(">Hh", number, step)

    def _constant(self, item: CodeItem) -> bytes:
        constant: JavaConstant = item[1]
        plain = _plain_constant(constant)
        if plain is not None:
            return plain
        number = self._pool.constant(constant)
        if not is_short_constant(constant):
            return struct.pack(">BH", JAVA_CODES["ldc2_w"], number)
        if number < _ONE_BYTE:
            return bytes((JAVA_CODES["ldc"], number))
        return struct.pack(">BH", JAVA_CODES["ldc_w"], number)

    def _jump(self, item: CodeItem) -> bytes:
        return bytes((JAVA_CODES[item[0]], *([0] * (4 if item[0].endswith("_w") else 2))))

    def _field(self, item: CodeItem) -> bytes:
        return struct.pack(">BH", JAVA_CODES[item[0]], self._pool.member(item[1], is_field=True))

    def _invoke(self, item: CodeItem) -> bytes:
        name, member = item
        written = struct.pack(">BH", JAVA_CODES[name], self._pool.member(member, is_field=False))
        if name == "invokeinterface":
            called = method_type(member.descriptor)
            written += bytes((1 + width_of(called.kinds) if called else 1, 0))
        return written

    def _dynamic(self, item: CodeItem) -> bytes:
        number = self._pool.dynamic(item[1], is_call=True)
        return struct.pack(">BHH", JAVA_CODES["invokedynamic"], number, 0)

    def _class(self, item: CodeItem) -> bytes:
        return struct.pack(">BH", JAVA_CODES[item[0]], self._pool.class_name(item[1]))

    def _array(self, item: CodeItem) -> bytes:
        return bytes((JAVA_CODES["newarray"], ARRAY_KINDS[item[1]][0]))

    def _arrays(self, item: CodeItem) -> bytes:
        return self._class(item) + bytes((item[2],))

    _WRITERS: ClassVar[dict[str, Callable[["CodeEncoding", CodeItem], bytes]]] = {
        **dict.fromkeys(VARIABLE_KINDS, _variable),
        **dict.fromkeys(JUMPS, _jump),
        **dict.fromkeys(FIELD_NAMES, _field),
        **dict.fromkeys(INVOKE_NAMES, _invoke),
        **dict.fromkeys(CLASS_NAMES, _class),
        "ret": _variable,
        "ldc": _constant,
        "iinc": _increment,
        "switch": _switch,
        "invokedynamic": _dynamic,
        "newarray": _array,
        "multianewarray": _arrays,
    }


def _plain_constant(constant: JavaConstant) -> bytes | None:
    """Return the instruction for a constant that needs no number; None if it does."""
    kind, value = constant
    if kind == "int" and isinstance(value, int):
        if -1 <= value <= 5:  # noqa: PLR2004 - those that have a code of their own
            return bytes((3 + value,))
        if -128 <= value < 128:  # noqa: PLR2004 - one byte
            return struct.pack(">Bb", 16, value)
        if -_SHORT_LIMIT <= value < _SHORT_LIMIT:
            return struct.pack(">Bh", 17, value)
    if kind == "long" and isinstance(value, int) and 0 <= value <= 1:
        return bytes((9 + value,))
    if isinstance(value, bytes) and value in _PLAIN_FLOATS:
        return bytes((_PLAIN_FLOATS[value],))
    return None


def is_short_constant(constant: JavaConstant) -> bool:
    """Tell whether a constant has a number that may be written in one byte."""
    kind, value = constant
    if isinstance(value, DynamicMention):
        return value.descriptor not in {"J", "D"}
    return kind not in {"long", "double"} and _plain_constant(constant) is None


def _plain(_writing: CodeEncoding, item: CodeItem) -> bytes:
    return bytes((JAVA_CODES[item[0]],))


def _is_table(cases: Sequence[tuple[int, str]]) -> bool:
    """Tell whether cases take fewer bytes as a table than in pairs."""
    if not cases:
        return False
    return 12 + 4 * (cases[-1][0] - cases[0][0] + 1) <= 8 + 8 * len(cases)
