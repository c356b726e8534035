"""Weaves: all versions of a file in one, so that any choice of changes can be written out.

The lines of all versions stand in one order, each with the change that brings it in and the one
that takes it out (as in SCCS; Rochkind 1975). With the changes of the first so many commits the
file of that commit comes out, to the byte. Any other choice comes out too; only a line that is
taken out, though it was never brought in, is a contradiction, and is told.

Changes have numbers of their own in each file, from `FIRST`. Two numbers are no changes: what
`BASE` brings in has always been there, and what `NEVER` takes out stays.
"""

from collections.abc import Iterable, Sequence
from itertools import compress
from operator import gt, itemgetter
from typing import NamedTuple

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
