"""A coarse tree of a large text, by brackets and separators alone.

Grammars take forty times the size of a text in memory, and a text of megabytes is first cut into
large pieces anyway. So one scan finds brackets, and what commas, semicolons and closing braces part
between them; what is inside of small brackets is not looked at before the text is smaller.
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
_PARTS = frozenset({b";", b","})
_GOES_ON = re.compile(rb"\s*[,;)\].=]")
"""What after a closing brace tells that it does not end what it stands in."""

Span: TypeAlias = tuple[int, int, str]
"""A start, the negative of a stop, and a kind; so sorting puts what is around before what is in."""


class _Open:
    """Brackets that are open, and what separators have parted in them so far."""

    __slots__ = ("close", "pieces", "since", "start")

    def __init__(self, start: int, close: bytes) -> None:
        self.start = start
        self.close = close
        self.since = start + len(close)
        self.pieces: list[int] = []
        """Of each the start, the stop, and where the separator after it stops."""

    def part(self, stop: int, after: int) -> None:
        """End a piece."""
        self.pieces += (self.since, stop, after)
        self.since = after


def parse(content: bytes, least: int) -> Tree:
    """Return the tree of a text; brackets of fewer bytes than ``least`` are not looked into."""
    root = _Open(0, b"")
    above, spans = [root], [(0, -len(content), "document")]
    for match in _marks(content):
        mark = match[0]
        if mark in _OPENS:
            above.append(_Open(match.start(), _OPENS[mark]))
        elif mark in _PARTS:
            above[-1].part(match.start(), match.end())
        elif mark in _CLOSES and above[-1].close == mark:
            group, stop = above.pop(), match.end()
            if stop - group.start >= least:
                group.part(stop - 1, stop - 1)
                spans.append((group.start, -stop, "brackets"))
                _add(spans, content, group)
            if mark == b"}" and not _GOES_ON.match(content, stop):
                above[-1].part(stop, stop)
    root.part(len(content), len(content))
    _add(spans, content, root)  # what is never closed is no bracket
    return _tree(spans, content)


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


def _tree(spans: list[Span], content: bytes) -> Tree:
    """Build the tree of spans that lie in each other; what is in none becomes a token."""
    tree = Tree()
    above: list[tuple[int, int]] = []
    reached = 0
    for start, negative, kind in sorted(spans):
        while above and above[-1][1] <= start and above[-1][0]:
            reached = _close(tree, content, *above.pop(), reached)
        if above:
            _fill(tree, content, above[-1][0], reached, start)
        named = bool(kind)
        parent = above[-1][0] if above else 0
        number = tree.open(kind or content[start:-negative].decode(), start, parent, named=named)
        above.append((number, -negative))
        reached = start
    while above:
        reached = _close(tree, content, *above.pop(), reached)
    return tree


def _close(tree: Tree, content: bytes, number: int, stop: int, reached: int) -> int:
    """End a node, and return where that is; one without parts is a token itself."""
    if len(tree) > number + 1:
        _fill(tree, content, number, reached, stop)
    tree.close(number, stop)
    return stop


def _fill(tree: Tree, content: bytes, number: int, start: int, stop: int) -> None:
    """Make a token of what is in no part of a node."""
    bare = content[start:stop].lstrip()
    if bare:
        begin = stop - len(bare)
        tree.leaf("", begin, begin + len(bare.rstrip()), number, named=False)
