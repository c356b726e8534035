"""Stand-ins: where a name is used, something plain stands instead; and its declaration goes.

A table of SQL is as good as ``(SELECT 1)``, a type of C as ``int``. The text is what the language's
table has for the kind of node that the name is used as, or what stands in such places elsewhere.
"""

from collections.abc import Iterator

from wynot.core.rewrites import Rewrite
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId
from wynot.passes.rewrites.names import declared
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, mentions, put, rewrite, widest

MOST_USES, MOST = 3, 24
MOST_TEXTS = 2
"""How many texts from elsewhere are tried for a name."""
MAX_TEXT_BYTES = 16
"""Bytes of such a text."""


def adopted(forest: Forest) -> Iterator[Rewrite]:
    """Return for each name that is used a few times what could be there instead."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    texts = _texts(forest)
    count = 0
    for tokens in mentions(forest).values():
        place = declared(forest, tokens) if 1 < len(tokens) <= MOST_USES + 1 else None
        if place is None:
            continue
        nodes = [widest(forest, forest.leaves[token]) for token in tokens if token not in place]
        roles = {(forest.kinds[forest.parents[node]], forest.fields[node]) for node in nodes}
        if len(roles) != 1:
            continue
        own = {forest.text(node) for node in nodes}
        others = [text for text in texts.get(next(iter(roles)), {}) if text not in own]
        for text in (*_short(forest, nodes[0]), *others[:MOST_TEXTS]):
            patches = [put(forest, forest.span(node), text) for node in nodes]
            done = rewrite("something plain for a name", [*place.removal, *patches])
            if done is not None:
                yield done
                count += 1
        if count >= MOST:
            return


def _texts(forest: Forest) -> dict[tuple[int, int], dict[bytes, None]]:
    """Return the short texts that stand in each role: as this field of that kind of node."""
    found: dict[tuple[int, int], dict[bytes, None]] = {}
    for node in forest.named_nodes:
        if forest.fields[node] and forest.weight(node) <= MAX_TEXT_BYTES:
            role = forest.kinds[forest.parents[node]], forest.fields[node]
            found.setdefault(role, {})[forest.text(node)] = None
    return found


def _short(forest: Forest, node: NodeId) -> tuple[bytes, ...]:
    """Return the texts that the language's table has for a node, or for what is the same in it."""
    short = forest.language(node).replacements
    while forest.kind(node) not in short:
        children = list(forest.children(node))
        if len(children) != 1:
            return ()
        node = children[0]
    return short[forest.kind(node)]
