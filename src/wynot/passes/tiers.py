"""What a tier of the plan is: some sources, when they are of use, and in what order they run.

A **source** is one way to make a case smaller: a function of where the reduction is, which returns
the search that goes on from there. A **tier** runs its sources in one of two orders:

- *once*: one after another;
- *by turns*: next is the source that has saved most bytes for a test, until none finds anything.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import starmap
from math import inf
from typing import NamedTuple, TypeAlias

from wynot.core.files import is_text
from wynot.core.round import Search
from wynot.passes.catalog import PlanOptions
from wynot.passes.containers import containers_in
from wynot.passes.progress import FirstTurns, Progress, Runs
from wynot.passes.reduction_pass import Pass
from wynot.passes.trees.parsed_files import Trees
from wynot.search.combinators import Step, done, in_turn, mapped, one_after_another

TURN_PATIENCE = 25
"""Failures in a row after which a source that takes turns lets the next one have a go."""
MOST_IDLE_TURNS = 40
"""Turns that may change something and make nothing lighter, before they count as vain: two sources
could change a thing back and forth for ever."""


@dataclass(frozen=True, slots=True)
class Context:
    """What every source needs, beside where the reduction is."""

    runs: Runs
    options: PlanOptions
    trees: Trees
    ends: Mapping[str, bytes]
    """What texts are to end with, when all else is done."""
    patience: float = inf
    """Failures in a row after which a source gives up."""

    def run(self, step: Pass, progress: Progress) -> Search[Progress]:
        """Run a pass on what the files look like inside of containers."""
        return self.runs.run_inside(step, progress)

    def limited(self, tests: float, progress: Progress) -> "Context":
        """Return the same for at most so many tests more."""
        until = min(self.runs.until, progress.cost.tests + tests)
        return replace(self, runs=replace(self.runs, until=until))


Source: TypeAlias = Callable[[Context, Progress], Search[Progress]]
Condition: TypeAlias = Callable[[Context, Progress], bool]


def always(_context: Context, _progress: Progress) -> bool:
    """Run it every time."""
    return True


def in_folder(_context: Context, progress: Progress) -> bool:
    """Run it if any file is in a folder."""
    return any("/" in path for path in progress.files.contents)


def in_container(_context: Context, progress: Progress) -> bool:
    """Run it if any file holds others."""
    return bool(containers_in(progress.files))


def with_text(_context: Context, progress: Progress) -> bool:
    """Run it if any file is a text."""
    return any(map(is_text, progress.view.contents.values()))


def without_text(context: Context, progress: Progress) -> bool:
    """Run it if no file is a text."""
    return not with_text(context, progress)


def with_bytes(_context: Context, progress: Progress) -> bool:
    """Run it if any file is no text."""
    return not all(map(is_text, progress.view.contents.values()))


def if_large(context: Context, progress: Progress) -> bool:
    """Run it for texts so large that large parts go first."""
    return any(starmap(context.trees.is_large, progress.view.contents.items()))


def with_nests(context: Context, progress: Progress) -> bool:
    """Run it unless a text is large and nothing in it is nested deeply."""
    is_shallow = starmap(context.trees.is_large_and_shallow, progress.view.contents.items())
    return with_text(context, progress) and not any(is_shallow)


def if_huge(context: Context, progress: Progress) -> bool:
    """Run it for texts that are too large to look at every token."""
    is_huge = starmap(context.trees.is_huge, progress.view.contents.items())
    return with_text(context, progress) and any(is_huge)


def if_small(context: Context, progress: Progress) -> bool:
    """Run it for texts of which every token can be looked at."""
    return with_text(context, progress) and not if_huge(context, progress)


def if_small_at_first(context: Context, progress: Progress) -> bool:
    """Run it the first time through the plan: later only what is quick looks at a small change."""
    return progress.loop == 1 and if_small(context, progress)


class Order(Enum):
    """In what order the sources of a tier run."""

    ONCE = auto()
    BY_TURNS = auto()


@dataclass(frozen=True, slots=True)
class Tier:
    """Some sources of the plan."""

    name: str
    sources: tuple[Source, ...]
    when: Condition = always
    order: Order = Order.ONCE
    patience: float = inf
    """Failures in a row after which a source gives up."""
    later: float | None = None
    """The same from the second time through the plan on; None: no other."""

    def run(self, context: Context, progress: Progress) -> Search[Progress]:
        """Run the sources, if they are of use now."""
        if not self.when(context, progress):
            return done(progress)
        patience = self.patience if progress.loop == 1 or self.later is None else self.later
        context = replace(context, patience=patience)
        steps = tuple(partial(source, context) for source in self.sources)
        match self.order:
            case Order.ONCE:
                return in_turn(steps, progress)
            case Order.BY_TURNS:
                search = one_after_another(_next_turn, Turns.of(steps), progress)
                return mapped(search, partial(_with_first_turns, progress))


def _with_first_turns(before: Progress, after: Progress) -> Progress:
    """Note the result of the first tier that takes turns: a second start has to beat it."""
    if after.first_turns is not None:
        return after
    tests = after.cost.tests - before.cost.tests
    return replace(after, first_turns=FirstTurns(before, after.view, tests))


class Turns(NamedTuple):
    """What is remembered of sources that take turns."""

    steps: tuple[Step[Progress], ...]
    saved: tuple[float, ...]
    """Bytes that each has saved for a test, the last time it ran."""
    exhausted: frozenset[int] = frozenset()
    """Those that have nothing to offer for the files as they are."""
    number: int = 0
    before: Progress | None = None
    """Where the last one began."""
    least: float = inf
    """What the files have weighed at least."""
    idle: int = 0
    """How many turns since then have changed something, but made nothing lighter."""

    @classmethod
    def of(cls, steps: tuple[Step[Progress], ...]) -> "Turns":
        """Return how it begins: each is to show what it can do."""
        return cls(steps, (inf,) * len(steps))

    def advance(self, progress: Progress) -> "Turns":
        """Return the same with the next turn begun: the best of those that may have something."""
        waiting = (each for each in range(len(self.steps)) if each not in self.exhausted)
        return self._replace(number=max(waiting, key=self.saved.__getitem__), before=progress)

    def after(self, progress: Progress) -> "Turns":
        """Return the same after the source whose turn it was."""
        if self.before is None:
            return self
        before, after = self.before.view, progress.view
        tests = progress.cost.tests - self.before.cost.tests
        saved = list(self.saved)
        saved[self.number] = max(before.weight - after.weight, 0) / (tests + 1)
        is_lighter, has_changed = after.weight < self.least, after.contents != before.contents
        idle = 0 if is_lighter else self.idle + has_changed
        # It went on for as long as it was of use; the others have a text they do not know.
        exhausted = frozenset() if has_changed and idle < MOST_IDLE_TURNS else self.exhausted
        return self._replace(
            saved=tuple(saved),
            exhausted=exhausted | {self.number},
            least=min(self.least, after.weight),
            idle=idle,
        )


def _next_turn(turns: Turns, progress: Progress) -> tuple[Step[Progress], Turns] | None:
    turns = turns.after(progress)
    if len(turns.exhausted) == len(turns.steps):
        return None
    turns = turns.advance(progress)
    return turns.steps[turns.number], turns
