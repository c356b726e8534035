"""What a step changed, in lines.

A journal says what is in the place of the middle of a file: it is shown line by line.
"""

from collections.abc import Iterator
from typing import NamedTuple

from wynot.core.files import Files, is_text
from wynot.core.foreign_text import legible
from wynot.core.texts.difference import Effort, changes
from wynot.core.texts.patches import common_ends

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
    here = 0
    for start, stop, begin, end in (
        *changes(olds, news, Effort()),
        (len(olds), len(olds), len(news), len(news)),
    ):
        if here < start:
            yield from _around(olds[here:start], is_first=here == 0, is_last=start == len(olds))
        yield from _some("-", olds[start:stop])
        yield from _some("+", news[begin:end])
        here = stop


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
