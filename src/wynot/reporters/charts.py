"""Small charts out of characters."""

from collections.abc import Sequence
from math import ceil, log

from wynot.core.deltas import Deltas

BLOCKS = " ▁▂▃▄▅▆▇█"
_FULL_BLOCK = len(BLOCKS) - 1


def bar(share: float, columns: int) -> tuple[str, str]:
    """Return the full and the empty part of a bar; what is not nothing has something to show."""
    share = min(1.0, max(0.0, share))
    halves = round(2 * columns * share)
    if share:
        halves = max(1, halves)
    full = "━" * (halves // 2) + "╸" * (halves % 2)
    return full, "─" * (columns - len(full))


def lowest(size: int, top: int) -> int:
    """Return the round number (1, 2, 5, 10, …) at which a curve down to a size may end."""
    ten = 10 ** (len(str(max(1, min(size, top - 1)))) - 1)
    return next((low for low in (5 * ten, 2 * ten, ten) if low <= size and low < top), 1)


def curve(
    steps: Sequence[tuple[float, int]], until: float, *, columns: int, rows: int
) -> list[str]:
    """Return the size over time as so many rows: a logarithmic scale from ``lowest`` to the first.

    A column shows the size at its end, so that the last one is that of now.
    """
    if not steps:
        return [""] * rows
    start, top = steps[0]
    low = lowest(min(size for _, size in steps), top)
    span = max(until - start, 1e-9)
    heights = []
    place = 0
    for column in range(columns):
        end = start + span * (column + 1) / columns
        while place + 1 < len(steps) and steps[place + 1][0] <= end:
            place += 1
        heights.append(_height(steps[place][1], low, top) * rows * _FULL_BLOCK)
    eighths = [max(1, round(height)) for height in heights]
    return [
        "".join(BLOCKS[min(_FULL_BLOCK, max(0, each - _FULL_BLOCK * row))] for each in eighths)
        for row in reversed(range(rows))
    ]


def _height(size: int, low: int, top: int) -> float:
    if size <= low:
        return 0.0
    return 1.0 if size >= top else log(size / low) / log(top / low)


def strip(deltas: Deltas, total: int, columns: int) -> str:
    """Return which of so many deltas are there, as one row.

    Of the deltas that a column stands for, the height shows how many there are.
    """
    row = ""
    for column in range(columns):
        low, high = column * total // columns, (column + 1) * total // columns
        high = max(low + 1, high)
        share = (deltas.rank(high) - deltas.rank(low)) / (high - low)
        row += BLOCKS[ceil(share * _FULL_BLOCK)]
    return row
