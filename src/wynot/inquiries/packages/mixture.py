"""Mixtures of two sides: what differs, and some of that taken over from the bad one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

from wynot.inquiries.packages.kinship import Kinship
from wynot.inquiries.packages.lock_file import LockFile, Pin, Pins


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
            if name in upgraded or (pins.get(name) == pin and pin.role == "asked"):
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
