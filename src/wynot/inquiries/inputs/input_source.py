"""A text of one side, and where it can be cut: lines, tokens, characters, and the tree of it."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from wynot.core.parts import Parts
from wynot.core.tree import Tree
from wynot.formats.characters import characters, octets
from wynot.formats.format import is_text
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS
from wynot.formats.lines import lines
from wynot.formats.source import parsable_as, tree_up_to
from wynot.formats.tokenizer import tokens

MAX_PARSED_BYTES = 384 << 10
"""Bytes of a text up to which it is parsed in all detail: a grammar takes a second for that."""
_BLANKS = b" \t"


class InputSource:
    """One file. What is costly to know of it is found out when it is first asked for."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content

    @cached_property
    def language(self) -> Language | None:
        """What it is written in; None: it is no text."""
        return parsable_as(self.path, self.content)[0]

    @property
    def is_known(self) -> bool:
        """Tell whether there is more known of its language than brackets and lines."""
        return self.language not in (None, BRACKETS)

    @cached_property
    def tree(self) -> Tree | None:
        """Its tree; of a large text only the large parts, if brackets tell them."""
        return tree_up_to(self.language, self.content, MAX_PARSED_BYTES) if self.language else None

    @cached_property
    def lines(self) -> Sequence[int]:
        """The boundaries of all lines, from the start of the text to its end."""
        return _bounds(lines(self.content), 0)

    def tokens(self, start: int, stop: int) -> Sequence[int]:
        """Return the boundaries of the tokens from start to stop, both of them included."""
        if start == stop or self._tokens is None:
            return _bounds(tokens(self.content[start:stop]), start)
        low, high = bisect_right(self._tokens, start), bisect_left(self._tokens, stop)
        return [start, *self._tokens[low:high], stop]

    def characters(self, start: int, stop: int) -> Sequence[int]:
        """Return the boundaries of the characters; where it is no text, of the bytes."""
        cut = characters if is_text(self.content) else octets
        return _bounds(cut(self.content[start:stop]), start)

    @cached_property
    def _tokens(self) -> "array[int] | None":
        """The boundaries of tokens as the grammar has them.

        As with tokens of no language, the blanks after a token are part of it, and those that begin
        a line are not.
        """
        if not self.is_known or len(self.content) > MAX_PARSED_BYTES or self.tree is None:
            return None
        found, content, cursor = array("q", [0]), self.content, 0
        starts, stops = self.tree.starts, self.tree.stops
        for start, stop in [
            *((starts[n], stops[n]) for n in self.tree.tokens),
            (len(content),) * 2,
        ]:
            if cursor < start:
                gap = content[cursor:start]
                blanks = len(gap) - len(gap.lstrip(_BLANKS)) if cursor else 0
                found.extend(_bounds(tokens(gap[blanks:]), cursor + blanks))
            found.append(start)
            cursor = stop
        rising = array("q", [0])
        rising.extend(after for before, after in pairwise(found) if before < after)
        return rising


def _bounds(parts: Parts, offset: int) -> Sequence[int]:
    """Return the boundaries of parts that tile a text which stands somewhere in another."""
    if not parts.starts:
        return (offset,)
    if isinstance(parts.starts, range):
        return range(offset, offset + len(parts.starts) + 1)
    return [*(offset + start for start in parts.starts), offset + parts.stops[-1]]
