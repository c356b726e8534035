"""Lists in parentheses, read so leniently that any text is some; what is not closed is nothing."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

FormItem: TypeAlias = "str | bytes | list[FormItem]"
"""A word, a string or a list."""
FormList: TypeAlias = list["FormItem"]
FORM_BYTES = 10
"""Bytes that what is made of a text takes in memory, for each byte of it; measured on classes."""
_TOKEN = re.compile(
    r"""[()] | ;;[^\n]* | "(?:[^"\\]|\\(?s:.))*+" | (?P<unclosed>"(?s:.)*) | [^\s()";]+ | ;""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{2})|\\(?s:(.))")
_NAMES = re.compile(r"\$[^\s()\";]+")
_INTEGER = re.compile(r"([-+]?)(?:0x([0-9a-fA-F]{1,32})|([0-9]{1,40}))")


def symbolic_lists(text: str) -> FormList:
    """Return what is in a text, in order."""
    found: FormList = []
    open_ones = [found]
    for match in _TOKEN.finditer(text):
        token = match[0]
        sign = token[0]
        if sign == "(":
            open_ones.append([])
        elif sign == ")":
            if len(open_ones) > 1:
                closed = open_ones.pop()
                open_ones[-1].append(closed)
        elif sign == '"':
            if match.lastgroup is None:
                open_ones[-1].append(_unquoted(token))
        elif sign != ";":
            open_ones[-1].append(token)
    return found


def _unquoted(token: str) -> bytes:
    inside = token[1:-1]
    if "\\" in inside:
        inside = _ESCAPE.sub(lambda found: found[2] or chr(int(found[1], 16)), inside)
    return inside.encode("latin-1", "replace")


def names_in(text: str) -> frozenset[str]:
    """Return the names that a text mentions."""
    return frozenset(_NAMES.findall(text))


def words_of(items: Sequence[FormItem]) -> Iterator[str]:
    """Return the words among some items."""
    return (item for item in items if isinstance(item, str))


def lists_of(items: Sequence[FormItem]) -> Iterator[FormList]:
    """Return the lists among some items."""
    return (item for item in items if isinstance(item, list))


def strings_of(items: Sequence[FormItem]) -> Iterator[bytes]:
    """Return the strings among some items."""
    return (item for item in items if isinstance(item, bytes))


def head_of(item: FormItem) -> str:
    """Return the word that a list begins with, if it does."""
    return item[0] if isinstance(item, list) and item and isinstance(item[0], str) else ""


def name_of(items: Sequence[FormItem]) -> str:
    """Return the first name among some items; empty if there is none."""
    return next((word for word in words_of(items) if word.startswith("$")), "")


def numbers_of(items: Sequence[FormItem]) -> Iterator[int]:
    """Return the whole numbers among some items."""
    for word in words_of(items):
        found = _INTEGER.fullmatch(word)
        if found:
            number = int(found[2], 16) if found[2] else int(found[3])
            yield -number if found[1] == "-" else number


def quoted_bytes(content: bytes) -> str:
    """Return bytes as a string of a text."""
    return '"' + "".join(_AS_TEXT[byte] for byte in content) + '"'


_AS_TEXT = [
    chr(byte) if 0x20 <= byte < 0x7F and chr(byte) not in '"\\' else f"\\{byte:02x}"  # noqa: PLR2004
    for byte in range(256)
]
