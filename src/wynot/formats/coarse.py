"""A coarse tree of a large text, by brackets and separators alone.

Grammars take forty times the size of a text in memory, and a text of megabytes is first cut into
large pieces anyway. So one scan finds brackets, and what commas, semicolons and closing braces part
between them. What is inside of small brackets is not looked at before the text is smaller, small
pieces are one, and long text without any such mark is cut at line ends or blanks: so the number of
parts does not follow the size of the text.
"""

import re
from collections.abc import Iterator
from typing import TypeAlias

from wynot.core.tree import Tree
from wynot.formats.nesting import UNCLOSED

_OUTSIDE = (
    rb'"(?:(?:[^"\\\n]|\\.)*+"|' + UNCLOSED[0] + rb")"
    rb"|'(?:(?:[^'\\\n]|\\.)*+'|" + UNCLOSED[1] + rb")"
    rb"|//[^\n]*|[{}\[\]();,]"
)
_MARK_OUTSIDE = re.compile(_OUTSIDE)
_MARK = re.compile(_OUTSIDE + rb"|/\*(?s:.*?)(?:\*/|(?P<unclosed>\Z))")
_OPENS = {b"{": b"}", b"[": b"]", b"(": b")"}
_CLOSES = frozenset(_OPENS.values())
_IN_CHARACTER = range(0x80, 0xC0)
"""The bytes of a character in UTF-8 that are not its first."""
_PARTS = frozenset({b";", b","})
_GOES_ON = re.compile(rb"\s*[,;)\].=]")
"""What after a closing brace tells that it does not end what it stands in."""

TOP_LEVELS, TOP_FACTOR = 8, 20
"""In these levels brackets are parts if they are so many times larger than the least; all others
have enough text of their own, beside the parts in them."""

Span: TypeAlias = tuple[int, int, str]
"""A start, the negative of a stop, and a kind; so sorting puts what is around before what is in."""


class _Open:
    """Brackets that are open, and what separators have parted in them so far."""

    __slots__ = ("close", "inside", "pieces", "since", "start")

    def __init__(self, start: int, close: bytes) -> None:
        self.start = start
        self.close = close
        self.since = start + len(close)
        self.pieces: list[int] = []
        """Of each the start, the stop, and where the separator after it stops."""
        self.inside = 0
        """How many bytes are in brackets that are parts."""

    def part(self, stop: int, after: int, least: int = 0) -> None:
        """End a piece; it and the one before are one if they are small."""
        if self.pieces and stop - self.pieces[-3] < least:
            self.pieces[-2:] = (stop, after)
            self.since = after
            return
        self.pieces += (self.since, stop, after)
        self.since = after


def parse(content: bytes, least: int) -> Tree:
    """Return the tree of a text; parts of fewer bytes than ``least`` are not looked into."""
    root = _Open(0, b"")
    above, spans = [root], [(0, -len(content), "document")]
    for match in _marks(content):
        mark = match[0]
        if mark in _OPENS:
            above.append(_Open(match.start(), _OPENS[mark]))
        elif mark in _PARTS:
            above[-1].part(match.start(), match.end(), least)
        elif mark in _CLOSES and above[-1].close == mark:
            group, stop = above.pop(), match.end()
            size = stop - group.start
            is_top = len(above) <= TOP_LEVELS and size >= TOP_FACTOR * least
            if is_top or size - group.inside >= least:
                group.part(stop - 1, stop - 1, least)
                spans.append((group.start, -stop, "brackets"))
                _add(spans, content, group)
                above[-1].inside += size
            else:
                above[-1].inside += group.inside
            if mark == b"}" and not _GOES_ON.match(content, stop):
                above[-1].part(stop, stop, least)
    root.part(len(content), len(content), least)
    _add(spans, content, root)  # what is never closed is no bracket
    return _CoarseTree(content, least).grown(spans)


def _marks(content: bytes) -> Iterator[re.Match[bytes]]:
    """Yield strings, comments, brackets and separators; a comment that is never closed is none.

    One of these takes a look at all that follows it; so there is none behind it, either.
    """
    for match in _MARK.finditer(content):
        if match.lastgroup == "unclosed":
            yield from _MARK_OUTSIDE.finditer(content, match.start() + 1)
            return
        yield match


def _add(spans: list[Span], content: bytes, group: _Open) -> None:
    """Add the pieces of brackets, without the white space around each, and the separators."""
    pieces = iter(group.pieces)
    for start, stop, after in zip(pieces, pieces, pieces, strict=True):
        text = content[start:stop]
        bare = text.lstrip()
        if bare:
            begin = stop - len(bare)
            spans.append((begin, -begin - len(bare.rstrip()), "item"))
        if stop < after:
            spans.append((stop, -after, ""))
    if group.close:
        spans.append((group.start, -group.start - 1, ""))
        spans.append((group.since, -group.since - 1, ""))


class _CoarseTree:
    """A tree under construction."""

    def __init__(self, content: bytes, least: int) -> None:
        self._tree = Tree()
        self._content = content
        self._least = least
        self._reached = 0

    def grown(self, spans: list[Span]) -> Tree:
        """Build the tree of spans that lie in each other; what is in none becomes tokens."""
        tree, content = self._tree, self._content
        above: list[tuple[int, int]] = []
        for start, negative, kind in sorted(spans):
            while above and above[-1][1] <= start and above[-1][0]:
                self._close(*above.pop())
            if above:
                self._fill(above[-1][0], start)
            parent = above[-1][0] if above else 0
            name = kind or content[start:-negative].decode()
            number = tree.open(name, start, parent, named=bool(kind))
            above.append((number, -negative))
            self._reached = start
        while above:
            self._close(*above.pop())
        return tree

    def _close(self, number: int, stop: int) -> None:
        """End a node; one without parts is a token itself, unless it is long."""
        if len(self._tree) > number + 1 or stop - self._reached > 2 * self._least:
            self._fill(number, stop)
        self._tree.close(number, stop)
        self._reached = stop

    def _fill(self, number: int, stop: int) -> None:
        """Make tokens of what is in no part of a node: of long text one for each piece."""
        is_long = stop - self._reached > 2 * self._least
        while self._reached < stop:
            end = self._cut(stop) if is_long else stop
            bare = self._content[self._reached : end].lstrip()
            if bare:
                begin = end - len(bare)
                after = begin + len(bare.rstrip())
                self._tree.leaf("piece" if is_long else "", begin, after, number, named=is_long)
            self._reached = end

    def _cut(self, stop: int) -> int:
        """Return where the next piece of long text ends: at a line end, or else at a blank."""
        low = self._reached + max(self._least, 1)
        high = low + self._least
        if high >= stop:
            return stop
        content = self._content
        end = content.find(b"\n", low, high) + 1 or content.find(b" ", low, high) + 1 or high
        while end < stop and content[end] in _IN_CHARACTER:
            end += 1
        return end
