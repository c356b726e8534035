"""Where two sequences differ, and which of the lines that go became which that come.

difflib compares every like pair of items, which is best for what is short and too much for what is
long. So a long sequence is first cut at *anchors*, windows of items that are there just once on
both sides and in the same order (as in Bram Cohen's patience diff, where the windows are single
lines); wide windows first, since they mislead least. What lies between two anchors is short,
mostly.

A line that was edited is one change. Taken apart it would leave the old line out without the new
one, or have both: texts that nobody wrote. So as many lines as there can be are paired, in order.
If there are as many on both sides, the first became the first and so on, as editors and reviews
show it. Else those that have most words in common belong together.
"""

import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from wynot.core.case import numbered
from wynot.core.deltas import Deltas

Item = TypeVar("Item")

LONG_SEQUENCE = 2000
"""Sequences up to this length are aligned as well as can be; longer ones well enough."""
WIDTHS = (16, 4, 1)
"""How many items an anchor has, in the order in which they are tried."""
SHORT_PAIRS = 20_000
"""Pairs of items up to which nothing needs to be cut first."""
MAX_EFFORT = 4_000_000
"""Steps that comparisons may take in all, of a fifth of a microsecond each."""
_RUN_STEPS = 20
"""How much of a comparison is one step, of the worst that it can be."""


class Aligned(NamedTuple, Generic[Item]):
    """Both sequences in one, and which places of it are only in one of them.

    With the deltas ``common`` applied one has the passing sequence, with all of them the failing
    one: a delta either brings in an item of the failing side or takes out one of the passing side.
    """

    items: list[Item]
    common: Deltas
    taken_out: Deltas


class Change(NamedTuple):
    """Items from start to stop of the passing side became those from begin to end of the other."""

    start: int
    stop: int
    begin: int
    end: int


class Effort:
    """What may still be spent; the same for all that belongs together, so that it has an end."""

    def __init__(self, steps: int = MAX_EFFORT) -> None:
        self._left = steps

    def affords(self, steps: int) -> bool:
        """Spend so much if there is so much, and tell whether there was."""
        if steps > self._left:
            return False
        self._left -= steps
        return True


def align(passing: Sequence[Item], failing: Sequence[Item]) -> Aligned[Item]:
    """Return both sequences as one."""
    kinds = numbered([*passing, *failing])
    items: list[Item] = []
    common: list[int] = []
    taken_out: list[int] = []
    here, ends = 0, Change(len(passing), len(passing), len(failing), len(failing))
    for start, stop, begin, end in (
        *_item_by_item(kinds[: len(passing)], kinds[len(passing) :]),
        ends,
    ):
        common += range(len(items), len(items) + start - here)
        items += passing[here:start]
        taken_out += range(len(items), len(items) + stop - start)
        items += [*passing[start:stop], *failing[begin:end]]
        here = stop
    return Aligned(items, Deltas.of(common), Deltas.of(taken_out))


def changes(
    passing: Sequence[Hashable], failing: Sequence[Hashable], effort: Effort
) -> list[Change]:
    """Return the changes that make one sequence of the other, in order and none next to another."""
    whole = _trimmed(passing, failing, Change(0, len(passing), 0, len(failing)))
    start, stop, begin, end = whole
    if start == stop or begin == end:  # so it is of most that is short
        return [whole] if start < stop or begin < end else []
    numbers: dict[Hashable, int] = {}
    left = array("I", [numbers.setdefault(each, len(numbers)) for each in passing])
    right = array("I", [numbers.setdefault(each, len(numbers)) for each in failing])
    found: list[Change] = []
    for each in _Alignment(left, right, effort).changes(whole):
        if found and (found[-1].stop, found[-1].end) == (each.start, each.begin):
            found[-1] = Change(found[-1].start, each.stop, found[-1].begin, each.end)
        else:
            found.append(each)
    return found


_LINES = re.compile(rb"[^\n]*\n|[^\n]+")
_TOKENS = re.compile(rb"[0-9A-Za-z_\x80-\xff]+|[ \t]+|[^0-9A-Za-z_\x80-\xff \t]")


