"""Makes the inputs of a failing test smaller, one after the other, until nothing changes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from wynot.api import minimize
from wynot.core.errors import BrokenTest, Interrupted
from wynot.pytesting.inputs import Input, PartedValue

Fails = Callable[[Sequence[object]], bool | None]
"""Runs the test on these inputs: True, the failure shows; False, it passes; None, neither."""


class ShrinkingSpent(Exception):
    """A budget is used up; says which."""


@dataclass(slots=True)
class Shrinking:
    """A search; whatever ends it, ``best`` are the smallest inputs on which the failure showed."""

    inputs: Sequence[Input]
    fails: Fails
    max_tests: int
    deadline: float
    clock: Callable[[], float]
    best: list[object] = field(init=False)
    runs: int = 0
    is_reliable: bool = True
    """Whether the failure showed again on the same inputs."""
    is_minimal: bool = False
    stopped: str = ""
    """Which budget ended it, if one did."""
    _known: dict[tuple[bytes, ...], bool | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.best = [each.value for each in self.inputs]

    @property
    def needs_nothing(self) -> bool:
        """Tell whether the failure shows with nothing left at all."""
        return not any(
            source.parts(best) for source, best in zip(self.inputs, self.best, strict=True)
        )

    def run(self) -> None:
        """Shrink all inputs, if the failure shows again on copies of the very same."""
        try:
            self.is_reliable = self._ask(self.best) is True
            if self.is_reliable:
                self._shrink_all()
        except ShrinkingSpent as spent:
            self.stopped = str(spent)

    def _shrink_all(self) -> None:
        """Shrink one after the other; all again, as long as one of them gets smaller."""
        before: tuple[bytes, ...] = ()
        while before != self._key(self.best):
            before = self._key(self.best)
            # Each has its turn, also after one of which nothing is proved.
            proved = [self._shrink(number) for number in range(len(self.inputs))]
        self.is_minimal = all(proved)

    def _shrink(self, number: int) -> bool:
        """Go once from coarse to fine; tell whether it is proved that no single part can go."""
        is_minimal = True
        for cut in self.inputs[number].cuts:
            level = cut.cutter(self.best[number])
            if level.size:
                is_minimal &= self._shrink_level(number, level)
        return is_minimal

    def _shrink_level(self, number: int, level: PartedValue) -> bool:
        fewest = level.size

        def test(kept: Sequence[int]) -> bool | None:
            nonlocal fewest
            value = level.keep(kept)
            verdict = self._ask([*self.best[:number], value, *self.best[number + 1 :]])
            if verdict and len(kept) < fewest:
                fewest = len(kept)
                self.best[number] = value
            return verdict

        if test(()):  # minimize would take that for a mistake in the test
            return True
        try:
            return minimize(range(level.size), test).minimal
        except (BrokenTest, Interrupted) as error:
            # What ended it comes out as it was: a budget, Ctrl-C, the end of the session.
            raise (error.__cause__ or error) from None

    def _ask(self, values: Sequence[object]) -> bool | None:
        key = self._key(values)
        if key not in self._known:
            if self.runs >= self.max_tests:
                raise ShrinkingSpent("no more runs are allowed (--wynot-max-tests)")
            if self.clock() >= self.deadline:
                raise ShrinkingSpent("its time is up (--wynot-max-time)")
            self.runs += 1
            self._known[key] = self.fails(values)
        return self._known[key]

    def _key(self, values: Sequence[object]) -> tuple[bytes, ...]:
        return tuple(source.key(value) for source, value in zip(self.inputs, values, strict=True))
