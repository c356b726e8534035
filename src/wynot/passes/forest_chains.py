"""The chains of a forest, and the tokens of their links."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, cast

from wynot.core.chains import NodeColumns, chains_in
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId

WORTHWHILE_PART = 0.125
"""Which part of all texts the links of a chain must be: of others it is soon found out whether they
can go as a whole."""


def chains_of(forest: Forest) -> list[list[NodeId]]:
    """Return the chains of a forest that are a good part of it."""
    columns = (forest.kinds, forest.parents, forest.firsts, forest.ends)
    found = chains_in(NodeColumns(*cast("tuple[Sequence[int], ...]", columns)))
    least = forest.weight(ROOT_NODE) * WORTHWHILE_PART
    return [
        chain
        for chain in cast("list[list[NodeId]]", found)
        if forest.weight(chain[0]) - forest.weight(chain[-1]) >= least
    ]


class Link(NamedTuple):
    """A level of a chain: where it is, before the next level and behind it, and its text there."""

    path: str
    before: tuple[int, int]
    behind: tuple[int, int]
    left: bytes
    right: bytes

    @property
    def bare(self) -> tuple[bytes, bytes]:
        """Its text without white space."""
        return b"".join(self.left.split()), b"".join(self.right.split())


def links_of(forest: Forest, chain: Sequence[NodeId]) -> Iterator[Link]:
    """Yield the links of a chain, from the outermost on."""
    for outer, inner in pairwise(chain):
        path, start, stop = forest.span(outer)
        _, begin, end = forest.span(inner)
        content = forest.contents[path]
        yield Link(path, (start, begin), (end, stop), content[start:begin], content[end:stop])


def are_alike(forest: Forest, chain: Sequence[NodeId]) -> bool:
    """Tell whether all links of a chain say the same."""
    return len({link.bare for link in links_of(forest, chain)}) == 1


def tokens_of_links(
    forest: Forest, chain: Sequence[NodeId], low: int, high: int
) -> Iterator[tuple[int, int]]:
    """Return the tokens that go with some links in a row; with the last one, all that is inside."""
    firsts, ends = forest.firsts, forest.ends
    outer = chain[low]
    if high < len(chain):
        inner = chain[high]
        yield firsts[outer], firsts[inner]
        yield ends[inner], ends[outer]
    elif low == 0:
        yield firsts[outer], ends[outer]
    else:
        yield _member(forest, chain[low - 1], outer)


def _member(forest: Forest, node: NodeId, inside: NodeId) -> tuple[int, int]:
    """Return the tokens of the child of a node that something is in, with one separator."""
    before = after = child = None
    for each in forest.named(node):
        if forest.ends[each] <= forest.firsts[inside]:
            before = each
        elif forest.firsts[each] <= forest.firsts[inside]:
            child = each
        else:
            after = each
            break
    child = inside if child is None else child
    if before is not None:
        return forest.ends[before], forest.ends[child]
    return forest.firsts[child], forest.ends[child] if after is None else forest.firsts[after]
