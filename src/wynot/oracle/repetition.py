"""How often an unreliable test is asked before it is believed.

A failure that shows with probability p is missed n times in a row with probability (1-p)ⁿ; so a
candidate is given up at once only after enough tries in vain that this is below half of ``MISS``.
That alone would let the rate slip: each lucky candidate could be a little less reliable than the
one before; and a test that says yes by chance would be believed. So one that has shown the failure
is tried on, and must show it about half as often as the original does: in so many runs that one
which fails as often as the original falls short of that with the other half of ``MISS`` at most.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, comb, log

MISS = 0.01
"""The chance with which a candidate that fails as often as the original may be overlooked."""

SAMPLE = 20
"""How many runs the rate is measured by."""

RAREST = 0.15
"""Failures that show more rarely than this are refused: each candidate would take 100 runs."""

SURE = 0.99
"""A measured rate of 1 is taken for this: it was measured because the test is not reliable."""


@dataclass(frozen=True)
class Repetition:
    """How often to ask, given how often the failure shows on the original; None: once will do."""

    rate: float | None

    @cached_property
    def tries(self) -> int:
        """How many runs in vain it takes to give a candidate up."""
        return 1 if self.rate is None else max(2, ceil(log(MISS / 2) / log(1 - self._rate)))

    @cached_property
    def runs(self) -> int:
        """How many runs a candidate gets that has shown the failure."""
        if self.rate is None:
            return 1
        runs = max(self.tries, 5)
        while _below(self._needed(runs), runs, self._rate) > MISS / 2:
            runs += 1
        return runs

    @property
    def needed(self) -> int:
        """In how many of those it must show."""
        return 1 if self.rate is None else self._needed(self.runs)

    @property
    def words(self) -> str:
        """Say what is done."""
        return (
            f"each candidate is run up to {self.tries} times, and if the failure shows up to "
            f"{self.runs} times, of which {self.needed} must show it; one that fails as often as "
            f"the original is overlooked in {MISS:.0%} of cases"
        )

    @property
    def _rate(self) -> float:
        return min(self.rate or 0.0, SURE)

    def _needed(self, runs: int) -> int:
        return max(2, ceil(self._rate * runs / 2))


def _below(wanted: int, runs: int, rate: float) -> float:
    """Return the chance of fewer successes than wanted in so many runs."""
    return sum(comb(runs, n) * rate**n * (1 - rate) ** (runs - n) for n in range(wanted))


RELIABLE = Repetition(None)
