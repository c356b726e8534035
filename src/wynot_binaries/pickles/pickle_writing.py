"""Writes pickles: of any lists, and always such that each instruction finds what it takes.

A text says a constant wherever it is, so that no place hangs on another one. A pickle remembers it
if that makes it shorter.

Each list is one value, whatever is left of it: what is missing is None, or empty.
"""

import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pickle import encode_long
from typing import ClassVar, NamedTuple, TypeAlias

from wynot.formats.containers.container import Packed
from wynot_binaries.symbolic_lists import (
    FormItem,
    FormList,
    float_bytes,
    head_of,
    numbers_of,
    strings_of,
    symbolic_lists,
    words_of,
)

CONSTANT_CODES = {"None": b"N", "True": b"\x88", "False": b"\x89"}
ONE_BYTE, TWO_BYTES, FOUR_BYTES = 1 << 8, 1 << 16, 1 << 31
"""Numbers that do not fit any more."""


def integer_code(number: int) -> bytes:
    """Return what puts a whole number on the stack, in as few bytes as can be."""
    if 0 <= number < TWO_BYTES:
        code = b"K" if number < ONE_BYTE else b"M"
        return code + number.to_bytes(1 if number < ONE_BYTE else 2, "little")
    if -FOUR_BYTES <= number < FOUR_BYTES:
        return b"J" + struct.pack("<i", number)
    content = encode_long(number)
    if len(content) < ONE_BYTE:
        return b"\x8a" + bytes((len(content),)) + content
    return b"\x8b" + struct.pack("<i", len(content)) + content


def numbered_code(short: bytes, long: bytes, number: int) -> bytes:
    """Return the short instruction with a number if that has one byte, else the long one."""
    if number < ONE_BYTE:
        return short + bytes((number,))
    return long + struct.pack("<I", number)


INTEGER_WORD = re.compile(r"[-+]?(?:0x[0-9a-fA-F]+|[0-9]{1,21})")
_FLOAT = re.compile(r"[-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|inf|nan(?::0x[0-9a-f]+)?)", re.IGNORECASE)
ADDING_HEADS = frozenset({"append", "setitem", "additem"})
LITERAL_HEADS = frozenset({"list", "dict", "set"})
_HEADS = (
    ADDING_HEADS
    | LITERAL_HEADS
    | {
        *("tuple", "frozenset", "call", "new", "newex", "build", "pers", "ext", "global"),
        *("bytes", "bytearray", "str"),
    }
)


class PickledName(NamedTuple):
    """What is on the stack gets a name here."""

    name: str


NameOfValue: TypeAlias = list[PickledName]
"""The name of a value, if it has one."""


def values_of(items: Sequence[FormItem]) -> list[FormItem]:
    """Return what stands for a value."""
    return [item for item in items if not isinstance(item, str) or _is_value(item)]


def _is_value(word: str) -> bool:
    is_number = INTEGER_WORD.fullmatch(word) or _FLOAT.fullmatch(word)
    return word in CONSTANT_CODES or word.startswith("$") or is_number is not None


def first_value(form: FormItem) -> FormItem:
    """Return the first value in a list."""
    return next(iter(values_of(form)), "None") if isinstance(form, list) else form


def unwrapped(form: FormItem) -> tuple[FormItem, NameOfValue]:
    """Return the value that is in lists that say nothing, and its name."""
    name: NameOfValue = []
    while isinstance(form, list):
        own = [PickledName(word[1:]) for word in words_of(form) if word.startswith("=")]
        if head_of(form) in _HEADS:
            name = own[:1]
            break
        form = first_value(form)
    return form, name


def pairs_of(items: Sequence[FormItem]) -> list[list[FormItem]]:
    """Return keys with their values, each pair a list; a value that is missing is None."""
    pairs: list[list[FormItem]] = []
    for item in values_of(items):
        is_pair = isinstance(item, list) and head_of(item) not in _HEADS
        values = values_of(item) if is_pair and isinstance(item, list) else [item]
        if values:
            pairs.append([*values, "None"][:2])
    return pairs


