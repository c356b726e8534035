"""Members and imports, which are used in many places that have to agree.

``x.y`` becomes ``x`` or ``y`` wherever the same member is meant. An import that is named by a
string goes with all that uses it: pruning sees names that are mentioned, but ``import "net/http"``
gives the name ``http``, which is in no token of its own.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.tree_queries import (
    ACCESS,
    member_around,
    mentions,
    removal,
    replacement,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import Forest, NodeId, TokenId

MEMBER_PARTS = 3
"""Of how many parts such a node is: the owner, a mark and a name."""
MOST_MEMBERS = 6
"""How many members are looked at, those that are most often named."""
MOST_USES = 200
_LAST = re.compile(rb"(\w+)(?:\.\w+)?[\"'`>]?\Z")


def members(forest: Forest) -> Iterator[Rewrite]:
    """Put the whole for its member, or the member alone, wherever the same member is meant."""
    places: dict[tuple[bytes, bytes], list[_Member]] = {}
    for member in _members(forest):
        key = forest.text(member.punctuation), forest.text(member.name)
        if key[0] in ACCESS:
            places.setdefault(key, []).append(member)
    several = sorted(places.values(), key=len, reverse=True)[:MOST_MEMBERS]
    for which in ("owner", "name"):
        for alike in several:
            owners = {forest.kind(member.owner) for member in alike}
            if len(alike) > 1 and (which == "owner" or len(owners) == 1):
                patches = [
                    replacement(
                        forest, forest.span(member.node), forest.text(getattr(member, which))
                    )
                    for member in alike
                ]
                found = rewrite(f"{which} alone for all members", patches)
                if found:
                    yield found


class _Member(NamedTuple):
    """A node that names a member of something."""

    node: NodeId
    owner: NodeId
    punctuation: NodeId
    name: NodeId


def _members(forest: Forest) -> Iterator[_Member]:
    """Return the nodes that have the shape of a member: two names, or more, and a mark."""
    for node in forest.nodes:
        if forest.ends[node] - forest.firsts[node] < MEMBER_PARTS or not forest.is_named(node):
            continue
        children = tuple(islice(forest.children(node), MEMBER_PARTS + 1))
        if len(children) != MEMBER_PARTS or "binary" in forest.kind(node):  # x % y
            continue
        found = _Member(node, *children)
        marked = [forest.is_named(child) for child in children] == [True, False, True]
        if marked and forest.ends[found.name] - forest.firsts[found.name] == 1:
            yield found


def imports(forest: Forest) -> Iterator[Rewrite]:
    """Return each import with the statements that use it."""
    names: dict[bytes, list[TokenId]] = {}
    for node in forest.nodes:
        kind = forest.kind(node)
        if not forest.has_tokens(node) or kind not in forest.language(node).strings:
            continue
        at = forest.parents[node]
        if not kinds.is_import(forest.kind(at)):
            continue
        names = names or mentions(forest)
        last = _LAST.search(forest.text(node))
        uses = names.get(last[1], ())[:MOST_USES] if last else ()
        patches: list[Patch] = list(removal(forest, member_around(forest, at)))
        for use in uses:
            patches += removal(forest, member_around(forest, forest.leaves[use]))
        found = rewrite("import with its uses", patches)
        if uses and found is not None:
            yield found
