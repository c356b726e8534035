"""Where the failure shows now and then on both sides: what makes it more frequent, and how surely.

One step is looked for: circumstances are applied one after the other, in their order, and somewhere
on the way the rate changes. It is found among the coarsest groups first, then inside the one that
was found; what is known of the rates by then helps with that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import accumulate, chain
from math import ceil
from typing import Generic, NamedTuple, TypeVar

from wynot.commands.inquiry_options import InquiryOptions
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import Unreliable
from wynot.core.events import LevelStarted, Narrowed, Noticed, Shown
from wynot.core.options.quantities import counted
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.engine.recorder import Commit
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.driver import Driver
from wynot.inquiries.logs import description_of
from wynot.inquiries.questions import clipped
from wynot.inquiries.sides import Names, TriedFailing
from wynot.inquiries.worded import WordAnswer, Worded
from wynot.job.calibration import Calibration, VaryingSides
from wynot.oracle.trial import TrialResult
from wynot.search.sides.changepoint import Changepoint, RunCounts, StepRange, bayesian
from wynot.search.sides.dd import Pair

Subject = TypeVar("Subject")
MOST_RUNS = 1000
"""Runs after which one search is given up, whatever else is allowed."""
TOO_FINE = "lines"
"""A kind of groups that is not searched: half of a hunk is a version of nobody's."""
VARYING_SIDES = "both sides vary"
"""The name of the check that keeps what was seen of the sides."""
MANY_RUNS = 10_000
"""More than that need not be counted exactly."""


class LikelyStep(NamedTuple):
    """What makes the failure more frequent."""

    deltas: Deltas
    level: str
    """What it is one of, as a plural."""
    steps: int
    """How many of them it may be."""
    chance: float
    before: RunCounts
    after: RunCounts

    @property
    def title(self) -> str:
        """The answer in one sentence."""
        what = "this" if self.steps == 1 else f"one of these {self.steps:,} {self.level}"
        return (
            f"with a probability of {_percent(self.chance)}, {what} makes it fail more often: "
            f"{_rate(self.before)} before, {_rate(self.after)} after"
        )

    @property
    def data(self) -> dict[str, object]:
        """The same for programs."""
        return {
            "probability": round(self.chance, 4),
            "before": {"failed": self.before.shown, "runs": self.before.resolved},
            "after": {"failed": self.after.shown, "runs": self.after.resolved},
        }

    def worded(self, worded: Worded) -> Worded:
        """Return an answer that says how sure it is."""
        data = worded.data if isinstance(worded.data, dict) else {}
        return worded._replace(
            title=f"{self.title}:" if worded.lines else self.title,
            data={**data, **self.data},
            lines=tuple(each for each in worded.lines if not _is_claim(each)),
        )


@dataclass(frozen=True, slots=True)
class StateRuns(Generic[Subject]):
    """Circumstances that are applied one unit after the other; a delta more numbers the run.

    So each run is a question of its own: no memo and no journal takes it for another.
    """

    case: Circumstances[Subject]
    level: Level
    """The units, in the order in which they are applied."""
    begin: Deltas
    """What is applied before the first of them."""

    @property
    def levels(self) -> Sequence[Level]:
        """The one level there is."""
        return [self.level]

    @property
    def deltas(self) -> Deltas:
        """All steps."""
        return Deltas.first(len(self.level.units))

    @property
    def states(self) -> Sequence[Deltas]:
        """What is applied in each state."""
        return list(accumulate(self.level.units, Deltas.toggle, initial=self.begin))

    def state(self, candidate: Candidate) -> int:
        """Return which state a question is about."""
        return candidate.kept.rank(len(self.level.units))

    def render(self, candidate: Candidate) -> Subject:
        """Return what the test is given for any run of a state."""
        return self.case.render(self._whole(candidate))

    def digest(self, candidate: Candidate) -> bytes:
        """Return a key of this run alone: two states may well have the same content."""
        kept = candidate.kept
        name = f"{self.level.name} {self.state(candidate)} {kept.bounds[-1]} "
        return sha256(name.encode() + self.case.digest(self._whole(candidate))).digest()

    def size(self, deltas: Deltas) -> int:
        """Return how many steps there are."""
        return len(deltas)

    def objection(self, candidate: Candidate) -> str:
        """Return why a state cannot exist."""
        return self.case.objection(self._whole(candidate))

    def describe(self, candidate: Candidate) -> str:
        """Return what a state is, in words."""
        return description_of(self.case, self._whole(candidate))

    def _whole(self, candidate: Candidate) -> Candidate:
        applied = self.level.units[: self.state(candidate)]
        kept = Deltas.covering(run for each in (self.begin, *applied) for run in each.runs)
        return Candidate.whole(kept)


