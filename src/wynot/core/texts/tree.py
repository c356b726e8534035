"""A syntax tree, flat: nodes numbered as they begin; and nodes whose tokens are deltas.

A subtree is a run of numbers, and a tree of a million nodes is a handful of arrays.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wynot.core.deltas import Deltas

TOKEN, NAMED, FLAW = 1, 2, 4
"""What is known of a node: it has no children; it is more than punctuation or a keyword; it is
where the text does not follow the grammar."""


@dataclass(slots=True)
class Tree:
    """Nodes by number: 0 is the root, which spans the whole text.

    ``starts`` and ``stops`` are in bytes; children lie in their parent, in order and without
    overlap. What no token covers is white space, or at least nothing that the grammar names.
    """

    names: list[str] = field(default_factory=list)
    """The kinds of nodes that there are."""
    kinds: "array[int]" = field(default_factory=lambda: array("H"))
    """Each node's kind, as a place in ``names``."""
    fields: "array[int]" = field(default_factory=lambda: array("H"))
    """What the node is to its parent, as a place in ``names``; 0: nothing in particular."""
    flags: bytearray = field(default_factory=bytearray)
    starts: "array[int]" = field(default_factory=lambda: array("Q"))
    stops: "array[int]" = field(default_factory=lambda: array("Q"))
    parents: "array[int]" = field(default_factory=lambda: array("I"))
    """The root is its own parent."""
    subtree_ends: "array[int]" = field(default_factory=lambda: array("I"))
    """The number of the first node that is not in this one's subtree."""
    _places: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._place("")

    def __len__(self) -> int:
        return len(self.kinds)

    def open(
        self, kind: str, start: int, parent: int, *, field: str = "", named: bool = True
    ) -> int:
        """Begin a node inside of one that is open, and return its number."""
        number = len(self.kinds)
        self.kinds.append(self._place(kind))
        self.fields.append(self._place(field))
        self.flags.append(NAMED if named else 0)
        self.starts.append(start)
        self.stops.append(start)
        self.parents.append(parent)
        self.subtree_ends.append(number + 1)
        return number

    def close(self, number: int, stop: int) -> None:
        """End a node: nothing more will be opened inside of it."""
        self.stops[number] = stop
        self.subtree_ends[number] = len(self.kinds)
        if self.subtree_ends[number] == number + 1:
            self.flags[number] |= TOKEN

    def leaf(
        self, kind: str, start: int, stop: int, parent: int, *, field: str = "", named: bool = True
    ) -> int:
        """Add a node without children."""
        number = self.open(kind, start, parent, field=field, named=named)
        self.close(number, stop)
        return number

    def mark_flaw(self, number: int) -> None:
        """Say that the text does not follow the grammar here."""
        self.flags[number] |= FLAW

    def kind(self, number: int) -> str:
        """Return what kind of node this is."""
        return self.names[self.kinds[number]]

    def field(self, number: int) -> str:
        """Return what it is to its parent; empty: nothing in particular."""
        return self.names[self.fields[number]]

    def is_named(self, number: int) -> bool:
        """Tell whether it is more than punctuation or a keyword."""
        return bool(self.flags[number] & NAMED)

    def children(self, number: int) -> Iterator[int]:
        """Return a node's children, in order."""
        return children_of(self.subtree_ends, number)

    def text(self, number: int, content: bytes) -> bytes:
        """Return the bytes of a node."""
        return content[self.starts[number] : self.stops[number]]

    @property
    def syntax_errors(self) -> int:
        """In how many places the text does not follow the grammar."""
        return sum(flag & FLAW != 0 for flag in self.flags)

    @property
    def tokens(self) -> Sequence[int]:
        """The nodes without children that are not empty, in order."""
        starts, stops = self.starts, self.stops
        return [
            number
            for number, flag in enumerate(self.flags)
            if flag & TOKEN and starts[number] < stops[number]
        ]

    def _place(self, name: str) -> int:
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = len(self.names)
            self.names.append(name)
        return place


def children_of(subtree_ends: Sequence[int], node: int) -> Iterator[int]:
    """Return a node's children, in order, in any tree whose subtrees are runs of numbers."""
    child, after = node + 1, subtree_ends[node]
    while child < after:
        yield child
        child = subtree_ends[child]


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
