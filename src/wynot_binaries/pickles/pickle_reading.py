"""Reads pickles: what they would make is worked out, but nothing of it is made or called."""

import pickletools
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import count
from typing import ClassVar, TypeAlias

from wynot.formats.containers.container import (
    TOO_LARGE,
    Broken,
    Member,
    Packed,
    TextRoom,
    check,
    packed_texts,
)
from wynot_binaries.symbolic_lists import float_text, quoted_bytes

CONSTANT_HEADS = frozenset({"global", "bytes", "str"})
_LARGE_NUMBER = 1 << 64


@dataclass(slots=True)
class PickledValue:
    """A value: a word, or a list that begins with what it is."""

    word: str = ""
    """If it has nothing inside."""
    head: str = ""
    inside: list["PickledValue"] = field(default_factory=list)
    literal: str | None = None
    """The text that it is, if it is one."""
    name: str = ""
    """By which others mention it, if it is no constant."""

    @property
    def is_constant(self) -> bool:
        """Whether it does not matter if two of them are the same one."""
        return bool(self.word) or self.head in CONSTANT_HEADS

    @property
    def size(self) -> int:
        """How long it is in a text, if it is a constant."""
        inside = sum(len(each.word) + 1 for each in self.inside)
        return len(self.word) + len(self.head) + inside + 3


ValuePiece: TypeAlias = "str | PickledValue"


def number_word(number: int) -> str:
    """Return a whole number; a large one in a form that takes no time to read."""
    return str(number) if -_LARGE_NUMBER < number < _LARGE_NUMBER else hex(number)


def float_word(content: bytes) -> str:
    """Return a floating-point number that is packed with its last byte first."""
    text = float_text(content, "d")
    return text if any(sign in text for sign in ".en") else f"{text}.0"


def text_value(text: str) -> PickledValue:
    """Return a text."""
    word = quoted_bytes(text.encode("utf-8", "surrogatepass"))
    return PickledValue(word, literal=text)


def written_values(values: Iterable[PickledValue]) -> Iterator[str]:
    """Return values as a text, in pieces; however deep they are."""
    waiting: list[ValuePiece] = [*reversed([*values])]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            yield piece
        elif piece.word:
            yield f" {piece.word}"
        else:
            yield f"\n({piece.head}" + (f" ={piece.name}" if piece.name else "")
            waiting += (")", *reversed(piece.inside))


MAX_PICKLE_BYTES = 16 << 20
MAX_PROTOCOL = 5
_LEAST_PROTOCOL = 2
"""Pickles before that do not say that they are any."""
_ERRORS = (ValueError, IndexError, KeyError, TypeError, OverflowError, UnicodeError)
"""What the standard library raises for bytes that are no pickle."""
_LITERALS = {"EMPTY_LIST": "list", "EMPTY_DICT": "dict", "EMPTY_SET": "set", "EMPTY_TUPLE": "tuple"}
_CONSTANTS = {"NONE": "None", "NEWTRUE": "True", "NEWFALSE": "False"}
_FIXED_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_MARKED = {"TUPLE": "tuple", "LIST": "list", "FROZENSET": "frozenset"}
_ADDING = {
    "APPEND": ("list", "append"),
    "APPENDS": ("list", "append"),
    "SETITEM": ("dict", "setitem"),
    "SETITEMS": ("dict", "setitem"),
    "ADDITEMS": ("set", "additem"),
}
_COMBINING = {"REDUCE": ("call", 2), "NEWOBJ": ("new", 2), "NEWOBJ_EX": ("newex", 3)}


def read_pickles(content: bytes) -> Packed:
    """Return a member for each pickle of a file: there may be several, one after the other."""
    check(len(content) <= MAX_PICKLE_BYTES, TOO_LARGE)
    return packed_texts(content, _pickles(content))


def _pickles(content: bytes) -> Iterator[Member]:
    source, room = BytesIO(content), TextRoom(content)
    for number in count():
        if source.tell() >= len(content):
            return
        reading = _PickleReading(room)
        try:
            reading.read(source)
        except _ERRORS as error:
            raise Broken("it is no pickle that can be read") from error
        text = "".join(reading.text()).encode("ascii")
        yield Member(f"pickle {number}.sexp", bytes((reading.protocol,)), text)


