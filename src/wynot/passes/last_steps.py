"""What is done when nothing more can go, and little is left: which step comes next.

At most as many tests are spent on it as the reduction took before, and at most half of them in a
row in vain. What has changed is gone through once more: so all that is proved is so of the result.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from functools import partial
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.round import Search
from wynot.formats.format import is_text
from wynot.passes.last_bytes import LEFTOVERS, WHOLE_TOKENS, LastBytes
from wynot.passes.leftovers.line_joins import all_blanks, line_joins
from wynot.passes.leftovers.short_text import MOST_LEFT_TOKENS
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Pass
from wynot.passes.tree_passes import RewriteNodes
from wynot.passes.trees import LARGE_PROPOSAL_BYTES, Trees
from wynot.search.combinators import Step, one_after_another

PROOF_SWEEPS = 2
"""How many times each token is tried alone for the proof: in its node, and by itself."""
VAIN_SHARE = 0.5
"""Which part of the tests may be in vain, one after the other."""


class LastStep(StrEnum):
    """What can be done with the little that is left."""

    LINES = auto()
    BYTES = auto()
    PROOF = auto()
    PASSES = auto()


class Leftover(NamedTuple):
    """What is remembered of the steps so far."""

    until: int
    """How many tests there may be in all."""
    spared: int
    """How many of them are for the proof at the end."""
    patience: int
    """How many may be in vain, one after the other."""
    settled: Files
    """Of what it is known that nothing more can go."""
    before: Files
    """What there was before the last step."""
    step: LastStep | None = None

    @classmethod
    def of(cls, progress: Progress, tokens: int) -> "Leftover":
        """Return how it begins, with so many tokens left."""
        tests, files = progress.cost.tests, progress.files
        spared = min(PROOF_SWEEPS * tokens, tests // 2)
        return cls(2 * tests, spared, max(1, int(tests * VAIN_SHARE)), files, files)

    def after(self, progress: Progress) -> "Leftover":
        """Return the same with the next step; None if there is none."""
        files, last = progress.files, self.step
        step = self._next(last, files, affords=progress.cost.tests < self.until - self.spared)
        is_through = last in {LastStep.PROOF, LastStep.PASSES}
        settled = files if is_through else self.settled
        return self._replace(step=step, before=files, settled=settled)

    def _next(self, last: LastStep | None, files: Files, *, affords: bool) -> LastStep | None:
        has_changed = files.contents != self.before.contents
        match last:
            case None:
                return LastStep.LINES
            case LastStep.LINES if affords:
                return LastStep.BYTES
            case LastStep.BYTES | LastStep.PASSES if affords and has_changed:
                return LastStep.BYTES
            case LastStep.PROOF | LastStep.PASSES:
                return None
        if files.contents == self.settled.contents:
            return None
        return LastStep.PROOF if files.weight == self.settled.weight else LastStep.PASSES


@dataclass(frozen=True, slots=True)
class LastSteps:
    """The steps, one after another."""

    trees: Trees
    runs: Runs
    through: Callable[[float], Step[Progress]]
    """Goes through all passes again, up to so many tests in all."""
    prove: Step[Progress]
    """Tries each part alone again."""
    joins: bool
    """Whether white space may change, and lines be joined."""
    names: bool
    """Whether names may become others."""

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Go on as long as there is a next step."""
        tokens = len(self.trees.forest(progress.view).leaves)
        return one_after_another(self._next, Leftover.of(progress, tokens), progress)

    def _next(
        self, leftover: Leftover, progress: Progress
    ) -> tuple[Step[Progress], Leftover] | None:
        leftover = leftover.after(progress)
        match leftover.step:
            case None:
                return None
            case LastStep.LINES:
                joined = (line_joins, all_blanks) if self.joins else ()
                lines = RewriteNodes(self.trees, name="white space", rewrites=joined)
                return self._pass(lines), leftover
            case LastStep.BYTES:
                tried = LEFTOVERS if self.joins and self.names else WHOLE_TOKENS
                until = min(
                    leftover.until - leftover.spared, progress.cost.tests + leftover.patience
                )
                return self._pass(LastBytes(self.trees, tried, until, self.names)), leftover
            case LastStep.PROOF:
                return partial(_again, self.prove), leftover
            case LastStep.PASSES:
                until = leftover.until - leftover.spared
                return partial(_again, self.through(until)), leftover

    def _pass(self, step: Pass) -> Step[Progress]:
        return partial(self.runs.run_inside, step)


def _again(through: Step[Progress], progress: Progress) -> Search[Progress]:
    return through(replace(progress, loop=progress.loop + 1, is_again=False))


def is_little(progress: Progress, trees: Trees) -> bool:
    """Tell whether so little is left that this is worth it."""
    files = progress.view
    if files.size > LARGE_PROPOSAL_BYTES or not any(map(is_text, files.contents.values())):
        return False
    return 0 < len(trees.forest(files).leaves) <= MOST_LEFT_TOKENS
