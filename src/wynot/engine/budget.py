"""How much a session may spend."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from time import monotonic

from wynot.core.standing import Stop


class Spent(Exception):
    """A budget is used up."""

    def __init__(self, by: Stop) -> None:
        super().__init__(by)
        self.by = by


MAX_SECONDS = 1e9
"""A longer time is as good as none, and clocks cannot count it."""


A_DAY = 86_400.0
"""No wait is longer than this: what waits may not be able to count more."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Tests counted in commit order, so at any width the same; seconds by the clock given."""

    max_tests: float = inf
    deadline: float = inf
    clock: Callable[[], float] = monotonic

    @classmethod
    def of(cls, max_tests: int | None, max_time: float | None, began: float) -> "Budget":
        """Return what the options leave from the moment when it began; None: no end."""
        return cls(
            inf if max_tests is None else max_tests,
            inf if max_time is None else began + min(max_time, MAX_SECONDS),
        )

    def after(self, tests: int) -> "Budget":
        """Return what is left after so many tests."""
        return replace(self, max_tests=self.max_tests - tests)

    def left(self, tests: int) -> float:
        """Return how many more tests may be asked for."""
        return self.max_tests - tests

    def require(self, tests: int) -> None:
        """Raise if no more tests may be asked for."""
        if self.left(tests) <= 0:
            raise Spent(Stop.MAX_TESTS)

    def seconds(self) -> float | None:
        """Return how long one may wait before asking again, None for ever; raise if time is up."""
        if self.deadline == inf:
            return None
        remaining = self.deadline - self.clock()
        if remaining <= 0:
            raise Spent(Stop.MAX_TIME)
        return min(remaining, A_DAY)
