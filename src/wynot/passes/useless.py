"""The structure of a large source in which only what nothing needs goes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import cast

from wynot.core.deltas import Deltas
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId
from wynot.passes.needed import Care, Needed
from wynot.search.largest import Segment

LAST_ONES = (1, 4, 16)
"""How many of the last parts are tried as all that is not to be touched: what a program does stands
behind what it needs for that."""
LEAST_SHARE = 64
"""Parts that are smaller than one in so many are not looked at alone."""
CHECKED_SHARE = 0.9
"""How much may be left by scope, of what is left by spelling, if a compiler looks at all names,
used or not: scopes are guessed, and a single wrong guess spoils all."""


@dataclass(slots=True)
class UselessUnits:
    """Proposes all that nothing needs: but for the last parts, then for one half and the other."""

    forest: Forest
    needed: Needed = field(init=False)

    def __post_init__(self) -> None:
        self.needed = Needed(self.forest)

    def begin(self) -> Sequence[Segment]:
        """Start with all but the last parts."""
        parts = self.forest.named(self.forest.innermost(ROOT_NODE))
        kept = Deltas.first(len(self.forest.leaves))
        found = [self._segment(parts[:-count], kept) for count in LAST_ONES if len(parts) > count]
        return [each for each in found if each.weight]

    def ways(self, segment: Segment, kept: Deltas) -> Iterator[Deltas]:
        """Return what to take out: by scope, by spelling, or without members of classes."""
        nodes = cast("tuple[NodeId, ...]", segment.items)
        by_scope, by_spelling = (
            self.needed.useless(nodes, kept, care) for care in (Care.BY_SCOPE, Care.BY_SPELLING)
        )
        is_checked = any(language.bodiless for _, language in self.forest.languages)
        share = CHECKED_SHARE if is_checked else 1.0
        if self._left_of(by_scope, kept) < share * self._left_of(by_spelling, kept):
            yield by_scope
        yield by_spelling
        yield self.needed.useless(nodes, kept, Care.WHOLE_CLASSES)

    def _left_of(self, gone: Deltas, kept: Deltas) -> int:
        return self.forest.bytes_of(kept.toggle(gone))

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
        found = self.needed.useless(items, kept, Care.BY_SCOPE)
        weight = self.forest.bytes_of(found)
        return Segment(weight, "what nothing needs", tuple(items))
