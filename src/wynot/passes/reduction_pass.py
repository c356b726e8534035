"""What a pass is, and a case seen through another.

Laws: it is deterministic; it only ever makes a case simpler, which is fewer bytes that are not
white space, or as many and plainer ones; it does not loop until nothing changes, since the plan
does; and it asks about candidates only, never about the clock.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files, FolderCase, RenderedCase
from wynot.core.texts.parts import Parts, PartsCase, TextsCase
from wynot.core.texts.patched_text import Splice
from wynot.core.texts.tree import Nodes
from wynot.formats.cuts import Format
from wynot.relations.relation import Relations
from wynot.search.combinators import Minimizer
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons

ProtectedPatterns: TypeAlias = Sequence[re.Pattern[bytes]]
"""What is never to be touched."""


RelationsByPath: TypeAlias = Mapping[str, Relations]
"""The relations that are kept, by path."""
Splices: TypeAlias = Callable[[Candidate], Mapping[str, Sequence[Splice]]]
"""Tells how each text of a candidate that differs from its base does."""


class CutCase(Case[Files], Protocol):
    """A case whose deltas are parts of files."""

    files: Files

    def digest(self, candidate: Candidate) -> bytes:
        """Return the digest of the content: the same in every pass, and in every run."""

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each part."""


class Cut(NamedTuple):
    """A case cut into parts, and the groups of parts that a search starts with."""

    case: CutCase
    groups: tuple[Deltas, ...] = ()
    search: LargestFirst | None = None
    """The search that this pass is made for; None: any list search will do."""
    minimizer: Minimizer | None = None
    """The same, if it is not one that goes by what is largest."""
    proves_all: bool = True
    """Whether the parts are all of their kind; else nothing is proved by trying them."""
    must_gain: bool = False
    """Whether a result counts only if it is smaller than what there was before the cut."""
    nodes: Nodes | None = None
    """The tree that the parts are the tokens of, if there is one."""
    relations: Callable[[Deltas], RelationsByPath] | None = None
    """Returns the relations of what is left, if the case keeps them."""
    wants_diagnostics: bool = False
    """Whether its search is told what the program complains of."""


class Pass(Protocol):
    """Cuts a case into parts."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def proves(self) -> str:
        """What no single one of can go if the search says so: lines, tokens, …; else empty."""

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut the case; what matches ``keep`` belongs to no part."""


@dataclass(frozen=True, slots=True)
class DeleteParts:
    """Leave out parts of one format, of all texts at once.

    The search starts with the parts of a coarser format, if one is given: that none of those can
    go whole was found out before, so that is in the memo, and the search goes on from there.
    """

    name: str
    format: Format
    coarser: Format | None = None
    proves: str = ""

    def cut(self, files: Files, keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut every text."""
        parts = {
            path: without_protected(self.format(content), content, keep)
            for path, content in files.contents.items()
        }
        groups: list[Deltas] = []
        first = 0
        for path, content in files.contents.items():
            if self.coarser is not None:
                groups += _grouped(parts[path], self.coarser(content), first)
            first += len(parts[path].starts)
        whole = sum(map(len, groups)) == first
        return Cut(PartsCase(files, parts), tuple(groups) if whole else ())


@dataclass(frozen=True, slots=True)
class DeleteFiles:
    """Leave out whole files, of those that are inside folders."""

    name: str = "files"
    proves: str = "files"

    def cut(self, files: Files, keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each file as a part."""
        paths = [
            path
            for path, content in files.contents.items()
            if "/" in path and not any(pattern.search(content) for pattern in keep)
        ]
        folders: dict[str, list[int]] = {}
        for number, path in enumerate(paths):
            folders.setdefault(path.rpartition("/")[0], []).append(number)
        groups = tuple(Deltas.of(numbers) for numbers in folders.values())
        return Cut(FolderCase(files, paths), groups if len(groups) > 1 else ())


def without_protected(parts: Parts, content: bytes, keep: ProtectedPatterns) -> Parts:
    """Return the parts that have nothing in common with what is to be kept."""
    kept = sorted(
        match.span() for pattern in keep for match in pattern.finditer(content) if match[0]
    )
    if not kept:
        return parts
    starts = [start for start, _ in kept]
    reach, reaches = 0, []
    for _, stop in kept:
        reach = max(reach, stop)
        reaches.append(reach)

    def is_free(start: int, stop: int) -> bool:
        before = bisect_left(starts, stop)  # the spans that begin before this part ends
        return before == 0 or reaches[before - 1] <= start

    return Parts.apart([span for span in parts.spans if is_free(*span)])


def _grouped(parts: Parts, coarse: Parts, first: int) -> list[Deltas]:
    """Return which parts are inside of each coarser one, and those between them."""
    cuts = {0, len(parts.starts)}
    for start, stop in coarse.spans:
        cuts.add(bisect_left(parts.starts, start))
        cuts.add(bisect_right(parts.starts, stop - 1))
    return [
        Deltas((first + low, first + high)) for low, high in pairwise(sorted(cuts)) if low < high
    ]


def _same_files(files: Files) -> Files:
    return files


class MappedCase(RenderedCase):
    """Asks another case: for what ``candidates`` makes of a candidate.

    And ``files`` makes the files here of those that are written there.
    """

    def __init__(
        self,
        inner: CutCase,
        whole: Files,
        key: Hashable,
        *,
        candidates: Callable[[Candidate], Candidate] = lambda candidate: candidate,
        files: Callable[[Files], Files] = _same_files,
        weights: Sequence[int] | None = None,
    ) -> None:
        """Take the files as they are here, and what tells this from other ways to map them.

        With other candidates there are other deltas: ``weights`` has one for each.
        """
        super().__init__(whole, len(inner.deltas if weights is None else weights))
        self._inner, self._key, self._weights = inner, key, weights
        self._candidates, self._files = candidates, files

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return self._key, self._inner.key

    @property
    def weights(self) -> Sequence[int]:
        """What each delta weighs; unless it is told, as much as in the other case."""
        return self._inner.weights if self._weights is None else self._weights

    @property
    def splices(self) -> Splices | None:
        """What tells how candidates differ from the whole, if the other case can say."""
        if self._files is not _same_files or not isinstance(self._inner, TextsCase):
            return None
        return partial(self._spliced, self._inner)

    def _spliced(
        self, inner: TextsCase[Any], candidate: Candidate
    ) -> Mapping[str, Sequence[Splice]]:
        gone = inner.deltas.toggle(self._candidates(candidate).kept)
        return inner.splices(Candidate(inner.deltas, Edit.drop(gone), ""))

    def _write(self, candidate: Candidate) -> Files:
        return self._files(self._inner.render(self._candidates(candidate)))
