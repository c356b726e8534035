"""HDD, hierarchical delta debugging: a list search on the nodes of a tree, from coarse to fine.

Misherghi & Su 2006. What is left out is never half a function: a node goes with all that is in it.
What has gone near the root need not be asked about further down, so that most of a case goes in a
few tests. The list search inside may be any: ddmin in the original, OPDD in ``002`` §V-B.

- ``hdd``: all nodes of a level at once, level by level.
- ``hddr``: the children of one node at a time, breadth first (Kiss et al. 2018). More searches, on
  shorter lists, and no chunk has nodes of two parents.
- ``hdd*`` and ``hddr*``: until nothing changes.

Two things are not as in the first paper. A node is left out, never replaced by the shortest text of
its kind: that would be no subset. And a node whose deltas all are in one child is passed over for
that child (Hodován et al. 2017 squeeze the tree beforehand; here it is seen as it comes about):
without the one or without the other the same is left, and it would be asked about twice.

Cost: that of the list search on every level, so O(n) tests with OPDD. Result: fails. After a run
that changes nothing it is 1-tree-minimal: no single node can go, the last one included; the root
itself is not tried.
"""

from functools import partial
from typing import Literal, TypeAlias

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.core.texts.tree import Nodes
from wynot.search.combinators import Minimizer, down_to_nothing, nested, star
from wynot.search.units import over_units

Hierarchical = Literal["hdd", "hdd*", "hddr", "hddr*"]

NodeLevel: TypeAlias = tuple[int, ...]
"""Nodes of which none is inside of another, in order."""

ROOT: NodeLevel = (0,)


def hierarchical(name: Hierarchical, nodes: Nodes, minimizer: Minimizer) -> Minimizer:
    """Return the search of this name, with a list search on the nodes."""
    once = partial(hddr if name.startswith("hddr") else hdd, nodes=nodes, minimizer=minimizer)
    return partial(star, once) if name.endswith("*") else once


def hdd(
    kept: Deltas,
    nodes: Nodes,
    minimizer: Minimizer,
    level: NodeLevel | None = None,
    after: int = 0,
    running: Search[Deltas] | None = None,
) -> Search[Deltas]:
    """Minimize which nodes of a level stay; go on with the children of those that do."""
    level = below(ROOT, nodes, kept) if level is None else level
    while level:
        running = running or among(level, nodes, minimizer, kept)
        outer = partial(hdd, kept, nodes, minimizer, level, after)
        kept, after = yield from nested(running, outer, after=after)
        running, level = None, below(level, nodes, kept)
    return kept


def hddr(
    kept: Deltas,
    nodes: Nodes,
    minimizer: Minimizer,
    level: NodeLevel = ROOT,
    turn: int = 0,
    after: int = 0,
    running: Search[Deltas] | None = None,
) -> Search[Deltas]:
    """Minimize which children of one node stay, for each node in turn, breadth first.

    The paper's queue is a level and whose turn it is: what a node would append to it is found all
    at once when the level is done. So the way back to a round does not need a copy of the queue.
    """
    while level:
        for node in level[turn:]:
            children = below((node,), nodes, kept)
            if children:
                running = running or among(children, nodes, minimizer, kept)
                outer = partial(hddr, kept, nodes, minimizer, level, turn, after)
                kept, after = yield from nested(running, outer, after=after)
            running, turn = None, turn + 1
        level, turn = below(level, nodes, kept), 0
    return kept


def among(level: NodeLevel, nodes: Nodes, minimizer: Minimizer, kept: Deltas) -> Search[Deltas]:
    """Minimize which of these nodes stay; where one is left, that one may go as well."""
    units = [nodes.deltas(node, kept) for node in level]
    return over_units(partial(down_to_nothing, minimizer), kept, units)


def below(level: NodeLevel, nodes: Nodes, kept: Deltas) -> NodeLevel:
    """Return the children of these nodes, those of which something is kept."""
    children = (child for node in level for child in nodes.children(node))
    return tuple(_squeezed(child, nodes, kept) for child in children if nodes.size(child, kept))


def _squeezed(node: int, nodes: Nodes, kept: Deltas) -> int:
    """Return the smallest node inside of this one that has all of its deltas."""
    size = nodes.size(node, kept)
    while True:
        there = (child for child in nodes.children(node) if nodes.size(child, kept))
        child = next(there, node)
        if child == node or nodes.size(child, kept) < size:
            return node
        node = child
