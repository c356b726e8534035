"""The scene of a change: one step, with all that came before and after it as one step each.

Three differences are read, however long the history is, and only of the files that the step
changes. All that is asked about the step, in its own place, in the good side or in the bad one, is
a choice of their deltas.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.changes.change_sources import Compared, Recorded, woven
from wynot.inquiries.changes.commits import Chain, ChainStep, GitCommit, History, chain

MAX_DEPENDENT_HUNKS = 50
"""More hunks that need each other are no small thing."""
MAX_SINGLE_COMMITS = 1000
"""More commits are not read one by one, since that takes long."""


class Scene(NamedTuple):
    """A step and what surrounds it."""

    compared: Compared
    passing: GitCommit
    failing: GitCommit
    """The commits before and after the step."""
    before: Deltas
    """What leads from the passing side to the state before the step."""
    guilty: Deltas
    """What the step does."""
    steps: tuple[ChainStep, ...]
    """The step itself; several, if it is not known which of them it is."""


def scene_of(
    recorded: Recorded, passing: GitCommit, failing: GitCommit, steps: tuple[ChainStep, ...]
) -> Scene:
    """Read the steps that lead from one commit to another, and what surrounds them."""
    history, source = recorded
    before = ChainStep(passing.tree, subject=f"what came before {steps[0].name}")
    after = ChainStep(history.bad.tree, subject=f"what came after {steps[-1].name}")
    way = tuple(_without_empty(history.good.tree, before, *steps, after))
    number = way.index(steps[0])
    compared = woven(source, Chain(history.good, way), number if len(steps) == 1 else None)
    earlier = compared.changes.step(0) if number else NONE
    guilty = _steps(compared, number, len(steps))
    return Scene(compared, passing, failing, earlier, guilty, steps)


def _steps(compared: Compared, start: int, count: int) -> Deltas:
    """Return the deltas of some steps in a row."""
    steps = (compared.changes.step(start + each) for each in range(count))
    return Deltas.covering(run for step in steps for run in step.runs)


class Scenes:
    """Reads scenes; each once, though a search that looks ahead comes to it by several ways."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded
        self._scenes: dict[tuple[str, ...], Scene] = {}
        self._details: dict[tuple[str, ...], Detail | None] = {}

    def of(self, passing: GitCommit, failing: GitCommit, steps: tuple[ChainStep, ...]) -> Scene:
        """Return the scene of the steps that lead from one commit to another."""
        key = passing.id, failing.id, *(step.tree for step in steps)
        if key not in self._scenes:
            self._scenes[key] = scene_of(self._recorded, passing, failing, steps)
        return self._scenes[key]

    def leading_to(self, scene: Scene) -> "Detail":
        """Return a scene with the commits before it one by one, if that can be read."""
        return self._detail("before", scene, leading_to)

    def following(self, scene: Scene) -> "Detail":
        """Return a scene with the commits after it one by one, if that can be read."""
        return self._detail("after", scene, following)

    def _detail(
        self, which: str, scene: Scene, read: "Callable[[Scene, Recorded], Detail | None]"
    ) -> "Detail":
        key = which, scene.passing.id, scene.failing.id
        if key not in self._details:
            self._details[key] = read(scene, self._recorded)
        return self._details[key] or Detail(scene.compared, scene.guilty, 0)


class Detail(NamedTuple):
    """A scene with the commits around its step one by one."""

    compared: Compared
    guilty: Deltas
    shift: int
    """How much higher the numbers of the step's deltas are than in the scene."""

    def moved(self, deltas: Deltas) -> Deltas:
        """Return deltas of the step as they are numbered here."""
        return Deltas.covering(
            (start + self.shift, stop + self.shift) for start, stop in deltas.runs
        )

    @property
    def since(self) -> Deltas:
        """The deltas of the step, and of all after it."""
        changes = self.compared.changes
        return changes.deltas.part(self.guilty.index(0), len(changes.deltas))


def leading_to(scene: Scene, recorded: Recorded) -> Detail | None:
    """Read the commits between the passing side and a scene, one by one, and its step after them.

    None if there are none, or too many; or if its step would fall into other parts then.
    """
    history, source = recorded
    if not scene.before or _is_long(history):
        return None
    steps = chain(source.store, history.good.id, scene.passing.id).steps
    return _detail(scene, recorded, (*steps, *scene.steps), len(steps))


def following(scene: Scene, recorded: Recorded) -> Detail | None:
    """Read the commits between a scene and the failing side, one by one; None as above."""
    history, source = recorded
    if scene.steps[-1].tree == history.bad.tree or _is_long(history):
        return None
    before = [step for step in scene.compared.changes.steps[:1] if scene.before]
    steps = chain(source.store, scene.failing.id, history.bad.id).steps
    return _detail(scene, recorded, (*before, *scene.steps, *steps), len(before))


def _is_long(history: History) -> bool:
    return len(history.ahead) + len(history.behind) > MAX_SINGLE_COMMITS


def _detail(
    scene: Scene, recorded: Recorded, steps: tuple[ChainStep, ...], number: int
) -> Detail | None:
    compared = woven(recorded.source, Chain(recorded.history.good, steps))
    guilty = _steps(compared, number, len(scene.steps))
    if len(guilty) != len(scene.guilty):
        return None
    return Detail(compared, guilty, guilty.index(0) - scene.guilty.index(0))


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
