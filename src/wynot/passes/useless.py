"""The structure of a large source in which only what nothing needs goes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import cast

from wynot.core.deltas import Deltas
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId
from wynot.passes.needed import MIN_LARGE_TOKENS, Needed
from wynot.search.largest import Segment

LAST_ONES = (1, 4, 16)
"""How many of the last parts are tried as all that is not to be touched: what a program does stands
behind what it needs for that."""
LEAST_SHARE = 64
"""Parts that are smaller than one in so many are not looked at alone."""


@dataclass(slots=True)
class UselessUnits:
    """Proposes all that nothing needs: but for the last parts, then for one half and the other."""

    forest: Forest
    needed: Needed = field(init=False)

    def __post_init__(self) -> None:
        self.needed = Needed(self.forest)

    def begin(self) -> Sequence[Segment]:
        """Start with all but the last parts; not in a source that is not large."""
        if len(self.forest.leaves) < MIN_LARGE_TOKENS:
            return []
        parts = self.forest.named(self.forest.innermost(ROOT_NODE))
        kept = Deltas.first(len(self.forest.leaves))
        found = [self._segment(parts[:-count], kept) for count in LAST_ONES if len(parts) > count]
        return [each for each in found if each.weight]

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return what to take out: with members of classes, or without."""
        nodes = cast("tuple[NodeId, ...]", segment.items)
        return (self.needed.useless(nodes, kept, members=each) for each in (True, False))

    def finer(self, segment: Segment, kept: Deltas) -> Iterator[Segment]:
        """Have one half of it stay, or the other."""
        items = cast("tuple[NodeId, ...]", segment.items)
        middle = len(items) // 2
        for half in (items[:middle], items[middle:]):
            if half and middle:
                found = self._segment(half, kept)
                if found.weight * LEAST_SHARE > self.forest.byte_offsets[-1]:
                    yield found

    def fingerprint(self, segment: Segment) -> str:
        """Return the text of what it is about."""
        texts = (self.forest.text(node) for node in cast("tuple[NodeId, ...]", segment.items))
        return "#" + sha256(b"\0".join((segment.category.encode(), *texts))).hexdigest()[:16]

    def _segment(self, items: Sequence[NodeId], kept: Deltas) -> Segment:
        found = self.needed.useless(items, kept, members=True)
        weight = self.forest.bytes_of(found)
        return Segment(weight, "what nothing needs", tuple(items))
