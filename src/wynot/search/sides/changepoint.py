"""Where a rate changes: what runs of some states in a row tell.

A rate of which nothing is known has a flat distribution, and after some runs a Beta distribution:
all that is asked of it here is known in closed form.

States 0 … n stand in a row; up to some step the failure shows at one rate, and from there on at a
higher one. Neither the step nor the rates are known. A step is as likely as the runs before and
after it are under *some* two rates, all pairs of rates taken together: with a conjugate prior that
is a ratio of factorials (Beta-Bernoulli), and depends only on how many runs before and after the
step have shown the failure. So all steps between two states that were run are equally likely, and
what is known is a short list of such stretches, however many states there are.

All steps are equally likely at first, and pairs of rates as likely as the square of their
difference: what is looked for is a change, and one by a hair's breadth is less likely to be noticed
than a large one. Compared with a flat prior that saves about one run of eight. That nothing changes
at all is possible, too.

The next state to run is the one from whose run most is to be expected: for which the expected
entropy of the step is least (Lindley, Annals of Mathematical Statistics, 1956; for a search along a
line with wrong answers: Horstein, IEEE Transactions on Information Theory, 1963).

Any state may be run many times. Each question is about one more run of one state: the one from
which most is to be expected (``changepoint``), until one step is likely enough, or that there is
none, or all runs are spent.

Cost: chance decides. With rates p and 1 - p that are known, about log₂n / (1 - H(p)) runs; up to
twice as many where they have to be found out as well.
Result: what is known of the step by then.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate, chain, pairwise
from math import exp, lgamma, log
from typing import NamedTuple, Self

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import RESOLVED, FirstRound, Pick, Search
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


MOST_LOG_ODDS = 500.0
"""Log odds beyond which a probability is as good as 0 or 1; more would not fit into a float."""
SAME_PRIOR = 0.2
"""How likely it is, before any run, that the rate is the same everywhere."""
NO_GAIN = 1e-12
"""What is less is rounding."""


class Stretch(NamedTuple):
    """The steps after one state up to another, between which no state was run."""

    after: int
    upto: int
    chance: float
    """The probability that the change is one of these."""
    low: float
    """How likely a run before the change is to show the failure, if so."""
    high: float
    """And one after it."""

    @property
    def steps(self) -> int:
        """How many steps these are."""
        return self.upto - self.after


class StepRange(NamedTuple):
    """Steps that cannot be told apart, as no state between them can be tested; mostly one."""

    after: int
    upto: int
    chance: float


class SameRate(NamedTuple):
    """That there is no change."""

    chance: float
    rate: float


class Posterior(NamedTuple):
    """What is known after some runs."""

    stretches: Sequence[Stretch]
    same: SameRate


@dataclass(frozen=True)
class Changepoint:
    """What is known of the step at which the rate changes."""

    runs: Sequence[tuple[int, RunCounts]]
    """What was run, by state; state 0 and the last one are always among them."""

    @classmethod
    def of(cls, states: int, first: RunCounts = NO_RUNS, last: RunCounts = NO_RUNS) -> Self:
        """Begin with runs of the first and the last of so many states."""
        return cls(((0, first), (states - 1, last)))

    def after(self, state: int, verdict: Verdict) -> Self:
        """Return what is known after one more run."""
        place = bisect_left(self.runs, state, key=lambda each: each[0])
        before, rest = self.runs[:place], self.runs[place:]
        counts = NO_RUNS
        if rest and rest[0][0] == state:
            counts, rest = rest[0][1], rest[1:]
        return type(self)((*before, (state, counts.plus(ONE_RUN[verdict])), *rest))

    def counts(self, state: int) -> RunCounts:
        """Return what runs of a state have shown."""
        place = bisect_left(self.runs, state, key=lambda each: each[0])
        if place < len(self.runs) and self.runs[place][0] == state:
            return self.runs[place][1]
        return NO_RUNS

    def sides(self, step: StepRange) -> tuple[RunCounts, RunCounts]:
        """Return what runs have shown before a step, and after it."""
        before, after = NO_RUNS, NO_RUNS
        for state, counts in self.runs:
            if state <= step.after:
                before = before.plus(counts)
            elif state >= step.upto:
                after = after.plus(counts)
        return before, after

    def odds(self, state: int) -> float:
        """Return how likely the next run of a state is to show the failure."""
        stretches, same = self.posterior
        shows = same.chance * same.rate
        for each in stretches:
            share = min(max((state - each.after) / each.steps, 0.0), 1.0)
            shows += each.chance * (share * each.high + (1 - share) * each.low)
        return shows

    @cached_property
    def posterior(self) -> Posterior:
        """How likely each stretch is, from the first to the last, and no change at all."""
        resolved = [(state, counts) for state, counts in self.runs if self._bounds(state, counts)]
        sums = list(accumulate((counts for _, counts in resolved), RunCounts.plus))
        shown, hidden, _ = sums[-1]
        found, weights = [], []
        for before, (after, _), (upto, _) in zip(sums, resolved, resolved[1:], strict=False):
            rest = shown - before.shown, hidden - before.hidden
            weight, low, high = evidence(before.shown, before.hidden, *rest)
            weights.append(weight + log((1 - SAME_PRIOR) * (upto - after) / resolved[-1][0]))
            found.append(Stretch(after, upto, 0.0, low, high))
        same = log(SAME_PRIOR) + log_likelihood(shown, hidden)
        most = max(same, *weights)
        *shares, same_share = (exp(weight - most) for weight in (*weights, same))
        whole = sum(shares) + same_share
        stretches = [
            each._replace(chance=share / whole) for each, share in zip(found, shares, strict=True)
        ]
        return Posterior(stretches, SameRate(same_share / whole, moments(shown, hidden)[0]))

    def _bounds(self, state: int, counts: RunCounts) -> bool:
        """Tell whether a stretch ends here: the ends always do."""
        return counts.resolved > 0 or state in (self.runs[0][0], self.runs[-1][0])

    @cached_property
    def best(self) -> StepRange:
        """The likeliest step; or several that cannot be told apart, if they are likelier."""
        return max(map(self._widest, self.posterior.stretches), key=lambda each: each.chance)

    @property
    def surest(self) -> float:
        """How likely the likeliest answer is: that it is some step, or that there is none."""
        return max(self.best.chance, self.posterior.same.chance)

    def _widest(self, stretch: Stretch) -> StepRange:
        if self._untestable.isdisjoint(self._inside(stretch)):  # so all are alike
            return StepRange(stretch.after, stretch.after + 1, stretch.chance / stretch.steps)
        return max(self._ranges(stretch), key=lambda each: each.chance)

    def credible(self, confidence: float) -> Sequence[StepRange]:
        """Return the fewest steps that the change is one of with this probability, in order."""
        ranges = chain.from_iterable(map(self._ranges, self.posterior.stretches))
        ranked = sorted(ranges, key=lambda each: -each.chance / (each.upto - each.after))
        found, chance = [], 0.0
        for each in ranked:
            if chance >= confidence:
                break
            found.append(each)
            chance += each.chance
        return _joined(sorted(found))

    def _ranges(self, stretch: Stretch) -> Iterator[StepRange]:
        testable = (each for each in self._inside(stretch) if each not in self._untestable)
        for after, upto in pairwise([stretch.after, *testable, stretch.upto]):
            yield StepRange(after, upto, (upto - after) / stretch.steps * stretch.chance)

    @cached_property
    def _untestable(self) -> frozenset[int]:
        return frozenset(state for state, counts in self.runs if counts.is_untestable)

    def _inside(self, stretch: Stretch) -> range:
        return range(stretch.after + 1, stretch.upto)

    @cached_property
    def next_state(self) -> int | None:
        """The state of which a run is to tell most; None if none can be tested."""
        stretches, same = self.posterior
        shows = same.chance * same.rate + sum(each.chance * each.low for each in stretches)
        noise = same.chance * _entropy(same.rate)
        noise += sum(each.chance * _entropy(each.low) for each in stretches)
        gains: list[tuple[float, int]] = [(_entropy(shows) - noise, stretches[0].after)]
        for each in stretches:
            rise = each.chance * (each.high - each.low)
            drift = each.chance * (_entropy(each.high) - _entropy(each.low))
            for state in self._promising(each, shows, rise, drift):
                share = (state - each.after) / each.steps
                gain = _entropy(shows + share * rise) - noise - share * drift
                gains.append((gain, state))
            shows, noise = shows + rise, noise + drift
        testable = [(gain, -state) for gain, state in gains if state not in self._untestable]
        return -max(testable)[1] if testable else None

    def _promising(
        self, stretch: Stretch, shows: float, rise: float, drift: float
    ) -> Iterator[int]:
        """Go through states of a stretch that may be the best to run: its end, and the best inside.

        What is to be gained inside is a concave function of the place, whose summit is where the
        next run shows the failure with log odds of ``-drift / rise``.
        """
        yield stretch.upto
        if stretch.steps == 1:
            return
        odds = drift / rise if abs(rise) > NO_GAIN else 0.0
        summit = 1 / (1 + exp(min(max(odds, -MOST_LOG_ODDS), MOST_LOG_ODDS)))
        share = (summit - shows) / rise if abs(rise) > NO_GAIN else 0.5
        at = stretch.after + int(min(max(share, 0.0), 1.0) * stretch.steps)
        for direction, start in ((-1, at), (1, at + 1)):
            state = start
            while state in self._untestable:
                state += direction
            if stretch.after < state < stretch.upto:
                yield state


def _entropy(rate: float) -> float:
    if not 0 < rate < 1:
        return 0.0
    return -rate * log(rate) - (1 - rate) * log(1 - rate)


def _joined(ranges: Sequence[StepRange]) -> Sequence[StepRange]:
    """Join what has no gap between."""
    found: list[StepRange] = []
    for each in ranges:
        if found and found[-1].upto == each.after:
            last = found.pop()
            each = StepRange(last.after, each.upto, last.chance + each.chance)  # noqa: PLW2901
        found.append(each)
    return found


LEAST_CHANCE = 0.97
"""The probability at which a step is taken for the one."""


def bayesian(
    known: Changepoint, confidence: float, most: int, iteration: int = 1
) -> Search[Changepoint]:
    """Run the most telling state, until one answer is this likely or so many runs were made."""
    last = known.runs[-1][0]
    while iteration <= most and known.surest < confidence:
        state = known.next_state
        if state is None:
            break
        again = partial(bayesian, known, confidence, most, iteration)
        candidate = run_of(state, sum(known.counts(state)), last)
        pick = yield FirstRound(
            [candidate],
            iteration=iteration,
            wanted=RESOLVED,
            again=again,
            odds=known.odds(state),
        )
        verdict = pick.verdict if isinstance(pick, Pick) else Verdict.UNRESOLVED
        known = known.after(state, verdict)
        iteration += 1
    return known


def run_of(state: int, number: int, last: int) -> Candidate:
    """Return the question for one more run of a state: its steps, and a delta for the number."""
    return Candidate(
        Deltas.first(state), Edit.add(Deltas.of([last + number])), f"s{state}/{number}"
    )
