"""Both sides are measured, before anything is asked: from where on a value is worse."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from wynot.core.errors import NotInteresting, Unreliable
from wynot.core.events import Event, Noticed
from wynot.inquiries.sides import Names
from wynot.job.calibration import Sides
from wynot.job.evaluator import Evaluator
from wynot.oracle.metrics import ByMetric, Metric, Threshold
from wynot.oracle.trial import OneCommand

Subject = TypeVar("Subject")
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
        told = ", ".join(
            f"{name}: {metric.shown(*values)}"
            for name, values in ((self.names.passing, good), (self.names.failing, bad))
        )
        if threshold.apart < LEAST_APART:
            raise Unreliable(
                f"the two sides do not differ in {metric.name}: {told}",
                hint="measure something that differs more, or give two sides that do",
            )
        criterion = replace(trial.criterion, threshold=threshold)
        oracle = replace(self.evaluator.oracle, trial=replace(trial, criterion=criterion))
        self.evaluator.use(oracle)
        self.observe(Noticed("threshold", f"{told}; worse: {criterion.words}"))
        return len(bad) + len(good)

    def _measured(self, side: Subject, name: str, metric: Metric) -> list[float]:
        """Run a side some times; raise if nothing can be measured."""
        self.evaluator.tell(f"measuring {name}")
        found = []
        for said in self.evaluator.run(side, RUNS_AT_ONCE, capture=True):
            value = metric.of(said.ending)
            if said.why or value is None:
                is_silent = not (said.why or said.ending.status or said.ending.limit)
                how = "it prints no such number" if is_silent else said.words
                raise NotInteresting(
                    f"{name} cannot be measured: {how}{said.ending.tail}",
                    hint="the command must exit with 0 on both sides, and for a number print one",
                )
            found.append(value)
        return found
