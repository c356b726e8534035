"""The two sides of an inquiry: one has to fail, the other should pass; both are measured first."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE
from wynot.core.errors import NotInteresting, NotPassing, Unreliable, WynotError
from wynot.core.events import Event, Noticed
from wynot.core.verdict import Verdict
from wynot.failures.criteria import CANNOT_TELL
from wynot.failures.metrics import ByMetric, Metric, Threshold
from wynot.inquiries.circumstances import Circumstances
from wynot.job.calibration import FirstRuns, Sides, VaryingSides
from wynot.job.evaluator import Evaluator
from wynot.oracle.trial import OneCommand, TrialResult

Subject = TypeVar("Subject")


class Names(NamedTuple):
    """What the two sides are called when something is wrong with them."""

    failing: str
    passing: str
    hint: str
    """What to do if one of them is not what it should be."""
    trying: str = "trying"
    """What is done with them, in the words that go before their names."""
    placer: str = ""
    """What puts candidates in place, if it may refuse them."""

    def sides(self, failing: Subject, passing: Subject) -> Sides[Subject]:
        """Return the two sides under these names."""
        trying = f"{self.trying} {self.failing}"
        doing = {
            "original": trying,
            **dict.fromkeys(("again", "try"), f"{trying} again"),
            "empty": f"{self.trying} {self.passing}",
            "answer": "asking again whether the answer holds",
        }
        return Sides(failing, passing, self.failing, doing, self._does_not_fail)

    def refuse_impossible(self, case: Circumstances[Subject]) -> None:
        """Raise if one of the sides is not even to be tested."""
        for side, name in ((NONE, self.passing), (case.deltas, self.failing)):
            if objection := case.objection(Candidate.whole(side)):
                raise NotInteresting(f"{name} is unavailable: {objection}", hint=self.hint)

    def _does_not_fail(
        self, result: TrialResult, passing: Callable[[], TrialResult], why: NotInteresting | None
    ) -> WynotError:
        """Say so; and if it is the other side that fails, that they may be swapped."""
        ended, hint = _ended(result), self.hint
        if why is not None:
            ended, hint = f"{str(why).splitlines()[0]}{result.ending.tail}", why.hint
        if _fails(passing()):
            hint = f"are the two sides swapped? {self.passing} fails"
        return NotInteresting(f"{self.failing} does not fail: {ended}", hint=hint)


class TriedFailing(NamedTuple):
    """What the failing side came to."""

    found: FirstRuns
    tests: int
    runs: VaryingSides
    """What single runs of both sides have shown."""

    @property
    def seconds(self) -> float:
        """How long a run takes."""
        return self.found.seconds


class Tried(NamedTuple):
    """What the two sides came to."""

    names: Names
    seconds: float
    passing: TrialResult
    tests: int

    @property
    def ended(self) -> str:
        """How the passing side ended, in words."""
        return _ended(self.passing)

    def require_pass(self, hint: str = "") -> None:
        """Raise if the passing side does not pass."""
        if self.passing.verdict is not Verdict.UNINTERESTING:
            raise NotPassing(
                f"{self.names.passing} does not pass: {self.ended}",
                hint=hint or self.names.hint,
            )


def _ended(result: TrialResult) -> str:
    return f"{result.words}, which is {result.verdict.value}{result.ending.tail}"


def _fails(result: TrialResult) -> bool:
    """Tell whether a side fails, in whatever way."""
    is_other = result.verdict is Verdict.UNRESOLVED and not result.why
    return result.verdict is Verdict.INTERESTING or (
        is_other and result.ending.status not in {0, *CANNOT_TELL}
    )


RUNS_AT_ONCE, MOST_RUNS_OF_SIDE = 3, 21
"""How often each side is run before they are compared, and at most."""
LEAST_APART = 0.25
"""How much more often the failing side must be worse than the passing one."""


@dataclass(frozen=True, slots=True)
class SideMeasuring(Generic[Subject]):
    """Measures both sides, if something is to be measured."""

    evaluator: Evaluator[Subject]
    sides: Sides[Subject]
    names: Names
    observe: Callable[[Event], None]

    def run(self, given: float | None) -> int:
        """Judge by a threshold from now on, found or given; return how many runs that took."""
        trial = self.evaluator.oracle.trial
        if not isinstance(trial, OneCommand) or not isinstance(trial.criterion, ByMetric):
            return 0
        metric = trial.criterion.metric
        bad, good = list[float](), list[float]()
        while True:
            bad += self._measured(self.sides.failing, self.names.failing, metric)
            good += self._measured(self.sides.passing, self.names.passing, metric)
            threshold = Threshold.between(good, bad, given)
            is_clear = threshold.apart == 1 or given is not None
            if is_clear or len(bad) >= MOST_RUNS_OF_SIDE:
                break
        measured = ", ".join(
            f"{name}: {metric.shown(*values)}"
            for name, values in ((self.names.passing, good), (self.names.failing, bad))
        )
        if threshold.apart < LEAST_APART:
            raise Unreliable(
                f"the two sides do not differ in {metric.name}: {measured}",
                hint="measure something that differs more, or give two sides that do",
            )
        criterion = replace(trial.criterion, threshold=threshold)
        oracle = replace(self.evaluator.oracle, trial=replace(trial, criterion=criterion))
        self.evaluator.use(oracle)
        self.observe(Noticed("threshold", f"{measured}; worse: {criterion.words}"))
        return len(bad) + len(good)

    def _measured(self, side: Subject, name: str, metric: Metric) -> list[float]:
        """Run a side some times; raise if nothing can be measured."""
        self.evaluator.tell(f"measuring {name}")
        found = []
        for result in self.evaluator.run(side, RUNS_AT_ONCE, capture=True):
            value = metric.of(result.ending)
            if result.why or value is None:
                is_silent = not (result.why or result.ending.status or result.ending.limit)
                how = "it prints no such number" if is_silent else result.words
                raise NotInteresting(
                    f"{name} cannot be measured: {how}{result.ending.tail}",
                    hint="the command must exit with 0 on both sides, and for a number print one",
                )
            found.append(value)
        return found
