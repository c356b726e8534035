"""Plain types: one that is built in stands for one of a library, or for one that the text defines.

All mentions change together, so that they still agree; then what has defined the type can go, or
what has brought it in.
"""

from collections.abc import Iterator
from itertools import islice

from wynot.core.rewrites import Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    member_around,
    mentions,
    put,
    removal,
    rewrite,
)

MOST_DEFINED = 100
MOST_MENTIONS = 100


def library_types(forest: Forest) -> Iterator[Rewrite]:
    """Put what is built in for all mentions of a type of a library."""
    if not any(language.library_types for _, language in forest.languages):
        return
    places: dict[tuple[bytes, bytes], list[TokenId]] = {}
    for token, leaf in forest.token_leaves:
        word = forest.word(token)
        instead = forest.language(leaf).library_types.get(word.lower())
        if instead is not None:
            places.setdefault((word, instead), []).append(token)
    for (_, instead), tokens in places.items():
        runs = (forest.between(token, TokenId(token + 1)) for token in tokens)
        done = rewrite("built-in for a library's", [put(forest, run, instead) for run in runs])
        if done is not None:
            yield done


def defined_types(forest: Forest) -> Iterator[Rewrite]:
    """Put the plainest type for all mentions of one that is defined, which goes."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for node in islice(_definitions(forest), MOST_DEFINED):
        name, plain = _name(forest, node), forest.language(node).plain_type
        if name is None:
            continue
        uses = mentions(forest).get(forest.word(name), ())
        outside = [token for token in uses if not forest.holds(node, token)]
        if not 0 < len(outside) <= MOST_MENTIONS:
            continue
        runs = (forest.between(token, TokenId(token + 1)) for token in outside)
        around = member_around(forest, node)
        if any(forest.holds(around, token) for token in outside):
            around = node
        gone = removal(forest, around)
        done = rewrite("built-in for a type", [*gone, *(put(forest, run, plain) for run in runs)])
        if done is not None:
            yield done


def _definitions(forest: Forest) -> Iterator[NodeId]:
    for node in forest.named_nodes:
        if kinds.defines_type(forest.kind(node)) and forest.language(node).plain_type:
            yield node


def _name(forest: Forest, node: NodeId) -> TokenId | None:
    """Return the name of the type that is defined; None: it has none, or more than that."""
    for field in ("name", "type"):
        child = forest.child(node, field)
        if child and forest.ends[child] - forest.firsts[child] == 1:
            return forest.firsts[child]
    first = next(iter(forest.named(node)), ROOT_NODE)
    is_name = first and forest.ends[first] - forest.firsts[first] == 1
    return forest.firsts[first] if is_name else None
