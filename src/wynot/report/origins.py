"""Where each byte of the result stood in the original, and the map of what went when.

``003`` shows in Figures 2 and 6 which parts of an input went with which test; this is the same for
a whole file, with the parts that are left standing out.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from wynot.core.files import is_text
from wynot.core.foreign_text import Html, dotted, for_html, legible
from wynot.core.texts.difference import Effort, text_changes
from wynot.document.html import fragment, preformatted, tag

NEW_BYTES = -1
"""The origin of bytes that a step has put in."""
NO_STEP = 0
"""The step of bytes that are still there; steps count from 1."""


MAX_STEP_EFFORT = 1_000_000
"""What a step may cost that replaces many lines."""
MAX_LINE_BYTES = 4096
"""Bytes of a line up to which it is looked at as a whole."""


class Run(NamedTuple):
    """Bytes of the original that went with the same step."""

    start: int
    end: int
    step: int


class Origins:
    """A file of the original on its way through the steps."""

    def __init__(self, original: bytes) -> None:
        self._content = self._original = original
        self._starts = [0] if original else []
        self._lengths = [len(original)] if original else []
        self._gone: list[Run] = []

    def go(self, content: bytes, step: int, head: int, tail: int) -> None:
        """Take a step: all but the first and last so many bytes may have changed."""
        # Of two lines that begin alike the first is gone, and not the end of one and the beginning
        # of the other.
        head = _line_start(self._content, head)
        tail = len(self._content) - _line_end(self._content, len(self._content) - tail)
        old = self._content[head : len(self._content) - tail]
        new = content[head : len(content) - tail]
        first = self._cut(head)
        last = self._cut(len(self._content) - tail)
        middle = list(zip(self._starts[first:last], self._lengths[first:last], strict=True))
        starts, lengths = self._middle(middle, old, new, step)
        self._starts[first:last], self._lengths[first:last] = starts, lengths
        self._content = content

    def gone(self, step: int) -> None:
        """Take a step in which the whole file goes."""
        self.go(b"", step, 0, 0)

    def runs(self) -> list[Run]:
        """Return the original in runs, from its first byte to its last."""
        # A part may have come back with an earlier case and gone again: the last step counts.
        by_step = dict[int, int]()
        left = [
            Run(start, start + length, NO_STEP)
            for start, length in zip(self._starts, self._lengths, strict=True)
            if start != NEW_BYTES
        ]
        bounds = sorted({each for run in (*self._gone, *left) for each in run[:2]})
        places = {bound: number for number, bound in enumerate(bounds)}
        for run in (*self._gone, *left):
            for number in range(places[run.start], places[run.end]):
                by_step[number] = run.step
        return _joined(
            [
                Run(bounds[number], bounds[number + 1], step)
                for number, step in sorted(by_step.items())
            ]
        )

    def _cut(self, at: int) -> int:
        """Have a piece begin at an offset of the case, and return which one."""
        ends = list(accumulate(self._lengths))
        number = bisect_right(ends, at)
        if number == len(ends):
            return number
        inner = at - (ends[number] - self._lengths[number])
        if inner == 0:
            return number
        start, length = self._starts[number], self._lengths[number]
        later = start if start == NEW_BYTES else start + inner
        self._starts[number : number + 1] = [start, later]
        self._lengths[number : number + 1] = [inner, length - inner]
        return number + 1

    def _middle(
        self, pieces: list[tuple[int, int]], old: bytes, new: bytes, step: int
    ) -> tuple[list[int], list[int]]:
        """Return the origins of what is now in the middle, and note what went."""
        starts: list[int] = []
        lengths: list[int] = []
        walk = _Walk(pieces)
        for start, stop, begin, end in text_changes(old, new, Effort(MAX_STEP_EFFORT)):
            for origin, length in walk.to(start):
                starts.append(origin)
                lengths.append(length)
            self._note(walk.to(stop), step)
            if end > begin:
                starts.append(NEW_BYTES)
                lengths.append(end - begin)
        for origin, length in walk.to(len(old)):
            starts.append(origin)
            lengths.append(length)
        return starts, lengths

    def _note(self, pieces: list[tuple[int, int]], step: int) -> None:
        self._gone += [
            Run(start, start + length, step) for start, length in pieces if start != NEW_BYTES
        ]


class _Walk:
    """Goes through pieces from the left to the right."""

    def __init__(self, pieces: list[tuple[int, int]]) -> None:
        self._pieces = pieces
        self._number = self._used = self._at = 0

    def to(self, offset: int) -> list[tuple[int, int]]:
        """Return the pieces up to an offset, the last one cut there."""
        passed = []
        while self._at < offset:
            start, length = self._pieces[self._number]
            advance = min(length - self._used, offset - self._at)
            passed.append((start if start == NEW_BYTES else start + self._used, advance))
            self._at += advance
            self._used += advance
            if self._used == length:
                self._number, self._used = self._number + 1, 0
        return passed


def _line_start(content: bytes, at: int) -> int:
    """Return where the line begins that an offset is in, unless it is too long."""
    found = content.rfind(b"\n", max(0, at - MAX_LINE_BYTES), at)
    return found + 1 if found >= 0 or at <= MAX_LINE_BYTES else at


def _line_end(content: bytes, at: int) -> int:
    """Return where it ends."""
    found = content.find(b"\n", at, at + MAX_LINE_BYTES)
    if found < 0:
        return len(content) if len(content) - at <= MAX_LINE_BYTES else at
    return found + 1


def _joined(runs: list[Run]) -> list[Run]:
    """Return the runs, with neighbours of the same step as one."""
    joined: list[Run] = []
    for run in runs:
        if joined and joined[-1].step == run.step and joined[-1].end == run.start:
            joined[-1] = joined[-1]._replace(end=run.end)
        else:
            joined.append(run)
    return joined


HUE_COUNT = 8
"""Colours for early to late."""
BLOCK_CHARS = 6_000
"""Characters that a browser lays out at once: what cannot be seen yet waits."""
MAX_MAP_CHARS = 2_200_000
"""Characters of all maps together; the strip shows the rest."""
STRIP_CELLS = 200
LINE_CHARS = 120
"""Characters that are about as long as a line of a page."""
PASS_COLOURS = 8
"""Colours for passes; the ninth has that of the first."""


class MapColours(NamedTuple):
    """The classes of a step: when it was, and which pass made it."""

    steps: int
    passes: Mapping[int, int]
    """For each step the colour of its pass."""
    named: Mapping[int, list[str]]
    """For each colour the passes that have it."""

    @classmethod
    def of(cls, steps: Sequence[tuple[int, str]]) -> "MapColours":
        """Return those of steps, each with its number and the name of its pass."""
        order = {name: at for at, name in enumerate(dict.fromkeys(name for _, name in steps))}
        named: dict[int, list[str]] = {}
        for name, at in order.items():
            named.setdefault(at % PASS_COLOURS, []).append(name)
        passes = {number: order[name] % PASS_COLOURS for number, name in steps}
        return cls(max(1, len(steps)), passes, named)

    def classes(self, step: int) -> str:
        """Return the two classes."""
        when = min(HUE_COUNT - 1, HUE_COUNT * (step - 1) // self.steps)
        return f"h{when} p{self.passes.get(step, 0)}"


def strip(runs: Sequence[Run], size: int, colours: MapColours) -> Html:
    """Return a file as one line of cells, from its first byte to its last."""
    cells = []
    number = 0
    for cell in range(min(STRIP_CELLS, size)):
        at, end = cell * size // STRIP_CELLS, max(1, (cell + 1) * size // STRIP_CELLS)
        while number < len(runs) - 1 and runs[number].end <= at:
            number += 1
        inside = []
        for run in runs[number:]:
            if run.start >= end:
                break
            inside.append(run)
        survives = any(run.step == NO_STEP for run in inside)
        latest = max((run.step for run in inside), default=1)
        cells.append(tag("i", class_="k" if survives else colours.classes(latest)))
    return tag("div", *cells, class_="strip", aria_hidden="true")


def cut_map(
    content: bytes, runs: Sequence[Run], colours: MapColours, room: int
) -> tuple[Html, int]:
    """Return a file as a map, and how many characters of room are left."""
    as_text = is_text(content)
    pieces = ((run, (legible if as_text else dotted)(content[run.start : run.end])) for run in runs)
    parts, used = [], 0
    for block in _blocks(pieces):
        made = fragment(_marked(run, text, colours) for run, text in block)
        used += len(made)
        if used > room:
            parts.append(tag("div", for_html("… the rest is not shown"), class_="note"))
            break
        parts.append(tag("div", made, style=f"--n:{_height(block)}"))
    kind = "map long" if len(parts) > 1 else "map"
    return preformatted(fragment(parts), kind), room - used


def _height(block: Sequence[tuple[Run, str]]) -> int:
    """Return about how many lines a block has: so much room it gets before it is laid out."""
    text = "".join(text for _, text in block)
    return sum(1 + len(line) // LINE_CHARS for line in text.split("\n"))


def _marked(run: Run, text: str, colours: MapColours) -> Html:
    if run.step == NO_STEP:
        return tag("b", for_html(text))
    return tag("s", for_html(text), class_=colours.classes(run.step), data_step=run.step)


def _blocks(pieces: Iterable[tuple[Run, str]]) -> Iterator[list[tuple[Run, str]]]:
    """Return the pieces in blocks that end where a line does, if there are lines."""
    block: list[tuple[Run, str]] = []
    size = 0
    for run, whole in pieces:
        text = whole
        while size + len(text) > BLOCK_CHARS:
            end = text.find("\n", BLOCK_CHARS - size, 2 * BLOCK_CHARS - size) + 1
            if not end:
                if len(text) < 2 * BLOCK_CHARS - size:
                    break
                end = BLOCK_CHARS
            # The end of the block is the end of the line.
            yield [*block, (run, text[:end].removesuffix("\n"))]
            block, size, text = [], 0, text[end:]
        if text:
            block.append((run, text))
            size += len(text)
    if block:
        yield block
