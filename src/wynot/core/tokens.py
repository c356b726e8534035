"""A case of files whose deltas are tokens.

The white space between two tokens belongs to neither: when what stood between them goes, it is
chosen anew, so that words do not run together and lines stay lines; and what follows is indented as
what has gone was, if that is less. A node of a tree is a run of tokens, so every deletion in the
tree, a node, what is around a node, a declaration with its uses, is the same thing here: tokens
left out.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase

_WORD = re.compile(rb"[\w$\x80-\xff]")
_BRACKET = b"()[]{},;"


class Tokens(NamedTuple):
    """Where the tokens of a text start and stop: in order, without overlap, none of them empty."""

    starts: Sequence[int]
    stops: Sequence[int]


NO_TOKENS = Tokens((), ())


@dataclass(slots=True)
class TokenText:
    """One file: its content, its tokens, and which deltas they are."""

    path: str
    content: bytes
    tokens: Tokens
    first: int
    after: int = field(init=False)
    _breaks: "array[int]" = field(init=False)
    """The gaps with a line end, in order; gap k is what stands before token k."""

    def __post_init__(self) -> None:
        starts, stops = self.tokens
        self.after = self.first + len(starts)
        self._breaks = array("q", [0])  # a text begins with a line
        cursor = 0
        for gap, start in enumerate((*starts, len(self.content))):
            if gap and self.content.find(b"\n", cursor, start) >= 0:
                self._breaks.append(gap)
            if gap < len(stops):
                cursor = stops[gap]

    def between(self, left: int, right: int) -> bytes:
        """Return what stands between two tokens when all between them are gone.

        -1 is the start of the text, the number of tokens its end.
        """
        count = len(self.tokens.starts)
        if count == 0 or right == left + 1:
            return self._gap(right)
        first = bisect_right(self._breaks, left)
        last = bisect_right(self._breaks, right) - 1
        if first <= last:
            # Of the lines that went and the one that follows, the one that is indented least: a
            # statement that was inside of what went is now where that was.
            ends = (self._gap(self._breaks[last]), self._gap(self._breaks[first]))
            gap = min(ends, key=lambda gap: len(gap) - gap.rfind(b"\n"))
            if left < 0:
                return gap[gap.rfind(b"\n") + 1 :] if right < count else b""
            return b"\n" if right == count else gap
        if left < 0 or right == count:
            return b""
        before, after = self._gap(left + 1), self._gap(right)
        shorter = min(before, after, key=len)
        return shorter or (b" " if self.would_join(left, right) else b"")

    def _gap(self, number: int) -> bytes:
        starts, stops = self.tokens
        begin = stops[number - 1] if number else 0
        return self.content[begin : starts[number] if number < len(starts) else len(self.content)]

    def would_join(self, left: int, right: int) -> bool:
        """Tell whether two tokens side by side could be read as another one."""
        if left < 0 or right >= len(self.tokens.starts):
            return False
        one = self.content[self.tokens.stops[left] - 1]
        two = self.content[self.tokens.starts[right]]
        if one in _BRACKET or two in _BRACKET:
            return False
        return bool(_WORD.match(bytes([one]))) is bool(_WORD.match(bytes([two])))


@dataclass(slots=True)
class _Written:
    """A text of a base, written out, and where in it each run of tokens begins."""

    view: memoryview
    content: bytes
    runs: list[int]
    """The first token of each run of neighbours."""
    offsets: list[int]

    def position(self, token: int, tokens: Tokens) -> int:
        """Return where a token that is there begins."""
        run = bisect_right(self.runs, token) - 1
        return self.offsets[run] + tokens.starts[token] - tokens.starts[self.runs[run]]


class TokensCase(RenderedCase):
    """Files as tokens; a file without tokens always stays as it is."""

    def __init__(self, files: Files, tokens: Mapping[str, Tokens]) -> None:
        self.texts: list[TokenText] = []
        count = 0
        for path, content in files.contents.items():
            text = TokenText(path, content, tokens.get(path, NO_TOKENS), count)
            self.texts.append(text)
            count = text.after
        super().__init__(files, count)
        self._base = self.deltas
        self._written: dict[str, _Written] = {}

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return tuple(
            hash((bytes(array("q", text.tokens.starts)), bytes(array("q", text.tokens.stops))))
            for text in self.texts
        )

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each token."""
        return [
            stop - start
            for text in self.texts
            for start, stop in zip(text.tokens.starts, text.tokens.stops, strict=True)
        ]

    def _write(self, candidate: Candidate) -> Files:
        base, gone = candidate.base, candidate.edit.deltas
        if candidate.edit.verb != "drop":
            base, gone = candidate.kept, Deltas(())
        if base is not self._base:
            self._base, self._written = base, {}
        return self.files.replaced({text.path: self._cut(text, base, gone) for text in self.texts})

    def _cut(self, text: TokenText, base: Deltas, gone: Deltas) -> bytes:
        written = self._written.get(text.path)
        if written is None:
            written = self._written[text.path] = _write_out(text, base)
        if not gone or gone.bounds[0] >= text.after or gone.bounds[-1] <= text.first:
            return written.content
        pieces: list[bytes | memoryview] = []
        cursor = 0
        for left, right in _holes(text, base, gone):
            stop = 0
            if left >= 0:
                start, end = text.tokens.starts[left], text.tokens.stops[left]
                stop = written.position(left, text.tokens) + end - start
            pieces += (written.view[cursor:stop], text.between(left, right))
            at_end = right == len(text.tokens.starts)
            cursor = len(written.content) if at_end else written.position(right, text.tokens)
        pieces.append(written.view[cursor:])
        return b"".join(pieces)


def _write_out(text: TokenText, kept: Deltas) -> _Written:
    """Write out the tokens of a text that are kept."""
    if not text.tokens.starts:
        return _Written(memoryview(text.content), text.content, [0], [0])
    starts, stops = text.tokens
    pieces: list[bytes] = []
    runs: list[int] = []
    offsets: list[int] = []
    left, offset = -1, 0
    for start, stop in kept.runs:
        low, high = max(start, text.first) - text.first, min(stop, text.after) - text.first
        if low >= high:
            continue
        gap = text.between(left, low)
        run = text.content[starts[low] : stops[high - 1]]
        runs.append(low)
        offsets.append(offset + len(gap))
        pieces += (gap, run)
        offset += len(gap) + len(run)
        left = high - 1
    pieces.append(text.between(left, len(starts)))
    content = b"".join(pieces)
    return _Written(memoryview(content), content, runs, offsets)


def _holes(text: TokenText, base: Deltas, gone: Deltas) -> Iterator[tuple[int, int]]:
    """Return the kept tokens to the left and right of each stretch that goes."""
    count, size = len(text.tokens.starts), len(base)
    last: tuple[int, int] | None = None
    for start, stop in gone.runs:
        if stop <= text.first or start >= text.after:
            continue
        low, high = base.rank(max(start, text.first)), base.rank(min(stop, text.after))
        left = base.index(low - 1) - text.first if low else -1
        right = base.index(high) - text.first if high < size else count
        left, right = max(left, -1), min(right, count)
        if last is not None and left < last[1]:  # nothing is kept between the two stretches
            last = last[0], right
            continue
        if last is not None:
            yield last
        last = left, right
    if last is not None:
        yield last
