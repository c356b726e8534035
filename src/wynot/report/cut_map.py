"""The original, with every part coloured by when it went: the figures of the papers, of real runs.

``003`` shows in Figures 2 and 6 which parts of an input went with which test; this is the same for
a whole file, with the parts that are left standing out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from wynot.core.foreign_text import for_html, legible
from wynot.report.origins import NO_STEP, Run
from wynot.report.visible import dotted, is_text

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
        return f'"h{when} p{self.passes.get(step, 0)}"'


def strip(runs: Sequence[Run], size: int, colours: MapColours) -> str:
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
        cells.append("<i class=k></i>" if survives else f"<i class={colours.classes(latest)}></i>")
    return f'<div class=strip aria-hidden="true">{"".join(cells)}</div>'


def cut_map(content: bytes, runs: Sequence[Run], colours: MapColours, room: int) -> tuple[str, int]:
    """Return a file as a map, and how many characters of room are left."""
    as_text = is_text(content)
    pieces = ((run, (legible if as_text else dotted)(content[run.start : run.end])) for run in runs)
    parts, used = [], 0
    for block in _blocks(pieces):
        made = "".join(_marked(run, text, colours) for run, text in block)
        used += len(made)
        if used > room:
            parts.append("<div class=note>… the rest is not shown</div>")
            break
        parts.append(f'<div style="--n:{_height(block)}">{made}</div>')
    kind = '"map long"' if len(parts) > 1 else "map"
    return f"<pre class={kind} tabindex=0>{''.join(parts)}</pre>", room - used


def _height(block: Sequence[tuple[Run, str]]) -> int:
    """Return about how many lines a block has: so much room it gets before it is laid out."""
    text = "".join(text for _, text in block)
    return sum(1 + len(line) // LINE_CHARS for line in text.split("\n"))


def _marked(run: Run, text: str, colours: MapColours) -> str:
    if run.step == NO_STEP:
        return f"<b>{for_html(text)}</b>"
    return f"<s class={colours.classes(run.step)} data-step={run.step}>{for_html(text)}</s>"


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
