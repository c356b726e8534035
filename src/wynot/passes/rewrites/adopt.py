"""Adoption: where a name is used, what stands in such places elsewhere; and its definition goes.

``struct E {} impl E {…}`` beside ``impl B<'_> {…}`` becomes ``impl B<'_> {…}`` twice, which can be
joined. What merging names does, for places where a name alone is not enough.
"""

from collections.abc import Iterator

from wynot.core.rewrites import Rewrite
from wynot.passes.forest import ROOT, Forest
from wynot.passes.rewrites.definitions import alone, defined_once
from wynot.passes.rewrites.shapes import mentions, put, removal, rewrite, whole, widest

MOST_USES, MOST = 2, 24
MOST_TEXTS = 3
"""How many texts of others are tried for a name."""
LONGEST = 16
"""Bytes of such a text."""


def adopted(forest: Forest) -> Iterator[Rewrite]:
    """Return for each name that is used once or twice what could be used in its place."""
    texts: dict[tuple[int, int], dict[bytes, None]] = {}
    for node in range(1, len(forest.kinds)):
        if forest.fields[node] and forest.is_named(node) and forest.has_tokens(node):
            role = forest.kinds[forest.parents[node]], forest.fields[node]
            if forest.weight(node) <= LONGEST:
                texts.setdefault(role, {})[forest.text(node)] = None
    count = 0
    for found, uses in defined_once(forest, mentions(forest), MOST_USES + 1):
        at = alone(forest, found.node, uses)
        if at == ROOT or any(forest.firsts[at] <= use < forest.lasts[at] for use in uses):
            continue
        nodes = [widest(forest, forest.leaves[use]) for use in uses]
        roles = {(forest.kinds[forest.parents[node]], forest.fields[node]) for node in nodes}
        if len(roles) != 1 or not next(iter(roles))[1]:
            continue
        own = {forest.text(node) for node in nodes}
        others = [text for text in texts.get(next(iter(roles)), {}) if text not in own]
        for text in others[:MOST_TEXTS]:
            patches = [put(forest, whole(forest, node), text) for node in nodes]
            done = rewrite("adopt another", [*removal(forest, at), *patches])
            if done is not None and done.gain > 0:
                yield done
                count += 1
        if count >= MOST:
            return