@dataclass(slots=True)
class Varying(Generic[Subject]):
    """Looks for the step at which the failure becomes more frequent."""

    driver: Driver[Subject]
    names: Names
    options: InquiryOptions
    journal: Journal
    sides: VaryingSides | None = None
    """What both sides have shown so far; None: they do not vary, as far as is known."""
    _known: Changepoint = field(init=False)

    @property
    def expected(self) -> bool:
        """Whether both sides are said to vary, or were seen to in a run that was not finished."""
        return self.options.flaky or self._kept() is not None

    def tried(self, calibration: Calibration[Subject], failing: TriedFailing) -> TrialResult:
        """Return what the passing side comes to; it passes if it fails only now and then."""
        passing = calibration.passing()
        fails = passing.verdict is Verdict.INTERESTING
        if failing.found.varies or (fails and calibration.is_by_chance()):
            self.begin(failing.runs.plus(calibration.varying))
            return passing._replace(verdict=Verdict.UNINTERESTING)
        return passing

    def begin(self, sides: VaryingSides) -> None:
        """Look from now on for what makes the failure more frequent."""
        self.sides = self._kept() or sides
        self.journal.keep_check(VARYING_SIDES, [list(side) for side in self.sides])
        if not self.options.flaky:
            notice = "the failure shows now and then on both sides: what makes it more frequent?"
            self.driver.observe(Noticed("flaky", notice))

    def _kept(self) -> VaryingSides | None:
        match self.journal.check(VARYING_SIDES):
            case [[int() as shown, int() as hidden], [int() as by_chance, int() as not_so]]:
                if min(shown, hidden, by_chance, not_so) >= 0:
                    return VaryingSides((shown, hidden), (by_chance, not_so))
        return None

    def worded_step(
        self,
        question: str,
        case: Circumstances[Subject],
        word: WordAnswer,
        levels: Sequence[Level],
        sides: VaryingSides,
    ) -> Worded:
        """Find the step, and word it."""
        step = self._likeliest(question, case, levels, sides)
        return step.worded(word(question, step.deltas))

    def _likeliest(
        self,
        question: str,
        case: Circumstances[Subject],
        levels: Sequence[Level],
        sides: VaryingSides,
    ) -> LikelyStep:
        """Find the step; raise if both sides seem to be the same."""
        low, high = RunCounts(*sides.passing), RunCounts(*sides.failing)
        found = LikelyStep(case.deltas, levels[0].name, len(levels[0].units), 1.0, low, high)
        begin = NONE
        for level in levels:
            inside = clipped(level, Pair(begin, begin.toggle(found.deltas)))
            if level is not levels[0] and (level.name == TOO_FINE or len(inside) == 1):
                continue
            states = StateRuns(case, Level(level.name, inside), begin)
            known = self._searched(question, states, found.before, found.after)
            if level is levels[0]:
                self._require_difference(known)
            finer = self._likely(states, known, found.chance)
            if level is not levels[0] and finer.steps > 1:
                break  # it is not known any better than before
            found, begin = finer, states.states[known.best.after]
            if finer.steps > 1 or not self.driver.is_going:
                break
        return found

    def _searched(
        self, question: str, states: StateRuns[Subject], low: RunCounts, high: RunCounts
    ) -> Changepoint:
        """Search one row of states; return what is known at its end, whatever has ended it."""
        units = len(states.level.units)
        self.driver.observe(LevelStarted(question, states.level.name, units))
        self._known = Changepoint.of(units + 1, low, high)
        search = partial(bayesian, self._known, self.options.confidence, MOST_RUNS)
        count = partial(self._count, question, states)
        self.driver.run(lambda course: course.run(states, search, count))
        return self._known

    def _count(self, question: str, states: StateRuns[Subject], commit: Commit) -> None:
        """Take a run into account, and report how many steps are left."""
        driver, judged = self.driver, commit.judged
        driver.count_test(commit)
        self._known = self._known.after(states.state(judged.candidate), judged.verdict)
        left = sum(each.upto - each.after for each in self._known.credible(self.options.confidence))
        driver.observe(Narrowed(question, states.level.name, max(left, 1), driver.tests))

    def _likely(self, states: StateRuns[Subject], known: Changepoint, chance: float) -> LikelyStep:
        """Return the step if it is likely enough, else the fewest that are together."""
        best, units = known.best, states.level.units
        ranges: Sequence[StepRange] = [best]
        if best.chance < self.options.confidence:
            ranges = known.credible(self.options.confidence * (1 - known.posterior.same.chance))
        members = [units[each.after : each.upto] for each in ranges]
        deltas = Deltas.covering(run for unit in chain(*members) for run in unit.runs)
        return LikelyStep(
            deltas,
            states.level.name,
            sum(map(len, members)),
            chance * sum(each.chance for each in ranges),
            *known.sides(best),
        )

    def _require_difference(self, known: Changepoint) -> None:
        """Raise if it is likelier than not that nothing changes."""
        same = known.posterior.same
        if same.chance < 1 / 2 or not self.driver.is_going:
            return
        low, high = known.runs[0][1], known.runs[-1][1]
        raise Unreliable(
            f"both sides seem to fail as often as each other (with a probability of "
            f"{_percent(same.chance)}): {self.names.failing} in {_rate(high)}, "
            f"{self.names.passing} in {_rate(low)}",
            hint=f"to see a difference like that it takes {_needed(low, high)} runs of each; make "
            "the failure more likely inside the test, or give two sides that differ more",
        )


def _is_claim(line: Shown) -> bool:
    """Tell whether a line says what a case does: that is not known for sure here."""
    return line.text.startswith(("fails: ", "passes: "))


def _rate(counts: RunCounts) -> str:
    return f"{counts.rate:.0%} of {counted(counts.resolved, 'run')}"


def _percent(chance: float) -> str:
    """Return a probability in words: what is not quite sure is not said to be."""
    return f"{min(chance, 0.999):.1%}"


def _needed(low: RunCounts, high: RunCounts) -> str:
    """Return how many runs of each side it takes to tell such rates apart, 19 times of 20."""
    gap = abs(high.rate - low.rate)
    both = (high.rate + low.rate) / 2
    # The usual rule for two proportions, at a power of 90 %: (1.96 + 1.28)², twice.
    runs = ceil(21 * both * (1 - both) / gap**2) if gap else MANY_RUNS
    return f"about {runs:,}" if runs < MANY_RUNS else f"more than {MANY_RUNS:,}"
