"""Mixtures of two sides: which upgrades differ, and which have to come along with others.

Both sides can be installed. So whatever is wrong with a mixture of them is that one package is
upgraded and another is not: the first needs the second, in its new version, or the second, as it
was, cannot do with the first. Either way *this upgrade needs that one*. The mixtures that can be
installed are then those that hold with each upgrade all that it needs; upgrades that need each
other, a family, only go together.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Protocol, TypeAlias

from wynot.inquiries.packages.lock_file import LockFile, Pin, Pins

NameGraph: TypeAlias = Mapping[str, Collection[str]]
"""Names, and what each of them leads to."""


@dataclass(frozen=True)
class Kinship:
    """What is known of packages by their names."""

    needs: NameGraph = field(default_factory=dict)
    """What has to be upgraded with each upgrade."""
    below: NameGraph = field(default_factory=dict)
    """What each package depends on, on either side."""
    direct: Sequence[str] = ()
    """What the project itself asks for."""

    @cached_property
    def _needed_by(self) -> NameGraph:
        return _reversed(self.needs)

    @cached_property
    def _above(self) -> NameGraph:
        return _reversed(self.below)

    @cached_property
    def _roots(self) -> Sequence[str]:
        """What is asked for, from what nothing else depends on: some files just list all."""
        return sorted(self.direct, key=lambda name: name in self._above)

    def knowing(self, needs: Iterable[tuple[str, str]]) -> "Kinship":
        """Return the same with more that has to be upgraded together: this, and what it needs."""
        more: dict[str, dict[str, None]] = {}
        for name, other in needs:
            more.setdefault(name, dict.fromkeys(self.needs.get(name, ())))[other] = None
        return replace(self, needs={**self.needs, **{name: [*each] for name, each in more.items()}})

    def with_needs(self, names: Iterable[str]) -> set[str]:
        """Return these upgrades and all that they need."""
        return set(_reached(self.needs, names))

    def with_needing(self, names: Iterable[str]) -> set[str]:
        """Return these upgrades and all that need them."""
        return set(_reached(self._needed_by, names))

    def bringers(self, name: str) -> list[str]:
        """Return what the project asks for that depends on a package, the nearest first."""
        direct = set(self.direct)
        return (
            []
            if name in direct
            else [each for each in _reached(self._above, [name]) if each in direct]
        )

    def families(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Return families of names, each after all that it needs.

        What the project asks for comes together with what is below it, as far as that can be.
        """
        wanted = set(names)
        below = {name: sorted(wanted & set(self.below.get(name, ()))) for name in names}
        roots = [name for name in self._roots if name in wanted]
        ordered = [each for family in connected(below, [*roots, *names]) for each in family]
        place = {name: at for at, name in enumerate(names)}
        families = (wanted.intersection(family) for family in connected(self.needs, ordered))
        return [tuple(sorted(family, key=place.__getitem__)) for family in families if family]

    def owners(self, names: Iterable[str]) -> dict[str, str]:
        """Return which of what the project asks for comes first to each package."""
        owner: dict[str, str] = {}
        for root in self._roots:
            for name in _reached(self.below, [root], skip=owner):
                owner[name] = root
        return {name: owner.get(name, name) for name in names}


def connected(graph: NameGraph, names: Iterable[str]) -> Iterator[list[str]]:
    """Yield what is connected in circles, each after all that it leads to.

    Tarjan, *Depth-first search and linear graph algorithms*, 1972; without recursion, since the
    graph may be as deep as whoever wrote a file likes.
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()

    def entered(name: str) -> tuple[str, Iterator[str]]:
        number[name] = lowest[name] = len(number)
        path.append(name)
        on_path.add(name)
        return name, iter(graph.get(name, ()))

    for root in names:
        stack = [entered(root)] if root not in number else []
        while stack:
            at, leads_to = stack[-1]
            for other in leads_to:
                if other not in number:
                    stack.append(entered(other))
                    break
                if other in on_path:
                    lowest[at] = min(lowest[at], number[other])
            else:
                stack.pop()
                if stack:
                    outer = stack[-1][0]
                    lowest[outer] = min(lowest[outer], lowest[at])
                if lowest[at] == number[at]:
                    circle = [path.pop()]
                    while circle[-1] != at:
                        circle.append(path.pop())
                    on_path.difference_update(circle)
                    yield circle


def _reached(graph: NameGraph, names: Iterable[str], skip: Collection[str] = ()) -> Iterator[str]:
    """Yield these and all that they lead to, the nearest first."""
    seen = dict.fromkeys(name for name in names if name not in skip)
    level = list(seen)
    while level:
        yield from level
        further = dict.fromkeys(other for name in level for other in graph.get(name, ()))
        level = [name for name in further if name not in seen and name not in skip]
        seen.update(dict.fromkeys(level))


def _reversed(graph: NameGraph) -> NameGraph:
    found: dict[str, list[str]] = {}
    for name, others in graph.items():
        for other in others:
            found.setdefault(other, []).append(name)
    return found


class Upgrade(NamedTuple):
    """One package that is not the same on both sides; None: it is not there."""

    name: str
    good: Pin | None
    bad: Pin | None


class Mixture(Protocol):
    """Two sides, and all that can be made of them."""

    @property
    def changes(self) -> Sequence[Upgrade]:
        """What differs."""

    @property
    def kinship(self) -> Kinship:
        """Who goes with whom."""

    def mixed(self, upgraded: Collection[str]) -> Pins:
        """Return the packages with these upgraded."""


@dataclass(frozen=True)
class FlatMixture:
    """Two lists of packages, with one version of each: any of them can be exchanged."""

    good: LockFile
    bad: LockFile
    kinship: Kinship = field(default_factory=Kinship)

    @cached_property
    def changes(self) -> Sequence[Upgrade]:
        """What differs, in the order of the bad side; what is gone, where the good one has it."""
        sides = self.good.pins, self.bad.pins
        return [
            Upgrade(name, sides[0].get(name), sides[1].get(name))
            for name in _merged(list(sides[0]), list(sides[1]))
            if sides[0].get(name) != sides[1].get(name)
        ]

    def mixed(self, upgraded: Collection[str]) -> Pins:
        """Return the packages with these upgraded."""
        pins = dict(self.good.pins)
        for name, pin in self.bad.pins.items():
            if name in upgraded or (pins.get(name) == pin and pin.role == "direct"):
                pins[name] = pin  # what both sides have is asked for if one of them asks for it
        for name in upgraded:
            if name not in self.bad.pins:
                pins.pop(name, None)
        return Pins(pins.values())


def _merged(good: Sequence[str], bad: Sequence[str]) -> list[str]:
    """Return all names in the order of the bad side; others after what is before them in good."""
    known = set(bad)
    after: dict[str, list[str]] = {}
    last = ""
    for name in good:
        if name in known:
            last = name
        else:
            after.setdefault(last, []).append(name)
    return after.get("", []) + [each for name in bad for each in (name, *after.get(name, []))]
