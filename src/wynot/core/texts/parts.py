"""Texts whose parts are deltas: a case of files.

A candidate nearly always is its base with a few neighbouring parts taken out. So the base is
written out once, and such a candidate is two slices of it, however large the file and however many
pieces were cut out of it before.
"""

from abc import ABC, abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import KEPT_BASES, Files, RenderedCase
from wynot.core.system.recent import Recent
from wynot.core.texts.patched_text import Splice, spliced


class Written(NamedTuple):
    """A text written out, and how far its parts have moved."""

    content: bytes
    firsts: list[int]
    """The first part of each run of neighbours that are there."""
    shifts: list[int]
    """By how many bytes each run is further on than in the whole text."""

    def shift(self, part: int) -> int:
        """Return by how many bytes a part that is there is further on."""
        return self.shifts[bisect_right(self.firsts, part) - 1]


class CutText(ABC):
    """One file: its content, where its parts start and stop, and which deltas they are.

    Parts are in order and do not overlap. In here they have the numbers 0, 1, …; -1 stands for the
    start of the text, and the number of parts for its end.
    """

    def __init__(
        self, path: str, content: bytes, starts: Sequence[int], stops: Sequence[int], first: int
    ) -> None:
        self.path = path
        self.content = content
        self.starts = starts
        self.stops = stops
        self.first = first
        self.after = first + len(starts)
        """The number of the first delta that is not of this text."""

    @abstractmethod
    def between(self, left: int, right: int) -> bytes:
        """Return what stands between two parts when all between them are gone."""

    def gap(self, number: int) -> bytes:
        """Return what stands before a part in the whole text."""
        begin = self.stops[number - 1] if number else 0
        return self.content[
            begin : self.starts[number] if number < len(self.starts) else len(self.content)
        ]

    def write(self, kept: Deltas) -> Written:
        """Write out the parts that are kept."""
        pieces: list[bytes] = []
        firsts: list[int] = []
        shifts: list[int] = []
        left, offset = -1, 0
        for start, stop in kept.part(kept.rank(self.first), kept.rank(self.after)).runs:
            low, last = start - self.first, stop - self.first - 1
            gap = self.between(left, low)
            run = self.content[self.starts[low] : self.stops[last]]
            firsts.append(low)
            shifts.append(offset + len(gap) - self.starts[low])
            pieces += (gap, run)
            offset += len(gap) + len(run)
            left = last
        content = b"".join((*pieces, self.between(left, len(self.starts))))
        return Written(content, firsts, shifts)

    def splices(self, gone: Deltas, base: Deltas, written: Written) -> list[Splice]:
        """Return what becomes of a base, which is written out, if some of its parts go."""
        found: list[Splice] = []
        for left, right in self._holes(base, gone):
            start = self.stops[left] + written.shift(left) if left >= 0 else 0
            is_end = right == len(self.starts)
            stop = len(written.content) if is_end else self.starts[right] + written.shift(right)
            found.append(Splice(start, stop, self.between(left, right)))
        return found

    def _holes(self, base: Deltas, gone: Deltas) -> Iterator[tuple[int, int]]:
        """Return the parts to the left and right of each hole: those next to it that stay.

        Say that this text has the deltas 10 to 19, and the base all of them but 12 and 15::

            base   10 11    13 14    16 17 18 19
            gone      11    13          17
            left   10          14    16    18 19

        The runs 11 and 13 of what goes make one hole, between 10 and 14, as 12 was gone before;
        17 makes another one. In numbers of this text that is (0, 4) and (6, 8). What ends a text
        may be next to a hole too: without 10 the first would be (-1, 4).
        """
        count, size = len(self.starts), len(base)
        last: tuple[int, int] | None = None
        for start, stop in gone.runs:
            if stop <= self.first or start >= self.after:
                continue
            low, high = base.rank(max(start, self.first)), base.rank(min(stop, self.after))
            left = max(base.index(low - 1) - self.first, -1) if low else -1
            right = min(base.index(high) - self.first, count) if high < size else count
            if last is not None and left < last[1]:  # nothing is kept between the two
                last = last[0], right
                continue
            if last is not None:
                yield last
            last = left, right
        if last is not None:
            yield last


AnyText = TypeVar("AnyText", bound=CutText)


