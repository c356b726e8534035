"""How far a reduction has come, and how a pass takes it further.

All of it is in one value that nobody changes. So the plan is a search like any other: the engine
can run it ahead on bets, over the ends of passes, and come back to any of its rounds.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from time import thread_time
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.round import NO_COST, Cost, CostRound, Search, Skip, Stage
from wynot.passes.containers import Inside, containers_in, unpacked
from wynot.passes.reduction_pass import Cut, CutCase, Pass, ProtectedPatterns, RelationsByPath
from wynot.passes.related import Related
from wynot.search.combinators import Minimizer, mapped, skippable
from wynot.search.largest import NO_LESSONS, Learned, Lessons

CutKey: TypeAlias = tuple[Hashable, Hashable]
"""How files are cut, and what searches the parts."""
SearchOf: TypeAlias = Callable[[Cut, int], Minimizer | None]
"""Gives the search for a cut, at this time through the plan; None: the one that it comes with."""
USUAL_SECONDS_FOR_BYTE = 4e-6
"""How long a pass takes to prepare, before it was measured."""
NO_PROOFS: Mapping[str, Hashable] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PassStage(Stage):
    """One run of one pass: what those who commit its verdicts need to know of it."""

    case: CutCase
    step: Pass
    loop: int
    is_again: bool
    """Whether it asks once more what was cut off early."""
    must_gain: bool
    """Whether a result counts only if it is smaller than what there was before the pass."""
    proves: str
    """What no single one of can go if the search says so; else empty."""
    relations: Callable[[Deltas], RelationsByPath] | None
    """Returns the relations of what is left, if the pass keeps them."""
    rival: Files | None = None
    """The result of the first start, if this is a second one that is to become smaller."""

    def gains(self, before: Files, after: Files) -> bool:
        """Tell whether a result counts: a rewrite inside of one that was done changes nothing."""
        differs = after.contents != before.contents
        must_gain = self.must_gain or self.is_behind(before)
        return differs and not (must_gain and after.weight >= before.weight)

    def is_behind(self, best: Files) -> bool:
        """Tell whether the best case is still that of the first start, and not of this pass."""
        return self.rival is not None and best.contents == self.rival.contents


class FirstTurns(NamedTuple):
    """The first tier that takes turns: where a second start begins, and what it has to beat."""

    start: "Progress"
    result: Files
    """The files after it, as they look inside of containers."""
    tests: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a reduction is."""

    files: Files
    lessons: Lessons = field(default_factory=lambda: NO_LESSONS)
    loop: int = 1
    """Which time it goes through the plan."""
    cost: Cost = NO_COST
    fruitless: frozenset[CutKey] = frozenset()
    """Cuts of these files that nothing could be left out of."""
    proofs: Mapping[str, Hashable] = field(default_factory=lambda: NO_PROOFS)
    """How these files were cut by the pass that proves something, for each kind of parts."""
    short_timeout: bool = True
    """Whether tests may be cut off early: they are at first."""
    is_again: bool = False
    relations: RelationsByPath | None = None
    """The relations of the files inside of containers; None: they have not been looked for."""
    first_turns: FirstTurns | None = None
    rival: Files | None = None
    """The result of the first start, if this is a second one."""

    @property
    def view(self) -> Files:
        """The files as they look inside of containers."""
        return unpacked(self.files, containers_in(self.files)).files

    def after(self, stage: PassStage, cut_key: CutKey, found: Learned, cost: Cost) -> "Progress":
        """Return where it is after a pass."""
        case, kept = stage.case, found.kept
        files, fruitless, proofs = self.files, self.fruitless, self.proofs
        is_taken = False
        if kept == case.deltas:
            # What was cut off early has not been tried with all its time.
            if cost.provisional == self.cost.provisional:
                fruitless |= {cut_key}
        else:
            left = case.render(Candidate.whole(kept))
            is_taken = stage.gains(files, left) or left.contents == files.contents
            if stage.gains(files, left):
                files, fruitless, proofs = left, frozenset(), NO_PROOFS
        after = replace(
            self, files=files, lessons=found.lessons, cost=cost, fruitless=fruitless, proofs=proofs
        )
        if not self.relations or not is_taken:
            return after
        before, now = self.view.contents, after.view.contents
        if stage.relations is not None:  # what is left may be a container, or one no longer
            relations = {path: each for path, each in stage.relations(kept).items() if path in now}
        else:
            relations = {
                path: each for path, each in self.relations.items() if now.get(path) == before[path]
            }
        return replace(after, relations=relations)

    def skipping(self, stage: PassStage, cut_key: CutKey, skip: Skip, cost: Cost) -> "Progress":
        """Return where it is after a pass that someone has ended; it is not to come right back."""
        after = self.after(stage, cut_key, Learned(skip.kept, self.lessons), cost)
        return replace(after, fruitless=after.fruitless | {cut_key})

    def proving(self, step: Pass, cut_key: Hashable) -> "Progress":
        """Return the same, with how a pass has cut the files that can prove something."""
        return replace(self, proofs={**self.proofs, step.proves: cut_key}) if step.proves else self