def text_changes(passing: bytes, failing: bytes, effort: Effort) -> Iterator[Change]:
    """Return which bytes became which: line by line, in changed lines token by token."""
    for start, stop, begin, end in _piecewise(_LINES, passing, failing, effort):
        for inner in _piecewise(_TOKENS, passing[start:stop], failing[begin:end], effort):
            yield Change(
                start + inner.start, start + inner.stop, begin + inner.begin, begin + inner.end
            )


def _piecewise(
    pattern: "re.Pattern[bytes]", passing: bytes, failing: bytes, effort: Effort
) -> Iterator[Change]:
    """Return the changes, in bytes, of texts that are compared piece by piece."""
    left, right = pattern.findall(passing), pattern.findall(failing)
    starts = [0, *accumulate(map(len, left))]
    begins = [0, *accumulate(map(len, right))]
    for start, stop, begin, end in changes(left, right, effort):
        yield Change(starts[start], starts[stop], begins[begin], begins[end])


def _trimmed(left: Sequence[Item], right: Sequence[Item], change: Change) -> Change:
    """Leave out what both begin and end with."""
    start, stop, begin, end = change
    while start < stop and begin < end and left[start] == right[begin]:
        start, begin = start + 1, begin + 1
    while start < stop and begin < end and left[stop - 1] == right[end - 1]:
        stop, end = stop - 1, end - 1
    return Change(start, stop, begin, end)


_Kinds: TypeAlias = "array[int]"


class _Alignment:
    """One comparison of two lists of numbers."""

    def __init__(self, left: _Kinds, right: _Kinds, effort: Effort) -> None:
        self._left, self._right = left, right
        self._effort = effort
        self._texts = left.tobytes(), right.tobytes()
        """The same as bytes: a slice of them is a window that can be looked up."""

    def changes(self, whole: Change) -> Iterator[Change]:
        """Cut at anchors until what is left is short, from front to back."""
        waiting: list[tuple[Change, tuple[int, ...]]] = [(whole, WIDTHS)]
        while waiting:
            change, widths = waiting.pop()
            change = _trimmed(self._left, self._right, change)
            start, stop, begin, end = change
            if start == stop or begin == end:
                if start < stop or begin < end:
                    yield change
            elif widths and (stop - start) * (end - begin) > SHORT_PAIRS:
                between = list(self._between(change, widths[0]))
                waiting += [(each, widths[1:]) for each in reversed(between)]
            else:
                yield from self._compared(change)

    def _between(self, change: Change, width: int) -> Iterator[Change]:
        """Return what lies between anchors; each of them counts as its first item only."""
        start, stop, begin, end = change
        one = _once(self._texts[0], start, stop, width)
        other = _once(self._texts[1], begin, end, width)
        pairs = [
            (here, there)
            for window, here in one.items()
            if here >= 0 and (there := other.get(window, -1)) >= 0
        ]
        for here, there in _rising(pairs):
            if start < here or begin < there:
                yield Change(start, here, begin, there)
            start, begin = here + 1, there + 1
        yield Change(start, stop, begin, end)

    def _compared(self, change: Change) -> Iterator[Change]:
        """Compare what is short item by item; if that would take too long, it all differs."""
        start, stop, begin, end = change
        left, right = self._left[start:stop].tolist(), self._right[begin:end].tolist()
        if not self._effort.affords(_steps(left, right)):
            yield change
            return
        for each in _item_by_item(left, right):
            yield Change(
                start + each.start, start + each.stop, begin + each.begin, begin + each.end
            )


