"""Members: ``x.y`` as ``x`` or as ``y``, wherever the same member is meant.

One alone can be hoisted; but where a field goes, or a module is no longer named, all have to agree.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from wynot.core.rewrites import Rewrite
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId
from wynot.passes.rewrites.tree_queries import ACCESS, put, rewrite

MEMBER_PARTS = 3
"""Of how many parts such a node is: the owner, a mark and a name."""
MOST_MEMBERS = 6
"""How many members are looked at, those that are most often named."""


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
                    put(forest, forest.span(member.node), forest.text(getattr(member, which)))
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
