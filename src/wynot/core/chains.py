"""Chains: nodes of one kind inside of each other, many levels deep.

A list in a list in a list, an ``else if`` after the other, ``1 + 1 + 1``: of such a nest each level
but what is in the next one is a *link*, and the links are a list like any other. So a part of a
nest can go at once, and not level by level.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.tree import Tree

MIN_LEVELS = 24
"""Levels that make a chain: of fewer each is soon looked at by itself."""


class NodeColumns(NamedTuple):
    """A tree as chains see it: nodes numbered as they begin, 0 is the root."""

    kinds: Sequence[int]
    parents: Sequence[int]
    starts: Sequence[int]
    stops: Sequence[int]

    @classmethod
    def of(cls, tree: Tree) -> "NodeColumns":
        """Take a tree's, in bytes."""
        return cls(tree.kinds, tree.parents, tree.starts, tree.stops)


def chains_in(tree: NodeColumns, least: int = MIN_LEVELS) -> list[list[int]]:
    """Return the chains of at least so many levels, each from its outermost node on.

    Every node is on one path to a deepest leaf below it; a chain is what a path has of one kind.
    """
    if len(tree.kinds) <= least:
        return []
    found = []
    for path in _deep_paths(tree.parents, least):
        parts = [path]
        while parts:
            part = parts.pop()
            kind, count = Counter(tree.kinds[node] for node in part).most_common(1)[0]
            if count < least:
                continue
            places = [at for at, node in enumerate(part) if tree.kinds[node] == kind]
            chain = list(_distinct(tree, [part[at] for at in places]))
            if len(chain) >= least:
                found.append(chain)
            parts += [rest for rest in (part[: places[0]], part[places[-1] + 1 :]) if rest]
    return sorted(found, key=len, reverse=True)


def height(parents: Sequence[int]) -> int:
    """Return how many levels a tree has."""
    return _heights(parents)[0][0] if parents else 0


def _heights(parents: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return of each node how many levels it has, and the child that has most; 0: it has none."""
    count = len(parents)
    heights, deepest = [1] * count, [0] * count
    for node in range(count - 1, 0, -1):
        parent, levels = parents[node], heights[node] + 1
        if levels > heights[parent]:
            heights[parent], deepest[parent] = levels, node
    return heights, deepest


def _deep_paths(parents: Sequence[int], least: int) -> Iterator[list[int]]:
    """Yield the paths of at least so many nodes that lead from a node to a deepest leaf."""
    heights, deepest = _heights(parents)
    if heights[0] < least:
        return
    for node, levels in enumerate(heights):
        if levels >= least and (node == 0 or deepest[parents[node]] != node):
            path = [node]
            while deepest[path[-1]]:
                path.append(deepest[path[-1]])
            yield path


def _distinct(tree: NodeColumns, nodes: Sequence[int]) -> Iterator[int]:
    """Yield some nodes, each in the one before, but for those that are all of the one before."""
    before = None
    for node in nodes:
        span = tree.starts[node], tree.stops[node]
        if span != before and span[0] < span[1]:
            yield node
        before = span
