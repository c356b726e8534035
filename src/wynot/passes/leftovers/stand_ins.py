"""Something shorter in the place of a node, whatever its kind: what is inside, or a plain token."""

from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId
from wynot.passes.leftovers.short_text import MOST_LEFT_TOKENS

INSIDE = "what is inside"
PLAIN_TEXTS = (b"0", b"a", b"()", b"{}", b"[]", b'""', b";", b"''")
"""What is something in many languages, and short."""


def descendants(forest: Forest) -> Iterator[Rewrite]:
    """Put anything that is inside of a node in its place."""
    if len(forest.leaves) > MOST_LEFT_TOKENS:
        return
    for node in _nodes(forest):
        path, start, stop = forest.span(node)
        seen = {forest.text(node)}
        for inner in range(node + 1, forest.subtree_ends[node]):
            inside = NodeId(inner)
            if forest.has_tokens(inside) and (text := forest.text(inside)) not in seen:
                seen.add(text)
                yield Rewrite(INSIDE, (Patch(path, start, stop, text),))


def plain_texts(forest: Forest) -> Iterator[Rewrite]:
    """Put a plain text in the place of a node, or another token of the text."""
    if len(forest.leaves) > MOST_LEFT_TOKENS:
        return
    words = dict.fromkeys(forest.words)
    for node in _nodes(forest):
        path, start, stop = forest.span(node)
        for sort, texts in (("plain", PLAIN_TEXTS), ("another token", words)):
            for text in texts:
                if len(text) < stop - start:
                    yield Rewrite(f"{sort} for a node", (Patch(path, start, stop, text),))


def _nodes(forest: Forest) -> Iterator[NodeId]:
    """Return the nodes, of those with the same tokens the first."""
    seen = set()
    for node in forest.nodes:
        run = forest.firsts[node], forest.ends[node]
        if forest.has_tokens(node) and run not in seen:
            seen.add(run)
            yield node
