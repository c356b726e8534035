"""Members: ``x.y`` as ``x`` or as ``y``, wherever the same member is meant.

One alone can be hoisted; but where a field goes, or a module is no longer named, all have to agree.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from wynot.core.rewrites import Rewrite
from wynot.passes.forest import Forest
from wynot.passes.rewrites.shapes import ACCESS, put, rewrite, whole

PARTS = 3
"""Of how many parts such a node is: the owner, a mark and a name."""
MOST_MEMBERS = 6
"""How many members are looked at, those that are most often named."""


def members(forest: Forest) -> Iterator[Rewrite]:
    """Put the whole for its member, or the member alone, wherever the same member is meant."""
    places: dict[tuple[bytes, bytes], list[_Member]] = {}
    for member in _members(forest):
        key = forest.text(member.mark), forest.text(member.name)
        if key[0] in ACCESS:
            places.setdefault(key, []).append(member)
    several = sorted(places.values(), key=len, reverse=True)[:MOST_MEMBERS]
    for which in ("owner", "name"):
        for alike in several:
            owners = {forest.kind(member.owner) for member in alike}
            if len(alike) > 1 and (which == "owner" or len(owners) == 1):
                patches = [
                    put(forest, whole(forest, member.node), forest.text(getattr(member, which)))
                    for member in alike
                ]
                found = rewrite(f"{which} alone for all members", patches)
                if found and found.gain > 0:
                    yield found


class _Member(NamedTuple):
    """A node that names a member of something."""

    node: int
    owner: int
    mark: int
    name: int


def _members(forest: Forest) -> Iterator[_Member]:
    """Return the nodes that have the shape of a member: two names, or more, and a mark."""
    for node in range(1, len(forest.kinds)):
        if forest.lasts[node] - forest.firsts[node] < PARTS or not forest.is_named(node):
            continue
        children = tuple(islice(forest.children(node), PARTS + 1))
        if len(children) != PARTS or "binary" in forest.kind(node):  # x % y
            continue
        found = _Member(node, *children)
        marked = [forest.is_named(child) for child in children] == [True, False, True]
        if marked and forest.lasts[found.name] - forest.firsts[found.name] == 1:
            yield found
