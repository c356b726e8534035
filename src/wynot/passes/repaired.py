"""A part of a source that is being repaired: what is there, and what was found out about it."""

import re
from collections.abc import Hashable, Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import TypeAlias

from wynot.core.deltas import Deltas

_KEPT_TOKENS = re.compile(rb"\x01+")

Run: TypeAlias = tuple[int, int]
"""Tokens, from one up to before another."""


@dataclass(slots=True)
class Repaired:
    """A part of a source, and what was found out about it so far."""

    kept: bytearray
    """Of each token whether it is there."""
    fixed: bytearray
    """Of each token whether it must stay where it is complained of."""
    wanted: set[int] = field(default_factory=set)
    """Units that have come back: each is needed, unless another one gives the same name."""
    needed: set[int] = field(default_factory=set)
    """Units that stay in any case: the failure is in them, or they were missed more than once."""
    cut: dict[int, tuple[Run, ...]] = field(default_factory=dict)
    """What was cut out of units, since it was complained of there."""
    roots: set[int] = field(default_factory=set)
    """The tokens that the failure is about."""
    given_up: set[Run] = field(default_factory=set)
    """What was cut though it seemed to be needed: that is done once."""
    times: dict[Hashable, int] = field(default_factory=dict)
    """How often something was done about the same complaint."""

    def fork(self) -> "Repaired":
        """Return the same, to go on from in another way."""
        other = copy(self)
        other.kept, other.fixed = bytearray(self.kept), bytearray(self.fixed)
        other.wanted, other.needed = set(self.wanted), set(self.needed)
        other.cut, other.times = dict(self.cut), dict(self.times)
        other.given_up = set(self.given_up)
        return other

    @property
    def deltas(self) -> Deltas:
        """The tokens that are there."""
        return Deltas.covering(match.span() for match in _KEPT_TOKENS.finditer(self.kept))

    def put(self, runs: Iterable[Run]) -> bool:
        """Bring tokens back; tell whether any was gone."""
        found = False
        for start, stop in runs:
            found = found or self.kept.find(0, start, stop) >= 0
            self.kept[start:stop] = b"\1" * (stop - start)
        return found

    def take(self, unit: int, start: int, stop: int) -> bool:
        """Cut tokens out of a unit; tell whether any was there."""
        found = self.kept.find(1, start, stop) >= 0
        if found:
            self.kept[start:stop] = bytes(stop - start)
            self.cut[unit] = (*self.cut.get(unit, ()), (start, stop))
        return found
