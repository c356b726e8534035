"""How often an unreliable test is asked before it is believed.

A failure that shows with probability p is missed n times in a row with probability (1-p)ⁿ; so a
candidate is given up only after enough tries that this is below ``MISS``. That alone would let the
rate slip: each lucky candidate could be a little less reliable than the one before. So one that
has shown the failure is tried on, and must show it about half as often as the original does.
"""

from dataclasses import dataclass
from math import ceil, log

MISS = 0.01
"""The chance with which a candidate that fails as often as the original may be overlooked."""

SAMPLE = 20
"""How many runs the rate is measured by."""

RAREST = 0.1
"""Failures that show more rarely than this are refused: each candidate would take 50 runs."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """How often to ask, given how often the failure shows."""

    rate: float

    @property
    def tries(self) -> int:
        """How many runs in vain it takes to give a candidate up."""
        return 1 if self.rate >= 1 else max(2, ceil(log(MISS) / log(1 - min(self.rate, 0.99))))

    @property
    def runs(self) -> int:
        """How many runs a candidate gets that has shown the failure."""
        return 1 if self.rate >= 1 else max(self.tries, ceil(4 / self.rate))

    @property
    def needed(self) -> int:
        """In how many of those it must show."""
        return 1 if self.rate >= 1 else max(1, ceil(self.rate * self.runs / 2))

    @property
    def words(self) -> str:
        """Say what is done."""
        return (
            f"each candidate is run up to {self.tries} times, and accepted if the failure shows in "
            f"{self.needed} of {self.runs} runs; a failing one is overlooked in at most "
            f"{MISS:.0%} of cases"
        )


RELIABLE = Repetition(1.0)
