"""Parts of a text, and a case of files whose deltas are parts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.texts import CutText, TextsCase


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


class PartsCase(TextsCase[PartsText]):
    """Files, cut into parts."""

    def __init__(self, files: Files, parts: Mapping[str, Parts]) -> None:
        super().__init__(
            files,
            lambda path, content, first: PartsText(path, content, parts.get(path, NO_PARTS), first),
        )
