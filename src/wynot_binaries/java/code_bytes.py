"""The code of methods as bytes: read with labels, and written in its shortest form."""

import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import ClassVar

from wynot.formats.containers.container import Broken, check
from wynot_binaries.java.constant_pool import (
    ClassBytes,
    ClassConstants,
    ConstantPool,
    DynamicMention,
    JavaConstant,
)
from wynot_binaries.java.frames import FrameWriting, read_frames
from wynot_binaries.java.java_operations import (
    ARRAY_KINDS,
    CLASS_NAMES,
    FIELD_NAMES,
    INVOKE_NAMES,
    JAVA_CODES,
    JAVA_NAMES,
    JUMPS,
    LABEL,
    VARIABLE_KINDS,
    CodeHandler,
    CodeItem,
    CodeVariable,
    JavaCode,
    width_of,
    without_idle_cases,
)
from wynot_binaries.java.java_types import method_type
from wynot_binaries.symbolic_lists import float_bytes

_UNKNOWN = "it has an instruction that is unknown"
_PLAIN_CONSTANTS = {
    **{3 + number: JavaConstant("int", number) for number in range(-1, 6)},
    **{9 + number: JavaConstant("long", number) for number in range(2)},
    **{11 + number: JavaConstant("float", float_bytes(str(number), "f")) for number in range(3)},
    **{14 + number: JavaConstant("double", float_bytes(str(number), "d")) for number in range(2)},
}
_ARRAY_WORDS = {code: word for word, (code, _) in ARRAY_KINDS.items()}
_MAX_SWITCH_CASES = 20_000


