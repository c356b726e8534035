"""The plan of a reduction: a table of tiers, from coarse to fine, run until nothing changes.

Read the table aloud: first whole files go, then large pieces, then what is in front of a large
source; then nodes, rewrites and shorter names take turns; then windows of tokens and letters; last
comes the proof, which tries each part that is left alone. If anything has changed meanwhile, all of
it begins again, and the last time, which changes nothing, is what the proof rests on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from types import MappingProxyType
from typing import TypeVar

from wynot.core.files import Files
from wynot.core.round import Search
from wynot.passes import sources as of
from wynot.passes.catalog import PlanOptions
from wynot.passes.progress import Progress, Runs
from wynot.passes.second_start import SecondStart
from wynot.passes.tiers import (
    TURN_PATIENCE,
    Context,
    Order,
    Tier,
    if_huge,
    if_large,
    if_small,
    if_small_at_first,
    in_container,
    in_folder,
    with_bytes,
    with_nests,
    with_text,
    without_text,
)
from wynot.passes.trees.parsed_files import Trees
from wynot.search.combinators import Step, done, in_turn, one_after_another

LARGE_PACE = 24
"""Tests that it may take to leave out half of a large text in parts."""
MOST_IDLE_LOOPS = 40
"""Times through the plan after which one more has to make it lighter: some change things back."""
ONCE, BY_TURNS = Order.ONCE, Order.BY_TURNS

SHORTER = (of.nodes, of.white_space, of.texts)
NAMES = (of.plugin_rewrites, of.names, of.plugin_passes)
LINES = (of.line_groups, of.single_lines)
FILES = Tier("files", (of.files,), in_folder)
MEMBERS = Tier("members", (of.members,), in_container)
WHOLES = (FILES, Tier("canonical form", (of.canonical_form,)), MEMBERS)
QUICK = Tier("quick", (*SHORTER, of.quick_meanings, *NAMES), if_small, BY_TURNS, TURN_PATIENCE)
PROOF = (
    Tier("proof", (of.free_characters, of.single_nodes, of.single_tokens), if_small),
    Tier("blank lines", (of.lines_with_blanks,), if_small),
    Tier("chunks", (of.chunks,), with_bytes),
)

PLAN: tuple[Tier, ...] = (
    # What holds the rest goes first: files, members, what numbers count.
    *WHOLES,
    Tier("counted", (of.one_file, of.counted_items)),
    # Then large pieces, so that nobody ever looks at each token of a large text.
    Tier("torn", (of.parts_of_torn,), if_large, ONCE, LARGE_PACE),
    Tier("chains", (of.links, of.alike_links), with_nests),
    Tier("front", (of.front,), if_small),
    Tier("large", (of.large_parts,), if_large, ONCE, LARGE_PACE),
    Tier("lines", LINES, if_huge),
    # Then nodes, and what can be said shorter: first what often works, then everything.
    QUICK,
    Tier("thorough", (*SHORTER, of.meanings, *NAMES), if_small_at_first, BY_TURNS),
    # Then what no tree shows, and each part alone.
    Tier("fine", (of.windows, of.letters, of.layout), if_small, ONCE, inf, TURN_PATIENCE),
    *PROOF,
    Tier("fewer files", (of.fewer_files,)),
)
PLAIN_BYTES = (Tier("plain bytes", (of.zeros,), with_bytes),)
"""When nothing more can go: the bytes that matter are easier to see among zeros."""
RETRIED_TIERS = (FILES, MEMBERS, *PROOF)
"""What is tried once more when only such bytes have changed."""

# What a user can ask for instead.
BY_BYTES = (FILES, Tier("bytes", (of.raw_bytes,)))
BY_RECORDS = (*WHOLES, Tier("records", (of.records,)))
BY_TREE = (
    *WHOLES,
    Tier("tree", (of.nodes,), with_text),
    Tier("chunks", (of.chunks,), without_text),
)
BY_LINES = (*WHOLES, Tier("lines", LINES, with_text))
BY_TOKENS = (*BY_LINES, Tier("tokens", (of.words,), with_text))
BY_CHARACTERS = (*BY_TOKENS, Tier("characters", (of.all_characters,), with_text))
BY_LISTS = (*BY_CHARACTERS, Tier("bytes", (of.single_bytes,), with_bytes))
BY_ATOMS = {
    "bytes": BY_BYTES,
    "records": BY_RECORDS,
    "lines": BY_LINES,
    "tokens": BY_TOKENS,
    "chars": BY_CHARACTERS,
}


def tiers_for(options: PlanOptions) -> tuple[Tier, ...]:
    """Return the tiers that a user wants."""
    if options.atoms in {"bytes", "records"}:
        return BY_ATOMS[options.atoms]
    if options.tree is not None:
        return BY_TREE
    if options.lists:
        return BY_ATOMS.get(options.atoms, BY_LISTS)
    return BY_ATOMS.get(options.atoms, PLAN)


Memory = TypeVar("Memory")
Next = tuple[Step[Progress], Memory] | None
"""The next step, and what to remember for the one after it; None: nothing more."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole of a reduction as one search, from the original to what is left of it.

    Each method is a step: it looks at where the reduction is and returns the search from there on.
    """

    options: PlanOptions
    trees: Trees
    runs: Runs
    ends: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    """What texts are to end with, when all else is done."""

    def __call__(self, progress: Progress) -> Search[Progress]:
        """Run the tiers until nothing changes; at last, put final newlines back."""
        stable = partial(self.until_stable, tiers_for(self.options))
        is_complete = self.options.merges and not self.options.fast
        more = (self.second_start, self.plain_bytes) if is_complete else ()
        return in_turn((stable, *more, partial(of.line_ends, self._context)), progress)

    @property
    def _context(self) -> Context:
        return Context(self.runs, self.options, self.trees, self.ends)

    def once(self, tiers: tuple[Tier, ...], progress: Progress) -> Search[Progress]:
        """Run the tiers, one after another."""
        return in_turn(tuple(partial(tier.run, self._context) for tier in tiers), progress)

    def until_stable(self, tiers: tuple[Tier, ...], progress: Progress) -> Search[Progress]:
        """Run the tiers again and again, quickly first, until nothing changes.

        Then ask again what was cut off early and matters. That is what the last time, which has
        changed nothing, rests on: so that is gone through again, in the same order.
        """
        return one_after_another(partial(self._next_loop, tiers), None, progress)

    def _next_loop(
        self, tiers: tuple[Tier, ...], before: Progress | None, progress: Progress
    ) -> Next[Progress]:
        if before is None:
            start = progress
        elif _has_changed(before, progress):
            start = replace(progress, loop=progress.loop + 1)
        elif progress.cost.provisional > before.cost.provisional:
            start = replace(progress, lessons=before.lessons, short_timeout=False, is_again=True)
        else:
            return None
        return (lambda _progress: self.once(tiers, start)), start

    def second_start(self, progress: Progress) -> Search[Progress]:
        """Start again in another order where the result is still large."""
        return SecondStart(self._context, QUICK, self._stable)(progress)

    def _stable(self, runs: Runs, progress: Progress) -> Search[Progress]:
        return replace(self, runs=runs).until_stable(PLAN, progress)

    def plain_bytes(self, progress: Progress) -> Search[Progress]:
        """Make the bytes of binary files plain that cannot go; then more may go, and so on."""
        return one_after_another(self._next_plain, None, progress)

    def _next_plain(self, before: Files | None, progress: Progress) -> Next[Files]:
        if before is not None and progress.files.size >= before.size:
            return None
        return partial(self._plainer, progress.files), progress.files

    def _plainer(self, before: Files, progress: Progress) -> Search[Progress]:
        again = partial(self._proved_again, before)
        return in_turn((partial(self.once, PLAIN_BYTES), again), progress)

    def _proved_again(self, before: Files, progress: Progress) -> Search[Progress]:
        if progress.files.contents == before.contents:
            return done(progress)
        start = replace(progress, loop=progress.loop + 1, is_again=False)
        return self.until_stable(RETRIED_TIERS, start)


def _has_changed(before: Progress, after: Progress) -> bool:
    """Tell whether there is something to go through again."""
    is_lighter = after.files.weight < before.files.weight
    has_changed = after.files.contents != before.files.contents
    return has_changed and (is_lighter or after.loop < MOST_IDLE_LOOPS)
