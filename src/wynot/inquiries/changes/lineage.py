"""A file through all its versions, in one weave, so that any choice of changes can be written.

The lines of all versions stand in one order, each with the change that brings it in and the one
that takes it out (as in SCCS; Rochkind 1975). With the changes of the first so many commits the
file of that commit comes out, to the byte. Any other choice comes out too; only a line that is
taken out, though it was never brought in, is a contradiction, and is told.

Changes have numbers of their own in each file, from `FIRST`. Two numbers are no changes: what
`BASE` brings in has always been there, and what `NEVER` takes out stays.

Whether a file exists, its path, its mode and its content change independently. So any choice of
changes says what becomes of the file, or why that cannot be.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha1, sha256
from itertools import compress
from operator import gt, itemgetter
from typing import NamedTuple, TypeVar

from wynot.core.deltas import Deltas
from wynot.core.system.recent import Recent
from wynot.inquiries.changes.diff_parser import Version
from wynot.inquiries.changes.git import SHA1_DIGITS
from wynot.inquiries.changes.overlay import TreeEntry

BASE, NEVER, FIRST = 0, 1, 2


class WovenLine:
    """A line of some versions, and the one after it in the order of all."""

    __slots__ = ("born", "died", "following", "text")

    def __init__(self, text: bytes, born: int, following: "WovenLine | None") -> None:
        self.text = text
        self.born = born
        self.died = NEVER
        self.following = following


class LineChange(NamedTuple):
    """What one change does at its place: it takes a line out, brings one in, or both."""

    number: int
    takes_out: bool
    text: bytes | None
    """What it brings in."""


class Loom:
    """A weave in the making: hunks are woven in, in the order of the commits."""

    def __init__(self, content: bytes) -> None:
        """Begin with the content of the passing side, or with nothing for a new file."""
        self._head = WovenLine(b"", BASE, None)
        self._now: list[WovenLine] = []
        last = self._head
        for text in cut(content):
            last.following = last = WovenLine(text, BASE, None)
            self._now.append(last)

    def line(self, position: int) -> bytes:
        """Return a line of the latest version."""
        return self._now[position].text

    def replace(self, start: int, changes: Iterable[LineChange]) -> None:
        """Take out lines of the latest version from a place on, and put others in.

        Each new line stands behind the one whose place it takes, so that a choice of changes keeps
        the order of both versions. Hunks of one commit are woven in from the last one to the first,
        so that positions hold.
        """
        last = self._now[start - 1] if start else self._head
        stop = start
        new = []
        for number, takes_out, text in changes:
            if takes_out:
                last = self._now[stop]
                last.died = number
                stop += 1
            if text is not None:
                last.following = last = WovenLine(text, number, last.following)
                new.append(last)
        self._now[start:stop] = new

    def weave(self) -> "Weave":
        """Return the whole, for good."""
        texts: list[list[bytes]] = []
        spans: list[tuple[int, int]] = []
        line = self._head.following
        while line is not None:
            span = (line.born, line.died)
            if spans and spans[-1] == span == (BASE, NEVER):
                texts[-1].append(line.text)
            else:
                texts.append([line.text])
                spans.append(span)
            line = line.following
        return Weave([b"".join(each) for each in texts], spans)


class Weave:
    """All versions of a text; never changed."""

    __slots__ = ("_born", "_died", "_has_open_lines", "_texts", "spans")

    def __init__(self, texts: Sequence[bytes], spans: Sequence[tuple[int, int]]) -> None:
        # Two pieces that are never there: an itemgetter for less than two returns no tuple.
        spans = [*spans, (NEVER, NEVER), (NEVER, NEVER)]
        self.spans = spans
        """For each piece the change that brings it in, and the one that takes it out."""
        self._texts = [*texts, b"", b""]
        self._born = itemgetter(*[born for born, _ in spans])
        self._died = itemgetter(*[died for _, died in spans])
        self._has_open_lines = any(text and not text.endswith(b"\n") for text in texts)

    def write(self, chosen: bytes) -> bytes:
        """Write out a choice: a byte for each change, 1 if it is in; that of `BASE` always is."""
        pieces = list(compress(self._texts, map(gt, self._born(chosen), self._died(chosen))))
        if self._has_open_lines:
            # Only the last line of a version may have no end; here others may come after it.
            pieces = [each if each.endswith(b"\n") else each + b"\n" for each in pieces[:-1]] + (
                pieces[-1:]
            )
        return b"".join(pieces)

    def contradiction(self, chosen: bytes) -> tuple[int, int] | None:
        """Return a change that takes a line out, and the missing one that it needs, if any."""
        wrong = compress(self.spans, map(gt, self._died(chosen), self._born(chosen)))
        return next(((died, born) for born, died in wrong), None)


def cut(content: bytes) -> list[bytes]:
    """Cut a content after each newline, and nowhere else: as git does."""
    lines = content.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


Value = TypeVar("Value")
Values = Sequence[tuple[int, Value]]
"""What is so after which change, in the order of the changes; the last one that is in counts."""


class Conflict(NamedTuple):
    """A delta that does not apply, and the absent one that it needs."""

    delta: int
    needs: int


class Rendition(NamedTuple):
    """What a choice of changes makes of a lineage."""

    path: str
    entry: TreeEntry | None
    """None if it is not there."""
    conflict: Conflict | None = None


class Segments:
    """Which deltas of all are those of one lineage, and the numbers that it has for them."""

    __slots__ = ("_offsets", "_size", "_starts", "_stops")

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._offsets: list[int] = []
        self._size = FIRST

    def add(self, delta: int) -> int:
        """Take one more, later than those before; return its number here."""
        if self._stops and self._stops[-1] == delta:
            self._stops[-1] += 1
        else:
            self._starts.append(delta)
            self._stops.append(delta + 1)
            self._offsets.append(self._size)
        self._size += 1
        return self._size - 1

    @property
    def runs(self) -> list[tuple[int, int]]:
        """The runs of deltas, as (start, stop)."""
        return list(zip(self._starts, self._stops, strict=True))

    def delta(self, number: int) -> int:
        """Return the delta that has this number here."""
        segment = bisect_right(self._offsets, number) - 1
        return self._starts[segment] + number - self._offsets[segment]

    def chosen(self, kept: Deltas) -> bytes:
        """Return for each number whether it is in a configuration: 1 or 0."""
        bounds = kept.bounds
        bits = bytearray(self._size)
        bits[BASE] = 1
        for start, stop, offset in zip(self._starts, self._stops, self._offsets, strict=True):
            at = bisect_right(bounds, start)
            if at == len(bounds) or (bounds[at] >= stop and at % 2 == 0):
                continue  # the usual cases: none of a segment, and all of it
            if at % 2 and bounds[at] >= stop:
                bits[offset : offset + stop - start] = b"\1" * (stop - start)
                continue
            shift = offset - start
            for first, end in kept.part(kept.rank(start), kept.rank(stop)).runs:
                bits[first + shift : end + shift] = b"\1" * (end - first)
        return bytes(bits)


class Lineage:
    """One file, for good; what it comes to is kept for the last few choices."""

    __slots__ = ("_born", "_died", "_kept", "_modes", "_paths", "_source", "good", "segments")

    def __init__(
        self,
        first: Version,
        life: tuple[int, int],
        paths: Values[str],
        modes: Values[int],
        source: "ContentSource",
        segments: Segments,
    ) -> None:
        self._born, self._died = life
        self.good = first if self._born == BASE else None
        """What it is in the passing tree; None if it is not there."""
        self._paths = ((BASE, first.path), *paths)
        self._modes = ((BASE, first.mode), *modes)
        self._source = source
        self.segments = segments
        self._kept: Recent[bytes, Rendition] = Recent(_KEPT_CHOICES)

    @property
    def paths(self) -> set[str]:
        """All places where it may be."""
        return {path for _, path in self._paths}

    def render(self, kept: Deltas) -> Rendition:
        """Return what these deltas make of it."""
        chosen = self.segments.chosen(kept)
        return self._kept.get(chosen, lambda: self._render(chosen))

    def _render(self, chosen: bytes) -> Rendition:
        path = _latest(self._paths, chosen)
        if not chosen[self._born]:
            other = chosen.find(1, FIRST)
            return Rendition(path, None, self._conflict(other, self._born) if other > 0 else None)
        if chosen[self._died]:
            return Rendition(path, None)
        if wrong := self._source.contradiction(chosen):
            return Rendition(path, None, self._conflict(*wrong))
        return Rendition(path, self._source.entry(_latest(self._modes, chosen), chosen))

    def _conflict(self, change: int, needed: int) -> Conflict:
        return Conflict(self.segments.delta(change), self.segments.delta(needed))


_KEPT_CHOICES = 4
"""So many choices of one lineage are kept."""


class Blobs:
    """A content that changes as a whole: the last change that is in counts."""

    __slots__ = ("_blobs",)

    def __init__(self, blobs: Values[str]) -> None:
        self._blobs = blobs

    def contradiction(self, _chosen: bytes) -> None:
        """There is none."""

    def entry(self, mode: int, chosen: bytes) -> TreeEntry:
        """Return the file."""
        return TreeEntry(mode, _latest(self._blobs, chosen))


class LineText:
    """A content that changes line by line."""

    __slots__ = ("_name", "_weave")

    def __init__(self, weave: Weave, sample: str) -> None:
        """Take the weave, and an id of some blob: all are of the same kind."""
        self._weave = weave
        self._name: Callable[[bytes], str] = _sha1 if len(sample) == SHA1_DIGITS else _sha256

    def contradiction(self, chosen: bytes) -> tuple[int, int] | None:
        """Return a change that needs another one which is missing, if any."""
        return self._weave.contradiction(chosen)

    def entry(self, mode: int, chosen: bytes) -> TreeEntry:
        """Return the file."""
        content = self._weave.write(chosen)
        return TreeEntry(mode, self._name(b"blob %d\0%s" % (len(content), content)), content)


ContentSource = Blobs | LineText


def _latest(values: Values[Value], chosen: bytes) -> Value:
    """Return the value of the last change that is in; the first one always is."""
    return next(value for change, value in reversed(values) if chosen[change] or change == BASE)


def _sha1(data: bytes) -> str:
    return sha1(data, usedforsecurity=False).hexdigest()


def _sha256(data: bytes) -> str:
    return sha256(data).hexdigest()
