"""Writes pickles: of any lists, and always such that each instruction finds what it takes.

Each list is one value, whatever is left of it: what is missing is None, or empty.
"""

import re
import struct
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from wynot.formats.containers.container import Packed
from wynot.formats.containers.pickled.pickle_codes import (
    CONSTANT_CODES,
    FOUR_BYTES,
    ONE_BYTE,
    TWO_BYTES,
    integer_code,
)
from wynot.formats.containers.pickled.pickle_forms import (
    ADDING_HEADS,
    INTEGER_WORD,
    LITERAL_HEADS,
    NameOfValue,
    PickledName,
    first_value,
    pairs_of,
    unwrapped,
    values_of,
)
from wynot.formats.containers.pickled.pickle_sharing import (
    WITH_MEMOIZE,
    PickledConstant,
    PickledGlobal,
    PickledMention,
    PickledPiece,
    remembering,
)
from wynot.formats.containers.symbolic.float_texts import float_bytes
from wynot.formats.containers.symbolic.symbolic_lists import (
    FormItem,
    FormList,
    head_of,
    numbers_of,
    strings_of,
    symbolic_lists,
)

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
        self, begun: _Parts, items: Sequence[Sequence[FormItem]], one: bytes, several: bytes
    ) -> _Parts:
        """Put items into what is begun: one alone, or several at once."""
        inside = [self._as_pending(item) for each in items for item in each]
        if not items:
            return begun
        if len(items) == 1 and one:
            return [*begun, *inside, one]
        return [*begun, b"(", *inside, several]

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
