"""The original, with every part coloured by when it went: the figures of the papers, of real runs.

``003`` shows in Figures 2 and 6 which parts of an input went with which test; this is the same for
a whole file, with the parts that are left standing out.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from wynot.report.origins import NO_STEP, Run
from wynot.report.visible import dotted, is_text, visible

HUE_COUNT = 8
"""Colours for early to late."""
BLOCK_CHARS = 6_000
"""Characters that a browser lays out at once: what cannot be seen yet waits."""
MAX_MAP_CHARS = 2_200_000
"""Characters of all maps together; the strip shows the rest."""
STRIP_CELLS = 200


def hue(step: int, steps: int) -> int:
    """Return the colour of a step."""
    return min(HUE_COUNT - 1, HUE_COUNT * (step - 1) // max(1, steps))


def strip(runs: Sequence[Run], size: int, steps: int) -> str:
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
        cells.append("<i class=k></i>" if survives else f"<i class=h{hue(latest, steps)}></i>")
    return f'<div class=strip aria-hidden="true">{"".join(cells)}</div>'


def cut_map(content: bytes, runs: Sequence[Run], steps: int, room: int) -> tuple[str, int]:
    """Return a file as a map, and how many characters of room are left."""
    as_text = is_text(content)
    pieces = ((run, (visible if as_text else dotted)(content[run.start : run.end])) for run in runs)
    parts, used = [], 0
    for block in _blocks(pieces):
        made = "".join(_marked(run, text, steps) for run, text in block)
        used += len(made)
        if used > room:
            parts.append("<div class=note>… the rest is not shown</div>")
            break
        parts.append(f"<div>{made}</div>")
    return f"<pre class=map tabindex=0>{''.join(parts)}</pre>", room - used


def _marked(run: Run, text: str, steps: int) -> str:
    if run.step == NO_STEP:
        return f"<b>{escape(text)}</b>"
    return f"<s class=h{hue(run.step, steps)} data-step={run.step}>{escape(text)}</s>"


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
