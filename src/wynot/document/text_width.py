"""Texts in columns of a terminal: how many they take, cut to them, wrapped to them."""

import re
from collections.abc import Iterable
from unicodedata import combining, east_asian_width

LINE_COLUMNS = 80
"""Columns of a line where nobody knows better; only paths that are to be copied may be longer."""

_BREAK = re.compile(r"(?<!\d) +| +(?!(?:s|min|h|%)\b|%)")
"""A number and its unit stay on one line."""


def cells(text: str) -> int:
    """Return how many columns a terminal needs for a text."""
    if text.isascii():
        return len(text)
    return sum(_cells(each) for each in text)


def _cells(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def cut(text: str, room: int) -> str:
    """Return the text, or as much of its beginning as fits into so many columns."""
    if cells(text) <= room:
        return text
    kept, left = [], room - 1
    for each in text:
        left -= _cells(each)
        if left < 0:
            break
        kept.append(each)
    return "".join(kept).rstrip() + "…" if room > 0 else ""


def wrap(text: str, *, first: str = "", indent: str = "", width: int = LINE_COLUMNS) -> list[str]:
    """Return lines of at most so many columns; a word that is longer stays whole."""
    return filled(_BREAK.split(text.strip()), first=first, indent=indent, width=width, between=" ")


def filled(
    pieces: Iterable[str], *, first: str, indent: str, width: int, between: str = "  "
) -> list[str]:
    """Return lines of pieces with something between them; each piece stays whole."""
    lines: list[str] = []
    line = ""
    for piece in pieces:
        if not line:
            line = first + piece
        elif cells(line) + len(between) + cells(piece) <= width:
            line = f"{line}{between}{piece}"
        else:
            lines.append(line)
            line = indent + piece
    return [*lines, line]
