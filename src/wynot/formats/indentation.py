"""Blocks by indentation: a line, what is indented below it, and the line that closes it.

Most languages are written so that this nesting is theirs, whatever their grammar: a function with
its body, an object of JSON, a section of YAML. Cut level by level it gives hierarchical delta
debugging (Misherghi & Su 2006) without a parser.
"""

import re
from typing import NamedTuple

from wynot.core.parts import Parts
from wynot.core.recent import Cache

_LINE = re.compile(rb"([ \t]*)([^\n]*)\n?")
_CLOSES = re.compile(rb"[})\]]|end\b|</|else\b|elif\b|except\b|finally\b|catch\b")
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
            closes = _CLOSES.match(text) is not None
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
