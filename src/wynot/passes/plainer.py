"""What is done with bytes that cannot go: they become plain, and then more of them may go.

At most as many tests are spent on it as the reduction took before. Whatever has changed is gone
through once more, so what is proved is so of the result.
"""

from dataclasses import dataclass, replace
from enum import StrEnum, auto
from functools import partial
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.round import Search
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Pass
from wynot.passes.zeros import FewerValues, ZeroBytes
from wynot.search.combinators import Step, one_after_another

LEAST_PLAINER_TESTS = 256
"""Tests that it may take in any case."""


class PlainerStep(StrEnum):
    """What is done, in this order."""

    ZEROS = auto()
    ALPHABET = auto()
    PROOF = auto()


class Plainer(NamedTuple):
    """What is remembered of the steps so far."""

    until: int
    """How many tests there may be in all."""
    proved: Files
    """Of what it is known that nothing more can go."""
    size: int
    """How many bytes there were when zeros were tried."""
    step: PlainerStep | None = None

    def after(self, progress: Progress) -> "Plainer | None":
        """Return the same with the next step; None if there is none."""
        files = progress.files
        match self.step:
            case None:
                return self._replace(step=PlainerStep.ZEROS)
            case PlainerStep.ZEROS:
                return self._replace(step=PlainerStep.ALPHABET)
            case PlainerStep.ALPHABET if files.contents != self.proved.contents:
                return self._replace(step=PlainerStep.PROOF)
            case PlainerStep.PROOF if files.size < self.size and progress.cost.tests < self.until:
                return self._replace(step=PlainerStep.ZEROS, proved=files, size=files.size)
        return None


@dataclass(frozen=True, slots=True)
class PlainerBytes:
    """The steps, one after another."""

    runs: Runs
    prove: Step[Progress]
    """Tries each part alone again."""

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Go on as long as there is a next step."""
        tests, files = progress.cost.tests, progress.files
        until = tests + max(tests, LEAST_PLAINER_TESTS)
        return one_after_another(self._next, Plainer(until, files, files.size), progress)

    def _next(self, plainer: Plainer, progress: Progress) -> tuple[Step[Progress], Plainer] | None:
        following = plainer.after(progress)
        if following is None:
            return None
        match following.step:
            case PlainerStep.PROOF:
                return self._proof, following
            case PlainerStep.ALPHABET:
                return self._pass(FewerValues(), following.until), following
        return self._pass(ZeroBytes(), following.until), following

    def _proof(self, progress: Progress) -> Search[Progress]:
        return self.prove(replace(progress, loop=progress.loop + 1, is_again=False))

    def _pass(self, step: Pass, until: float) -> Step[Progress]:
        return partial(replace(self.runs, until=until).run_inside, step)
