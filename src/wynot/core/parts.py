"""Parts of a text, and a case of files whose deltas are parts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.splice import Splice
from wynot.core.texts import CutText, TextsCase, Written


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
