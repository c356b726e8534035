"""Which deltas lie in one node of a tree, from the coarsest depth that parts them to the finest.

Two neighbouring deltas are in one node down to some depth, and apart below. So a single number for
each pair of neighbours tells the groups of all depths, and deeper groups lie in those above.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from wynot.core.tree import Tree
from wynot.inquiries.inputs.edits import Edits, Region

NEVER_PARTED = 1 << 30
"""The depth of what is not parted: white space goes with what stands before it, and what is put in
with what it replaces."""
_LEVEL_GROWTH = 2
"""How many times more groups make a depth worth a level of its own."""


def partings(edits: Edits) -> list[int]:
    """Return for each delta of a text from which depth on it is apart from the one before it."""
    after = _Side(edits.failing.tree, edits.failing.content)
    has_lists = any(region.middle - region.first > 1 for region in edits.regions)
    before = _Side(edits.passing.tree if has_lists else None, edits.passing.content)
    found: list[int] = []
    last: int | None = None
    for region in edits.regions:
        removed = edits.spans(region.first, region.middle)
        added = edits.spans(region.middle, region.after)
        removals, _, _ = before.depths(removed)
        additions, first, end = after.depths(added)
        if first is None:  # nothing but blanks was put in: a place in the failing text
            first = end = after.around(region)
        # What replaces something is one with it: half of either would be a text of no side.
        depths = (
            [NEVER_PARTED] * len(removed + added) if removed and added else removals + additions
        )
        depths[0] = after.parting(last, first) if edits.failing.tree else min(1, len(found))
        found += depths
        last = end
    return found


def by_depth(partings: Sequence[int]) -> Iterator[list[int]]:
    """Return the first delta of each group, for each depth that is worth it; the finest is."""
    parted = [(at, depth) for at, depth in enumerate(partings) if at and depth < NEVER_PARTED]
    depths = sorted(depth for _, depth in parted)
    groups = 1
    for place, depth in enumerate(depths):
        is_last = place + 1 == len(depths)
        if is_last or (depths[place + 1] != depth and place + 2 >= _LEVEL_GROWTH * groups):
            groups = place + 2
            yield [0] + [at for at, each in parted if each <= depth]


class _Side:
    """A text and its tree, gone through from front to back."""

    def __init__(self, tree: Tree | None, content: bytes) -> None:
        self._tree = tree
        self._content = content
        self._next = 0
        self._open: list[int] = []
        """The nodes around the present place, from the root on."""
        self._depths = array("l")
        if tree is not None:
            self._depths.append(0)
            for number in range(1, len(tree)):
                self._depths.append(self._depths[tree.parents[number]] + 1)

    def depths(self, spans: Sequence[tuple[int, int]]) -> tuple[list[int], int | None, int | None]:
        """Return the partings of neighbouring atoms, and the nodes of the first and the last.

        These two are None if all is white space. The first parting is not for this to say.
        """
        found: list[int] = []
        first: int | None = None
        last: int | None = None
        for start, stop in spans:
            if self._content[start:stop].isspace():
                found.append(NEVER_PARTED)
                continue
            node = self._at(start, stop)
            found.append(NEVER_PARTED if last is None else self.parting(last, node))
            first = node if first is None else first
            last = node
        return found, first, last

    def parting(self, one: int | None, other: int | None) -> int:
        """Return from which depth on two nodes are apart: below the lowest that is around both."""
        tree = self._tree
        if one is None or other is None:
            return 0
        if tree is None:
            return NEVER_PARTED
        while not one <= other < tree.subtree_ends[one]:
            one = tree.parents[one]
        return self._depths[one] + 1

    def around(self, region: Region) -> int:
        """Return the node that a place is inside of, not where it begins."""
        node = self._at(region.begin, region.end)
        tree = self._tree
        while tree is not None and node and tree.starts[node] == region.begin:
            node = tree.parents[node]
        return node

    def _at(self, start: int, stop: int) -> int:
        """Return the lowest node around a piece of text; pieces come from front to back."""
        tree = self._tree
        if tree is None:
            return 0
        while self._open and tree.stops[self._open[-1]] <= start:
            self._open.pop()
        while self._next < len(tree) and tree.starts[self._next] <= start:
            if tree.stops[self._next] > start:
                self._open.append(self._next)
            self._next += 1
        if self._open and tree.stops[self._open[-1]] >= stop:  # nearly always
            return self._open[-1]
        # Stops fall from the root on.
        place = bisect_right(self._open, -stop, key=lambda node: -tree.stops[node])
        return self._open[place - 1] if place else 0
