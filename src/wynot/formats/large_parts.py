"""Large parts of a text, found without a look at all of it.

Places are spread evenly over a text, and each is moved to where a cut does least harm nearby: to
the start of the line that is indented least, or else, in a long line, to behind a separator outside
of most brackets. So what there is to be tried does not follow the size of the text, and to find it
takes hardly longer than to read it.

At each place there is a level. What is between two places of the same level can go without leaving
brackets open, or lines indented that belong to nothing.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from wynot.formats.language import Language

MOST_PARTS = 2048
"""Parts of a text, at most."""
LEAST_BYTES = 128
"""Bytes of a part, at least: smaller ones are better told by trees."""
TOP_WINDOW, LINES_WINDOW, MARKS_WINDOW = 4096, 1024, 512
"""Bytes around a place that are searched for a line that is not indented, for any line, or else for
separators."""
_TOP_LINE = re.compile(rb"\n(?=[^\s})\]])")
_LINE_START = re.compile(rb"\n([ \t]*)(?=([^\s])?)")
_CLOSING = frozenset((b"}", b"]", b")"))
_MARK = re.compile(rb"[{[(]|[}\])]|[,;]|>(?=<)|\s")
_OPENING_DEPTH = {b"{": 1, b"[": 1, b"(": 1, b"}": -1, b"]": -1, b")": -1}
_IN_CHARACTER = range(0x80, 0xC0)
"""The bytes of a character in UTF-8 that are not its first."""


class LargeParts(NamedTuple):
    """Where parts start, the last one's end included, and the level of each of these places."""

    bounds: list[int]
    levels: list[int]

    def closed(self, start: int, stop: int) -> tuple[int, int]:
        """Return the longest run of parts in a run that is as deep at its end as at its start.

        If that is less than half of it, levels tell nothing of it: then it is the run itself.
        """
        first: dict[int, int] = {}
        best = start, stop
        if self.levels[start] == self.levels[stop]:
            return best
        longest = (stop - start) // 2
        for place in range(start, stop + 1):
            begin = first.setdefault(self.levels[place], place)
            if place - begin > longest:
                best, longest = (begin, place), place - begin
        return best


def large_parts(content: bytes, language: Language) -> LargeParts:
    """Cut a text into parts."""
    size = max(LEAST_BYTES, -(-len(content) // MOST_PARTS))
    bounds = [0]
    while bounds[-1] + 2 * size < len(content):
        bounds.append(_place(content, bounds[-1] + size // 2, bounds[-1] + size * 3 // 2))
    bounds.append(len(content))
    if language.newline_sensitive:
        return LargeParts(bounds, [_indentation(content, place) for place in bounds])
    levels = [0]
    for start, stop in pairwise(bounds):
        levels.append(levels[-1] + _depth(content, start, stop, language))
    return LargeParts(bounds, levels)


def _depth(content: bytes, start: int, stop: int, language: Language) -> int:
    """Return how many more brackets or tags some bytes open than they close, about."""
    if language.tags:
        starts = content.count(b"<", start, stop) - 2 * content.count(b"</", start, stop)
        others = (content.count(mark, start, stop) for mark in (b"/>", b"<!", b"<?"))
        return starts - sum(others)
    pairs = ((b"(", b")"),) if language.lisp_like else ((b"{", b"}"), (b"[", b"]"))
    return sum(content.count(a, start, stop) - content.count(b, start, stop) for a, b in pairs)


def _indentation(content: bytes, place: int) -> int:
    """Return by how many blanks the line is indented that starts at a place."""
    line = content[place : place + LEAST_BYTES]
    return len(line) - len(line.lstrip(b" \t"))


def _place(content: bytes, low: int, high: int) -> int:
    """Return the best place to cut between two."""
    middle = (low + high) // 2
    top = _TOP_LINE.search(content, *_window(low, high, TOP_WINDOW))
    if top:
        return top.end()
    starts = [
        (len(match[1]), match[2] in _CLOSING, abs(match.start() + 1 - middle), match.start() + 1)
        for match in _LINE_START.finditer(content, *_window(low, high, LINES_WINDOW))
    ]
    return min(starts)[-1] if starts else _place_in_line(content, low, high)


def _window(low: int, high: int, size: int) -> tuple[int, int]:
    """Return at most so many bytes in the middle of others."""
    middle = (low + high) // 2
    return max(low, middle - size // 2), min(high, middle + size // 2)


def _place_in_line(content: bytes, low: int, high: int) -> int:
    """Return the best place to cut inside of a line: behind a comma, or else a blank."""
    middle = (low + high) // 2
    depth, places = 0, []
    for match in _MARK.finditer(content, *_window(low, high, MARKS_WINDOW)):
        mark = match[0]
        depth += _OPENING_DEPTH.get(mark, 0)
        if mark not in _OPENING_DEPTH:
            places.append((mark.isspace(), depth, abs(match.end() - middle), match.end()))
    if places:
        return min(places)[-1]
    while middle < len(content) and content[middle] in _IN_CHARACTER:
        middle += 1
    return middle
