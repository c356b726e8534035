"""Upgrades: the packages that two sides do not have in common, as deltas."""

from collections.abc import Collection, Container, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.options.quantities import some_of
from wynot.core.system.user_folders import masked
from wynot.inquiries.circumstances import Choice, Level
from wynot.inquiries.packages.installing import clashing
from wynot.inquiries.packages.lock_file import LockFile, Pins
from wynot.inquiries.packages.mixture import FlatMixture, Kinship, Mixture, Upgrade
from wynot.inquiries.packages.npm.node_mixture import NodeMixture

MAX_TOLD_PACKAGES = 5
"""So many packages of a candidate are named before they are counted."""

MAX_MADE = 256
"""So many mixtures are kept: each is asked for several times in a row."""


@dataclass(frozen=True)
class Upgrades(Choice[Pins]):
    """A case: with no delta the good packages, with all of them the bad ones.

    A delta is an upgrade with all that it needs; seen from the other side, where upgrades are held
    back, with all that need it. So every choice can be installed, as far as it is known who goes
    with whom. Those that only go together are one family, and each family comes after those that it
    needs: all that is before any point of a history of upgrades like that can be installed.
    """

    good: LockFile
    bad: LockFile
    known: Kinship | None = None
    """What was found out about Python's packages as they were installed."""
    holds_back: bool = False

    @cached_property
    def mixture(self) -> Mixture:
        """What is made of the two sides."""
        if self.bad.ecosystem == "node":
            return NodeMixture(self.good, self.bad)
        return FlatMixture(self.good, self.bad, self.known or Kinship())

    def lesson(self, pins: Pins, names: Container[str]) -> list[tuple[str, str]]:
        """Return what has to be upgraded together, if these names do not fit in a mixture.

        Each of those that are upgraded there needs each of those that are not.
        """
        new: list[str] = []
        old: list[str] = []
        for upgrade in self.changes:
            if upgrade.name in names:
                (new if upgrade.bad is None or upgrade.bad in pins else old).append(upgrade.name)
        return [(name, other) for name in new for other in old]

    def knowing(self, lessons: Collection[tuple[str, str]]) -> "Upgrades":
        """Return the same, knowing what else has to be upgraded together."""
        if not lessons:
            return self
        return replace(self, known=(self.known or Kinship()).knowing(lessons))

    def after_refusal(self, pins: Pins, reason: str) -> "Upgrades | None":
        """Return the same, knowing what an installer's refusal shows; None: that is nothing new."""
        lessons = self.lesson(pins, clashing(reason))
        return self.knowing(sorted(lessons)) if lessons else None

    @property
    def held_back(self) -> "Upgrades":
        """The same, but what is left out takes with it what needs it, and not the other way."""
        return replace(self, holds_back=True)

    @cached_property
    def _families(self) -> Sequence[Sequence[Upgrade]]:
        changes = {each.name: each for each in self.mixture.changes}
        families = [
            [changes[name] for name in family]
            for family in self.mixture.kinship.families(list(changes))
        ]
        return families[::-1] if self.holds_back else families

    @cached_property
    def changes(self) -> Sequence[Upgrade]:
        """What differs, each family after those that it needs, or before."""
        return [each for family in self._families for each in family]

    @property
    def deltas(self) -> Deltas:
        """All changes."""
        return Deltas.first(len(self.changes))

    @property
    def kind(self) -> str:
        """Packages."""
        return "packages"

    @cached_property
    def levels(self) -> Sequence[Level]:
        """What the project asks for with what is below it; then families, mostly of one package."""
        units = list(_numbered(self._families))
        owner = self.mixture.kinship.owners(each.name for each in self.changes)
        groups = [
            list(some)
            for _, some in groupby(units, lambda unit: owner[self.changes[unit.bounds[0]].name])
        ]
        finest = Level(self.kind, units)
        if not 1 < len(groups) < len(units):
            return [finest]
        together = [Deltas((some[0].bounds[0], some[-1].bounds[-1])) for some in groups]
        return [Level("direct dependencies", together), finest]

    def names(self, deltas: Deltas) -> list[str]:
        """Return the names of some changes."""
        return [self.changes[index].name for index in deltas]

    def deltas_of(self, names: AbstractSet[str]) -> Deltas:
        """Return the changes of some names."""
        return Deltas.of(at for at, each in enumerate(self.changes) if each.name in names)

    def describe(self, candidate: Candidate) -> str:
        """Return what is upgraded, as far as it can be named."""
        there = self.upgraded(candidate.kept)
        names = [masked(each.name) for each in self.changes if each.name in there]
        count = f"{len(names)} of {len(self.changes)} upgrades"
        return f"{count}: {some_of(names, MAX_TOLD_PACKAGES)}" if names else "no upgrade"

    def upgraded(self, kept: Deltas) -> set[str]:
        """Return what is upgraded if these changes are made."""
        kinship = self.mixture.kinship
        if self.holds_back:
            held = kinship.with_needing(self.names(self.deltas.toggle(kept)))
            return {each.name for each in self.changes} - held
        return kinship.with_needs(self.names(kept))

    def closed(self, deltas: Deltas) -> Deltas:
        """Return these changes with all that are made with them, or are held back with them."""
        kinship = self.mixture.kinship
        closure = kinship.with_needing if self.holds_back else kinship.with_needs
        return self.deltas_of(closure(self.names(deltas)))

    def along(self, deltas: Deltas) -> Deltas:
        """Return what comes with these changes besides them."""
        return self.closed(deltas).toggle(deltas)

    def chosen(self, kept: Deltas) -> Pins:
        """Return the packages with these changes made."""
        if kept.key not in self._made:
            if len(self._made) >= MAX_MADE:
                self._made.clear()
            self._made[kept.key] = self.mixture.mixed(self.upgraded(kept))
        return self._made[kept.key]

    @cached_property
    def _made(self) -> dict[int, Pins]:
        return {}


def _numbered(families: Sequence[Sequence[object]]) -> Iterator[Deltas]:
    first = 0
    for family in families:
        yield Deltas((first, first + len(family)))
        first += len(family)
