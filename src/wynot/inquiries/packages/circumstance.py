"""Upgrades: the packages that two sides do not have in common, as deltas."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.circumstances import Choice
from wynot.core.deltas import Deltas
from wynot.inquiries.packages.lock_file import LockFile, Pin, Pins
from wynot.inquiries.packages.package_lock import MODULES, display


class Upgrade(NamedTuple):
    """One package that is not the same on both sides; None: it is not there."""

    name: str
    good: Pin | None
    bad: Pin | None


@dataclass(frozen=True)
class Upgrades(Choice[Pins]):
    """A case: with no delta the good packages, with all of them the bad ones."""

    good: LockFile
    bad: LockFile

    @cached_property
    def changes(self) -> Sequence[Upgrade]:
        """What differs, in the order of the bad side; what is gone, where the good one has it."""
        sides = self.good.pins, self.bad.pins
        return [
            Upgrade(name, sides[0].get(name), sides[1].get(name))
            for name in _merged(list(sides[0]), list(sides[1]))
            if sides[0].get(name) != sides[1].get(name)
        ]

    @property
    def deltas(self) -> Deltas:
        """All changes."""
        return Deltas.first(len(self.changes))

    @property
    def kind(self) -> str:
        """Packages, each for itself."""
        return "packages"

    def chosen(self, kept: Deltas) -> Pins:
        """Return the packages with these changes made."""
        pins = dict(self.good.pins)
        for name, pin in self.bad.pins.items():
            if pins.get(name) == pin and pin.role == "asked":
                pins[name] = pin  # both sides have it; if one asks for it, it is asked for
        for index in kept:
            name, _, bad = self.changes[index]
            pins.pop(name, None)
            if bad is not None:
                pins[name] = bad
        return Pins(pins.values())

    def objection(self, candidate: Candidate) -> str:
        """Say if a package of npm is inside of one that is not there; others the installer says."""
        if self.bad.ecosystem == "python":
            return ""
        there = {pin.name for pin in self.render(candidate)}
        for name in sorted(there):
            outer = name.rpartition(f"/{MODULES}")[0]
            if outer and outer not in there:
                return f"{display(name)} is there, but not {display(outer)}"
        return ""


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
