"""A case of files: each part of a text is a delta.

A candidate nearly always is its base with one chunk of neighbouring parts taken out. So the base is
written out once, and such a candidate is two slices of it, however large the file and however many
pieces were cut out of it before.
"""

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase


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
    def key(self) -> int:
        """A number that is the same for the same parts."""
        return hash((tuple(self.starts), tuple(self.stops)))

    @property
    def spans(self) -> Iterator[tuple[int, int]]:
        """Each part's start and stop."""
        return zip(self.starts, self.stops, strict=True)


NO_PARTS = Parts((), (), tiles=True)


@dataclass(slots=True)
class Text:
    """One file: its content, its parts, and which deltas they are."""

    path: str
    content: bytes
    parts: Parts
    first: int
    after: int = field(init=False)
    """The number of the first delta that is not of this text."""

    def __post_init__(self) -> None:
        self.after = self.first + len(self.parts.starts)

    def without(self, gone: Iterator[tuple[int, int]]) -> "Written":
        """Write it out without these runs of parts (by number in this text)."""
        content, (starts, stops, tiles) = self.content, self.parts
        pieces, cursor, offset = [], 0, 0
        firsts, offsets = [0], [0]
        for low, high in gone:
            runs = [(low, high)] if tiles else [(one, one + 1) for one in range(low, high)]
            for start, stop in runs:
                pieces.append(content[cursor : starts[start]])
                offset += starts[start] - cursor
                cursor = stops[stop - 1]
            firsts.append(high)
            offsets.append(offset)
        pieces.append(content[cursor:])
        written = b"".join(pieces)
        return Written(written, memoryview(written), firsts, offsets)


class Written(NamedTuple):
    """A text written out, and where in it a part begins."""

    content: bytes
    view: memoryview
    """The same, for slices that are not copies."""
    firsts: list[int]
    """The first part after each run that was taken out."""
    offsets: list[int]
    """Where what follows that run begins."""

    def position(self, part: int, text: Text) -> int:
        """Return where a part that is there begins; or, of the number after the last, the end."""
        run = bisect_right(self.firsts, part) - 1
        starts, first = text.parts.starts, self.firsts[run]
        if run == 0:
            return starts[part]
        return self.offsets[run] + starts[part] - text.parts.stops[first - 1]


@dataclass(slots=True)
class _Base:
    """What was last written out, by path; a text is written when it is first needed."""

    deltas: Deltas
    written: dict[str, Written] = field(default_factory=dict)


class PartsCase(RenderedCase):
    """Files, cut into parts; what is not part of any part is always kept."""

    def __init__(self, files: Files, parts: Mapping[str, Parts]) -> None:
        self._texts: list[Text] = []
        count = 0
        for path, content in files.contents.items():
            text = Text(path, content, parts.get(path, NO_PARTS), count)
            self._texts.append(text)
            count = text.after
        super().__init__(files, count)
        self._base = _Base(self.deltas)

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return tuple(text.parts.key for text in self._texts)

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each part."""
        if len(self._texts) == 1 and isinstance(self._texts[0].parts.starts, range):
            return [1] * len(self.deltas)
        return [stop - start for text in self._texts for start, stop in text.parts.spans]

    def _write(self, candidate: Candidate) -> Files:
        base, edit = candidate.base, candidate.edit
        if edit.verb != "drop":
            base, edit = candidate.kept, edit._replace(verb="drop", deltas=Deltas(()))
        if base is not self._base.deltas:
            self._base = _Base(base)
        gone = edit.deltas
        return self.files.replaced({text.path: self._cut(text, base, gone) for text in self._texts})

    def _cut(self, text: Text, base: Deltas, gone: Deltas) -> bytes:
        """Return one text of a candidate."""
        written = self._base.written.get(text.path)
        if written is None:
            written = self._base.written[text.path] = text.without(_missing(base, text))
        if not gone or gone.bounds[0] >= text.after or gone.bounds[-1] <= text.first:
            return written.content
        low, high = gone.bounds[0], gone.bounds[-1]
        one_chunk = (
            text.first <= low
            and high <= text.after
            and base.rank(high) - base.rank(low) == len(gone)
        )
        if not (one_chunk and text.parts.tiles):
            return text.without(_missing(base.toggle(gone), text)).content
        start = written.position(low - text.first, text)
        last = high - 1 - text.first
        stop = written.position(last, text) + text.parts.stops[last] - text.parts.starts[last]
        return b"".join((written.view[:start], written.view[stop:]))


def _missing(kept: Deltas, text: Text) -> Iterator[tuple[int, int]]:
    """Return the runs of a text's parts that are not kept, by number in the text."""
    bounds = kept.bounds
    place = bisect_right(bounds, text.first)
    cursor = text.first
    if place % 2:  # the first part is kept
        cursor = min(bounds[place], text.after)
        place += 1
    while cursor < text.after:
        start = min(bounds[place], text.after) if place < len(bounds) else text.after
        yield cursor - text.first, start - text.first
        cursor = min(bounds[place + 1], text.after) if place + 1 < len(bounds) else text.after
        place += 2
