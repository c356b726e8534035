"""What a step changed, and two sides beside each other, as HTML.

A journal says what is in the place of the middle of a file. Most steps only leave parts out, so
what is new is nearly always a part of what was old: lines are matched first, then what is between
them token by token.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.foreign_text import for_html, legible
from wynot.core.texts.patches import common_ends

MAX_BINARY_SHARE = 0.1
"""Of the bytes of a text, how many may be none that a text has."""
ODD = bytes({*range(32), 127} - {9, 10, 12, 13})


def is_text(content: bytes) -> bool:
    """Tell whether a file is to be shown as text."""
    sample = content[:65536]
    odd = len(sample) - len(sample.translate(None, ODD))
    odd += sample.decode("utf-8", "replace").count("\ufffd")
    return odd <= MAX_BINARY_SHARE * len(sample)


def dotted(content: bytes) -> str:
    """Return content one character a byte."""
    return "".join(chr(each) if 32 <= each < 127 else "·" for each in content)  # noqa: PLR2004


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


MAX_SIDE_BYTES = 60_000
"""Bytes of each side that are shown, around the first difference."""
MIN_BEFORE_BYTES = 2_000
"""Bytes before it that are shown, if not all are."""


def pair_view(name: str, passing: bytes, failing: bytes) -> str:
    """Return the two sides of a file."""
    matches = list(kept(passing, failing))
    sides = (
        ("passes", passing, [(each.before, each.length) for each in matches]),
        ("fails", failing, [(each.after, each.length) for each in matches]),
    )
    shown = "".join(
        f"<div><h4>{what}</h4>"
        f'<pre tabindex="0" aria-label="the side that {what}">{_side(content, same)}</pre></div>'
        for what, content, same in sides
    )
    return f'<h3><code>{for_html(name)}</code></h3><div class="pair">{shown}</div>'


def _side(content: bytes, same: Iterable[tuple[int, int]]) -> str:
    write = legible if is_text(content) else dotted
    pieces = list(_pieces(len(content), same))
    first = next((start for start, _, differs in pieces if differs), 0)
    begin = 0 if len(content) <= MAX_SIDE_BYTES else max(0, first - MIN_BEFORE_BYTES)
    end = begin + MAX_SIDE_BYTES
    parts = [f'<span class="w">… {begin:,} bytes before\n</span>'] if begin else []
    for start, stop, differs in pieces:
        text = for_html(write(content[max(start, begin) : min(stop, end)]))
        parts.append(f"<mark>{text}</mark>" if differs and text else text)
    if end < len(content):
        parts.append(f'<span class="w">\n… {len(content) - end:,} more bytes</span>')
    return "".join(parts)


def _pieces(size: int, same: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
    """Return from where to where it goes, and whether that is on one side only."""
    at = 0
    for start, length in same:
        if start > at:
            yield at, start, True
        yield start, start + length, False
        at = start + length
    if size > at:
        yield at, size, True


CONTEXT_LINES = 2
MAX_LINES = 40
"""Lines of each side that are shown."""
MAX_LINE_CHARS = 240
MAX_COMPARED_LINES = 300
"""Lines up to which it is looked for where in the middle the two sides are the same."""
SAMPLE_BYTES = 24_000
"""Bytes around a change that are looked at."""


class ChangedMiddle(NamedTuple):
    """A file, and how much of its beginning and end a step has left alone."""

    path: str
    before: bytes
    after: bytes
    head: int
    tail: int


Line = tuple[str, str]
"""A line, and what became of it: ``-``, ``+``, a blank, or ``@`` for words of our own."""


def changed(before: Files, after: Files) -> Iterator[ChangedMiddle]:
    """Return the files that differ."""
    for path, old in before.contents.items():
        new = after.contents.get(path, b"")
        if old is not new and (old != new or path not in after.contents):
            yield ChangedMiddle(path, old, new, *common_ends(old, new))


def lines_of(change: ChangedMiddle, *, is_gone: bool) -> list[Line]:
    """Return the lines that show a change."""
    if not (is_text(change.before) and is_text(change.after)):
        return [("@", f"{len(change.before):,} → {len(change.after):,} bytes, at {change.head:,}")]
    if is_gone:
        return [("@", f"the file went, {len(change.before):,} bytes")]
    before, after, skipped = _windows(change)
    olds, news = legible(before).split("\n"), legible(after).split("\n")
    if len(olds) + len(news) > MAX_COMPARED_LINES:
        shown = [*_some("-", olds), *_some("+", news)]
    else:
        shown = list(_compared(olds, news))
    return shown if not skipped else [*shown, ("@", f"… {skipped:,} more bytes")]


def _windows(change: ChangedMiddle) -> tuple[bytes, bytes, int]:
    """Return both sides of the middle, with a few lines around it, and how much is left out."""
    start = _lines_before(change.before, change.head)
    ends = []
    for content in (change.before, change.after):
        end = _lines_after(content, max(change.head, len(content) - change.tail))
        ends.append(min(end, start + SAMPLE_BYTES))
    skipped = len(change.before) - change.tail - ends[0]
    return change.before[start : ends[0]], change.after[start : ends[1]], max(0, skipped)


def _lines_before(content: bytes, at: int) -> int:
    for _ in range(CONTEXT_LINES + 1):
        found = content.rfind(b"\n", max(0, at - MAX_LINE_CHARS), at)
        if found < 0:
            return max(0, at - MAX_LINE_CHARS)
        at = found
    return at + 1


def _lines_after(content: bytes, at: int) -> int:
    for _ in range(CONTEXT_LINES + 1):
        found = content.find(b"\n", at, at + MAX_LINE_CHARS)
        if found < 0:
            return min(len(content), at + MAX_LINE_CHARS)
        at = found + 1
    return at - 1


def _some(sign: str, lines: list[str]) -> list[Line]:
    """Return the first and the last lines of many."""
    if len(lines) <= MAX_LINES:
        return [(sign, _cut(line)) for line in lines]
    half = MAX_LINES // 2
    left_out = ("@", f"… {len(lines) - 2 * half:,} more lines")
    first, last = lines[:half], lines[-half:]
    return [*((sign, _cut(x)) for x in first), left_out, *((sign, _cut(x)) for x in last)]


def _compared(olds: list[str], news: list[str]) -> Iterator[Line]:
    matcher = SequenceMatcher(None, olds, news, autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            yield from _around(olds[first:last], is_first=first == 0, is_last=last == len(olds))
        else:
            yield from _some("-", olds[first:last])
            yield from _some("+", news[start:end])


def _around(lines: list[str], *, is_first: bool, is_last: bool) -> list[Line]:
    """Return what did not change, of long passages what is next to a change."""
    few = 2 * CONTEXT_LINES + 1
    if is_first:
        lines = lines[-CONTEXT_LINES:]
    elif is_last:
        lines = lines[:CONTEXT_LINES]
    elif len(lines) > few:
        between = ("@", f"… {len(lines) - 2 * CONTEXT_LINES:,} lines stay")
        first, last = lines[:CONTEXT_LINES], lines[-CONTEXT_LINES:]
        return [*((" ", _cut(x)) for x in first), between, *((" ", _cut(x)) for x in last)]
    return [(" ", _cut(line)) for line in lines]


def _cut(line: str) -> str:
    if len(line) <= MAX_LINE_CHARS:
        return line
    return f"{line[:MAX_LINE_CHARS]} … {len(line) - MAX_LINE_CHARS:,} more characters"
