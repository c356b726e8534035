"""Statements that are nothing but a string: what documents a module, a class or a function."""

from collections.abc import Iterator

from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId


def idle_strings(forest: Forest) -> Iterator[NodeId]:
    """Yield the statements that do nothing and are not all of a block, which would be empty."""
    for _, leaf in forest.token_leaves:
        if forest.kind(leaf) not in forest.language(leaf).strings:
            continue
        node, above = leaf, forest.parents[leaf]
        while not kinds.is_list(forest.kind(above)) and _is_all_of(forest, above, leaf):
            node, above = above, forest.parents[above]
        is_member = kinds.is_list(forest.kind(above)) and not _is_all_of(forest, above, leaf)
        if is_member and kinds.is_statement(forest.kind(node)):
            yield node


def _is_all_of(forest: Forest, node: NodeId, leaf: NodeId) -> bool:
    """Tell whether a node has no token but that of a leaf."""
    return (forest.firsts[node], forest.ends[node]) == (forest.firsts[leaf], forest.ends[leaf])
