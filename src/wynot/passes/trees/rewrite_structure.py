"""Rewriting: the structure that a list of rewrites is to the search.

All of one sort are tried at once, then halves, by weight where there are many, as with deletions:
what is harmless costs one test, however many there are. Of rewrites inside of each other the outer
one comes first; where it does not work, those inside of it are tried.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from operator import mul

from wynot.core.deltas import Deltas
from wynot.core.files import KEPT_BASES, Files
from wynot.core.system.recent import Recent
from wynot.core.texts.rewrites import Rewrite
from wynot.search.largest import Segment
from wynot.search.lists.split import halves

REWRITE_ODDS = 0.2
"""How often a rewrite works that is not known yet."""
REWRITE_BETS = {"without blanks": 0.6, "rename": 0.6}
"""How often rewrites of a sort work, as measured, where that is far more often."""
MANY_PLACES = 64
"""From how many places of a sort on halves weigh the same: of few that costs more tests than it
saves, as measured on the texts of ``tests/quality``."""
SLIGHT_GAIN = 0.5
"""What it counts for if nothing gets shorter, only simpler."""


@dataclass(slots=True)
class RewriteStructure:
    """Rewrites, in groups of one sort."""

    files: Files
    rewrites: Sequence[Rewrite]
    factors: Sequence[float] = ()
    """How many times the bytes that it saves each is worth; none: all are worth these."""
    _inside: dict[int, list[int]] = field(default_factory=dict)
    """Of each rewrite those of its sort that are in it, and in no other between the two."""
    _outermost: dict[str, list[int]] = field(default_factory=dict)
    _gains: list[float] = field(default_factory=list)
    """How many bytes each rewrite saves, or what it is worth."""
    _marks: Recent[int, bytes] = field(default_factory=lambda: Recent(KEPT_BASES))

    def __post_init__(self) -> None:
        self._gains = [max(rewrite.gain, 0) for rewrite in self.rewrites]
        if self.factors:
            self._gains = list(map(mul, self._gains, self.factors))
        categories: dict[str, list[int]] = {}
        for number, rewrite in enumerate(self.rewrites):
            categories.setdefault(rewrite.category, []).append(number)
        for category, numbers in categories.items():
            self._nest(category, sorted(numbers, key=self._place))

    def _place(self, number: int) -> tuple[str, int, int]:
        patches = self.rewrites[number].patches
        return patches[0].path, patches[0].start, -patches[-1].stop

    def _nest(self, category: str, numbers: Sequence[int]) -> None:
        """Find out which rewrites of a sort are inside of which."""
        open_ones: list[int] = []
        for number in numbers:
            path, start, _ = self._place(number)
            while open_ones:
                outer = self._place(open_ones[-1])
                if outer[0] == path and start < -outer[2]:
                    break
                open_ones.pop()
            several = len(self.rewrites[number].patches) > 1
            if open_ones and not several:
                self._inside.setdefault(open_ones[-1], []).append(number)
            else:
                self._outermost.setdefault(category, []).append(number)
            if not several:
                open_ones.append(number)

    def begin(self) -> Sequence[Segment]:
        """Start with each sort as a whole."""
        return [self._segment(numbers) for numbers in self._outermost.values()]

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return the rewrites that have not been done yet."""
        return [Deltas.of(self._left(segment, kept))]

    def finer(self, segment: Segment, kept: Deltas) -> Iterator[Segment]:
        """Cut in two; of a single one take those that are inside of it."""
        items = self._left(segment, kept)
        if len(items) > 1:
            if len(items) > MANY_PLACES:
                yield from map(self._segment, halves(items, self._gains))
                return
            middle = len(items) // 2
            yield self._segment(items[:middle])
            yield self._segment(items[middle:])
        elif items and items[0] in self._inside:
            yield self._segment(self._inside[items[0]])

    def fingerprint(self, segment: Segment) -> str:
        """Return what would be written, and in the place of what."""
        digest, contents = sha256(segment.category.encode()), self.files.contents
        for number in segment.items:
            for path, start, stop, instead in self.rewrites[number].patches:
                digest.update(b"%b\0%b\0" % (contents[path][start:stop], instead))
        return "#" + digest.hexdigest()[:16]

    def _left(self, segment: Segment, kept: Deltas) -> list[int]:
        """Return the rewrites of a segment that have not been done yet."""
        if len(kept) == len(self.rewrites):
            return list(segment.items)
        marks = self._marks.get(kept.key, lambda: bytes(kept.marks(len(self.rewrites))))
        return [number for number in segment.items if marks[number]]

    def _segment(self, items: Sequence[int]) -> Segment:
        weight = sum(map(self._gains.__getitem__, items))
        category = self.rewrites[items[0]].category
        bet = REWRITE_BETS.get(category)
        return Segment(weight or SLIGHT_GAIN, category, tuple(items), odds=REWRITE_ODDS, bet=bet)
