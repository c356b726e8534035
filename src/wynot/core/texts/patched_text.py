"""A text with some patches done, from which one with some more is made.

How a candidate's text differs from its base's is a few splices, whatever the size of the text.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import accumulate, compress, islice, repeat
from operator import itemgetter, le, mul, neg, sub
from typing import NamedTuple, cast


class Splice(NamedTuple):
    """Bytes that are replaced."""

    start: int
    stop: int
    instead: bytes


def splices_of(runs: Iterable[tuple[int, int, bytes]]) -> list[Splice]:
    """Return splices, of which there can be tens of thousands: this takes a third of the time."""
    return cast("list[Splice]", list(map(partial(tuple.__new__, Splice), runs)))


def spliced(content: bytes, splices: Sequence[Splice]) -> bytes:
    """Return a text after splices, which are in order and do not overlap."""
    if not splices:
        return content
    view = memoryview(content)
    pieces: list[bytes | memoryview] = []
    cursor = 0
    for start, stop, instead in splices:
        pieces += (view[cursor:start], instead)
        cursor = stop
    pieces.append(view[cursor:])
    return b"".join(pieces)


class TextChange(NamedTuple):
    """A patch of one text; they are sorted as they are done.

    Of those that overlap, the one that begins first is done, of these the longest, and of these the
    one that was proposed first.
    """

    start: int
    negative_stop: int
    number: int
    instead: bytes


class PatchedText:
    """A text after some changes; those that overlap an earlier one are not done."""

    def __init__(self, content: bytes, changes: Sequence[TextChange]) -> None:
        """Take the changes in any order; there can be tens of thousands."""
        self._original = content
        self._changes = sorted(changes)
        self._starts: list[int] = list(map(itemgetter(0), self._changes))
        self._stops: list[int] = list(map(neg, map(itemgetter(1), self._changes)))
        self._texts: list[bytes] = list(map(itemgetter(3), self._changes))
        self._done = bytes(_done(self._starts, self._stops))
        """Of each change whether it is done."""
        columns = zip(self._starts, self._stops, self._texts, strict=True)
        self.done = splices_of(compress(columns, self._done))
        """The changes that are done."""
        self.content = spliced(content, self.done)

    @cached_property
    def _reached(self) -> list[int]:
        """Before each change, and after all: how far the text was replaced by those before."""
        return [0, *accumulate(map(mul, self._stops, self._done), max)]

    @cached_property
    def _shifts(self) -> list[int]:
        """By how many bytes what comes then is further on than in the original."""
        longer = map(sub, map(len, self._texts), map(sub, self._stops, self._starts))
        return [0, *accumulate(map(mul, longer, self._done))]

    def splices(self, more: Sequence[TextChange]) -> list[Splice]:
        """Return how this text changes if some more changes are done."""
        added, changes = sorted(more), self._changes
        found: list[Splice] = []
        at = 0
        while at < len(added):
            change = added[at]
            start, negative_stop, _, instead = change
            place = bisect_right(changes, change)
            at += 1
            if start < self._reached[place]:
                continue
            if (at == len(added) or added[at][0] >= -negative_stop) and (
                place == len(changes) or changes[place][0] >= -negative_stop
            ):
                shift = self._shifts[place]
                found.append(Splice(start + shift, shift - negative_stop, instead))
            else:
                splice, at = self._followed(added, at - 1, place)
                found.append(splice)
        return found

    def _followed(self, added: Sequence[TextChange], at: int, place: int) -> tuple[Splice, int]:
        """Return what an added change leads to, and how many of the added ones that has taken.

        It may keep others from being done, and these in turn let others be done: so both courses
        are followed, the old and the new one, to where they are at the same place again. Here N
        comes to X, Y and Z. It overlaps X, so Y is done, which overlaps Z; at ``g`` both agree::

            original   a b c d e f g h        X for bc, Y for cde, Z for ef
            old        a [X] d [Z]  g h       Y overlaps X, which begins first
            new       [N] [ Y ]  f  g h       N for ab: splice(0, 4, b"NYf")
        """
        begin = added[at].start + self._shifts[place]
        old, new = self._reached[place], added[at].start
        changes, count = self._changes, len(self._changes)
        pieces: list[bytes] = []
        while True:
            following = added[at] if at < len(added) else None
            is_added = following is not None and (place == count or following <= changes[place])
            if not is_added:
                following = changes[place] if place < count else None
            if following is None or (pieces and following[0] >= old and following[0] >= new):
                break
            start, negative_stop, _, instead = following
            if start >= new:
                pieces += (self._original[new:start], instead)
                new = -negative_stop
            if is_added:
                at += 1
            else:
                place += 1
                old = self._reached[place]
        end = max(old, new)
        pieces.append(self._original[new:end])
        return Splice(begin, end + self._shifts[place], b"".join(pieces)), at


def _done(starts: Sequence[int], stops: Sequence[int]) -> Iterator[int]:
    """Tell of each change, by 1 or 0, whether it is done: it does not overlap one that is."""
    if all(map(le, stops, islice(starts, 1, None))):  # there is nothing to decide
        yield from repeat(1, len(starts))
        return
    reached = 0
    for start, stop in zip(starts, stops, strict=True):
        yield start >= reached
        if start >= reached:
            reached = stop
