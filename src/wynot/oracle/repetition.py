"""How often an unreliable test is asked before it is believed.

Two rates are measured: how often the failure shows where it is (on the original), and how often it
seems to show where it is not (on an empty case, on the passing side): a test may also say yes by
chance. A candidate has either rate, and runs are made until it is clear which: Wald's sequential
probability ratio test (Annals of Mathematical Statistics, 1945), which needs the fewest runs on
average for given chances of error. Each run moves a score up or down by how much more likely its
answer is under one rate than under the other, and the candidate is decided when the score leaves an
interval.

Even if nothing shows by chance, a candidate must show the failure about as often as the original:
if one lucky run were enough, each accepted case could be a little less reliable than the one
before. So the lower rate is never taken for less than a part of the higher one.
"""

from dataclasses import dataclass
from functools import cached_property
from math import ceil, log, sqrt

from wynot.core.errors import Unreliable

MISS_CHANCE = 0.005
"""The chance with which a candidate that fails as often as the original may be overlooked; once
for never showing the failure, and once more for showing it too rarely."""

SLIP, SLIP_BY_CHANCE = 0.01, 0.0001
"""The chance with which one may be accepted that fails as rarely as the lower rate; and where the
test is known to say yes by chance, which most candidates of a reduction have the chance to."""

MISS_LAST, SLIP_LAST = 0.001, 0.0001
"""The same where a case is looked at again that was accepted: there are few of those."""

SAMPLE, LARGE_SAMPLE = 20, 60
"""How many runs a rate is measured by; and where the failure also shows by chance, so that two
rates have to be told apart."""

RAREST_RATE = 0.15
"""Failures that show more rarely than this are refused: each candidate would take 100 runs."""

SURE_RATE = 0.99
"""A measured rate of 1 is taken for this: it was measured because the test is not reliable."""

LEAST_DRIFT = 0.25
"""The lower rate is at least this part of the higher one."""

BY_CHANCE_SHARE = 0.5
"""What fails more rarely than this part of how often the original does, fails by chance."""

MAX_AVERAGE_RUNS = 200
"""Runs that a candidate may take on average, if it is one or the other; beyond that it is refused
to begin: the two rates are too close together."""


@dataclass(frozen=True)
class Contest:
    """Decides between two rates, with given chances to be wrong about either."""

    present: float
    absent: float
    miss: float
    slip: float

    def decide(self, shown: int, runs: int) -> bool | None:
        """Tell which of the rates so many runs speak for; None: it takes more runs to tell."""
        score = shown * self._up + (runs - shown) * self._down
        if score >= self._accepts:
            return True
        if score <= self._rejects or (not shown and runs >= self.tries):
            return False
        # Cut short when it has taken several times as long as is usual for either rate: then the
        # candidate is in between, and the rate that is nearer is as good an answer as any.
        return score > 0 if runs >= 4 * self.usual else None

    @property
    def usual(self) -> int:
        """How many runs it takes on average, whichever rate it is; the larger number of the two."""
        drift = [rate * self._up + (1 - rate) * self._down for rate in (self.present, self.absent)]
        return ceil(max(self._accepts / drift[0], self._rejects / drift[1]))

    @cached_property
    def tries(self) -> int:
        """How many runs without the failure it takes to give a candidate up.

        Most candidates never show it: those are held against a rate of 0, which is found sooner.
        """
        return max(2, ceil(log(self.miss) / log(1 - self.present)))

    @cached_property
    def _up(self) -> float:
        return log(self.present / self.absent)

    @cached_property
    def _down(self) -> float:
        return log((1 - self.present) / (1 - self.absent))

    @cached_property
    def _accepts(self) -> float:
        return log((1 - self.miss) / self.slip)

    @cached_property
    def _rejects(self) -> float:
        return log(self.miss / (1 - self.slip))


@dataclass(frozen=True)
class Repetition:
    """How often to ask, given how often the failure shows; a rate of None: once will do."""

    rate: float | None
    """How often it shows on the original."""
    noise: float = 0.0
    """How often it seems to show where it is not."""

    def decide(self, shown: int, runs: int) -> bool | None:
        """Tell whether a candidate is interesting that showed the failure in some of its runs."""
        return shown > 0 if self.rate is None else self._contest.decide(shown, runs)

    def confirm(self, shown: int, runs: int) -> bool | None:
        """Tell whether an accepted case holds; surer than the first time."""
        return self._last.decide(shown, runs)

    def require_apart(self) -> None:
        """Raise if the two rates are too close together to be told apart."""
        if self._absent >= self._present or self._contest.usual > MAX_AVERAGE_RUNS:
            raise Unreliable(
                "the test cannot tell the failure from chance: it says interesting in "
                f"{self.rate or 0:.0%} of runs on what fails, and in {self.noise:.0%} on what "
                "does not",
                hint="make it look for something that only this failure prints, or run the "
                "program several times inside the test and ask for several failures",
            )

    @property
    def notice(self) -> str:
        """That the test is not reliable, and what is done about it."""
        contest = self._contest
        also = f", and in {self.noise:.0%} where it is not" if self.noise else ""
        chance = f" (by chance in {self.noise:.0%})" if self.noise else ""
        return (
            f"the test is not reliable: the failure showed in {self.rate or 0:.0%} of runs{also}; "
            f"each candidate is run until it is clear whether it fails about as often{chance}: "
            f"{contest.tries} times if the failure does not show at all, {contest.usual} times on "
            f"average; one that fails as often as the original is overlooked in "
            f"{2 * contest.miss:.0%} of cases"
        )

    @cached_property
    def _contest(self) -> Contest:
        slip = SLIP_BY_CHANCE if self.noise else SLIP
        return Contest(self._present, self._absent, MISS_CHANCE, slip)

    @cached_property
    def _last(self) -> Contest:
        return Contest(self._present, self._absent, MISS_LAST, SLIP_LAST)

    @property
    def _present(self) -> float:
        """The higher rate; where it matters, a little less than what was measured, as it may be."""
        rate = min(self.rate or 0.0, SURE_RATE)
        return rate - _error(rate) if self.noise else rate

    @property
    def _absent(self) -> float:
        """The lower rate, and for the same reason a little more."""
        noise = self.noise + _error(self.noise) if self.noise else 0.0
        return max(LEAST_DRIFT * self._present, noise)


def _error(rate: float) -> float:
    """Return the standard error of a rate that was measured where there is chance."""
    return sqrt(rate * (1 - rate) / LARGE_SAMPLE)


RELIABLE = Repetition(None)
