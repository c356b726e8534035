"""Descriptors, signatures and flags of classes, and the types that values have while code runs."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from wynot_binaries.symbolic_lists import FormItem, words_of

_FIELD = r"\[{0,255}(?:[BCDFIJSZ]|L[^;\[./(][^;\[.(]*;)"
_FIELDS = re.compile(_FIELD)
_METHOD = re.compile(rf"\(((?:{_FIELD})*+)\)(V|{_FIELD})")
_CLASS = re.compile(rf"[^;\[.(/]+(?:/[^;\[.(/]+)*|\[{_FIELD}")
_MEMBER = re.compile(r"[^.;\[/<>]+")
MODIFIED_UTF8 = re.compile(
    r"(?:[\x01-\x7f]|\xc0\x80|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2})*+"
)
"""Java's own form of UTF-8: no byte is zero, and nothing takes four."""
_INTEGERS = "BCISZ"
MAX_PARAMETER_PLACES = 255
OBJECT = "java/lang/Object"
TOP, NULL, THIS = ".", "N", "T"


class MethodType(NamedTuple):
    """What a method takes and gives, as descriptors."""

    takes: tuple[str, ...]
    gives: str
    """``V`` if it is nothing."""

    @property
    def kinds(self) -> str:
        """The kinds of its arguments."""
        return "".join(map(kind_of_field, self.takes))

    @property
    def given_kind(self) -> str:
        """The kind of its result; empty if there is none."""
        return "" if self.gives == "V" else kind_of_field(self.gives)

    @property
    def descriptor(self) -> str:
        """As it is in a file."""
        return f"({''.join(self.takes)}){self.gives}"


@lru_cache(maxsize=4096)
def method_type(descriptor: str) -> MethodType | None:
    """Read the descriptor of a method; None if it is none."""
    found = _METHOD.fullmatch(descriptor)
    if not found:
        return None
    read = MethodType(tuple(_FIELDS.findall(found[1])), found[2])
    wide = sum(each in "JD" for each in read.takes)
    return read if len(read.takes) + wide <= MAX_PARAMETER_PLACES else None


def is_field_type(descriptor: str) -> bool:
    """Tell whether it is the descriptor of a value."""
    return _FIELDS.fullmatch(descriptor) is not None


def is_class_name(name: str) -> bool:
    """Tell whether a class, or an array, may be named so."""
    return _CLASS.fullmatch(name) is not None and is_utf8(name)


def is_member_name(name: str) -> bool:
    """Tell whether a field or a method may be named so."""
    return (_MEMBER.fullmatch(name) is not None and is_utf8(name)) or name in {"<init>", "<clinit>"}


def is_utf8(text: str) -> bool:
    """Tell whether it can be in a class file."""
    return MODIFIED_UTF8.fullmatch(text) is not None and len(text) < 1 << 16


def kind_of_field(descriptor: str) -> str:
    """Return the kind of a value by its descriptor."""
    first = descriptor[0]
    return "I" if first in _INTEGERS else "A" if first in "L[" else first


def type_of_field(descriptor: str) -> str:
    """Return the type of a value by its descriptor."""
    kind = kind_of_field(descriptor)
    if kind != "A":
        return kind
    return f"L{descriptor}" if descriptor[0] == "[" else descriptor[:-1]


def kind_of(value: str) -> str:
    """Return the kind of a type."""
    first = value[0]
    return "A" if first in "NL" else "U" if first in "TU" else first


def kinds_of(values: list[str]) -> str:
    """Return the kinds of some types."""
    return "".join(map(kind_of, values))


def element_type(value: str) -> str:
    """Return the type of what is in an array; null, if that is not known."""
    return type_of_field(value[2:]) if value.startswith("L[") and len(value) > 2 else NULL  # noqa: PLR2004


def array_of(name: str) -> str:
    """Return the type of an array of a class, or of arrays."""
    return f"L[{name}" if name.startswith("[") else f"L[L{name};"


