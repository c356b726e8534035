"""The plan: which passes, in what order. From coarse to fine, again until nothing changes.

It is one search from the original to what is left of it, made of the searches of its passes by the
combinators of ``search.combinators``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import starmap
from math import inf
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from wynot.core.round import Search
from wynot.formats.characters import octets
from wynot.formats.format import is_text
from wynot.formats.indentation import blocks
from wynot.formats.lines import lines, paragraphs
from wynot.formats.tokenizer import tokens
from wynot.passes.canonical_form import LAY_OUT_INSIDE, can_be_laid_out
from wynot.passes.catalog import (
    ALIKE_LINKS,
    ALL_BYTES,
    ALL_CHARACTERS,
    LAYOUTS,
    PARAGRAPHS,
    WHITE_SPACE,
    PlanOptions,
    of_binary,
    of_text,
    sweeps,
)
from wynot.passes.chunks import FinerChunks
from wynot.passes.containers import DeleteMembers, containers_in
from wynot.passes.delete_records import DeleteRecords
from wynot.passes.drop_links import DropLinks
from wynot.passes.front_first import FrontFirst
from wynot.passes.last_steps import LastSteps, is_little
from wynot.passes.line_ends import EndLines
from wynot.passes.merging.one_file import Merging
from wynot.passes.plainer import PlainerBytes
from wynot.passes.progress import Progress, Runs
from wynot.passes.pumps import MOST_PUMPS, Pump
from wynot.passes.reduction_pass import DeleteFiles, DeleteParts, Pass
from wynot.passes.relating import relating
from wynot.passes.second_start import SecondStart
from wynot.passes.tree_passes import (
    DropLetters,
    DropWindows,
    PruneTrees,
    RewriteNodes,
)
from wynot.passes.trees import TreeDetail, Trees
from wynot.passes.turns import PASS_PATIENCE, TakeTurns
from wynot.search.combinators import Step, done, in_turn, mapped, one_after_another
from wynot.settings import Atoms

MAX_INDENTATION = 64
"""Levels of indentation that are told apart."""
LARGE_PATIENCE = 200
"""The same for large texts, which are only cut into large pieces at first."""
MOST_IDLE_LOOPS = 40
"""Times through the plan after which one more has to be of use: some change things back."""


Memory = TypeVar("Memory")
Next: TypeAlias = tuple[Step[Progress], Memory] | None
"""The next step, and what to remember for the one after it; None: nothing more."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole of a reduction as one search, from the original to what is left of it.

    Each method is a step: it looks at where the reduction is, and returns the search that goes on
    from there.
    """

    options: PlanOptions
    trees: Trees
    runs: Runs
    ends: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    """What texts are to end with, when all else is done."""

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Go through the passes until nothing changes; at last, put final newlines back."""
        steps = (self.until_stable, self.second_start, self.last_bytes, self.plainer_bytes)
        return in_turn((*steps, self.line_ends), progress)

    def until_stable(
        self, progress: Progress, once: Step[Progress] | None = None
    ) -> Search[Progress]:
        """Go through the passes again and again, quickly first, until nothing changes.

        Then ask again what was cut off early and matters. That is what the last time, which has
        changed nothing, rests on: so that is gone through again, in the same order.
        """
        return one_after_another(partial(self._next_loop, once or self.once), None, progress)

    def _next_loop(
        self, once: Step[Progress], before: Progress | None, progress: Progress
    ) -> Next[Progress]:
        if before is None:
            start = progress
        elif _has_changed(before, progress):
            start = replace(progress, loop=progress.loop + 1)
        elif progress.cost.provisional > before.cost.provisional:
            start = replace(progress, lessons=before.lessons, hurried=False, is_again=True)
        else:
            return None
        return (lambda _progress: once(start)), start

    def second_start(self, progress: Progress) -> Search[Progress]:
        """When much is left, start again in another order."""
        if not self.options.last_bytes:
            return done(progress)
        again = SecondStart(self.runs, self.options, self.trees, self._stable_until)
        return again(progress)

    def last_bytes(self, progress: Progress) -> Search[Progress]:
        """When little is left, spend some of the tests that were saved on it."""
        if not self.options.last_bytes or not is_little(progress, self.trees):
            return done(progress)
        allowed = self.options.layout in {"tidy", "short"}, self.options.rename
        prove = partial(self.until_stable, once=self.proof)
        return LastSteps(self.trees, self.runs, self._stable_until, prove, *allowed)(progress)

    def plainer_bytes(self, progress: Progress) -> Search[Progress]:
        """Make plain what is no text and cannot go."""
        is_wanted = self.options.last_bytes and self.options.rewrite
        if not is_wanted or all(map(is_text, progress.view.contents.values())):
            return done(progress)
        return PlainerBytes(self.runs, partial(self.until_stable, once=self.proof))(progress)

    def _stable_until(self, tests: float) -> Step[Progress]:
        return replace(self, runs=replace(self.runs, until=tests)).until_stable

    def proof(self, progress: Progress) -> Search[Progress]:
        """Try each part alone once more: only white space has changed."""
        singles = map(self._pass, sweeps(self.options, self.trees))
        return in_turn((self.files, self.members, *singles, self.rest), progress)

    def line_ends(self, progress: Progress) -> Search[Progress]:
        """Put final newlines back: what is proved is so of all but them."""
        # There is no second time for what is cut off early.
        search = self.runs.run(EndLines(self.ends), replace(progress, loop=1, hurried=False))
        return mapped(search, lambda after: replace(after, proofs=progress.proofs))

    def once(self, progress: Progress) -> Search[Progress]:
        """Go once from coarse to fine."""
        merging = Merging(self.runs, self.trees, is_on=self.options.merges)
        first = (self.files, self.layouts, self.members, merging.whole)
        return in_turn((*first, self.related, self.contents, merging.each), progress)

    def files(self, progress: Progress) -> Search[Progress]:
        """Leave out files of folders."""
        is_folder = any("/" in path for path in progress.files.contents)
        return self.runs.run(DeleteFiles(), progress) if is_folder else done(progress)

    def layouts(self, progress: Progress) -> Search[Progress]:
        """Lay out binary files anew that can be said in a text."""
        if self.options.atoms == "bytes" or not self.options.rewrite:
            return done(progress)
        if not can_be_laid_out(progress.files):
            return done(progress)
        return self.runs.run(LAY_OUT_INSIDE, progress)

    def members(self, progress: Progress) -> Search[Progress]:
        """Leave out members of containers."""
        if self.options.atoms == "bytes" or not containers_in(progress.files):
            return done(progress)
        return self.runs.run(DeleteMembers(), progress)

    def related(self, progress: Progress) -> Search[Progress]:
        """Leave out what numbers count; from then on all passes put such numbers right."""
        options = self.options
        if options.atoms != "auto" or options.lists or options.tree is not None:
            return done(progress)
        return relating(self.runs, self.trees, progress)

    def contents(self, progress: Progress) -> Search[Progress]:
        """Reduce what is in the files."""
        options = self.options
        if options.atoms == "bytes":
            return self.runs.run(ALL_BYTES, progress)
        if options.atoms == "auto" and not any(map(is_text, progress.view.contents.values())):
            return self._pass(ALL_BYTES)(progress) if options.lists else self.opaque(progress)
        if options.atoms == "records":
            return self._pass(DeleteRecords())(progress)
        if options.tree is not None:
            return self._pass(PruneTrees(self.trees))(progress)
        if options.atoms == "auto" and not options.lists:
            steps = (self.long_lines, self.chains, self.large, self.front, self.structured)
            return in_turn(steps, progress)
        return self.plain(progress)

    def long_lines(self, progress: Progress) -> Search[Progress]:
        """Cut texts with a long line into large pieces, as long as that makes them smaller."""
        return one_after_another(self._next_cut, None, progress)

    def _next_cut(self, before: Progress | None, progress: Progress) -> Next[Progress]:
        is_idle = before and before.files.contents == progress.files.contents
        contents = progress.view.contents
        if is_idle or not any(starmap(self.trees.has_long_line, contents.items())):
            return None
        step = PruneTrees(self.trees, LARGE_PATIENCE, detail=TreeDetail.COARSE)
        return self._pass(step), progress

    def chains(self, progress: Progress) -> Search[Progress]:
        """Leave out levels of deep nests, then have those that are left all alike."""
        passes: list[Pass] = [DropLinks(self.trees)]
        if self.options.rewrite:
            passes.append(ALIKE_LINKS(self.trees))
        return in_turn(tuple(map(self._pass, passes)), progress)

    def large(self, progress: Progress) -> Search[Progress]:
        """Cut large texts into large pieces, as long as that makes them smaller."""
        return one_after_another(self._next_large, None, progress)

    def _next_large(self, before: Progress | None, progress: Progress) -> Next[Progress]:
        if not self._is_large(progress) or (
            before and before.files.contents == progress.files.contents
        ):
            return None
        steps: tuple[Step[Progress], ...] = (self._pass(PruneTrees(self.trees, LARGE_PATIENCE)),)
        if any(starmap(self.trees.is_by_lines, progress.view.contents.items())):
            steps = (self.lines, *steps)
        return partial(in_turn, steps), progress

    def front(self, progress: Progress) -> Search[Progress]:
        """Reduce the front of large sources, and leave out what nothing needs any more."""
        first = FrontFirst(self.runs, self.options, self.trees)
        return done(progress) if self._is_large(progress) else first(progress)

    def structured(self, progress: Progress) -> Search[Progress]:
        """Use what is known of the languages; a text of none is still lines and brackets."""
        if self._is_large(progress):
            return self.lines(progress)
        options, trees = self.options, self.trees
        most = inf if progress.loop == 1 else PASS_PATIENCE
        passes: list[Pass] = [DropWindows(trees, most)]
        if options.rewrite:
            pumps = range(MOST_PUMPS if progress.loop == 1 else 0)
            passes.append(DropLetters(trees, most, names=options.rename))
            passes += [Pump(trees, number) for number in pumps]
        if options.layout != "keep":
            layout = LAYOUTS[options.layout]
            passes.append(RewriteNodes(trees, most, WHITE_SPACE, rewrites=layout))
        passes += sweeps(options, trees)
        turns = TakeTurns(self.runs, options, trees, most)
        return in_turn((turns, *map(self._pass, passes), self.rest), progress)

    def rest(self, progress: Progress) -> Search[Progress]:
        """Cut files that are no texts, beside others that are."""
        all_texts = all(map(is_text, progress.view.contents.values()))
        return done(progress) if all_texts else self.opaque(progress)

    def opaque(self, progress: Progress) -> Search[Progress]:
        """Cut what is no text into chunks, and into finer ones as long as that pays."""
        return FinerChunks(self.runs)(progress)

    def plain(self, progress: Progress, atoms: Atoms | None = None) -> Search[Progress]:
        """Use nothing but lines, indentation, words and characters."""
        atoms = atoms or self.options.atoms
        passes = [DeleteParts("lines", of_text(lines), of_text(paragraphs), proves="lines")]
        if atoms != "lines":
            passes.append(DeleteParts("tokens", of_text(tokens), of_text(lines), proves="tokens"))
        if atoms in {"auto", "chars"}:
            passes.append(ALL_CHARACTERS)
        steps = (self._pass(PARAGRAPHS), self.blocks, *map(self._pass, passes))
        if atoms == "auto":
            steps = (*steps, self.binaries)
        return in_turn(steps, progress)

    def lines(self, progress: Progress) -> Search[Progress]:
        """Use nothing but lines and indentation."""
        return self.plain(progress, "lines")

    def blocks(self, progress: Progress) -> Search[Progress]:
        """Leave out indented blocks, level by level."""
        return one_after_another(self._next_level, 0, progress)

    def _next_level(self, level: int, progress: Progress) -> Next[int]:
        here = of_text(partial(blocks, level=level))
        contents = progress.view.contents.values()
        if level == MAX_INDENTATION or not any(here(content).starts for content in contents):
            return None
        outer = of_text(partial(blocks, level=level - 1)) if level else paragraphs
        return self._pass(DeleteParts(f"blocks {level + 1}", here, outer)), level + 1

    def binaries(self, progress: Progress) -> Search[Progress]:
        """Leave out bytes of what is no text."""
        all_texts = all(map(is_text, progress.view.contents.values()))
        step = DeleteParts("bytes", of_binary(octets), proves="bytes")
        return done(progress) if all_texts else self.runs.run_inside(step, progress)

    def _pass(self, step: Pass) -> Step[Progress]:
        return partial(self.runs.run_inside, step)

    def _is_large(self, progress: Progress) -> bool:
        return any(starmap(self.trees.is_large, progress.view.contents.items()))


def _has_changed(before: Progress, after: Progress) -> bool:
    """Tell whether there is something to go through again."""
    is_lighter = after.files.weight < before.files.weight
    has_changed = after.files.contents != before.files.contents
    return has_changed and (is_lighter or after.loop < MOST_IDLE_LOOPS)
