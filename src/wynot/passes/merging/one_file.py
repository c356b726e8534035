"""One file out of several, and which imports are left of it.

Of several ways to do without a file the first that works is taken; then all is looked at anew. Most
cases are smaller at once, since the statement goes and the name with it. Those that are not are
tried only with what can be left out after them: a file that is named in several others, and has to
be in each.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.events import Noticed
from wynot.core.files import Files, RenderedCase
from wynot.core.round import Search
from wynot.passes.merging.merges import merges, merges_of, whole_merges
from wynot.passes.merging.python_imports import PYTHON_IMPORTS
from wynot.passes.merging.references import LanguageOf, Reference, references
from wynot.passes.merging.script_imports import SCRIPT_IMPORTS
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Cut, ProtectedPatterns
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tokens import TokensCase
from wynot.passes.trees.tree_passes import PruneTrees
from wynot.search.combinators import Step, done, one_after_another
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons, Segment

MAX_NAMED_IMPORTS = 20
"""Imports that are named one by one."""
LONGEST_STATEMENT = 60


def left_imports(files: Files, original: Files, trees: Trees, *, merges: bool) -> Iterator[Noticed]:
    """Yield why each import of a result is there; ``merges``: whether it was tried to do without.

    A file alone names others as well, but there was nothing to be put in their place.
    """
    if len(original.contents) == 1:
        return
    language_of = trees.language_name
    found = references(files, language_of)
    for reference in found[:MAX_NAMED_IMPORTS]:
        why = _why(reference, files, original, language_of) if merges else "as it was asked for"
        statement = reference.text
        statement = (
            f"{statement[:LONGEST_STATEMENT]}…" if len(statement) > LONGEST_STATEMENT else statement
        )
        yield Noticed("import", f"{reference.path}: {statement!r} is left: {why}")
    if len(found) > MAX_NAMED_IMPORTS:
        yield Noticed("import", f"{len(found) - MAX_NAMED_IMPORTS:,} more imports are left")


def _why(reference: Reference, files: Files, original: Files, language_of: LanguageOf) -> str:
    target = reference.target
    if not target:
        before = references(original, language_of)
        was = {each.target for each in before if each.text == reference.text and each.target}
        if was:
            return f"the file it names, {min(was)}, is not needed, but this is"
        is_package = reference.row in {*PYTHON_IMPORTS, *SCRIPT_IMPORTS}
        hint = "; --vendor copies an installed package into the case" if is_package else ""
        return f"what it names is not among the files of the case{hint}"
    variants = merges_of(files, language_of, target)
    if not variants:
        return f"{target} cannot be written in its place"
    if any(variant.weight < files.weight for variant in variants):
        return f"with {target} in its place, the failure does not show"
    return f"with {target} in its place, nothing gets shorter"


MOST_LONGER, LONGER_PATIENCE = 8, 12
"""How many ways that make a case longer are tried, and the failures in a row that end each."""
MERGE_ODDS = 0.5
"""How often a file can be written where it is named, before any was tried."""


class OneOf(RenderedCase):
    """Files, and what they may become: leaving a delta out takes one of these instead."""

    def __init__(self, files: Files, others: Sequence[Files]) -> None:
        super().__init__(files, len(others))
        self._others = others

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to change the same files."""
        return "one of", *(other.digest for other in self._others)

    @property
    def weights(self) -> Sequence[int]:
        """How many bytes each saves."""
        return [self.files.weight - other.weight for other in self._others]

    def _write(self, candidate: Candidate) -> Files:
        taken = self.deltas.toggle(candidate.kept)
        return self._others[next(iter(taken))] if taken else self.files


@dataclass(frozen=True, slots=True)
class Choices:
    """One of several, in their order; when one is taken, there is no other."""

    others: Sequence[Files]

    def begin(self) -> Sequence[Segment]:
        """Start with all of them, the first one first."""
        count = len(self.others)
        return [Segment(count - at, "one file", (at,), odds=MERGE_ODDS) for at in range(count)]

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return the one; nothing if another was taken."""
        [at] = segment.items
        return [Deltas((at, at + 1))] if len(kept) == len(self.others) else []

    def finer(self, _segment: Segment, _kept: Deltas) -> Iterable[Segment]:
        """There is nothing finer."""
        return ()

    def fingerprint(self, segment: Segment) -> str:
        """Return what tells it from others."""
        return f"one file {self.others[segment.items[0]].digest.hex()}"


@dataclass(frozen=True, slots=True)
class MergeFiles:
    """Write a file where it is named."""

    trees: Trees
    variants: Callable[[Files, LanguageOf], list[Files]] = merges
    name: str = "one file"
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each way that gets shorter by it as a part."""
        shorter = [
            each for each in _merged(self.trees, files, self.variants) if _gains(files, each)
        ]
        return Cut(OneOf(files, shorter), search=LargestFirst(Choices(shorter), lessons=lessons))


@dataclass(frozen=True, slots=True)
class MergeLonger:
    """Write a file where it is named, though it gets longer; then leave out what can be."""

    trees: Trees
    number: int
    name: str = "one file"
    proves: str = ""

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take the tokens of the longer case as parts; there are none if there is no such case."""
        longer = [each for each in _merged(self.trees, files, merges) if not _gains(files, each)]
        if self.number >= len(longer):
            return Cut(TokensCase(files, {}))
        cut = PruneTrees(self.trees, LONGER_PATIENCE).cut(longer[self.number], keep, lessons)
        search = None if cut.search is None else replace(cut.search, whole_first=True)
        return cut._replace(search=search, nodes=None, must_gain=True)


def _gains(files: Files, other: Files) -> bool:
    return other.weight < files.weight


def _merged(
    trees: Trees, files: Files, variants: Callable[[Files, LanguageOf], list[Files]]
) -> list[Files]:
    if len(files.contents) == 1:
        return []
    return trees.made_of(
        files, variants, lambda files, _forest: variants(files, trees.language_name)
    )


class _Tried(NamedTuple):
    """What was tried last: on which files, and which number; 0 is all that is shorter at once."""

    files: Files
    number: int

    def following(self, files: Files) -> int:
        """Return what to try next: all of it again, if the last has changed anything."""
        return self.number + 1 if files.contents == self.files.contents else 0


@dataclass(frozen=True, slots=True)
class Merging:
    """The steps of a plan that make one file out of several."""

    runs: Runs
    trees: Trees
    is_on: bool

    def whole(self, progress: Progress) -> Search[Progress]:
        """Write all files where they are named, at first: one is easier to reduce than many."""
        first = self.is_on and progress.loop == 1
        if not first or not _merged(self.trees, progress.files, whole_merges):
            return done(progress)
        return self.runs.run(MergeFiles(self.trees, whole_merges), progress)

    def each(self, progress: Progress) -> Search[Progress]:
        """Write files where they are named, one by one, when little is left of them."""
        return one_after_another(self._next, None, progress) if self.is_on else done(progress)

    def _next(
        self, last: _Tried | None, progress: Progress
    ) -> tuple[Step[Progress], _Tried] | None:
        number = last.following(progress.files) if last else 0
        found = _merged(self.trees, progress.files, merges)
        longer = sum(not _gains(progress.files, each) for each in found)
        if not found or number > min(longer, MOST_LONGER):
            return None
        step = MergeLonger(self.trees, number - 1) if number else MergeFiles(self.trees)
        return partial(self.runs.run, step), _Tried(progress.files, number)