_MAX_DEPTH = 60
_NAME = re.compile(r"[^.;\[/<>:]+(?:/[^.;\[/<>:]+)*")
_SIMPLE = re.compile(r"[^.;\[/<>:]+")


class _NoSignatureError(Exception):
    pass


class _Parsing:
    """A signature, and how far it is read."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    @property
    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _expect(self, sign: str) -> None:
        if self._next != sign:
            raise _NoSignatureError
        self._at += 1

    def _match(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self._text, self._at)
        if not found:
            raise _NoSignatureError
        self._at = found.end()

    def whole(self) -> None:
        """Read one of any kind."""
        self._parameters()
        if self._next == "(":
            self._method()
        else:
            self._type(0)
            while self._at < len(self._text):
                self._type(0)
        if self._at < len(self._text):
            raise _NoSignatureError

    def _parameters(self) -> None:
        if self._next != "<":
            return
        self._at += 1
        while self._next != ">":
            self._match(_SIMPLE)
            self._expect(":")
            if self._next not in {":", ">"} and self._next in {"L", "T", "["}:
                self._type(0)
            while self._next == ":":
                self._at += 1
                self._type(0)
        self._at += 1

    def _method(self) -> None:
        self._at += 1
        while self._next != ")":
            self._type(0)
        self._at += 1
        if self._next == "V":
            self._at += 1
        else:
            self._type(0)
        while self._next == "^":
            self._at += 1
            self._type(0)

    def _type(self, depth: int) -> None:
        while self._next == "[":
            self._at += 1
        sign = self._next
        self._at += 1
        if sign == "L" and depth < _MAX_DEPTH:
            self._match(_NAME)
            self._arguments(depth)
            while self._next == ".":
                self._at += 1
                self._match(_SIMPLE)
                self._arguments(depth)
            self._expect(";")
        elif sign == "T":
            self._match(_SIMPLE)
            self._expect(";")
        elif not sign or sign not in "BCDFIJSZ":
            raise _NoSignatureError

    def _arguments(self, depth: int) -> None:
        if self._next != "<":
            return
        self._at += 1
        while self._next != ">":
            if self._next == "*":
                self._at += 1
                continue
            if self._next and self._next in "+-":
                self._at += 1
            self._type(depth + 1)
        self._at += 1


def is_signature(text: str) -> bool:
    """Tell whether a text is a signature of some kind."""
    try:
        _Parsing(text).whole()
    except _NoSignatureError:
        return False
    return True


_SHARED = {
    "public": 0x1,
    "private": 0x2,
    "protected": 0x4,
    "static": 0x8,
    "final": 0x10,
    "interface": 0x200,
    "abstract": 0x400,
    "synthetic": 0x1000,
    "annotation-type": 0x2000,
    "enum": 0x4000,
    "mandated": 0x8000,
}
CLASS_FLAGS: Mapping[str, int] = {**_SHARED, "super": 0x20}
FIELD_FLAGS: Mapping[str, int] = {**_SHARED, "volatile": 0x40, "transient": 0x80}
METHOD_FLAGS: Mapping[str, int] = {
    **_SHARED,
    "synchronized": 0x20,
    "bridge": 0x40,
    "varargs": 0x80,
    "native": 0x100,
    "strict": 0x800,
}


def flag_words(flags: int, known: Mapping[str, int]) -> str:
    """Return flags as words, each after a space; those without a word are a number."""
    words = [word for word, bit in known.items() if flags & bit]
    rest = flags & ~sum(known.values())
    return "".join(f" {word}" for word in (words if not rest else [*words, f"0x{rest:x}"]))


def flags_of(items: Sequence[FormItem], known: Mapping[str, int]) -> int:
    """Return the flags that are among some items."""
    flags = 0
    for word in words_of(items):
        flags |= known.get(word, 0)
        if word.startswith("0x") and len(word) <= 6:  # noqa: PLR2004 - two bytes
            digits = word[2:]
            flags |= (
                int(digits, 16) if all(c in "0123456789abcdef" for c in digits) and digits else 0
            )
    return flags & 0xFFFF
