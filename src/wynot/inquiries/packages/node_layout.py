"""Where packages are put, so that each finds what it is to find.

As npm does it: as far out as can be, and further in where another version is in the way.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from wynot.inquiries.packages.node_tree import NodePackage, around, holder, inside

MAX_DEPTH = 40
"""How deep packages may lie in each other. Deeper, versions call for each other for ever, and the
last ones are left out: npm refuses that."""


@dataclass(slots=True)
class NodeLayout:
    """A folder that is filled: places, and what lies there."""

    links: Mapping[NodePackage, Mapping[str, NodePackage]]
    """What each package is to find."""
    peers: Mapping[NodePackage, frozenset[str]]
    """What of that is to be beside it."""
    places: dict[str, NodePackage] = field(default_factory=dict)
    _waiting: deque[str] = field(default_factory=deque)
    _passed: dict[str, set[str]] = field(default_factory=dict)
    """Names that have been found further out than a place, by what is there or inside of it."""

    def put(self, place: str, package: NodePackage) -> None:
        """Put a package at a place; what it needs is put there later."""
        self.places[place] = package
        self._waiting.append(place)

    def fill(self) -> Mapping[str, NodePackage]:
        """Put all that is needed where it is found; return all places."""
        while self._waiting:
            place = self._waiting.popleft()
            package = self.places[place]
            for name, wanted in sorted(self.links[package].items()):
                is_peer = name in self.peers.get(package, frozenset())
                self._reach(holder(place) if is_peer else place, name, wanted)
        return self.places

    def _reach(self, place: str, name: str, wanted: NodePackage) -> None:
        """See to it that a package is found under a name, from the inside of a place."""
        outwards = [place, *around(place)]
        found = next((each for each in outwards if inside(each, name) in self.places), None)
        if found is not None and self.places[inside(found, name)] != wanted:
            # Between here and what is in the way, as far out as nobody looks past it.
            free = [
                each
                for each in outwards[: outwards.index(found)]
                if name not in self._passed.get(each, ())
            ]
            if not free:
                return  # beside a package that finds another one: npm says what it thinks of that
            found = free[-1]
        elif found is None:
            found = ""
        if inside(found, name) not in self.places:
            if len(outwards) > MAX_DEPTH:
                return
            self.put(inside(found, name), wanted)
        for each in outwards[: outwards.index(found)]:
            self._passed.setdefault(each, set()).add(name)
