"""Chains: nodes of one kind inside of each other, and how many links alike become one.

A list in a list in a list, an ``else if`` after the other, ``1 + 1 + 1``: of such a nest each level
but what is in the next one is a *link*, and the links are a list like any other. So a part of a
nest can go at once, and not level by level.

When a chain cannot get shorter, what is found out about its first and last links holds for those in
the middle, which are like them. To try each of a thousand by itself would take thousands of tests.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from wynot.core.texts.tree import Tree

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


LINKS_KIND = "links"
"""The kind of the token that links in the middle of a chain become."""
KEPT_LINKS = 1
"""Links that are left as they are at both ends of each stretch."""
MIN_FOLDED = 24
"""Links that are worth to be folded."""


class Side(NamedTuple):
    """What a stretch of links has on one side: the first link's text, and where others begin."""

    start: int
    stop: int
    others: Sequence[int]


class AlikeLinks(NamedTuple):
    """Links in a row that say the same, and of which the first is not folded."""

    before: Side
    behind: Side


class Folded(NamedTuple):
    """A tree without most of the links that are alike, and where those are."""

    tree: Tree
    stretches: tuple[AlikeLinks, ...] = ()


def folded(tree: Tree, content: bytes) -> Folded:
    """Return a tree with stretches of links that are all alike as one token on each side."""
    runs = list(_runs(tree, content))
    if not runs:
        return Folded(tree)
    folds = {run[KEPT_LINKS]: run[-1 - KEPT_LINKS] for run in runs}
    stretches = tuple(_stretch(tree, content, run) for run in runs)
    return Folded(_without(tree, content, folds), stretches)


def _without(tree: Tree, content: bytes, folds: Mapping[int, int]) -> Tree:
    """Return a tree in which links from some nodes up to before others are one token."""
    made = Tree()
    above: list[tuple[int, int, int]] = []
    """The nodes that are open: where each ends in the old tree and in the text, and its number."""
    after: dict[int, tuple[int, int, int]] = {}
    """By the first node behind what folds are around: the node after them, where the text that is
    folded there stops, and where it starts."""
    number = 0
    while number < len(tree):
        while above and above[-1][0] <= number:
            _, stop, node = above.pop()
            made.close(node, stop)
        parent = above[-1][2] if above else 0
        if number in after:
            end, stop, start = after.pop(number)
            _leaf(made, content, start, stop, parent)
            number = end
            continue
        if number in folds:
            inner = folds[number]
            _leaf(made, content, tree.starts[number], tree.starts[inner], parent)
            behind, end = tree.subtree_ends[inner], tree.subtree_ends[number]
            if behind < end:
                after[behind] = end, tree.stops[number], tree.stops[inner]
            number = inner
        node = made.open(
            tree.kind(number),
            tree.starts[number],
            parent,
            field=tree.field(number),
            named=tree.is_named(number),
        )
        made.flags[node] = tree.flags[number]
        above.append((tree.subtree_ends[number], tree.stops[number], node))
        number += 1
    while above:
        _, stop, node = above.pop()
        made.close(node, stop)
    return made


def _leaf(made: Tree, content: bytes, start: int, stop: int, parent: int) -> None:
    """Add what is folded as one token, without the white space around it."""
    bare = content[start:stop].lstrip()
    if bare:
        start = stop - len(bare)
        made.leaf(LINKS_KIND, start, start + len(bare.rstrip()), parent, named=False)


def _runs(tree: Tree, content: bytes) -> Iterator[Sequence[int]]:
    """Yield the nodes whose links say the same, and the one inside of the last of them."""
    least = MIN_FOLDED + 2 * KEPT_LINKS
    for chain in chains_in(NodeColumns.of(tree), least + 1):
        texts = (b"".join(text.split()) for text in _texts(tree, content, chain))
        first = 0
        for _, alike in groupby(texts):
            end = first + sum(1 for _ in alike)
            if end - first >= least:
                yield chain[first : end + 1]
            first = end


def _texts(tree: Tree, content: bytes, chain: Sequence[int]) -> Iterator[bytes]:
    """Yield the text of each link: what is before the next level, a NUL, and what is behind it."""
    starts, stops = tree.starts, tree.stops
    for outer, inner in pairwise(chain):
        before = content[starts[outer] : starts[inner]]
        yield b"".join((before, b"\0", content[stops[inner] : stops[outer]]))


def _stretch(tree: Tree, content: bytes, run: Sequence[int]) -> AlikeLinks:
    """Return where the links are that are like the first, also in their white space."""
    starts, stops, (head, *_) = tree.starts, tree.stops, _texts(tree, content, run[:2])
    texts = zip(pairwise(run), _texts(tree, content, run), strict=True)
    alike = [pair for pair, text in texts if text == head and pair[0] != run[0]]
    return AlikeLinks(
        Side(starts[run[0]], starts[run[1]], [starts[outer] for outer, _ in alike]),
        Side(stops[run[1]], stops[run[0]], [stops[inner] for _, inner in alike]),
    )
