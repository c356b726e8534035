"""Lists in parentheses, strings and numbers, read so leniently that any text is some."""

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

_FORMS = {"f": ("<f", "<I", 23, 8, 9), "d": ("<d", "<Q", 52, 11, 17)}
"""Of each type: how it is packed, also as a whole number; bits of fraction and exponent; digits."""
_NAN = re.compile(r"([-+]?)nan(?::0x([0-9a-fA-F]{1,16}))?")
_MOST_DIGITS = 400


def float_text(content: bytes, letter: str) -> str:
    """Return how a number that is packed so is written."""
    packed, whole, fraction, exponent, digits = _FORMS[letter]
    (bits,) = struct.unpack(whole, content)
    (number,) = struct.unpack(packed, content)
    if number != number:  # noqa: PLR0124 - only what is no number is not equal to itself
        sign = "-" if bits >> (fraction + exponent) else ""
        payload = bits & (1 << fraction) - 1
        return f"{sign}nan" + (f":{payload:#x}" if payload != 1 << fraction - 1 else "")
    for precision in (1, 6, digits - 2, digits - 1, digits):
        text = f"{number:.{precision}g}"
        if float_bytes(text, letter) == content:
            return text
    return repr(number)


def float_bytes(text: str, letter: str) -> bytes:
    """Return a number as it is packed; zero, if it is none."""
    packed, whole, fraction, exponent, _ = _FORMS[letter]
    found = _NAN.fullmatch(text)
    if found:
        payload = int(found[2], 16) if found[2] else 1 << fraction - 1
        payload = payload & (1 << fraction) - 1 or 1
        sign = (found[1] == "-") << (fraction + exponent)
        return struct.pack(whole, sign | ((1 << exponent) - 1) << fraction | payload)
    with suppress(ValueError, OverflowError):
        if len(text) <= _MOST_DIGITS:
            return struct.pack(packed, float(text))
    return struct.pack(packed, 0.0)


TextNode: TypeAlias = "str | tuple[str, list[TextNode], str]"
"""A text; or how a list begins, what is in it, and what is between those."""


def written_nodes(nodes: Iterable[TextNode], between: str) -> Iterator[str]:
    """Return the text of some nodes, in pieces; however deep they are."""
    waiting = [(iter(nodes), between, "")]
    while waiting:
        inside, apart, closing = waiting[-1]
        node = next(inside, None)
        if node is None:
            yield closing
            waiting.pop()
        elif isinstance(node, str):
            yield apart + node
        else:
            head, inner, inner_apart = node
            yield apart + head
            waiting.append((iter(inner), inner_apart, ")"))


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