class CodeDecoding:
    """One method's code that is read."""

    def __init__(self, source: ClassBytes, constants: ClassConstants) -> None:
        self._source, self._constants = source, constants
        self._code = ClassBytes(b"")
        self._start = 0
        self._starts: dict[int, CodeItem] = {}
        self._mentioned: set[int] = set()

    def read(self, initial: tuple[str, ...]) -> JavaCode:
        """Read all; ``initial``: the types of variables at the beginning."""
        source = self._source
        max_stack, max_variables = source.short(), source.short()
        self._code = ClassBytes(source.take(source.number()))
        while not self._code.is_read:
            self._start = self._code.at
            self._starts[self._start] = self._instruction(self._code.byte())
        handlers = [self._handler() for _ in range(source.short())]
        lines: list[tuple[int, int]] = []
        variables: list[tuple[int, int, int, str, str, bool]] = []
        frames = []
        for _ in range(source.short()):
            name = self._constants.text(source.short())
            content = ClassBytes(source.take(source.number()))
            if name == "LineNumberTable":
                lines += ((content.short(), content.short()) for _ in range(content.short()))
            elif name in {"LocalVariableTable", "LocalVariableTypeTable"}:
                variables += self._variables(content, is_generic=name.endswith("TypeTable"))
            elif name == "StackMapTable":
                frames += read_frames(content, self._constants, initial, self._label)
        source.finish()
        self._mentioned.update(at for at, _ in lines)
        self._mentioned.update(at for at, _ in frames)
        known = sorted(self._mentioned)
        check(
            all(at in self._starts or at == len(self._code.data) for at in known),
            "it leads into an instruction",
        )
        return JavaCode(
            max_stack,
            max_variables,
            list(self._items()),
            handlers,
            {label_at(at): frame for at, frame in frames},
            [(label_at(at), line) for at, line in lines],
            [
                CodeVariable(number, name, kind, label_at(start), label_at(stop), is_generic)
                for start, stop, number, name, kind, is_generic in variables
            ],
        )

    def _items(self) -> Iterator[CodeItem]:
        for at, item in self._starts.items():
            if at in self._mentioned:
                yield (LABEL, label_at(at))
            yield item
        if len(self._code.data) in self._mentioned:
            yield (LABEL, label_at(len(self._code.data)))

    def _label(self, at: int) -> str:
        self._mentioned.add(at)
        return label_at(at)

    def _handler(self) -> CodeHandler:
        start, stop, handler, caught = (self._source.short() for _ in range(4))
        name = self._constants.class_name(caught) if caught else ""
        return CodeHandler(self._label(start), self._label(stop), self._label(handler), name)

    def _variables(
        self, content: ClassBytes, *, is_generic: bool
    ) -> Iterator[tuple[int, int, int, str, str, bool]]:
        for _ in range(content.short()):
            start, length = content.short(), content.short()
            name, kind = (self._constants.text(content.short()) for _ in range(2))
            self._mentioned.update((start, start + length))
            yield start, start + length, content.short(), name, kind, is_generic

    def _instruction(self, code: int) -> CodeItem:
        check(code < len(JAVA_NAMES), _UNKNOWN)
        if code in _PLAIN_CONSTANTS:
            return ("ldc", _PLAIN_CONSTANTS[code])
        name = JAVA_NAMES[code]
        if name[-2:-1] == "_" and name[-1].isdigit() and name[:-2] in VARIABLE_KINDS:
            return (name[:-2], int(name[-1]))
        read = self._READERS.get(name)
        return read(self, name) if read else (name,)

    def _variable(self, name: str) -> CodeItem:
        return (name, self._code.byte())

    def _increment(self, name: str) -> CodeItem:
        return (name, self._code.byte(), _signed(self._code.byte(), 8))

    def _byte(self, _name: str) -> CodeItem:
        return ("ldc", JavaConstant("int", _signed(self._code.byte(), 8)))

    def _short(self, _name: str) -> CodeItem:
        return ("ldc", JavaConstant("int", _signed(self._code.short(), 16)))

    def _constant(self, name: str) -> CodeItem:
        number = self._code.byte() if name == "ldc" else self._code.short()
        return ("ldc", self._constants.constant(number))

    def _jump(self, name: str) -> CodeItem:
        if name.endswith("_w"):
            return (name, self._label(self._start + _signed(self._code.number(), 32)))
        return (name, self._label(self._start + _signed(self._code.short(), 16)))

    def _switch(self, name: str) -> CodeItem:
        code = self._code
        code.take(-code.at % 4)
        otherwise = self._label(self._start + _signed(code.number(), 32))
        if name == "tableswitch":
            low, high = (_signed(code.number(), 32) for _ in range(2))
            check(low <= high < low + _MAX_SWITCH_CASES, "a switch makes no sense")
            numbers = range(low, high + 1)
            pairs = [(each, self._target()) for each in numbers]
        else:
            count = code.number()
            check(count <= _MAX_SWITCH_CASES, "a switch makes no sense")
            pairs = [(_signed(code.number(), 32), self._target()) for _ in range(count)]
        check(
            all(one < other for (one, _), (other, _) in pairwise(pairs)),
            "a switch makes no sense",
        )
        return ("switch", otherwise, tuple(pair for pair in pairs if pair[1] != otherwise))

    def _target(self) -> str:
        return self._label(self._start + _signed(self._code.number(), 32))

    def _field(self, name: str) -> CodeItem:
        return (name, self._constants.field(self._code.short()))

    def _invoke(self, name: str) -> CodeItem:
        item = (name, self._constants.method(self._code.short()))
        if name == "invokeinterface":
            self._code.take(2)
        return item

    def _dynamic(self, name: str) -> CodeItem:
        item = (name, self._constants.call_site(self._code.short()))
        self._code.take(2)
        return item

    def _class(self, name: str) -> CodeItem:
        return (name, self._constants.class_name(self._code.short()))

    def _array(self, name: str) -> CodeItem:
        kind = self._code.byte()
        check(kind in _ARRAY_WORDS, "it makes an array of an unknown kind")
        return (name, _ARRAY_WORDS[kind])

    def _arrays(self, name: str) -> CodeItem:
        return (name, self._constants.class_name(self._code.short()), self._code.byte())

    def _wide(self, _name: str) -> CodeItem:
        code = self._code.byte()
        check(code < len(JAVA_NAMES), _UNKNOWN)
        name = JAVA_NAMES[code]
        if name == "iinc":
            return (name, self._code.short(), _signed(self._code.short(), 16))
        if name not in VARIABLE_KINDS and name != "ret":
            raise Broken(_UNKNOWN)
        return (name, self._code.short())

    _READERS: ClassVar[dict[str, Callable[["CodeDecoding", str], CodeItem]]] = {
        **dict.fromkeys(VARIABLE_KINDS, _variable),
        **dict.fromkeys(JUMPS, _jump),
        **dict.fromkeys(FIELD_NAMES, _field),
        **dict.fromkeys(INVOKE_NAMES, _invoke),
        **dict.fromkeys(CLASS_NAMES, _class),
        **dict.fromkeys(("ldc", "ldc_w", "ldc2_w"), _constant),
        **dict.fromkeys(("tableswitch", "lookupswitch"), _switch),
        "ret": _variable,
        "iinc": _increment,
        "bipush": _byte,
        "sipush": _short,
        "invokedynamic": _dynamic,
        "newarray": _array,
        "multianewarray": _arrays,
        "wide": _wide,
    }


def label_at(place: int) -> str:
    """Return the label of a place in the code."""
    return f"$l{place}"


def _signed(number: int, bits: int) -> int:
    return number - (1 << bits) if number >> bits - 1 else number


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