WITH_MEMOIZE = 4
"""The protocol since which what is remembered needs no number, and there are short texts."""


class PickledMention(NamedTuple):
    """What has a name is put on the stack here."""

    name: str


class PickledConstant(NamedTuple):
    """A text or bytes."""

    code: bytes


class PickledGlobal(NamedTuple):
    """A class or a function, which is looked for by its names."""

    names: tuple[PickledConstant, ...]
    code: bytes
    """What looks for it, when its names are there."""


PickledPiece: TypeAlias = bytes | PickledName | PickledMention | PickledConstant | PickledGlobal


def remembering(pieces: Sequence[PickledPiece], used: set[str], protocol: int) -> bytes:
    """Return the bytes of the pieces; of the names, only ``used`` ones are remembered."""
    sharing = _Sharing(pieces, protocol)
    return b"".join(code for piece in pieces for code in sharing.codes(piece, used))


class _Sharing:
    """What is remembered so far, and how often constants are there."""

    def __init__(self, pieces: Sequence[PickledPiece], protocol: int) -> None:
        self._globals = Counter(piece for piece in pieces if isinstance(piece, PickledGlobal))
        self._constants = Counter(piece for piece in pieces if isinstance(piece, PickledConstant))
        self._constants.update(name for each in self._globals for name in each.names)
        self._has_memoize = protocol >= WITH_MEMOIZE
        self._numbers: dict[str | PickledConstant | PickledGlobal, int] = {}

    def codes(self, piece: PickledPiece, used: set[str]) -> Iterator[bytes]:
        """Yield the instructions of a piece."""
        if isinstance(piece, bytes):
            yield piece
        elif isinstance(piece, PickledName):
            if piece.name in used:
                yield self._put(piece.name)
        elif isinstance(piece, PickledMention):
            yield self._get(self._numbers[piece.name])
        elif piece in self._numbers:
            yield self._get(self._numbers[piece])
        else:
            if isinstance(piece, PickledGlobal):
                for name in piece.names:
                    yield from self.codes(name, used)
            yield piece.code
            if self._pays(piece):
                yield self._put(piece)

    def _pays(self, piece: PickledConstant | PickledGlobal) -> bool:
        """Tell whether it is shorter to remember something than to say it again."""
        if isinstance(piece, PickledGlobal):
            return self._globals[piece] > 1
        number, again = len(self._numbers), self._constants[piece] - 1
        put = 1 if self._has_memoize else len(self._get(number))
        return put + again * len(self._get(number)) < again * len(piece.code)

    def _put(self, what: str | PickledConstant | PickledGlobal) -> bytes:
        number = self._numbers[what] = len(self._numbers)
        return b"\x94" if self._has_memoize else numbered_code(b"q", b"r", number)

    def _get(self, number: int) -> bytes:
        return numbered_code(b"h", b"j", number)


_NONE = CONSTANT_CODES["None"]
_TUPLES = (b")", b"\x85", b"\x86", b"\x87")
_Pending: TypeAlias = "PickledPiece | str | FormList"
_Parts: TypeAlias = Sequence[_Pending]
_Form: TypeAlias = "Callable[[_PickleWriting, FormList, NameOfValue], _Parts]"


def write_pickles(packed: Packed) -> bytes:
    """Write each text as a pickle."""
    return b"".join(
        _PickleWriting(*(member.header or b"\4")[:1]).written(member.content.decode("latin-1"))
        for member in packed.members
    )


