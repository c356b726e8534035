"""Joins: two that begin alike become one with what both have.

``impl A { x } impl A { y }`` is ``impl A { x y }``, and ``int a; int b;`` is ``int a, b;``: nothing
is lost, so nearly always it holds, and what is left has one head less.
"""

from collections.abc import Iterator
from itertools import pairwise

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.tree_queries import is_bracket, is_list
from wynot.passes.trees.forest import ByteRange, Forest, NodeId, TokenId, tokens_between

MAX_JOINS = 500
"""How many there are at most."""


MAX_COMMON_WORDS = 50
"""How many words two may have in common before their bodies."""


def joined(forest: Forest) -> Iterator[Rewrite]:
    """Return what can be joined: neighbours with the same head."""
    count = 0
    for node in forest.nodes:
        if not forest.has_tokens(node) or not is_list(forest, node):
            continue
        members = forest.named(node)
        for one, other in pairwise(members):
            found = _bodies(forest, one, other) or _declarations(forest, one, other)
            if found is not None and found.gain > 0:
                yield found
                count += 1
                if count >= MAX_JOINS:
                    return


def _head(forest: Forest, node: NodeId, last: TokenId) -> tuple[bytes, ...]:
    """Return the words of a node that are before a token."""
    return tuple(forest.word(token) for token in tokens_between(forest.firsts[node], last))


def _bodies(forest: Forest, one: NodeId, other: NodeId) -> Rewrite | None:
    """Join two that have a body in brackets."""
    bodies = []
    for node in (one, other):
        body = forest.child(node, "body")
        if not body or forest.ends[body] != forest.ends[node]:
            return None
        bodies.append(body)
    first, second = bodies
    length = forest.firsts[first] - forest.firsts[one]
    if length != forest.firsts[second] - forest.firsts[other] or length > MAX_COMMON_WORDS:
        return None
    if not all(is_bracket(forest, next(forest.children(body))) for body in bodies):
        return None
    if _head(forest, one, forest.firsts[first]) != _head(forest, other, forest.firsts[second]):
        return None
    start = forest.span_of_token(forest.last(one))[1]
    stop = forest.span_of_token(forest.firsts[second])[2]
    return Rewrite(f"join {forest.kind(one)}", (Patch(forest.span(one).path, start, stop),))


def _declarations(forest: Forest, one: NodeId, other: NodeId) -> Rewrite | None:
    """Join two that end with a semicolon and have the same type."""
    if forest.kinds[one] != forest.kinds[other]:
        return None
    heads: list[list[bytes]] = []
    starts: list[TokenId] = []
    for node in (one, other):
        children = list(forest.children(node))
        declared = [
            child
            for child in children
            if forest.field_of(child) == "declarator" or forest.kind(child).endswith("declarator")
        ]
        if not declared or forest.text(children[-1]) != b";":
            return None
        starts.append(forest.firsts[declared[0]])
        heads.append(list(_head(forest, node, starts[-1])))
    if heads[0] != heads[1] or not heads[0]:
        return None
    end: ByteRange = forest.between(forest.last(one), forest.ends[one])
    stop = forest.span_of_token(starts[1])[1]
    return Rewrite(f"join {forest.kind(one)}", (Patch(end.path, end.start, stop, b","),))
