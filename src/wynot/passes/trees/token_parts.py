"""Parts of tokens and groups of them: letters inside of one, windows of a few neighbours.

What trees do not offer: a keyword with the mark after it, the end of one clause with the beginning
of the next (Vulcan's windows, Xu et al. 2023; the gate leaves few of them to be tested).
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from wynot.core.deltas import Deltas
from wynot.core.texts.chains import LINKS_KIND
from wynot.core.texts.parts import Parts
from wynot.passes.trees.forest import Forest, TokenId, tokens_between
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


LETTERS_BET = 0.08
"""How often letters can go, as measured."""
MAX_CHARACTERS = 20_000
"""Letters of a case that is small enough for this."""


@dataclass(slots=True)
class TokenCharacters:
    """The characters of all tokens that have more than one."""

    forest: Forest
    names: bool = True
    _firsts: list[tuple[int, TokenId]] = field(default_factory=list)
    """The first letter of each token that has several."""

    def parts(self) -> dict[str, Parts]:
        """Return where they are."""
        found: dict[str, Parts] = {}
        first = 0
        for path, (starts, stops) in self.forest.tokens.items():
            content = self.forest.contents[path]
            tokens = tokens_between(first, first + len(starts))
            spans = [
                span
                for token, start, stop in zip(tokens, starts, stops, strict=True)
                if self._has_some(token, start, stop)
                for span in characters(content, start, stop)
            ]
            found[path] = Parts.apart(spans)
            first += len(starts)
        return found

    def begin(self) -> Sequence[Segment]:
        """Start with the halves of each token: that it cannot go as a whole is known."""
        found: list[Segment] = []
        self._firsts.clear()
        first = 0
        for token, leaf in self.forest.token_leaves:
            path, start, stop = self.forest.span_of_token(token)
            count = 0
            if self._has_some(token, start, stop):
                count = sum(1 for _ in characters(self.forest.contents[path], start, stop))
                self._firsts.append((first, token))
                category = f"letters of {self.forest.kind(leaf)}"
                found += halves(first, first + count, category)
            first += count
        return found if first <= MAX_CHARACTERS else []

    def _has_some(self, token: TokenId, start: int, stop: int) -> bool:
        """Tell whether a token has letters that may go."""
        if stop - start == 1:
            return False
        leaf = self.forest.leaves[token]
        kind = self.forest.kind(leaf)
        return kind != LINKS_KIND and (self.names or kind not in self.forest.language(leaf).names)

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return the letters that are kept."""
        return [self.forest.kept_between(kept, *segment.items)]

    def finer(self, segment: Segment, _kept: Deltas) -> Iterable[Segment]:
        """Cut in two."""
        start, stop = segment.items
        return halves(start, stop, segment.category) if stop - start > 1 else ()

    def fingerprint(self, segment: Segment) -> str:
        """Return which letters would go, of which token."""
        start, stop = segment.items
        token, first = self._owner(start)
        return f"#{segment.category}{self.forest.word(token)!r}{start - first}-{stop - first}"

    def _owner(self, letter: int) -> tuple[TokenId, int]:
        """Return the token that a letter is in, and its first letter."""
        place = bisect_right(self._firsts, letter, key=itemgetter(0)) - 1
        first, token = self._firsts[place]
        return token, first


def characters(content: bytes, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Return where each character is; one of UTF-8 is not cut."""
    at = start
    while at < stop:
        after = at + 1
        while after < stop and content[after] & 0xC0 == 0x80:  # noqa: PLR2004 - goes on
            after += 1
        yield at, after
        at = after


def halves(start: int, stop: int, category: str) -> list[Segment]:
    """Return a run of letters in two."""
    middle = (start + stop) // 2
    ends = ((start, middle), (middle, stop))
    return [
        Segment(high - low, category, (low, high), bet=LETTERS_BET)
        for low, high in ends
        if low < high
    ]