class _PickleWriting:
    """Writes one pickle."""

    def __init__(self, protocol: int) -> None:
        self._protocol = protocol
        self._is_literal: dict[int, bool] = {}
        """Whether what is added to is a literal, by the list that says so."""

    def written(self, text: str) -> bytes:
        """Return the first value of a text as a pickle."""
        first = next(iter(values_of(symbolic_lists(text))), "None")
        pieces: list[PickledPiece] = []
        named, used = set[str](), set[str]()
        waiting: list[_Pending] = [self._as_pending(first)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, PickledMention):
                is_known = item.name in named
                used |= {item.name} if is_known else set()
                pieces.append(item if is_known else _NONE)
            elif isinstance(item, PickledName):
                if item.name not in named:
                    pieces.append(item)
                named.add(item.name)
            elif isinstance(item, bytes | PickledConstant | PickledGlobal):
                pieces.append(item)
            else:
                waiting += reversed(self._parts(item))
        return bytes((0x80, self._protocol)) + remembering(pieces, used, self._protocol) + b"."

    def _parts(self, item: str | FormList) -> "_Parts":
        """Return what a value consists of."""
        if isinstance(item, str):
            return [self._word(item)]
        form, name = self._resolved(item)
        if not isinstance(form, list):
            return [self._as_pending(form)]
        return self._FORMS[head_of(form)](self, form, name)

    def _resolved(self, form: FormList) -> tuple[FormItem, NameOfValue]:
        """Return the value that a list stands for, and its name; there may be lists around it."""
        found, name = unwrapped(form)
        if head_of(found) not in ADDING_HEADS:
            return found, name
        chain: list[int] = []
        bottom = found
        while head_of(bottom) in ADDING_HEADS and id(bottom) not in self._is_literal:
            chain.append(id(bottom))
            bottom, _ = unwrapped(bottom)
            bottom, _ = unwrapped(first_value(bottom))
        is_literal = self._is_literal.get(id(bottom), head_of(bottom) in LITERAL_HEADS)
        self._is_literal.update(dict.fromkeys(chain, is_literal))
        if not is_literal:
            return found, name
        # When it is read, what is added to a literal is in it. So this was none when it was read.
        while head_of(found) in ADDING_HEADS:
            found, own = unwrapped(first_value(found))
            name = own or name
        return found, name

    def _word(self, word: str) -> bytes | PickledMention:
        if word.startswith("$"):
            return PickledMention(word[1:])
        if word in CONSTANT_CODES:
            return CONSTANT_CODES[word]
        if INTEGER_WORD.fullmatch(word):
            return integer_code(int(word, 16 if "x" in word else 10))
        return b"G" + float_bytes(word, "d")[::-1]

    def _text(self, content: bytes) -> PickledConstant:
        try:
            content.decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            content = content.decode("utf-8", "replace").encode()
        if len(content) < ONE_BYTE and self._protocol >= WITH_MEMOIZE:
            return PickledConstant(b"\x8c" + bytes((len(content),)) + content)
        return PickledConstant(b"X" + struct.pack("<I", len(content)) + content)

    def _list(self, form: FormList, name: NameOfValue) -> "_Parts":
        return self._filled([b"]", *name], [[item] for item in values_of(form)], b"a", b"e")

    def _dict(self, form: FormList, name: NameOfValue) -> "_Parts":
        return self._filled([b"}", *name], pairs_of(form), b"s", b"u")

    def _set(self, form: FormList, name: NameOfValue) -> "_Parts":
        return self._filled([b"\x8f", *name], [[item] for item in values_of(form)], b"", b"\x90")

    def _filled(
        self, head: _Parts, items: Sequence[Sequence[FormItem]], one: bytes, several: bytes
    ) -> _Parts:
        """Put items into a value: one alone, or several at once."""
        inside = [self._as_pending(item) for each in items for item in each]
        if not items:
            return head
        if len(items) == 1 and one:
            return [*head, *inside, one]
        return [*head, b"(", *inside, several]

    def _as_pending(self, item: FormItem) -> "_Pending":
        return self._text(item) if isinstance(item, bytes) else item

    def _tuple(self, form: FormList, name: NameOfValue) -> "_Parts":
        inside = [*map(self._as_pending, values_of(form))]
        if len(inside) < len(_TUPLES):
            return [*inside, _TUPLES[len(inside)], *name]
        return [b"(", *inside, b"t", *name]

    def _frozen(self, form: FormList, name: NameOfValue) -> "_Parts":
        return [b"(", *map(self._as_pending, values_of(form)), b"\x91", *name]

    def _added(self, form: FormList, name: NameOfValue) -> "_Parts":
        target, *rest = values_of(form) or ["None"]
        head = head_of(form)
        items = pairs_of(rest) if head == "setitem" else [[item] for item in rest]
        one, several = {"append": (b"a", b"e"), "setitem": (b"s", b"u")}.get(head, (b"", b"\x90"))
        filled = self._filled([self._as_pending(target)], items, one, several)
        return [*filled, *name] if items else filled

    def _combined(self, form: FormList, name: NameOfValue) -> "_Parts":
        """Call something, or make an object: what it is given may be missing, not what it is."""
        inside = [*map(self._as_pending, values_of(form))]
        code, count = {"call": (b"R", 2), "new": (b"\x81", 2), "newex": (b"\x92", 3)}[head_of(form)]
        if not inside:
            return [_NONE]
        missing: list[_Pending] = [b")", b"}"]
        return [*inside[:count], *missing[len(inside) - 1 : count - 1], code, *name]

    def _built(self, form: FormList, name: NameOfValue) -> "_Parts":
        inside = [*map(self._as_pending, values_of(form))][:2] or [_NONE]
        return [*inside, b"b", *name] if len(inside) > 1 else inside

    def _persistent(self, form: FormList, name: NameOfValue) -> "_Parts":
        inside = [*map(self._as_pending, values_of(form))][:1] or [_NONE]
        return [*inside, b"Q", *name]

    def _extension(self, form: FormList, name: NameOfValue) -> "_Parts":
        number = next((each for each in numbers_of(form) if 0 < each < FOUR_BYTES), 1)
        if number < ONE_BYTE:
            return [b"\x82" + bytes((number,)), *name]
        if number < TWO_BYTES:
            return [b"\x83" + struct.pack("<H", number), *name]
        return [b"\x84" + struct.pack("<i", number), *name]

    def _global(self, form: FormList, _name: NameOfValue) -> "_Parts":
        names = [*strings_of(form)][:2]
        if len(names) < 2:  # noqa: PLR2004 - a module, and what is in it
            return [_NONE]
        if self._protocol >= WITH_MEMOIZE:
            return [PickledGlobal(tuple(map(self._text, names)), b"\x93")]
        plain = [re.sub(rb"[^!-~]", b"_", each) for each in names]
        return [PickledGlobal((), b"c" + b"".join(each + b"\n" for each in plain))]

    def _bytes(self, form: FormList, name: NameOfValue) -> "_Parts":
        content, head = b"".join(strings_of(form)), head_of(form)
        if head == "bytearray":
            return [b"\x96" + struct.pack("<Q", len(content)) + content, *name]
        short, long = (b"C", b"B") if head == "bytes" else (b"U", b"T")
        if len(content) < ONE_BYTE:
            return [PickledConstant(short + bytes((len(content),)) + content)]
        return [PickledConstant(long + struct.pack("<I", len(content)) + content)]

    _FORMS: ClassVar[dict[str, _Form]] = {
        "list": _list,
        "dict": _dict,
        "set": _set,
        "tuple": _tuple,
        "frozenset": _frozen,
        **dict.fromkeys(("append", "setitem", "additem"), _added),
        **dict.fromkeys(("call", "new", "newex"), _combined),
        "build": _built,
        "pers": _persistent,
        "ext": _extension,
        "global": _global,
        **dict.fromkeys(("bytes", "bytearray", "str"), _bytes),
    }
