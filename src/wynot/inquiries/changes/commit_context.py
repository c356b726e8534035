"""The context of a change: one step, with all that came before and after it as one step each.

Three differences are read, however long the history is, and only of the files that the step
changes. All that is asked about the step, in its own place, in the good side or in the bad one, is
a choice of their deltas.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.changes.change_sources import Comparison, SourceHistory, comparison_of
from wynot.inquiries.changes.commit_history import Chain, ChainStep, GitCommit, History, chain

MAX_DEPENDENT_HUNKS = 50
"""More hunks that need each other are no small thing."""
MAX_SINGLE_COMMITS = 1000
"""More commits are not read one by one, since that takes long."""


class CommitContext(NamedTuple):
    """A step and what surrounds it."""

    comparison: Comparison
    passing: GitCommit
    failing: GitCommit
    """The commits before and after the step."""
    before: Deltas
    """What leads from the passing side to the state before the step."""
    guilty: Deltas
    """What the step does."""
    steps: tuple[ChainStep, ...]
    """The step itself; several, if it is not known which of them it is."""


def context_of(
    origin: SourceHistory, passing: GitCommit, failing: GitCommit, steps: tuple[ChainStep, ...]
) -> CommitContext:
    """Read the steps that lead from one commit to another, and what surrounds them."""
    history, source = origin
    before = ChainStep(passing.tree, subject=f"what came before {steps[0].name}")
    after = ChainStep(history.bad.tree, subject=f"what came after {steps[-1].name}")
    way = tuple(_without_empty(history.good.tree, before, *steps, after))
    number = way.index(steps[0])
    comparison = comparison_of(
        source, Chain(history.good, way), number if len(steps) == 1 else None
    )
    earlier = comparison.changes.step(0) if number else NONE
    guilty = _steps(comparison, number, len(steps))
    return CommitContext(comparison, passing, failing, earlier, guilty, steps)


def _steps(comparison: Comparison, start: int, count: int) -> Deltas:
    """Return the deltas of some steps in a row."""
    steps = (comparison.changes.step(start + each) for each in range(count))
    return Deltas.covering(run for step in steps for run in step.runs)


class ContextReader:
    """Reads contexts; each once, though a search that looks ahead comes to it by several ways."""

    def __init__(self, origin: SourceHistory) -> None:
        self._origin = origin
        self._contexts: dict[tuple[str, ...], CommitContext] = {}
        self._details: dict[tuple[str, ...], DetailedContext | None] = {}

    def of(
        self, passing: GitCommit, failing: GitCommit, steps: tuple[ChainStep, ...]
    ) -> CommitContext:
        """Return the context of the steps that lead from one commit to another."""
        key = passing.id, failing.id, *(step.tree for step in steps)
        if key not in self._contexts:
            self._contexts[key] = context_of(self._origin, passing, failing, steps)
        return self._contexts[key]

    def leading_to(self, context: CommitContext) -> "DetailedContext":
        """Return a context with the commits before it one by one, if that can be read."""
        return self._detail("before", context, leading_to)

    def following(self, context: CommitContext) -> "DetailedContext":
        """Return a context with the commits after it one by one, if that can be read."""
        return self._detail("after", context, following)

    def _detail(
        self,
        which: str,
        context: CommitContext,
        read: "Callable[[CommitContext, SourceHistory], DetailedContext | None]",
    ) -> "DetailedContext":
        key = which, context.passing.id, context.failing.id
        if key not in self._details:
            self._details[key] = read(context, self._origin)
        return self._details[key] or DetailedContext(context.comparison, context.guilty, 0)


class DetailedContext(NamedTuple):
    """A context with the commits around its step one by one."""

    comparison: Comparison
    guilty: Deltas
    shift: int
    """How much higher the numbers of the step's deltas are than in the context."""

    def moved(self, deltas: Deltas) -> Deltas:
        """Return deltas of the step as they are numbered here."""
        return Deltas.covering(
            (start + self.shift, stop + self.shift) for start, stop in deltas.runs
        )

    @property
    def since(self) -> Deltas:
        """The deltas of the step, and of all after it."""
        changes = self.comparison.changes
        return changes.deltas.part(self.guilty.index(0), len(changes.deltas))


def leading_to(context: CommitContext, origin: SourceHistory) -> DetailedContext | None:
    """Read the commits between the passing side and a context, one by one, and its step after them.

    None if there are none, or too many; or if its step would fall into other parts then.
    """
    history, source = origin
    if not context.before or _is_long(history):
        return None
    steps = chain(source.store, history.good.id, context.passing.id).steps
    return _detail(context, origin, (*steps, *context.steps), len(steps))


def following(context: CommitContext, origin: SourceHistory) -> DetailedContext | None:
    """Read the commits between a context and the failing side, one by one; None as above."""
    history, source = origin
    if context.steps[-1].tree == history.bad.tree or _is_long(history):
        return None
    before = [step for step in context.comparison.changes.steps[:1] if context.before]
    steps = chain(source.store, context.failing.id, history.bad.id).steps
    return _detail(context, origin, (*before, *context.steps, *steps), len(before))


def _is_long(history: History) -> bool:
    return len(history.ahead) + len(history.behind) > MAX_SINGLE_COMMITS


def _detail(
    context: CommitContext, origin: SourceHistory, steps: tuple[ChainStep, ...], number: int
) -> DetailedContext | None:
    comparison = comparison_of(origin.source, Chain(origin.history.good, steps))
    guilty = _steps(comparison, number, len(context.steps))
    if len(guilty) != len(context.guilty):
        return None
    return DetailedContext(comparison, guilty, guilty.index(0) - context.guilty.index(0))


def _without_empty(tree: str, *steps: ChainStep) -> Iterator[ChainStep]:
    for step in steps:
        if step.tree != tree:
            tree = step.tree
            yield step


def with_needed(comparison: Comparison, deltas: Deltas) -> Deltas | None:
    """Return these deltas, and the hunks that they need; None if those are too many."""
    changes = comparison.changes
    for _ in range(MAX_DEPENDENT_HUNKS):
        conflict = changes.conflict(deltas)
        if conflict is None:
            return deltas
        deltas = united(deltas, changes.whole(Deltas.of([conflict.needs]), "hunks"))
    return None


def with_dependent(comparison: Comparison, deltas: Deltas) -> Deltas | None:
    """Return these deltas, and the hunks that cannot be without them; None if those are too many.

    It is what has to be taken back from the failing side together.
    """
    changes = comparison.changes
    for _ in range(MAX_DEPENDENT_HUNKS):
        conflict = changes.conflict(changes.deltas.toggle(deltas))
        if conflict is None:
            return deltas
        deltas = united(deltas, changes.whole(Deltas.of([conflict.delta]), "hunks"))
    return None


def united(one: Deltas, other: Deltas) -> Deltas:
    """Return what is in any of the two."""
    return Deltas.covering((*one.runs, *other.runs))
