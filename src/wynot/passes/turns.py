"""Passes that take turns: next is the one that has saved most bytes for a test."""

from math import inf
from typing import NamedTuple

from wynot.passes.progress import Progress
from wynot.passes.reduction_pass import Pass


class Turns(NamedTuple):
    """What is remembered of passes that take turns."""

    passes: tuple[Pass, ...]
    saved: tuple[float, ...]
    """Bytes that each has saved for a test, the last time it ran."""
    vain: frozenset[int]
    """Those that have nothing to offer for the files as they are."""
    patience: float
    number: int = 0
    before: Progress | None = None
    """Where the last one began."""

    @classmethod
    def of(cls, passes: tuple[Pass, ...], patience: float) -> "Turns":
        """Return how it begins: each is to show what it can do."""
        return cls(passes, (inf,) * len(passes), frozenset(), patience)

    def begun(self, progress: Progress) -> "Turns":
        """Return the same with the next pass begun: the best of those that may have something."""
        waiting = (each for each in range(len(self.passes)) if each not in self.vain)
        number = max(waiting, key=self.saved.__getitem__)
        return self._replace(number=number, before=progress)

    def after(self, progress: Progress) -> "Turns":
        """Return the same after the pass whose turn it was."""
        if self.before is None:
            return self
        before, after = self.before.view, progress.view
        tests = progress.cost.tests - self.before.cost.tests
        saved = list(self.saved)
        saved[self.number] = max(before.weight - after.weight, 0) / (tests + 1)
        vain = self.vain if after.contents == before.contents else frozenset()
        # It went on for as long as it was of use.
        return self._replace(saved=tuple(saved), vain=vain | {self.number})
