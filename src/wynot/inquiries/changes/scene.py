"""The scene of a change: one step, with all that came before and after it as one step each.

Three differences are read, however long the history is, and only of the files that the step changes
all lines. All that is asked about the step, in its
own place, in the good side or in the bad one, is a choice of their deltas.
"""

from collections.abc import Iterator
from typing import NamedTuple

from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.changes.chain import Chain, ChainStep, chain
from wynot.inquiries.changes.commits import GitCommit
from wynot.inquiries.changes.sources import Compared, Recorded, woven

MAX_DEPENDENT_HUNKS = 50
"""More hunks that need each other are no small thing."""
MAX_SINGLE_COMMITS = 1000
"""More commits are not read one by one, since that takes long."""


class Scene(NamedTuple):
    """A step and what surrounds it."""

    compared: Compared
    passing: GitCommit
    """The commit before the step."""
    before: Deltas
    """What leads from the passing side to the state before the step."""
    guilty: Deltas
    """What the step does."""

    @property
    def step(self) -> ChainStep:
        """The step itself."""
        changes = self.compared.changes
        return changes.steps[changes.described[self.guilty.index(0)].step]


def scene_of(recorded: Recorded, passing: GitCommit, step: ChainStep) -> Scene:
    """Read the step that comes after a commit, and what surrounds it."""
    history, source = recorded
    before = ChainStep(passing.tree, subject=f"what came before {step.name}")
    after = ChainStep(history.bad.tree, subject=f"what came after {step.name}")
    way = tuple(_without_empty(history.good.tree, before, step, after))
    number = way.index(step)
    compared = woven(source, Chain(history.good, way), number)
    earlier = compared.changes.step(0) if number else NONE
    return Scene(compared, passing, earlier, compared.changes.step(number))


def leading_to(scene: Scene, recorded: Recorded) -> Compared | None:
    """Read the commits between the passing side and a scene, one by one, and its step after them.

    None if there are none, or too many; or if its step would fall into other parts then.
    """
    (history, source), step = recorded, scene.step
    if not scene.before or len(history.ahead) + len(history.behind) > MAX_SINGLE_COMMITS:
        return None
    steps = chain(source.store, history.good.id, scene.passing.id).steps
    compared = woven(source, Chain(history.good, (*steps, step)))
    is_same = len(compared.changes.step(len(steps))) == len(scene.guilty)
    return compared if is_same else None


def _without_empty(tree: str, *steps: ChainStep) -> Iterator[ChainStep]:
    for step in steps:
        if step.tree != tree:
            tree = step.tree
            yield step


def with_needed(compared: Compared, deltas: Deltas) -> Deltas | None:
    """Return these deltas, and the hunks that they need; None if those are too many."""
    changes = compared.changes
    for _ in range(MAX_DEPENDENT_HUNKS):
        conflict = changes.conflict(deltas)
        if conflict is None:
            return deltas
        deltas = united(deltas, changes.whole(Deltas.of([conflict.needs]), "hunks"))
    return None


def with_dependent(compared: Compared, deltas: Deltas) -> Deltas | None:
    """Return these deltas, and the hunks that cannot be without them; None if those are too many.

    It is what has to be taken back from the failing side together.
    """
    changes = compared.changes
    for _ in range(MAX_DEPENDENT_HUNKS):
        conflict = changes.conflict(changes.deltas.toggle(deltas))
        if conflict is None:
            return deltas
        deltas = united(deltas, changes.whole(Deltas.of([conflict.delta]), "hunks"))
    return None


def united(one: Deltas, other: Deltas) -> Deltas:
    """Return what is in any of the two."""
    return Deltas.covering((*one.runs, *other.runs))
