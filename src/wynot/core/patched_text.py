"""One text with some patches done, from which a text with some more is written quickly."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
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


class PatchedText:
    """A text after some changes; those that overlap an earlier one are not done."""

    def __init__(self, content: bytes, changes: Sequence[TextChange]) -> None:
        """Take the changes in any order; there can be tens of thousands."""
        self._original = content
        self._changes = sorted(changes)
        self.done: list[Splice] = []
        """The changes that are done."""
        reached = 0
        for start, negative_stop, _, instead in self._changes:
            if start >= reached:
                reached = -negative_stop
                self.done.append(Splice(start, reached, instead))
        self.content = spliced(content, self.done)

    @cached_property
    def _reached(self) -> list[int]:
        """Before each change, and after all: how far the text was replaced by those before."""
        found = [0]
        for start, negative_stop, _, _ in self._changes:
            found.append(-negative_stop if start >= found[-1] else found[-1])
        return found

    @cached_property
    def _shifts(self) -> list[int]:
        """By how many bytes what comes then is further on than in the original."""
        found = [0]
        for (start, negative_stop, _, instead), reached in zip(
            self._changes, self._reached, strict=False
        ):
            shift = len(instead) + negative_stop + start if start >= reached else 0
            found.append(found[-1] + shift)
        return found

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
        are followed, the old and the new one, to where they are at the same place again.
        """
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
                new = -following.negative_stop
            if at < len(added) and following is added[at]:
                at += 1
            else:
                place += 1
                old = self._reached[place]
        end = max(old, new)
        pieces.append(self._original[new:end])
        return Splice(begin, end + self._shifts[place], b"".join(pieces)), at
