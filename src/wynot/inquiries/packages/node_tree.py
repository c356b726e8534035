"""The tree that a ``package-lock.json`` describes: which package finds which.

Node looks for what a package needs in the ``node_modules`` folder inside of it, then in those of
the folders around it. So where a package lies is no property of it: the same ones can be laid out
in many ways. What counts is who finds what, and that is all that is kept here.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from wynot.inquiries.packages.lock_file import LockFile, Pin
from wynot.inquiries.packages.node_ranges import newest_first
from wynot.inquiries.packages.package_lock import MODULES

_NEEDS = ("requires", "dependencies", "optionalDependencies", "peerDependencies")
_BELOW = f"/{MODULES}"


class NodePackage(NamedTuple):
    """One version of a package, wherever it lies, by the name of its folder."""

    name: str
    version: str
    spec: str


class NodeNeed(NamedTuple):
    """What a package asks for under a name."""

    wanted: str
    """A range of versions, as a rule."""
    is_peer: bool = False
    """Whether it is to be beside the package, and not inside of it."""
    is_optional: bool = False
    """Whether it is not brought along; but if it is there, it has to fit."""


@dataclass(frozen=True)
class NodeTree:
    """One side: who finds what."""

    asked: frozenset[str]
    """What the project asks for."""
    tops: Mapping[str, NodePackage]
    """What the project itself finds, whether it asks for it or not."""
    needs: Mapping[NodePackage, Mapping[str, NodeNeed]]
    links: Mapping[NodePackage, Mapping[str, NodePackage]]
    """What each package finds for each of its needs; what is in its own archive is left out."""
    pins: Mapping[NodePackage, Pin] = field(repr=False)
    bundles: Mapping[NodePackage, Mapping[str, Pin]] = field(repr=False)
    """What packages have in their own archives, by its place below them."""

    @cached_property
    def versions(self) -> Mapping[str, tuple[NodePackage, ...]]:
        """The packages of each name: what the project finds first, then from the newest."""
        found: dict[str, list[NodePackage]] = {}
        for package in self.needs:
            found.setdefault(package.name, []).append(package)
        return {
            name: tuple(
                sorted(
                    packages,
                    key=lambda each: (self.tops.get(each.name) == each, newest_first(each.version)),
                    reverse=True,
                )
            )
            for name, packages in found.items()
        }


def node_tree(lock: LockFile) -> NodeTree:
    """Return the tree of a lock file."""
    packages = {
        place: NodePackage(leaf(place), pin.version, pin.spec) for place, pin in lock.pins.items()
    }
    entries = {place: json.loads(pin.sealed) for place, pin in lock.pins.items()}
    owners = {
        place: owner
        for place, entry in entries.items()
        if entry.get("inBundle") is True and (owner := _owner(entries, place))
    }
    needs: dict[NodePackage, dict[str, NodeNeed]] = {}
    links: dict[NodePackage, dict[str, NodePackage]] = {}
    pins: dict[NodePackage, Pin] = {}
    bundles: dict[NodePackage, dict[str, Pin]] = {}
    for place in sorted(packages.keys() - owners, key=lambda each: (each.count(_BELOW), each)):
        package = packages[place]
        if package in needs:
            continue  # the copy that lies highest speaks for all
        needs[package] = dict(_needs(entries[place]))
        found = {
            name: _found(packages, holder(place) if need.is_peer else place, name)
            for name, need in needs[package].items()
        }
        links[package] = {
            name: packages[inner] for name, inner in found.items() if inner and inner not in owners
        }
        pins[package] = lock.pins[place]
        bundles[package] = {}
    for place, owner in owners.items():
        bundles[packages[owner]][place.removeprefix(f"{owner}{_BELOW}")] = lock.pins[place]
    tops = {place: each for place, each in packages.items() if _BELOW not in place}
    asked = frozenset(place for place, pin in lock.pins.items() if pin.role == "asked")
    return NodeTree(asked, tops, needs, links, pins, bundles)


def leaf(place: str) -> str:
    """Return the name under which what lies at a place is found."""
    return place.rpartition(_BELOW)[2]


def holder(place: str) -> str:
    """Return the place around a place; empty: the project's own folder."""
    return place.rpartition(_BELOW)[0]


def inside(place: str, name: str) -> str:
    """Return the place of a package in another one; in the project's folder if that is empty."""
    return f"{place}{_BELOW}{name}" if place else name


def around(place: str) -> Iterator[str]:
    """Yield the places around a place, from the inside to the project's own folder."""
    while place:
        place = holder(place)
        yield place


def _found(packages: Mapping[str, NodePackage], place: str, name: str) -> str | None:
    """Return where a package at a place finds another."""
    places = (inside(each, name) for each in (place, *around(place)))
    return next((each for each in dict.fromkeys(places) if each in packages), None)


def _owner(entries: Mapping[str, Mapping[str, object]], place: str) -> str:
    """Return the package in whose archive another one comes; empty: it is the project itself."""
    outwards = (each for each in around(place) if each in entries)
    return next((each for each in outwards if entries[each].get("inBundle") is not True), "")


def _needs(entry: Mapping[str, object]) -> Iterator[tuple[str, NodeNeed]]:
    """Yield what an entry of a lock file asks for; what is not of the right kind is left out."""
    meta = entry.get("peerDependenciesMeta")
    for group in _NEEDS:
        asked = entry.get(group)
        for name, wanted in asked.items() if isinstance(asked, dict) else ():
            if isinstance(wanted, str):
                told = meta.get(name) if isinstance(meta, dict) else None
                is_peer = group == "peerDependencies"
                is_optional = is_peer and isinstance(told, dict) and told.get("optional") is True
                yield name, NodeNeed(wanted, is_peer, is_optional)
