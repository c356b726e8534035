"""Windows: a few neighbouring tokens at once, whatever nodes they belong to.

What trees do not offer: a keyword with the mark after it, the end of one clause with the beginning
of the next (Vulcan's windows, Xu et al. 2023; the gate leaves few of them to be tested).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wynot.core.deltas import Deltas
from wynot.passes.forest import Forest
from wynot.passes.ids import tokens_between
from wynot.search.largest import Segment

SIZES = (1, 2, 3, 4)
WINDOW_BET = 0.15
"""How often a window can go, as measured."""
MAX_TOKENS = 3000
"""Tokens of a case that is small enough for this."""


@dataclass(slots=True)
class TokenWindows:
    """All runs of a few tokens."""

    forest: Forest

    def begin(self) -> Sequence[Segment]:
        """Start with all of them; a window is its first token and the one after its last."""
        forest = self.forest
        count = len(forest.leaves)
        if count > MAX_TOKENS:
            return []
        return [
            Segment(
                forest.byte_offsets[start + size] - forest.byte_offsets[start],
                f"{size} token{'s' if size > 1 else ''}",
                (start, start + size),
                bet=WINDOW_BET,
            )
            for size in SIZES
            for start in range(count - size + 1)
        ]

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return the tokens of the window that are kept."""
        return [self.forest.kept_between(kept, *segment.items)]

    def finer(self, _segment: Segment, _kept: Deltas) -> Iterable[Segment]:
        """There is nothing between one window and the next."""
        return ()

    def fingerprint(self, segment: Segment) -> str:
        """Return the text of what would go."""
        start, stop = segment.items
        words = b" ".join(map(self.forest.word, tokens_between(start, stop)))
        return f"#{segment.category}{words!r}"
