"""A plan walked through without a search: each pass leaves what a test says that it leaves."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from wynot.core.files import Files
from wynot.core.round import NO_COST, Search
from wynot.passes.catalog import PlanOptions
from wynot.passes.containers import containers_in, unpacked
from wynot.passes.plan import Plan, tiers_for
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Pass
from wynot.passes.trees.parsed_files import Trees
from wynot.search.combinators import done


class Enough(Exception):
    """The rest of the plan is of no interest."""


@dataclass(frozen=True, slots=True)
class Scripted(Runs):
    """Runs no search: says what a pass leaves, and what that takes."""

    leaves: Callable[[Pass, Files], tuple[Files, int]] = field(kw_only=True)

    def run(self, step: Pass, progress: Progress) -> Search[Progress]:
        """Take what is said for what is found."""
        files, tests = self.leaves(step, progress.files)
        cost = progress.cost._replace(tests=progress.cost.tests + tests)
        return done(replace(progress, files=files, cost=cost))


def walked(
    files: Files, options: PlanOptions, leaves: Callable[[Pass, Files], tuple[Files, int]]
) -> list[Pass]:
    """Return the passes of one time through the plan."""
    passes: list[Pass] = []

    def note(step: Pass, before: Files) -> tuple[Files, int]:
        passes.append(step)
        return leaves(step, before)

    trees = Trees.of(unpacked(files, containers_in(files)).files)
    plan = Plan(options, trees, Scripted((), lambda _cut, _loop: None, 1, leaves=note))
    try:
        next(plan.once(tiers_for(options), Progress(files, cost=NO_COST)))
    except (StopIteration, Enough):
        return passes
    raise AssertionError("no pass runs a search")