class TextsCase(RenderedCase, Generic[AnyText]):
    """Files as texts; a file without parts always stays as it is."""

    def __init__(self, files: Files, text: Callable[[str, bytes, int], AnyText]) -> None:
        """Take what makes a text of a path, a content, and the number of its first delta."""
        self.texts: list[AnyText] = []
        count = 0
        for path, content in files.contents.items():
            self.texts.append(text(path, content, count))
            count = self.texts[-1].after
        super().__init__(files, count)
        self._spliced: Recent[tuple[int, int], dict[str, list[Splice]]] = Recent(1)
        """What was asked for last: it is needed to parse a candidate, and to write it out."""
        self._written: Recent[tuple[int, str], Written] = Recent(KEPT_BASES * len(self.texts))
        """Texts of bases, by path; each is written when it is first needed."""

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        bounds = (each for text in self.texts for each in (text.starts, text.stops))
        return type(self), *(hash(bytes(array("q", each))) for each in bounds)

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each part."""
        return [
            stop - start
            for text in self.texts
            for start, stop in zip(text.starts, text.stops, strict=True)
        ]

    def splices(self, candidate: Candidate) -> dict[str, list[Splice]]:
        """Return how each text that differs from its base does."""
        return self._spliced.get((candidate.base.key, candidate.key), lambda: self._cut(candidate))

    def _cut(self, candidate: Candidate) -> dict[str, list[Splice]]:
        base, gone = candidate.base, candidate.edit.deltas
        texts = (text for text in self.texts if gone and not _is_apart(text, gone))
        return {text.path: text.splices(gone, base, self._base_of(text, base)) for text in texts}

    def _write(self, candidate: Candidate) -> Files:
        base = candidate.base
        if candidate.edit.verb != "drop":
            base, candidate = candidate.kept, Candidate(candidate.kept, Edit.drop(NONE), "")
        splices = self.splices(candidate)
        contents = {text.path: self._base_of(text, base).content for text in self.texts}
        for path, each in splices.items():
            contents[path] = spliced(contents[path], each)
        return self.files.replaced(contents)

    def _base_of(self, text: AnyText, base: Deltas) -> Written:
        """Return a text of the base, written out."""
        return self._written.get((base.key, text.path), lambda: text.write(base))


def _is_apart(text: CutText, gone: Deltas) -> bool:
    """Tell whether none of some deltas is of a text, as far as their ends tell."""
    return gone.bounds[0] >= text.after or gone.bounds[-1] <= text.first


class Parts(NamedTuple):
    """Where the parts of a text start and stop, in order and without overlap."""

    starts: Sequence[int]
    stops: Sequence[int]
    tiles: bool
    """Whether each part starts where the one before stops."""

    @classmethod
    def tiling(cls, bounds: Sequence[int]) -> "Parts":
        """Return the parts between each two neighbouring boundaries."""
        return cls(bounds[:-1], bounds[1:], tiles=True)

    @classmethod
    def apart(cls, spans: Sequence[tuple[int, int]]) -> "Parts":
        """Return parts that may have something between them."""
        tiles = all(left[1] == right[0] for left, right in pairwise(spans))
        return cls([start for start, _ in spans], [stop for _, stop in spans], tiles)

    @property
    def spans(self) -> Iterator[tuple[int, int]]:
        """Each part's start and stop."""
        return zip(self.starts, self.stops, strict=True)


NO_PARTS = Parts((), (), tiles=True)


class PartsText(CutText):
    """One file, cut into parts; what is not part of any part is always kept."""

    def __init__(self, path: str, content: bytes, parts: Parts, first: int) -> None:
        super().__init__(path, content, parts.starts, parts.stops, first)
        self._tiles = parts.tiles

    def between(self, left: int, right: int) -> bytes:
        """Return all that is between two parts, and in none."""
        gaps: Iterable[int] = range(left + 1, right + 1)
        if self._tiles:  # there is nothing but before the first and after the last
            ends = dict.fromkeys((0, len(self.starts)))
            gaps = [each for each in ends if left < each <= right]
        return b"".join(map(self.gap, gaps))

    def splices(self, gone: Deltas, base: Deltas, written: Written) -> list[Splice]:
        """Return what becomes of a base; what is between parts that go stays where it is."""
        if self._tiles:
            return super().splices(gone, base, written)
        found: list[Splice] = []
        for number in gone.part(gone.rank(self.first), gone.rank(self.after)):
            part = number - self.first
            shift = written.shift(part)
            start, stop = self.starts[part] + shift, self.stops[part] + shift
            if found and found[-1].stop == start:
                start = found.pop().start
            found.append(Splice(start, stop, b""))
        return found


class PartsCase(TextsCase[PartsText]):
    """Files, cut into parts."""

    def __init__(self, files: Files, parts: Mapping[str, Parts]) -> None:
        super().__init__(
            files,
            lambda path, content, first: PartsText(path, content, parts.get(path, NO_PARTS), first),
        )
