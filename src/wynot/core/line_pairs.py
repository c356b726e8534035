"""Which of the lines that go became which of those that come.

A line that was edited is one change. Taken apart it would leave the old line out without the new
one, or have both: texts that nobody wrote. So as many lines as there can be are paired, in order.
If there are as many on both sides, the first became the first and so on, as editors and reviews
show it. Else those that have most words in common belong together.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wynot.core.difference import Effort

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
        partners = set(_places(old, new, effort))
        return (LinePair(place in partners, comes=True) for place in range(len(new)))
    partners = set(_places(new, old, effort))
    return (LinePair(goes=True, comes=place in partners) for place in range(len(old)))


def _places(shorter: Sequence[bytes], longer: Sequence[bytes], effort: Effort) -> Sequence[int]:
    """Return the partners of all lines of the shorter side, so that most is in common.

    A line can only be as far behind its own number as there are lines too many: its *lag*, which
    never shrinks from one line to the next. Of equally good partners the first is taken.
    """
    lags = range(len(longer) - len(shorter) + 1)
    if len(lags) == 1 or not effort.affords(_PAIR_STEPS * len(lags) * len(shorter)):
        return range(len(shorter))
    ours, theirs = [_words(line) for line in shorter], [_words(line) for line in longer]
    scores = [0 for _ in lags]
    chosen: list[list[int]] = []
    for number, words in enumerate(ours):
        bests, best = [], 0
        for lag in lags:
            best = lag if scores[lag] > scores[best] else best
            bests.append(best)
        common = (_in_common(words, theirs[number + lag]) for lag in lags)
        scores = [scores[best] + more for best, more in zip(bests, common, strict=True)]
        chosen.append(bests)
    lag = max(lags, key=scores.__getitem__)
    places: list[int] = []
    for number in reversed(range(len(shorter))):
        places.append(number + lag)
        lag = chosen[number][lag]
    return places[::-1]


def _words(line: bytes) -> frozenset[bytes]:
    """Return what a line is made of; its indentation is one of its words."""
    return frozenset(_WORD.findall(line))


def _in_common(one: frozenset[bytes], other: frozenset[bytes]) -> int:
    """Return how much two lines have in common (the coefficient of Dice and Sørensen)."""
    return _FULL_LIKENESS * len(one & other) // (len(one) + len(other))
