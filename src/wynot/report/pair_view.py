"""Two sides of a file beside each other, with what differs marked: a pair that hardly differs."""

from collections.abc import Iterable, Iterator

from wynot.core.foreign_text import for_html, legible
from wynot.report.alignment import kept
from wynot.report.visible import dotted, is_text

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
