"""A text of few tokens, and rewrites of it that leave tokens out or put something instead."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from wynot.core.rewrites import Patch, Rewrite
from wynot.core.tokens import TokenText
from wynot.passes.forest import Forest

MOST_LEFT_TOKENS = 160
"""Tokens of a text of which so little is left that this is worth it."""


@dataclass(frozen=True, slots=True)
class ShortText:
    """The tokens of one text, by numbers from 0."""

    cut: TokenText
    first: int
    """The number of its first token among those of all texts."""

    @property
    def count(self) -> int:
        """How many tokens there are."""
        return len(self.cut.starts)

    @property
    def words(self) -> list[bytes]:
        """The bytes of each token."""
        spans = zip(self.cut.starts, self.cut.stops, strict=True)
        return [self.cut.content[start:stop] for start, stop in spans]

    def without(self, category: str, runs: Iterable[tuple[int, int]]) -> Rewrite:
        """Return what leaves out some runs of tokens: in order, none next to another."""
        return Rewrite(category, tuple(self._gone(start, stop) for start, stop in runs))

    def alone(self, category: str, start: int, stop: int) -> Rewrite:
        """Return what leaves nothing but some neighbouring tokens."""
        content = self.cut.content
        low, high = self.cut.starts[start], self.cut.stops[stop - 1]
        ends = ((0, low), (high, len(content)))
        return Rewrite(
            category, tuple(Patch(self.cut.path, *end) for end in ends if end[0] < end[1])
        )

    def instead(self, category: str, start: int, stop: int, text: bytes) -> Rewrite:
        """Return what puts a text in the place of some neighbouring tokens."""
        low, high = self.cut.starts[start], self.cut.stops[stop - 1]
        return Rewrite(category, (Patch(self.cut.path, low, high, text),))

    def _gone(self, start: int, stop: int) -> Patch:
        """Return what leaves out neighbouring tokens, with the white space for those next to it."""
        cut = self.cut
        low = cut.stops[start - 1] if start else 0
        high = cut.starts[stop] if stop < self.count else len(cut.content)
        return Patch(cut.path, low, high, cut.between(start - 1, stop))


def short_texts(forest: Forest) -> Iterator[ShortText]:
    """Return the texts of which little is left, if that is all that is left in all of them."""
    if len(forest.leaves) > MOST_LEFT_TOKENS:
        return
    for first, path in forest.texts:
        tokens = forest.tokens[path]
        if tokens.starts:
            yield ShortText(TokenText(path, forest.contents[path], tokens, 0), first)


def runs_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return numbers, which come in order, as runs of neighbours."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number:
            found[-1] = found[-1][0], number + 1
        else:
            found.append((number, number + 1))
    return found


def is_apart(runs: list[tuple[int, int]]) -> bool:
    """Tell whether there is something between each two runs."""
    return all(left[1] < right[0] for left, right in pairwise(runs))
