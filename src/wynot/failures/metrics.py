"""Regressions that are not a matter of yes or no: something that is measured gets worse.

A run that fails says nothing: what is measured then is something else.
"""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from statistics import median

from wynot.core.ending import Ending
from wynot.core.errors import InvalidOption, nearest
from wynot.core.options.pattern import compiled
from wynot.core.verdict import Verdict

TIME_METRIC, OUTPUT_METRIC, NUMBER_METRIC = "time", "output", "number"
UNITS = {TIME_METRIC: " s", OUTPUT_METRIC: " bytes", NUMBER_METRIC: ""}
ANY_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
MAX_DIGITS = 40
"""Longer than that is no number that anybody has measured."""


@dataclass(frozen=True, slots=True)
class Metric:
    """What is measured of a run."""

    name: str
    pattern: re.Pattern[bytes] = ANY_NUMBER
    """What the number looks like, if it is one that is printed; the last one counts."""

    @classmethod
    def read(cls, text: str) -> "Metric":
        """Return the metric that an option names."""
        name, colon, pattern = text.partition(":")
        if name not in UNITS:
            raise InvalidOption(f"is {text!r}", option="worse", hint=nearest(name, [*UNITS]))
        if not colon:
            return cls(name)
        if name != NUMBER_METRIC or not pattern:
            raise InvalidOption(
                f"is {text!r}", option="worse", hint="only a number has a pattern: number:REGEX"
            )
        return cls(name, compiled("worse", pattern))

    def of(self, ending: Ending) -> float | None:
        """Return what is measured of a run; None if it has failed, or shows no such number."""
        if ending.limit or ending.status:
            return None
        if self.name == TIME_METRIC:
            return ending.seconds
        printed = ending.stdout + ending.stderr
        if self.name == OUTPUT_METRIC:
            return float(len(printed))
        last = deque(self.pattern.finditer(printed), maxlen=1)
        return _number(last[0][1 if self.pattern.groups else 0]) if last else None

    def shown(self, *values: float) -> str:
        """Return a value in words, or from where to where several go."""
        ends = dict.fromkeys((min(values), max(values)))
        return f"{' to '.join(f'{each:.6g}' for each in ends)}{UNITS[self.name]}"


@dataclass(frozen=True, slots=True)
class Threshold:
    """Between values that are good enough and values that are worse."""

    value: float
    is_upper: bool
    """Whether what is above it is worse."""
    apart: float = 1.0
    """How much more often the failing side is worse than the passing one."""

    @classmethod
    def between(
        cls, passing: Sequence[float], failing: Sequence[float], given: float | None = None
    ) -> "Threshold":
        """Return the threshold that tells two sides apart best, or one that is given."""
        is_upper = median(failing) >= median(passing)
        values = sorted({*passing, *failing})
        middles = [(low + high) / 2 for low, high in pairwise(values)] or values
        candidates = middles if given is None else [given]

        def apart(value: float) -> float:
            judged = cls(value, is_upper)
            shares = [sum(map(judged.is_worse, some)) / len(some) for some in (failing, passing)]
            return shares[0] - shares[1]

        # Of several that are as good, the one in the widest gap: chance moves values least there.
        best = max(candidates, key=lambda value: (apart(value), _gap(value, values)))
        return cls(best, is_upper, apart(best))

    def is_worse(self, value: float) -> bool:
        """Tell whether a value is worse."""
        return value > self.value if self.is_upper else value < self.value


@dataclass(frozen=True, slots=True)
class ByMetric:
    """Interesting is what is worse than a threshold, which both sides have to show first."""

    metric: Metric
    threshold: Threshold | None = None
    captures: bool = True

    def judge(self, ending: Ending) -> Verdict:
        """Compare what is measured with the threshold."""
        value = self.metric.of(ending)
        if value is None or self.threshold is None:
            return Verdict.UNRESOLVED
        return Verdict.INTERESTING if self.threshold.is_worse(value) else Verdict.UNINTERESTING

    def after(self, _first: Ending) -> "ByMetric":
        """Unchanged: one run says nothing about a threshold."""
        return self

    @property
    def words(self) -> str:
        """What is looked for, in words."""
        if self.threshold is None:
            return f"the {self.metric.name} is worse"
        side = "above" if self.threshold.is_upper else "below"
        return f"the {self.metric.name} is {side} {self.metric.shown(self.threshold.value)}"


def _number(text: bytes | None) -> float | None:
    """Return a number that was printed; None if it is none, or none that can be compared."""
    try:
        value = float(text or b"") if len(text or b"") <= MAX_DIGITS else float("nan")
    except ValueError:
        return None
    return value if isfinite(value) else None


def _gap(value: float, values: Sequence[float]) -> float:
    """Return how wide the gap is that a threshold lies in."""
    below = max((each for each in values if each <= value), default=value)
    above = min((each for each in values if each > value), default=value)
    return above - below
