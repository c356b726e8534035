"""Runs that have shown a failure or not, and what they say about its rate.

A rate of which nothing is known has a flat distribution, and after some runs a Beta distribution:
all that is asked of it here is known in closed form.
"""

from math import lgamma, log
from typing import NamedTuple

from wynot.core.verdict import Verdict


class RunCounts(NamedTuple):
    """How many runs of some states have shown the failure, and how many have not."""

    shown: int = 0
    hidden: int = 0
    unresolved: int = 0

    @property
    def resolved(self) -> int:
        """How many runs have said something."""
        return self.shown + self.hidden

    @property
    def rate(self) -> float:
        """How often the failure has shown; 0 if nothing was run."""
        return self.shown / self.resolved if self.resolved else 0.0

    @property
    def is_untestable(self) -> bool:
        """Whether it is no use to run this state: mostly nothing comes of it."""
        return self.unresolved > self.resolved

    def plus(self, other: "RunCounts") -> "RunCounts":
        """Return both together."""
        return RunCounts(*map(sum, zip(self, other, strict=True)))


NO_RUNS = RunCounts()
ONE_RUN = {
    Verdict.INTERESTING: RunCounts(1, 0, 0),
    Verdict.UNINTERESTING: RunCounts(0, 1, 0),
    Verdict.UNRESOLVED: RunCounts(0, 0, 1),
}


def evidence(
    shown_before: int, hidden_before: int, shown_after: int, hidden_after: int
) -> tuple[float, float, float]:
    """Return how likely such runs are before and after a step, as a logarithm, and the two rates.

    Under a flat prior each rate has a Beta distribution; here its density is multiplied by the
    square of the difference of both, of which only moments of the two are needed.
    """
    low, low_2, low_3 = moments(shown_before, hidden_before)
    high, high_2, high_3 = moments(shown_after, hidden_after)
    square = high_2 - 2 * high * low + low_2
    weight = log_likelihood(shown_before, hidden_before) + log_likelihood(shown_after, hidden_after)
    return (
        weight + log(square * 6),  # the square of the difference is a sixth on average
        (high_2 * low - 2 * high * low_2 + low_3) / square,
        (high_3 - 2 * high_2 * low + high * low_2) / square,
    )


def moments(shown: int, hidden: int) -> tuple[float, float, float]:
    """Return the means of a rate, of its square and its cube, after such runs."""
    first = (shown + 1) / (shown + hidden + 2)
    second = first * (shown + 2) / (shown + hidden + 3)
    return first, second, second * (shown + 3) / (shown + hidden + 4)


def log_likelihood(shown: int, hidden: int) -> float:
    """Return how likely such runs are under a flat prior, as a logarithm."""
    return lgamma(shown + 1) + lgamma(hidden + 1) - lgamma(shown + hidden + 2)
