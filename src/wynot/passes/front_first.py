"""What is done with a large source before all of it is looked at.

The few lines that all the rest is there for come first: as long as they are as they were, hardly
anything else can go. With each that does, more is not needed any more, and goes at once.
"""

from dataclasses import dataclass, replace
from functools import partial

from wynot.core.round import Search
from wynot.passes.catalog import TEXTS, PlanOptions
from wynot.passes.progress import Progress, Runs
from wynot.passes.tree_passes import DropUseless, PruneTrees, RewriteNodes
from wynot.passes.trees import Trees
from wynot.search.combinators import Step, done, in_turn, one_after_another

LARGE_SOURCE_BYTES = 32 << 10
"""Bytes from which on a text may be a large source."""
FRONT_PATIENCE = 25
"""Failures in a row after which a pass lets the next one have a go."""
REWRITES_SLICE = 75
"""Tests after which rewrites are interrupted to look for what nothing needs any more: a single one
of them may have freed most of the source."""
FRONT_GAIN = 0.95
"""Which part may be left at most for it to be done again."""


@dataclass(frozen=True, slots=True)
class FrontFirst:
    """Leaves out what nothing needs, and reduces the front, as long as that pays."""

    runs: Runs
    options: PlanOptions
    trees: Trees

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Go through the passes again and again."""
        return one_after_another(self._next_time, None, progress)

    def _next_time(
        self, before: Progress | None, progress: Progress
    ) -> tuple[Step[Progress], Progress] | None:
        size = max(map(len, progress.view.contents.values()), default=0)
        if size < LARGE_SOURCE_BYTES or (before and not _pays(before, progress)):
            return None
        nodes = PruneTrees(self.trees, FRONT_PATIENCE, "front", in_front=True)
        steps = (self.useless, partial(self.runs.run_inside, nodes), self.useless)
        return partial(in_turn, (*steps, self.rewritten)), progress

    def useless(self, progress: Progress) -> Search[Progress]:
        """Leave out what nothing needs."""
        return self.runs.run_inside(DropUseless(self.trees, FRONT_PATIENCE), progress)

    def rewritten(self, progress: Progress) -> Search[Progress]:
        """Rewrite the front, a slice at a time; but deletions come first when much has gone."""
        if not self.options.rewrite:
            return done(progress)
        return one_after_another(self._next_slice, None, progress)

    def _next_slice(
        self, before: Progress | None, progress: Progress
    ) -> tuple[Step[Progress], Progress] | None:
        if before:
            is_cut = progress.cost.tests - before.cost.tests >= REWRITES_SLICE
            if not is_cut or _pays(before, progress):
                return None
        until = min(self.runs.until, progress.cost.tests + REWRITES_SLICE)
        texts = RewriteNodes(
            self.trees,
            FRONT_PATIENCE,
            "front texts",
            rewrites=TEXTS,
            names=self.options.rename,
            in_front=True,
        )
        rewrites = partial(replace(self.runs, until=until).run_inside, texts)
        return partial(in_turn, (rewrites, self.useless)), progress


def _pays(before: Progress, after: Progress) -> bool:
    return after.view.weight <= before.view.weight * FRONT_GAIN
