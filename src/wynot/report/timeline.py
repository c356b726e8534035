"""The picture of what each worker did when."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from wynot.core.foreign_text import Html, for_html, legible
from wynot.core.options.quantities import counted
from wynot.core.verdict import Verdict
from wynot.disk.run_timeline import GIVEN_UP, PassSpan, RunSpan
from wynot.document.html import EMPTY, fragment, scrolled, tag

CHART_WIDTH = 860
LEFT_MARGIN = 70
RIGHT_MARGIN = 16
END_WIDTH = 70
"""Room for how long it took."""
MAX_ROW_HEIGHT = 14
MAX_HEIGHT = 480
MAX_CELLS = 12_000
"""Pieces of time of all workers together: shorter tests are shown by the one that says most."""
MAX_CELLS_EACH = 790
KINDS = {
    Verdict.UNINTERESTING.value: "no",
    Verdict.UNRESOLVED.value: "odd",
    GIVEN_UP: "vain",
    Verdict.INTERESTING.value: "yes",
}
"""The class of each kind of test; the later ones hide the earlier."""
MEANINGS = {
    "yes": "interesting",
    "no": "not interesting",
    "odd": "unresolved",
    "vain": "a bet that was taken back",
}
RANKS = {kind: rank for rank, kind in enumerate(KINDS.values())}


def timeline(tests: Sequence[RunSpan], passes: Sequence[PassSpan]) -> Html:
    """Return the picture; empty if nothing is known."""
    if not tests:
        return EMPTY
    workers: dict[int, list[RunSpan]] = {}
    for span in sorted(tests, key=lambda each: each.worker):
        workers.setdefault(span.worker, []).append(span)
    end = max(1e-9, *(span.ended for span in tests))
    height = max(1.0, min(MAX_ROW_HEIGHT, MAX_HEIGHT / len(workers)))
    cells = max(1, min(MAX_CELLS_EACH, MAX_CELLS // len(workers)))
    bottom = height * len(workers)
    unit = (CHART_WIDTH - LEFT_MARGIN - RIGHT_MARGIN) / cells
    shown: dict[str, list[str]] = {kind: [] for kind in RANKS}
    for row, own in enumerate(workers.values()):
        for kind, first, last in _pieces(own, end, cells):
            left, width = LEFT_MARGIN + first * unit, (last - first) * unit
            box = f"M{left:.1f},{row * height:.1f}h{width:.1f}v{0.86 * height:.1f}h-{width:.1f}z"
            shown[kind].append(box)
    paths = (tag("path", class_=kind, d="".join(boxes)) for kind, boxes in shown.items() if boxes)
    count = counted(len(workers), "worker")
    picture = tag(
        "svg",
        *paths,
        _marks(passes, end, bottom),
        _label(LEFT_MARGIN - 8, min(bottom, 14), count, anchor="end"),
        class_="chart timeline",
        viewBox=f"0 0 {CHART_WIDTH} {bottom + 24:.0f}",
        role="img",
        aria_label=f"{counted(len(tests), 'test')} on {count}, {end:,.1f} s",
    )
    legend = (
        tag("li", tag("span", class_=f"swatch {kind}"), for_html(f" {meaning}"))
        for kind, meaning in MEANINGS.items()
    )
    return fragment((scrolled(picture, "timeline of workers"), tag("ul", *legend, class_="legend")))


def _label(x: float, y: float, text: str, *, anchor: str | None = None) -> Html:
    return tag("text", for_html(text), x=f"{x:.0f}", y=f"{y:.0f}", text_anchor=anchor)


def _pieces(spans: Sequence[RunSpan], end: float, cells: int) -> Iterator[tuple[str, int, int]]:
    """Return the kinds of tests of a worker, and from which cell to which each is shown."""
    row: dict[int, str] = {}
    for span in spans:
        kind = KINDS.get(span.what, "odd")
        first = int(max(0.0, span.ended - span.seconds) / end * cells)
        last = min(cells, max(first + 1, round(span.ended / end * cells)))
        for cell in range(first, last):
            if RANKS[kind] >= RANKS.get(row.get(cell, ""), -1):
                row[cell] = kind
    numbered = enumerate(sorted(row.items()))
    for (kind, _), group in groupby(numbered, lambda each: (each[1][1], each[1][0] - each[0])):
        found = [cell for _, (cell, _) in group]
        yield kind, found[0], found[-1] + 1


def _marks(passes: Sequence[PassSpan], end: float, bottom: float) -> Html:
    """Return the name of each pass that is long enough to be named, and when it ended."""
    parts = []
    free = 0.0
    for span in passes:
        at = LEFT_MARGIN + (CHART_WIDTH - LEFT_MARGIN - RIGHT_MARGIN) * min(1, span.began / end)
        if at >= free:
            free = at + 8 * len(legible(span.name)) + 12
            if free <= CHART_WIDTH - END_WIDTH:
                parts.append(_label(at, bottom + 16, span.name))
    x, y = CHART_WIDTH - RIGHT_MARGIN, bottom + 16
    return fragment([*parts, _label(x, y, f"{end:,.1f} s", anchor="end")])