@dataclass(slots=True)
class Preparations:
    """How long passes take to prepare, beside a test: what workers do ahead of time depends on it.

    Nothing else does: a search asks the same, whatever was prepared ahead.
    """

    test_seconds: float = inf
    _seconds_for_byte: dict[str, float] = field(default_factory=dict)
    """By the name of a pass, as it was the last time."""

    def least_odds(self, step: Pass, files: Files) -> float:
        """Return how likely a pass must be to come for it to be prepared: else it costs more."""
        seconds = self._seconds_for_byte.get(step.name, USUAL_SECONDS_FOR_BYTE) * files.size
        return min(seconds / self.test_seconds, 1.0)

    def cut(self, step: Pass, progress: "Progress", keep: ProtectedPatterns) -> Cut:
        """Let a pass cut the files, and take the time."""
        start = thread_time()
        cut = step.cut(progress.files, keep, progress.lessons)
        self._seconds_for_byte[step.name] = (thread_time() - start) / (progress.files.size + 1)
        return cut


@dataclass(frozen=True, slots=True)
class Runs:
    """Runs passes, each as a search of its own."""

    keep: ProtectedPatterns
    search_of: SearchOf
    until: float = inf
    """How many tests all may have cost when a largest-first search ends."""
    ignores_weight: bool = False
    """Whether such a search goes by how often things work, whatever their weight."""
    preparations: Preparations = field(default_factory=Preparations)

    def run(self, step: Pass, progress: Progress) -> Search[Progress]:
        """Search one kind of parts."""
        least_odds = self.preparations.least_odds(step, progress.files)
        yield CostRound(f"preparing the pass {step.name!r}", least_odds)
        cut = self.preparations.cut(step, progress, self.keep)
        case = cut.case
        if not case.deltas:
            return progress
        progress = progress.proving(step, case.key) if cut.proves_all else progress
        # Two list searches on the same parts find the same; others are known by their names.
        how: Hashable = step.name if cut.wants_diagnostics else None
        if cut.search is not None:
            how = step.name, cut.search.patience, cut.search.pace
        cut_key = case.key, how
        if (
            cut_key in progress.fruitless
        ):  # another pass has cut it in the same way, and found nothing
            return progress
        stage = PassStage(
            case=case,
            short_timeout=progress.short_timeout,
            step=step,
            loop=progress.loop,
            is_again=progress.is_again,
            must_gain=cut.must_gain,
            rival=progress.rival,
            relations=cut.relations,
            wants_diagnostics=cut.wants_diagnostics,
            proves=step.proves if cut.proves_all else "",
        )
        return (yield from self._searched(stage, cut_key, progress, self._search(cut, progress)))

    def run_inside(self, step: Pass, progress: Progress) -> Search[Progress]:
        """Search parts of what containers hold, if any file is one."""
        related = Related(step, progress.relations) if progress.relations else step
        return self.run_beside(related, progress)

    def run_beside(self, step: Pass, progress: Progress) -> Search[Progress]:
        """Search the same, of a pass that sees to relations itself."""
        return self.run(Inside(step) if containers_in(progress.files) else step, progress)

    def _search(self, cut: Cut, progress: Progress) -> Search[Learned]:
        search = cut.minimizer or self.search_of(cut, progress.loop)
        if search is None:
            assert cut.search is not None  # noqa: S101 - one or the other
            largest = cut.search
            if self.until < inf or self.ignores_weight:
                largest = replace(largest, until=self.until, ignores_weight=self.ignores_weight)
            return largest(cut.case.deltas)
        return mapped(search(cut.case.deltas), partial(Learned, lessons=progress.lessons))

    def _searched(
        self, stage: PassStage, cut_key: CutKey, progress: Progress, running: Search[Learned]
    ) -> Search[Progress]:
        outer = partial(self._searched, stage, cut_key, progress)
        found = yield from skippable(running, outer, stage)
        cost = yield CostRound()
        assert isinstance(cost, Cost)  # noqa: S101 - that is what such a round is answered with
        if isinstance(found, Skip):
            return progress.skipping(stage, cut_key, found, cost)
        after = progress.after(stage, cut_key, found, cost)
        # Nobody knows what one would have found that ran out of tests.
        is_cut = cost.tests >= self.until
        return replace(after, fruitless=after.fruitless - {cut_key}) if is_cut else after
