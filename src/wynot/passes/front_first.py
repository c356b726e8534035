"""What is done with a large source before all of it is looked at.

At first all that goes by the hundred: what nothing needs, remarks, large parts, the bodies of
functions that are never called; each as long as that pays. What stands against that is a few lines
that all the rest is there for: as long as they are as they were, hardly anything else can go. With
each of them that does, more is not needed any more, and goes at once. In C and C++ these lines come
first: there a body may matter that is never called.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from math import inf
from typing import NamedTuple

from wynot.core.round import Search
from wynot.passes.catalog import TEXTS, PlanOptions
from wynot.passes.heeding import HeedComplaints
from wynot.passes.needed import MIN_LARGE_BYTES
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Pass
from wynot.passes.rewrites.bodies import emptied
from wynot.passes.tree_passes import DropUseless, PruneTrees, RewriteNodes
from wynot.passes.trees import Trees
from wynot.search.combinators import Step, done, in_turn, one_after_another

SMALL_SOURCE_BYTES = 16 << 10
"""Bytes below which what is left of a large source is as any small one."""
FRONT_PATIENCE = 25
"""Failures in a row after which a pass lets the next one have a go."""
PARTS_SLICE = 16
"""Tests after which a pass that leaves out large parts has to have paid to go on."""
LEAST_BODIES_SLICE, MOST_BODIES_SLICE = 24, 96
"""Tests after which what nothing needs any more goes before further bodies are emptied. Those that
are needed are all over the place: it takes small groups to find the others."""
BYTES_FOR_TEST = 4 << 10
"""For how many bytes of a source there is one of these tests."""
SCRIPT_SLICE = 48
"""Tests that the front of a script may take: no compiler looks at what is never called, so there is
more to do elsewhere."""
REWRITES_SLICE = 75
"""Tests after which rewrites are interrupted to look for what nothing needs any more: a single one
of them may have freed most of the source."""
FRONT_GAIN = 0.95
"""Which part may be left at most for it to be done again."""


class LargePhase(Enum):
    """What is looked at."""

    WHOLE = auto()
    FRONT = auto()


class Turn(NamedTuple):
    """What is remembered of the last time."""

    phase: LargePhase
    before: Progress
    """Where it began."""
    vain_at: float = inf
    """What was left when nothing more could be done with the whole of it."""


@dataclass(frozen=True, slots=True)
class FrontFirst:
    """Leaves out what goes by the hundred, then reduces the front, as long as that pays."""

    runs: Runs
    options: PlanOptions
    trees: Trees

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Go through the passes again and again."""
        return one_after_another(self._next_time, None, progress)

    def _next_time(
        self, last: Turn | None, progress: Progress
    ) -> tuple[Step[Progress], Turn] | None:
        if self._size(progress) < (SMALL_SOURCE_BYTES if last else MIN_LARGE_BYTES):
            return None
        if last is None and self._is_compiled:  # the whole is never looked at
            steps = (self.useless, self.heeded, self.front)
            return partial(in_turn, steps), Turn(LargePhase.FRONT, progress, 0)
        if last is None:
            return self.whole, Turn(LargePhase.WHOLE, progress)
        paid, weight = _pays(last.before, progress), progress.view.weight
        if last.phase == LargePhase.FRONT and not paid:
            return None
        is_less = weight <= last.vain_at / 2
        if paid and (last.phase == LargePhase.WHOLE or is_less):
            return self.whole, last._replace(phase=LargePhase.WHOLE, before=progress)
        vain_at = weight if last.phase == LargePhase.WHOLE else last.vain_at
        return self.front, Turn(LargePhase.FRONT, progress, vain_at)

    @property
    def _is_compiled(self) -> bool:
        """Whether what functions do matters to a compiler, called or not: as in C++."""
        languages = self.trees.languages.values()
        return any(language.bodiless and not language.any_body for language in languages)

    def _size(self, progress: Progress) -> int:
        """Return how many bytes the largest source has: a text in a language that has names."""
        languages = self.trees.languages
        sources = {
            path
            for path, language in languages.items()
            if language.names and not language.accepts_any_text
        }
        contents = progress.view.contents.items()
        return max((len(content) for path, content in contents if path in sources), default=0)

    def whole(self, progress: Progress) -> Search[Progress]:
        """Leave out what nothing needs, then large parts, then what functions do."""
        nodes = PruneTrees(self.trees, FRONT_PATIENCE)
        steps = (self.useless, partial(self._while_it_pays, nodes), self.emptied)
        return in_turn(steps, progress)

    def emptied(self, progress: Progress) -> Search[Progress]:
        """Empty the bodies of functions."""
        if not self.options.rewrite:
            return done(progress)
        bodies = RewriteNodes(
            self.trees, FRONT_PATIENCE, "bodies", rewrites=(emptied,), names=self.options.rename
        )
        wanted = self._size(progress) // BYTES_FOR_TEST
        tests = max(LEAST_BODIES_SLICE, min(wanted, MOST_BODIES_SLICE))
        return self._sliced(progress, tests).run_inside(bodies, progress)

    def _while_it_pays(self, step: Pass, progress: Progress) -> Search[Progress]:
        """Run a pass, a slice at a time."""
        return one_after_another(partial(self._next_part, step), None, progress)

    def _next_part(
        self, step: Pass, before: Progress | None, progress: Progress
    ) -> tuple[Step[Progress], Progress] | None:
        is_small = self._size(progress) < SMALL_SOURCE_BYTES
        if before and (is_small or not _pays(before, progress)):
            return None
        return partial(self._sliced(progress, PARTS_SLICE).run_inside, step), progress

    def _sliced(self, progress: Progress, tests: int) -> Runs:
        return replace(self.runs, until=min(self.runs.until, progress.cost.tests + tests))

    def heeded(self, progress: Progress) -> Search[Progress]:
        """Leave out all but what the program says that it misses, if it says so."""
        return self.runs.run_inside(HeedComplaints(self.trees), progress)

    def useless(self, progress: Progress) -> Search[Progress]:
        """Leave out what nothing needs."""
        return self.runs.run_inside(DropUseless(self.trees, FRONT_PATIENCE), progress)

    def front(self, progress: Progress) -> Search[Progress]:
        """Leave out and rewrite what all the rest is there for; less of it in a script."""
        nodes = PruneTrees(self.trees, FRONT_PATIENCE, "front", in_front=True)
        is_compiled = self._is_compiled
        runs = self.runs if is_compiled else self._sliced(progress, SCRIPT_SLICE)
        steps = (self.useless, partial(runs.run_inside, nodes), self.useless)
        return in_turn((*steps, self.rewritten) if is_compiled else steps, progress)

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
        texts = RewriteNodes(
            self.trees,
            FRONT_PATIENCE,
            "front texts",
            rewrites=TEXTS,
            names=self.options.rename,
            in_front=True,
        )
        rewrites = partial(self._sliced(progress, REWRITES_SLICE).run_inside, texts)
        return partial(in_turn, (rewrites, self.useless)), progress


def _pays(before: Progress, after: Progress) -> bool:
    """Tell whether much of the text has gone: of one that is all white space, nothing has."""
    return after.view.weight < before.view.weight * FRONT_GAIN
