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
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.texts.parts import CutText, TextsCase

_WORD = re.compile(rb"[\w$\x80-\xff]")
_BRACKET = b"()[]{},;"
_HASH = ord("#")


class Tokens(NamedTuple):
    """Where the tokens of a text start and stop: in order, without overlap, none of them empty."""

    starts: Sequence[int]
    stops: Sequence[int]


NO_TOKENS = Tokens((), ())


class TokenText(CutText):
    """One file: its content, its tokens, and which deltas they are."""

    def __init__(self, path: str, content: bytes, tokens: Tokens, first: int) -> None:
        super().__init__(path, content, *tokens, first)
        self.tokens = tokens
        self._breaks = array("q", [0])  # a text begins with a line
        """The gaps with a line end, in order."""
        cursor = 0
        for gap, start in enumerate((*tokens.starts, len(content))):
            if gap and content.find(b"\n", cursor, start) >= 0:
                self._breaks.append(gap)
            if gap < len(tokens.stops):
                cursor = tokens.stops[gap]

    def between(self, left: int, right: int) -> bytes:
        """Return the white space for two tokens when all between them are gone."""
        count = len(self.tokens.starts)
        if count == 0 or right == left + 1:
            return self.gap(right)
        first = bisect_right(self._breaks, left)
        last = bisect_right(self._breaks, right) - 1
        while first < last and self._is_remark(self._breaks[first]):
            first += 1  # it may be indented in any way
        if first <= last:
            # Of the lines that went and the one that follows, the one that is indented least: a
            # statement that was inside of what went is now where that was.
            ends = (self.gap(self._breaks[last]), self.gap(self._breaks[first]))
            gap = min(ends, key=lambda gap: len(gap) - gap.rfind(b"\n"))
            if left < 0:
                return gap[gap.rfind(b"\n") + 1 :] if right < count else b""
            return b"\n" if right == count else gap
        if left < 0 or right == count:
            return b""
        before, after = self.gap(left + 1), self.gap(right)
        shorter = min(before, after, key=len)
        return shorter or (b" " if self.would_join(left, right) else b"")

    def _is_remark(self, token: int) -> bool:
        """Tell whether a token is a comment, where lines and their indentation mean something."""
        return token < len(self.tokens.starts) and self.content[self.tokens.starts[token]] == _HASH

    def would_join(self, left: int, right: int) -> bool:
        """Tell whether two tokens side by side could be read as another one."""
        if left < 0 or right >= len(self.tokens.starts):
            return False
        one = self.content[self.tokens.stops[left] - 1]
        two = self.content[self.tokens.starts[right]]
        if one in _BRACKET or two in _BRACKET or self._stood_so(left, right):
            return False
        return bool(_WORD.match(bytes([one]))) is bool(_WORD.match(bytes([two])))

    def _stood_so(self, left: int, right: int) -> bool:
        """Tell whether a token like the right one was next to the left one before."""
        starts, stops = self.tokens
        if left + 1 >= right or starts[left + 1] > stops[left]:
            return False
        after = self.content[starts[left + 1] : stops[left + 1]]
        return after == self.content[starts[right] : stops[right]]


class TokensCase(TextsCase[TokenText]):
    """Files as tokens."""

    def __init__(self, files: Files, tokens: Mapping[str, Tokens]) -> None:
        super().__init__(
            files,
            lambda path, content, first: TokenText(
                path, content, tokens.get(path, NO_TOKENS), first
            ),
        )