class _PickleReading:
    """The stack of values of one pickle."""

    def __init__(self, room: TextRoom) -> None:
        self._room = room
        """For constants that are mentioned: each mention is written in full."""
        self._stack: list[PickledValue] = []
        self._marks: list[int] = []
        self._memo: dict[int, PickledValue] = {}
        self.protocol = _LEAST_PROTOCOL
        self._names = 0

    def read(self, source: BytesIO) -> None:
        """Read to the end of a pickle."""
        for opcode, argument, _ in pickletools.genops(source):
            self._take(opcode.name, argument)
        check(len(self._stack) == 1 and not self._marks, "it leaves more than one value")

    def text(self) -> Iterator[str]:
        """Return what was read."""
        yield from written_values(self._stack)
        yield "\n"

    def _take(self, name: str, argument: object) -> None:
        push = self._stack.append
        if name in _CONSTANTS:
            push(PickledValue(_CONSTANTS[name]))
        elif name in _LITERALS:
            push(PickledValue(head=_LITERALS[name]))
        elif name in _FIXED_TUPLES:
            push(PickledValue(head="tuple", inside=self._popped(_FIXED_TUPLES[name])))
        elif name in _MARKED:
            push(PickledValue(head=_MARKED[name], inside=self._since_mark()))
        elif name in _ADDING:
            self._add(*_ADDING[name], self._since_mark() if name.endswith("S") else None)
        elif name in _COMBINING:
            head, count = _COMBINING[name]
            push(PickledValue(head=head, inside=self._popped(count)))
        elif name.endswith("PUT") or name == "MEMOIZE":
            check(self._stack, "it remembers nothing")
            number = len(self._memo) if argument is None else int(str(argument))
            self._memo[number] = self._stack[-1]
        elif name.endswith("GET"):
            push(self._mentioned(int(str(argument))))
        elif name in self._ODD:
            self._ODD[name](self, argument)
        else:
            check(name in {"FRAME", "STOP"}, f"it has {name}, which is unknown here")

    def _popped(self, count: int) -> list[PickledValue]:
        first = len(self._stack) - count
        check(first >= (self._marks[-1] if self._marks else 0), "it takes what is not there")
        values = self._stack[first:]
        del self._stack[first:]
        return values

    def _since_mark(self) -> list[PickledValue]:
        check(self._marks, "it takes what is not there")
        first = self._marks.pop()
        values = self._stack[first:]
        del self._stack[first:]
        return values

    def _add(self, kind: str, otherwise: str, items: list[PickledValue] | None) -> None:
        """Add to a list, a dictionary or a set; what is no such literal is added to where it is."""
        if items is None:
            items = self._popped(2 if kind == "dict" else 1)
        if kind == "dict":
            check(len(items) % 2 == 0, "it has a key without a value")
            pairs = zip(items[::2], items[1::2], strict=True)
            items = [PickledValue(inside=[*pair]) for pair in pairs]
        (target,) = self._popped(1)
        if target.head == kind:
            target.inside += items
        else:
            target = PickledValue(head=otherwise, inside=[target, *items])
        self._stack.append(target)

    def _mentioned(self, number: int) -> PickledValue:
        """Return a constant itself, so that each place is on its own; of others, their name."""
        value = self._memo[number]
        if value.is_constant:
            self._room.take(value.size)
            return value
        if not value.name:
            value.name = str(self._names)
            self._names += 1
        return PickledValue(f"${value.name}")

    def _mark(self, _argument: object) -> None:
        self._marks.append(len(self._stack))

    def _proto(self, argument: object) -> None:
        self.protocol = int(str(argument))
        check(_LEAST_PROTOCOL <= self.protocol <= MAX_PROTOCOL, "its protocol is unknown")

    def _dict(self, _argument: object) -> None:
        items = self._since_mark()
        self._stack.append(PickledValue(head="dict"))
        self._add("dict", "", items)

    def _number(self, argument: object) -> None:
        if isinstance(argument, bool):
            self._stack.append(PickledValue(str(argument)))
        else:
            assert isinstance(argument, int)  # noqa: S101 - as the library has it
            self._stack.append(PickledValue(number_word(argument)))

    def _float(self, argument: object) -> None:
        assert isinstance(argument, float)  # noqa: S101 - as the library has it
        self._stack.append(PickledValue(float_word(struct.pack("<d", argument))))

    def _text(self, argument: object) -> None:
        self._stack.append(text_value(str(argument)))

    def _bytes(self, argument: object, head: str = "bytes") -> None:
        content = argument.encode("latin-1") if isinstance(argument, str) else argument
        check(isinstance(content, bytes | bytearray), "it has bytes that are none")
        assert isinstance(content, bytes | bytearray)  # noqa: S101 - just checked
        inside = PickledValue(quoted_bytes(bytes(content)))
        self._stack.append(PickledValue(head=head, inside=[inside]))

    def _bytearray(self, argument: object) -> None:
        self._bytes(argument, "bytearray")

    def _old_text(self, argument: object) -> None:
        self._bytes(argument, "str")

    def _global(self, argument: object) -> None:
        module, _, name = str(argument).partition(" ")
        inside = [text_value(module), text_value(name)]
        self._stack.append(PickledValue(head="global", inside=inside))

    def _stack_global(self, _argument: object) -> None:
        names = [each.literal for each in self._popped(2)]
        known = [text_value(each) for each in names if each is not None]
        check(len(known) == 2, "it looks for something without a name")  # noqa: PLR2004 - both
        self._stack.append(PickledValue(head="global", inside=known))

    def _build(self, _argument: object) -> None:
        self._stack.append(PickledValue(head="build", inside=self._popped(2)))

    def _persistent(self, _argument: object) -> None:
        self._stack.append(PickledValue(head="pers", inside=self._popped(1)))

    def _extension(self, argument: object) -> None:
        word = PickledValue(number_word(int(str(argument))))
        self._stack.append(PickledValue(head="ext", inside=[word]))

    _ODD: ClassVar[dict[str, Callable[["_PickleReading", object], None]]] = {
        "MARK": _mark,
        "PROTO": _proto,
        "DICT": _dict,
        **dict.fromkeys(("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4"), _number),
        **dict.fromkeys(("FLOAT", "BINFLOAT"), _float),
        **dict.fromkeys(("UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"), _text),
        **dict.fromkeys(("SHORT_BINBYTES", "BINBYTES", "BINBYTES8"), _bytes),
        **dict.fromkeys(("STRING", "BINSTRING", "SHORT_BINSTRING"), _old_text),
        "BYTEARRAY8": _bytearray,
        "GLOBAL": _global,
        "STACK_GLOBAL": _stack_global,
        "BUILD": _build,
        "BINPERSID": _persistent,
        **dict.fromkeys(("EXT1", "EXT2", "EXT4"), _extension),
    }
