"""Descriptors, and the types that values have while code runs.

A type is a letter (``I``, ``J``, ``F``, ``D``; ``N`` for null, ``.`` for nothing that can be used,
``T`` for ``this`` before it is initialised), or a letter with what it is of: ``L`` and the name of
a class (of an array its descriptor), ``U`` and which ``new`` has made an object that is not
initialised. Names are bytes read as Latin-1, so that nothing in them has to be understood.
"""

import re
from functools import lru_cache
from typing import NamedTuple

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