def _once(text: bytes, start: int, stop: int, width: int) -> dict[bytes, int]:
    """Return where each window stands that there is once; -1: there are more of it."""
    places: dict[bytes, int] = {}
    size = array("I").itemsize
    for at in range(start, stop - width + 1):
        window = text[size * at : size * (at + width)]
        places[window] = -1 if window in places else at
    return places


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of pairs, given by rising first number, whose second rises too."""
    ends: list[int] = []
    """The lowest second number that a rising part of each length ends with."""
    numbers: list[int] = []
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        place = bisect_left(ends, there)
        before.append(numbers[place - 1] if place else -1)
        if place == len(ends):
            ends.append(there)
            numbers.append(number)
        else:
            ends[place], numbers[place] = there, number
    found = []
    number = numbers[-1] if numbers else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _steps(left: list[int], right: list[int]) -> int:
    """Return what a comparison costs at worst: all like pairs, again for each run in common."""
    counts = Counter(right)
    pairs = sum(counts[kind] for kind in left)
    return len(left) + len(right) + pairs * min(len(left), len(right)) // _RUN_STEPS


def _item_by_item(left: list[int], right: list[int]) -> Iterator[Change]:
    """Compare two lists item by item.

    difflib compares every like pair, which is too much if there are many and the same items come
    again and again: then the commonest are no longer looked at. Any alignment is right, if not
    always the shortest.
    """
    places = _places(left, right)
    if places is not None:  # the usual case, and no need for a diff: some items are only added
        for at, (before, place) in enumerate(pairwise([-1, *places, len(right)])):
            if before + 1 < place:
                yield Change(at, at, before + 1, place)
        return
    start, stop, begin, end = _trimmed(left, right, Change(0, len(left), 0, len(right)))
    inner = left[start:stop], right[begin:end]
    matcher: SequenceMatcher[int] = SequenceMatcher(
        None, *inner, autojunk=max(map(len, inner)) > LONG_SEQUENCE
    )
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield Change(start + a, start + b, begin + c, begin + d)


def _places(part: list[int], whole: list[int]) -> list[int] | None:
    """Return where in the whole a subsequence stands, or None if it is not one."""
    places: list[int] = []
    position = 0
    for kind in part:
        try:
            position = whole.index(kind, position) + 1
        except ValueError:
            return None
        places.append(position - 1)
    return places


_WORD = re.compile(rb"^\s*+|\w++|[^\w\s]")
_FULL_LIKENESS = 2000
"""How much two lines have in common if all is the same: whole numbers add up without a rest."""
_PAIR_STEPS = 5
"""How many steps it takes to compare two lines."""


class LinePair(NamedTuple):
    """What happens at one place: a line goes, another comes, or one takes the other's place."""

    goes: bool
    comes: bool


def line_pairs(old: Sequence[bytes], new: Sequence[bytes], effort: Effort) -> Iterator[LinePair]:
    """Go through both sides in order, each line once, in a pair wherever there can be one."""
    if len(old) <= len(new):
        partners = set(_places_of_lines(old, new, effort))
        return (LinePair(place in partners, comes=True) for place in range(len(new)))
    partners = set(_places_of_lines(new, old, effort))
    return (LinePair(goes=True, comes=place in partners) for place in range(len(old)))


def _places_of_lines(
    shorter: Sequence[bytes], longer: Sequence[bytes], effort: Effort
) -> Sequence[int]:
    """Return the partners of all lines of the shorter side, so that most is in common.

    A line can only be as far behind its own number as there are lines too many: its *lag*, which
    never shrinks from one line to the next. Of equally good partners the first is taken.
    """
    lags = range(len(longer) - len(shorter) + 1)
    if len(lags) == 1 or not effort.affords(_PAIR_STEPS * len(lags) * len(shorter)):
        return range(len(shorter))
    ours, theirs = [_tokens(line) for line in shorter], [_tokens(line) for line in longer]
    scores = [0 for _ in lags]
    chosen: list[list[int]] = []
    for number, tokens in enumerate(ours):
        bests, best = [], 0
        for lag in lags:
            best = lag if scores[lag] > scores[best] else best
            bests.append(best)
        common = (_in_common(tokens, theirs[number + lag]) for lag in lags)
        scores = [scores[best] + more for best, more in zip(bests, common, strict=True)]
        chosen.append(bests)
    lag = max(lags, key=scores.__getitem__)
    places: list[int] = []
    for number in reversed(range(len(shorter))):
        places.append(number + lag)
        lag = chosen[number][lag]
    return places[::-1]


def _tokens(line: bytes) -> frozenset[bytes]:
    """Return what a line is made of; its indentation is a token of it."""
    return frozenset(_WORD.findall(line))


def _in_common(one: frozenset[bytes], other: frozenset[bytes]) -> int:
    """Return how much two lines have in common (the coefficient of Dice and Sørensen)."""
    return _FULL_LIKENESS * len(one & other) // (len(one) + len(other))
