"""One text with some patches done, from which a text with some more is written quickly."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wynot.core.splice import Splice, spliced


class TextChange(NamedTuple):
    """A patch of one text; they are sorted as they are done.

    Of those that overlap, the one that begins first is done, of these the longest, and of these the
    one that was proposed first.
    """

    start: int
    negative_stop: int
    number: int
    instead: bytes

    @property
    def stop(self) -> int:
        """Where it stops."""
        return -self.negative_stop


class PatchedText:
    """A text after some changes; those that overlap an earlier one are not done."""

    def __init__(self, content: bytes, changes: Iterable[TextChange]) -> None:
        self._original = content
        self._changes = sorted(changes)
        self._reached = [0]
        """Before each change, and after all: how far the text was replaced by those before."""
        self._shifts = [0]
        """By how many bytes what comes then is further on than in the original."""
        done: list[Splice] = []
        reached = shift = 0
        for each in self._changes:
            if each.start >= reached:
                reached = each.stop
                shift += len(each.instead) - (each.stop - each.start)
                done.append(Splice(each.start, each.stop, each.instead))
            self._reached.append(reached)
            self._shifts.append(shift)
        self.content = spliced(content, done)

    def splices(self, more: Iterable[TextChange]) -> list[Splice]:
        """Return how this text changes if some more changes are done.

        One that is done now may keep others from it, and these in turn let others be done: so both
        courses are followed, from each new change on to where they are at the same place again.
        """
        added = sorted(more)
        found: list[Splice] = []
        at = 0
        while at < len(added):
            change = added[at]
            place = bisect_right(self._changes, change)
            if change.start < self._reached[place]:
                at += 1
                continue
            splice, at = self._followed(added, at, place)
            found.append(splice)
        return found

    def _followed(self, added: Sequence[TextChange], at: int, place: int) -> tuple[Splice, int]:
        """Return what an added change leads to, and how many of the added ones that has taken."""
        begin = added[at].start + self._shifts[place]
        old, new = self._reached[place], added[at].start
        pieces: list[bytes] = []
        while True:
            rest = [*added[at : at + 1], *self._changes[place : place + 1]]
            following = min(rest, default=None)
            if following is None or (pieces and following.start >= max(old, new)):
                break
            if following.start >= new:
                pieces += (self._original[new : following.start], following.instead)
                new = following.stop
            if at < len(added) and following is added[at]:
                at += 1
            else:
                place += 1
                old = self._reached[place]
        end = max(old, new)
        pieces.append(self._original[new:end])
        return Splice(begin, end + self._shifts[place], b"".join(pieces)), at
