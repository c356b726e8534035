"""The nodes of a tree whose tokens are deltas: what is left out with a node is one run of them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.tree import children_of


class Nodes(NamedTuple):
    """Nodes by number, as they begin: 0 is the root, which holds all deltas; parents come first.

    So a subtree is a run of numbers, and a large tree is three arrays. A node may have deltas that
    none of its children has, and may have none at all.
    """

    starts: Sequence[int]
    """Each node's first delta."""
    stops: Sequence[int]
    """The delta after each node's last one."""
    subtree_ends: Sequence[int]
    """The first node that is not in each one's subtree."""

    def children(self, node: int) -> Iterator[int]:
        """Return a node's children, in order."""
        return children_of(self.subtree_ends, node)

    def size(self, node: int, kept: Deltas) -> int:
        """Return how many of the deltas that are kept a node has."""
        return kept.rank(self.stops[node]) - kept.rank(self.starts[node])

    def deltas(self, node: int, kept: Deltas) -> Deltas:
        """Return which of the deltas that are kept a node has."""
        return kept.part(kept.rank(self.starts[node]), kept.rank(self.stops[node]))
