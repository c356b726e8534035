"""Mixtures of two trees of npm: some packages as the one has them, others as the other.

What is chosen is for each name from which side it comes. A package finds what that side has for it;
if nothing there is in the range that it asks for, what its own side has: a tree has room for both.
So all mixtures can be installed, but for peers, which have to fit each other.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from wynot.inquiries.packages.lock_file import LockFile, Pin, Pins, Role
from wynot.inquiries.packages.mixture import Kinship, Upgrade
from wynot.inquiries.packages.npm.npm_lock import (
    NodeLayout,
    NodeNeed,
    NodePackage,
    NodeTree,
    inside,
    is_within,
    node_tree,
)

NodeGraph: TypeAlias = tuple[
    Mapping[str, NodePackage], Mapping[NodePackage, Mapping[str, NodePackage]]
]
"""What the project finds, and what each package does."""


@dataclass(frozen=True)
class NodeMixture:
    """Two lock files of npm."""

    good: LockFile
    bad: LockFile

    @cached_property
    def _trees(self) -> tuple[NodeTree, NodeTree]:
        return node_tree(self.good), node_tree(self.bad)

    @cached_property
    def changes(self) -> Sequence[Upgrade]:
        """The names under which not everyone finds the same on both sides."""
        good, bad = self._trees
        names = dict.fromkeys((*bad.versions, *good.versions))
        return [Upgrade(name, *_sides(good, bad, name)) for name in names if self._differs(name)]

    def _differs(self, name: str) -> bool:
        good, bad = self._trees
        return (
            set(good.versions.get(name, ())) != set(bad.versions.get(name, ()))
            or good.tops.get(name) != bad.tops.get(name)
            or any(
                good.links[package].get(name) != bad.links[package].get(name)
                for package in self._common_users.get(name, ())
            )
        )

    @cached_property
    def _common_users(self) -> Mapping[str, Sequence[NodePackage]]:
        """The packages of both sides that need something of a name."""
        good, bad = self._trees
        found: dict[str, list[NodePackage]] = {}
        for package in good.links.keys() & bad.links.keys():
            for name in good.links[package].keys() | bad.links[package].keys():
                found.setdefault(name, []).append(package)
        return found

    @cached_property
    def kinship(self) -> Kinship:
        """What peers say of each other, and what is below what."""
        below: dict[str, set[str]] = {}
        needs: dict[str, set[str]] = {}
        for tree in self._trees:
            for package, links in tree.links.items():
                below.setdefault(package.name, set()).update(links)
        for name, other in self._peer_needs():
            needs.setdefault(name, set()).add(other)
        direct = [
            name for tree in reversed(self._trees) for name in tree.tops if name in tree.direct
        ]
        return Kinship(
            {name: sorted(others) for name, others in needs.items()},
            {name: sorted(others) for name, others in below.items()},
            list(dict.fromkeys(direct)),
        )

    def _peer_needs(self) -> Iterator[tuple[str, str]]:
        """Yield upgrades, and what has to be upgraded with them, for the sake of peers."""
        good, bad = self._trees
        for tree, other in ((good, bad), (bad, good)):
            for package, name, need in _peers(tree):
                if package in other.needs or tree.links[package].get(name) != tree.tops.get(name):
                    continue
                there = other.tops.get(name)
                is_missing = there is None and not need.is_optional and name in tree.tops
                if is_missing or (there and is_within(there.version, need.wanted) is False):
                    yield (package.name, name) if tree is bad else (name, package.name)

    def mixed(self, upgraded: Collection[str]) -> Pins:
        """Return the packages with these upgraded."""
        root, links = graph = self._graph(upgraded)
        if graph in self._graphs:  # as npm itself has laid it out
            return Pins((self.good, self.bad)[self._graphs.index(graph)].pins.values())
        peers = {
            package: frozenset(name for name, need in self._needs(package).items() if need.is_peer)
            for package in links
        }
        layout = NodeLayout(links, peers)
        for name, package in root.items():
            layout.put(name, package)
        for name in sorted({package.name for package in links} - root.keys()):
            top = self._side(name, upgraded).tops.get(name)
            if (
                top is not None and top in links
            ):  # so that whoever finds it without asking for it still does
                layout.put(name, top)
        return Pins(self._pins(layout.fill(), root))

    @cached_property
    def _graphs(self) -> Sequence[NodeGraph]:
        """What the two sides come to."""
        return [self._graph(()), self._graph([each.name for each in self.changes])]

    def _pins(
        self, places: Mapping[str, NodePackage], root: Mapping[str, NodePackage]
    ) -> Iterator[Pin]:
        for place, package in places.items():
            tree = self._tree_of(package)
            role: Role = "direct" if place in root else "bound"
            yield replace(tree.pins[package], name=place, role=role)
            for name, pin in tree.bundles.get(package, {}).items():
                yield replace(pin, name=inside(place, name), role="bound")

    def _graph(self, upgraded: Collection[str]) -> NodeGraph:
        """Return what the project asks for, and what each package finds that is needed then."""
        chosen = set(upgraded)
        root = self._root(chosen)
        links: dict[NodePackage, dict[str, NodePackage]] = {}
        waiting = list(root.values())
        while waiting:
            package = waiting.pop()
            if package not in links:
                links[package] = dict(self._links(package, chosen))
                waiting += links[package].values()
        return root, links

    def _root(self, chosen: Collection[str]) -> dict[str, NodePackage]:
        changed = {each.name for each in self.changes}
        found = {}
        for tree in self._trees:
            for name in sorted(tree.direct & tree.tops.keys()):
                # What both sides have is asked for if one of them asks for it.
                if name not in changed or self._side(name, chosen) is tree:
                    found[name] = tree.tops[name]
        return found

    def _links(
        self, package: NodePackage, chosen: Collection[str]
    ) -> Iterator[tuple[str, NodePackage]]:
        own = self._tree_of(package)
        for name, need in self._needs(package).items():
            side = self._side(name, chosen)
            found = side.links.get(package, own.links[package]).get(name)
            if package not in side.links:
                fitting = (
                    each
                    for each in side.versions.get(name, ())
                    if is_within(each.version, need.wanted)
                )
                found = next(fitting, found)
            if found is not None and not need.is_optional:
                yield name, found

    def _side(self, name: str, chosen: Collection[str]) -> NodeTree:
        return self._trees[name in chosen]

    def _tree_of(self, package: NodePackage) -> NodeTree:
        return next(tree for tree in self._trees if package in tree.links)

    def _needs(self, package: NodePackage) -> Mapping[str, NodeNeed]:
        return self._tree_of(package).needs[package]


def _peers(tree: NodeTree) -> Iterator[tuple[NodePackage, str, NodeNeed]]:
    for package, needs in tree.needs.items():
        for name, need in needs.items():
            if need.is_peer:
                yield package, name, need


def _sides(good: NodeTree, bad: NodeTree, name: str) -> tuple[Pin | None, Pin | None]:
    """Return what both sides have of a name: what the project finds, or else what differs."""
    top, new_top = good.tops.get(name), bad.tops.get(name)
    if top and new_top and top != new_top:
        return good.pins[top], bad.pins[new_top]
    old, new = good.versions.get(name, ()), bad.versions.get(name, ())
    if set(old) == set(new):  # others find each of them
        return _as_one(good, old), _as_one(bad, new)
    return (
        _as_one(good, [each for each in old if each not in new]),
        _as_one(bad, [each for each in new if each not in old]),
    )


def _as_one(tree: NodeTree, packages: Sequence[NodePackage]) -> Pin | None:
    """Return one pin to be shown for some versions of a package."""
    if not packages:
        return None
    first, *others = (replace(tree.pins[each], name=each.name) for each in packages)
    shown = " and ".join(each.shown for each in (first, *others))
    return replace(first, version=shown, spec=shown) if others else first
