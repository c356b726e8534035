"""Which bytes of a text are still there after a step.

A journal says what is in the place of the middle of a file. Most steps only leave parts out, so
what is new is nearly always a part of what was old: lines are matched first, then what is between
them token by token.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

LINES = re.compile(rb"[^\n]*\n|[^\n]+")
TOKENS = re.compile(rb"[0-9A-Za-z_\x80-\xff]+|[ \t]+|[^0-9A-Za-z_\x80-\xff \t]")
MAX_COMPARISONS = 1_000_000
"""Pairs of pieces up to which the best match is looked for, and not only the first one."""


class Kept(NamedTuple):
    """Bytes that are the same before and after."""

    before: int
    after: int
    length: int


def kept(before: bytes, after: bytes) -> Iterator[Kept]:
    """Return what is left, from the left to the right, in pieces that do not overlap."""
    at = there = 0
    for match in (*_matches(before, after, LINES), Kept(len(before), len(after), 0)):
        lost, found = before[at : match.before], after[there : match.after]
        if lost and found:
            for inner in _matches(lost, found, TOKENS):
                yield Kept(at + inner.before, there + inner.after, inner.length)
        if match.length:
            yield match
        at, there = match.before + match.length, match.after + match.length


def _matches(before: bytes, after: bytes, kind: "re.Pattern[bytes]") -> Iterator[Kept]:
    """Return the pieces of a kind that both have, in bytes."""
    olds, news = kind.findall(before), kind.findall(after)
    old_starts = [0, *accumulate(map(len, olds))]
    new_starts = [0, *accumulate(map(len, news))]
    is_small = len(olds) * len(news) <= MAX_COMPARISONS
    for at, there, count in _best(olds, news) if is_small else _first(olds, news):
        start = old_starts[at]
        yield Kept(start, new_starts[there], old_starts[at + count] - start)


def _best(olds: Sequence[bytes], news: Sequence[bytes]) -> Iterator[tuple[int, int, int]]:
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    return ((*block,) for block in matcher.get_matching_blocks() if block.size)


def _first(olds: Sequence[bytes], news: Sequence[bytes]) -> Iterator[tuple[int, int, int]]:
    """Match each piece with the first one after the last that was matched."""
    places: dict[bytes, list[int]] = defaultdict(list)
    for number, piece in enumerate(olds):
        places[piece].append(number)
    at = 0
    for number, piece in enumerate(news):
        found = places.get(piece, [])
        index = bisect_left(found, at)
        if index < len(found):
            yield found[index], number, 1
            at = found[index] + 1
