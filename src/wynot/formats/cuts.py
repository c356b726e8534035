"""Where any text can be cut: lines, blocks by indentation, tokens, characters, bytes.

Most languages are indented as they are nested, whatever their grammar: a function with
its body, an object of JSON, a section of YAML. Cut level by level it gives hierarchical delta
debugging (Misherghi & Su 2006) without a parser.
"""

import re
from array import array
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

from wynot.core.files import is_text
from wynot.core.system.recent import Cache
from wynot.core.texts.parts import NO_PARTS, Parts

Format: TypeAlias = Callable[[bytes], Parts]
"""Cuts a text into parts. Any bytes will do: what makes no sense to it is cut coarsely."""


def of_text(of: Format) -> Format:
    """Return the format, for texts only."""
    return partial(_only, of, text=True)


def of_binary(of: Format) -> Format:
    """Return the format, for what is no text."""
    return partial(_only, of, text=False)


def _only(of: Format, content: bytes, *, text: bool) -> Parts:
    return of(content) if is_text(content) is text else NO_PARTS


_GAP = re.compile(rb"\n(?:[ \t\r]*\n)+")


def lines(content: bytes) -> Parts:
    """Cut after each line feed; so it is right for CRLF too."""
    return _cut_after(re.compile(rb"\n"), content)


def paragraphs(content: bytes) -> Parts:
    """Cut after blank lines, which belong to the group before them."""
    return _cut_after(_GAP, content)


def _cut_after(end: re.Pattern[bytes], content: bytes) -> Parts:
    if not content:
        return NO_PARTS
    bounds = array("q", [0])
    bounds.extend(match.end() for match in end.finditer(content))
    if bounds[-1] != len(content):
        bounds.append(len(content))
    return Parts.tiling(bounds)


_LINE = re.compile(rb"([ \t]*)([^\n]*)\n?")
CLOSES_BLOCK = re.compile(rb"[})\]]|end\b|</|else\b|elif\b|except\b|finally\b|catch\b")
TAB_COLUMNS = 8
LINE_BYTES, PART_BYTES = 180, 80
"""What a line and a part take in memory."""


class IndentedLine(NamedTuple):
    """A line that is not blank, with the blank ones after it."""

    start: int
    stop: int
    indent: int
    closes: bool
    """Whether it looks like the end, or the going on, of the block above it."""


class Block(NamedTuple):
    """Lines first … last-1 of a text, and the blocks inside."""

    first: int
    last: int
    inner: tuple[int, int]
    """The lines inside: neither the one that opens nor the one that closes."""


_BLOCKS: Cache[tuple[bytes, int], Parts] = Cache(
    lambda key, parts: len(key[0]) + PART_BYTES * len(parts.starts)
)
_LINES: Cache[bytes, list[IndentedLine]] = Cache(
    lambda content, read: len(content) + LINE_BYTES * len(read)
)


def blocks(content: bytes, level: int) -> Parts:
    """Return the blocks of a level, 0 being the outermost; none if there is none so deep."""
    return _BLOCKS.get((content, level), lambda: _blocks(content, level))


def _blocks(content: bytes, level: int) -> Parts:
    read = _LINES.get(content, lambda: _read(content))
    found = _inside(read, 0, len(read))
    for _ in range(level):
        found = [block for outer in found for block in _inside(read, *outer.inner)]
    return Parts.apart([(read[block.first].start, read[block.last - 1].stop) for block in found])


def _read(content: bytes) -> list[IndentedLine]:
    """Return the lines of a text; remembered, since level after level of it is asked for."""
    read: list[IndentedLine] = []
    start = 0
    while start < len(content):
        match = _LINE.match(content, start)
        assert match is not None  # noqa: S101 - it matches anything
        blanks, text = match.groups()
        if not text.strip() and read:
            read[-1] = read[-1]._replace(stop=match.end())
        else:
            closes = CLOSES_BLOCK.match(text) is not None
            read.append(
                IndentedLine(start, match.end(), len(blanks.expandtabs(TAB_COLUMNS)), closes)
            )
        start = match.end()
    return read


def _inside(read: list[IndentedLine], first: int, last: int) -> list[Block]:
    """Return the blocks that these lines are made of, without those inside of them."""
    found: list[Block] = []
    while first < last:
        indent = read[first].indent
        end = first + 1
        while end < last and read[end].indent > indent:
            end += 1
        inner = (first + 1, end)
        while end < last and read[end].indent == indent and read[end].closes and end > first + 1:
            end += 1
            while end < last and read[end].indent > indent:
                end += 1
        found.append(Block(first, end, inner if end > first + 1 else (end, end)))
        first = end
    return found


# A word takes the blanks after it along, so that leaving it out leaves no double blank; the
# blanks that begin a line stay by themselves, since they can be what structures the text.
_TOKEN = re.compile(
    rb"""
    (?: [A-Za-z_$\x80-\xff][\w$\x80-\xff]*      # a word, in any encoding
      | \d[\w.]*                                # a number
      | [^\w\s]                                 # a mark
      | _
    ) [ \t]*
    | \r?\n                                     # an end of line
    | [ \t\r\f\v]+                              # blanks that begin a line
    | (?s:.)
    """,
    re.VERBOSE,
)


def tokens(content: bytes) -> Parts:
    """Cut into tokens."""
    if not content:
        return NO_PARTS
    bounds = array("q", [0])
    bounds.extend(match.end() for match in _TOKEN.finditer(content))
    return Parts.tiling(bounds)


# What is not UTF-8 falls apart into bytes.
_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|(?s:.)"
)


def octets(content: bytes) -> Parts:
    """Cut between any two bytes."""
    size = len(content)
    return Parts(range(size), range(1, size + 1), tiles=True) if size else NO_PARTS


def chunks(content: bytes, size: int) -> Parts:
    """Cut after every so many bytes."""
    if not content:
        return NO_PARTS
    return Parts.tiling([*range(0, len(content), size), len(content)])


def characters(content: bytes) -> Parts:
    """Cut between characters of UTF-8; where it is none, between bytes."""
    if content.isascii():
        return octets(content)
    bounds = array("q", [0])
    bounds.extend(match.end() for match in _CHARACTER.finditer(content))
    return Parts.tiling(bounds)
