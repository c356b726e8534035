"""What is done with a large source before all of it is looked at.

*Diagnostics* (the pass *complaints*): a program that prints ``file:line: error`` and the like
reports itself what is missing. Then a few dozen tests lead to what is needed, however large the
rest is. If it prints nothing of the kind, one test is lost. Diagnostics are hints: they choose the
next question, and the test decides.

*Front*: at first all that goes by the hundred: what nothing needs, remarks, large parts, the bodies
of functions that are never called; each as long as that pays. What stands against that is a few
lines that all the rest is there for: as long as they are as they were, hardly anything else can go.
With each of them that does, more is not needed any more, and goes at once. In C and C++ these lines
come first: there a body may matter that is never called.
"""

from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from math import inf
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.round import Diagnosed, FirstRound, Search
from wynot.passes.catalog import TEXTS, PlanOptions
from wynot.passes.large.restore_rules import PartialSource, RestoreRules, placed_diagnostics
from wynot.passes.large.unused_code import MIN_LARGE_BYTES, MIN_LARGE_TOKENS
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Cut, Pass, ProtectedPatterns
from wynot.passes.rewrites.bodies import emptied
from wynot.passes.trees.forest import Forest
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tokens import TokensCase
from wynot.passes.trees.tree_passes import DropUseless, PruneTrees, RewriteNodes
from wynot.search.combinators import Step, done, in_turn, one_after_another
from wynot.search.largest import NO_LESSONS, Lessons, one

MAX_RESTORATIONS = 64
"""How many times diagnostics are acted on."""
MAX_RESTORED_SHARE = 0.7
"""What fraction of the source may be restored: above it, little is gained."""


@dataclass(frozen=True, slots=True)
class FollowDiagnostics:
    """The pass."""

    trees: Trees
    name: str = "complaints"
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each token of a large source as a part."""
        forest = self.trees.forest(files)
        case = TokensCase(files, forest.tokens)
        if len(forest.leaves) < MIN_LARGE_TOKENS:
            return Cut(TokensCase(files, {}), proves_all=False)
        search = _DiagnosticsSearch(case, forest)
        return Cut(case, minimizer=search.begin, proves_all=False, wants_diagnostics=True)


@dataclass(frozen=True, slots=True)
class _DiagnosticsSearch:
    """The search."""

    case: TokensCase
    forest: Forest

    def begin(self, kept: Deltas) -> Search[Deltas]:
        """Ask for the diagnostics of the whole, which fails: that is where to start."""
        whole = Candidate(kept, Edit.drop(NONE), "as it is")
        reply = yield FirstRound(one(whole), again=partial(self.begin, kept))
        if not isinstance(reply, Diagnosed) or reply.pick is None:
            return kept
        places = list(placed_diagnostics(reply.diagnostics, self.case.texts, kept))
        if not places:
            return kept
        rules = RestoreRules(self.forest)
        return (yield from self.go_on(kept, rules, rules.start(places), 1))

    def go_on(
        self, kept: Deltas, rules: RestoreRules, state: PartialSource, number: int
    ) -> Search[Deltas]:
        """Ask about a part and act on its diagnostics, again and again."""
        state = state.fork()
        while number <= MAX_RESTORATIONS:
            left = state.deltas
            if not left or len(left) > MAX_RESTORED_SHARE * len(kept):
                return kept
            candidate = Candidate(kept, Edit.drop(kept.toggle(left)), "what is complained of")
            again = partial(self.go_on, kept, rules, state.fork(), number)
            reply = yield FirstRound(one(candidate), iteration=number, again=again)
            if not isinstance(reply, Diagnosed):
                return kept
            if reply.pick is not None:
                return left
            diagnostics = list(placed_diagnostics(reply.diagnostics, self.case.texts, left))
            if not rules.go_on(state, diagnostics):
                return kept
            number += 1
        return kept


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
    whole_weight: float = inf
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
            steps = (self.useless, self.from_diagnostics, self.front)
            return partial(in_turn, steps), Turn(LargePhase.FRONT, progress, 0)
        if last is None:
            return self.whole, Turn(LargePhase.WHOLE, progress)
        paid, weight = _pays(last.before, progress), progress.view.weight
        if last.phase == LargePhase.FRONT and not paid:
            return None
        is_less = weight <= last.whole_weight / 2
        if paid and (last.phase == LargePhase.WHOLE or is_less):
            return self.whole, last._replace(phase=LargePhase.WHOLE, before=progress)
        whole_weight = weight if last.phase == LargePhase.WHOLE else last.whole_weight
        return self.front, Turn(LargePhase.FRONT, progress, whole_weight)

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

    def from_diagnostics(self, progress: Progress) -> Search[Progress]:
        """Leave out all but what the diagnostics of the program ask for, if it prints any."""
        return self.runs.run_inside(FollowDiagnostics(self.trees), progress)

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
