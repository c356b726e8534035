"""Reads the code of methods: instructions, with labels where something leads to or is said of."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import ClassVar

from wynot.formats.containers.classfiles.class_bytes import (
    ClassBytes,
    ClassConstants,
    JavaConstant,
)
from wynot.formats.containers.classfiles.code_items import (
    JUMPS,
    LABEL,
    CodeHandler,
    CodeItem,
    CodeVariable,
    JavaCode,
)
from wynot.formats.containers.classfiles.frame_reading import read_frames
from wynot.formats.containers.classfiles.java_operations import (
    ARRAY_KINDS,
    CLASS_NAMES,
    FIELD_NAMES,
    INVOKE_NAMES,
    JAVA_NAMES,
    VARIABLE_KINDS,
)
from wynot.formats.containers.container import Broken, check
from wynot.formats.containers.symbolic.float_texts import float_bytes

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
