"""Lines that fit on one, and blanks that seem to be needed: a few bytes, for few tests."""

from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import Forest
from wynot.passes.leftovers.short_text import short_texts

LONGEST_LINE = 80
"""Characters of a line that is easy to read."""


def line_joins(forest: Forest) -> Iterator[Rewrite]:
    """Leave out line ends, as long as no line gets too long."""
    for text in short_texts(forest):
        cut, width = text.cut, 0
        for number in range(1, text.count):
            start, stop = cut.stops[number - 1], cut.starts[number]
            gap = cut.content[start:stop]
            width += start - cut.starts[number - 1] + len(gap.replace(b"\n", b""))
            if b"\n" not in gap:
                continue
            least = b" " if cut.would_join(number - 1, number) else b""
            line = cut.content[stop:].partition(b"\n")[0]
            if width + len(least) + len(line) > LONGEST_LINE:
                width = 0
            else:
                yield Rewrite("without line ends", (Patch(cut.path, start, stop, least),))


def all_blanks(forest: Forest) -> Iterator[Rewrite]:
    """Leave out blanks, also where tokens could run together."""
    for text in short_texts(forest):
        cut = text.cut
        for number in range(1, text.count):
            start, stop = cut.stops[number - 1], cut.starts[number]
            if start < stop and b"\n" not in cut.content[start:stop]:
                yield Rewrite("without any blank", (Patch(cut.path, start, stop),))
