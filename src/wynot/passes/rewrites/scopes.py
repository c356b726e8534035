"""Scopes: what is in a namespace or a module stands outside, and nobody says where it is from.

Neither can be done alone: the names would not be found, or be found nowhere.
"""

from collections.abc import Iterator, Sequence

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import TokenId
from wynot.passes.rewrites.definitions import Definition, definition
from wynot.passes.rewrites.tree_queries import (
    ACCESS,
    OPENING,
    member_around,
    mentions,
    put,
    removal,
    rewrite,
)

MOST_USES = 200


def scopes(forest: Forest) -> Iterator[Rewrite]:
    """Return each name that is only ever a scope, taken out of what it scopes."""
    for tokens in mentions(forest).values():
        if len(tokens) > MOST_USES:
            continue
        found = [definition(forest, token) for token in tokens]
        tags = [each for each in found if each is not None and each.category == "tag"]
        if not tags or len({forest.kinds[each.node] for each in tags}) > 1:
            continue
        given = {each.name for each in tags}
        patches = _patches(forest, tags, [token for token in tokens if token not in given])
        done = rewrite(f"{forest.kind(tags[0].node)} unwrapped", patches)
        if patches and done is not None:
            yield done


def _patches(forest: Forest, tags: Sequence[Definition], uses: Sequence[TokenId]) -> list[Patch]:
    """Return what takes away the braces and the name; nothing if it is used otherwise."""
    patches: list[Patch] = []
    for tag in tags:
        body = forest.child(tag.node, "body")
        first, last = forest.firsts[body], forest.last(body)
        if OPENING.get(forest.word(first)) != forest.word(last) or last != forest.last(tag.node):
            return []
        path, start, _ = forest.span(tag.node)
        inside = forest.span_of_token(TokenId(first + 1))[1]
        patches += (Patch(path, start, inside), put(forest, forest.between(last, last + 1)))
    for use in uses:
        member = member_around(forest, forest.leaves[use])
        if kinds.is_using(forest.kind(member)):
            patches += removal(forest, member)
        elif use + 2 < len(forest.leaves) and forest.word(TokenId(use + 1)) in ACCESS:
            path, start, _ = forest.span_of_token(use)
            patches.append(Patch(path, start, forest.span_of_token(TokenId(use + 2))[1]))
        else:
            return []
    return patches
