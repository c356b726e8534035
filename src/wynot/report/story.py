"""The story of a run from its journal: steps, and when they were made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from wynot.core.events import LINE_ENDS
from wynot.core.explanation import Explanation, recalled_explanation
from wynot.core.files import Files
from wynot.core.foreign_text import for_html, legible, read_json
from wynot.core.options.quantities import counted
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.disk.chronicle import GIVEN_UP, PassSpan, RunSpan, spans_of
from wynot.disk.journal import Journal
from wynot.disk.rows import StepRow
from wynot.report.origins import Origins, Run
from wynot.report.page_frame import scrolled
from wynot.report.step_view import Line, changed, lines_of

MAX_VIEW_CHARS = 1_500_000
"""Characters of all changes together; what comes after that is told in figures."""
ESCAPED_CHARS = 6
"""Characters that one takes which a page has to escape."""


class StepView(NamedTuple):
    """An accepted step, and what it changed."""

    row: StepRow
    lines: tuple[tuple[str, tuple[Line, ...]], ...]
    """For each file what is shown of it."""


class PassFigures(NamedTuple):
    """What a pass came to, all its times together."""

    name: str
    steps: int
    size: int
    """Bytes that went with it."""
    tests: int
    seconds: float


class Story(NamedTuple):
    """All that a page tells."""

    original: Files
    result: Files
    steps: Sequence[StepView]
    runs: dict[str, list[Run]]
    """For each file of the original, which bytes went with which step."""
    verdicts: Counter[str]
    endings: Counter[str]
    seconds: float
    """How long all the tests took together."""
    options: dict[str, object]
    minimal: tuple[str, ...]
    is_finished: bool
    test_spans: Sequence[RunSpan] = ()
    pass_spans: Sequence[PassSpan] = ()
    seen: str = ""
    """What the failure looks like on the result, in a line; empty if that is not known."""
    explanation: Explanation | None = None
    """Why it fails, if that was found out."""
    line_ends: int = 0
    """How many steps put final newlines back, after what is proved was proved."""

    @property
    def tests(self) -> int:
        """How many tests were run; more than a single worker would have needed."""
        return self.verdicts.total()

    @property
    def passes(self) -> list[PassFigures]:
        """What each pass came to, in the order in which they were first tried."""
        steps, sizes, tests = Counter[str](), Counter[str](), Counter[str]()
        seconds = dict.fromkeys((span.name for span in self.pass_spans), 0.0)
        for span in self.pass_spans:
            tests[span.name] += span.tests
            seconds[span.name] += span.ended - span.began
        before = self.original.size
        for step in self.steps:
            steps[step.row.pass_name] += 1
            sizes[step.row.pass_name] += before - step.row.size
            before = step.row.size
        return [
            PassFigures(name, steps[name], sizes[name], tests[name], seconds.get(name, 0.0))
            for name in dict.fromkeys((*seconds, *steps))
        ]


def story_of(journal: Journal) -> Story:
    """Read a journal."""
    origins = {path: Origins(content) for path, content in journal.original().contents.items()}
    before = journal.original()
    steps = []
    room = MAX_VIEW_CHARS
    for row, (after, _) in zip(journal.steps(), journal.states(), strict=True):
        lines = []
        for change in changed(before, after):
            is_gone = change.path not in after.contents
            origins[change.path].go(change.after, row.number, change.head, change.tail)
            shown = tuple(lines_of(change, is_gone=is_gone)) if room > 0 else ()
            room -= sum(_room(text) for _, text in shown)
            lines.append((change.path, shown))
        steps.append(StepView(row, tuple(lines)))
        before = after
    verdicts, endings, seconds = Counter[str](), Counter[str](), 0.0
    for verdict, how, count, took in journal.figures():
        verdicts[verdict.value] += count
        endings[how] += count
        seconds += took
    return Story(
        journal.original(),
        before,
        steps,
        {path: each.runs() for path, each in origins.items()},
        verdicts,
        endings,
        seconds,
        _mapping(journal.fact("options")),
        tuple(_words(journal.fact("minimal"))),
        journal.fact("state") == Stop.FINISHED,
        *spans_of(journal),
        _seen(journal.fact("likeness")),
        recalled_explanation(journal.fact("explanation")),
        int(bool(steps) and steps[-1].row.pass_name == LINE_ENDS),
    )


def _room(text: str) -> int:
    """Return how many characters a line takes in a page, about."""
    return 8 + len(text) + (ESCAPED_CHARS - 1) * sum(map(text.count, '<>&"\\'))


def _seen(fact: str) -> str:
    match read_json(fact):
        case [str(), str(now), *_]:
            return now
    return ""


INTERESTING = Verdict.INTERESTING.value


def _mapping(fact: str) -> dict[str, object]:
    found = read_json(fact)
    return found if isinstance(found, dict) else {}


def _words(fact: str) -> list[str]:
    found = read_json(fact)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


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
WORDS = {
    "yes": "interesting",
    "no": "not interesting",
    "odd": "unresolved",
    "vain": "a bet that was taken back",
}
RANKS = {kind: rank for rank, kind in enumerate(KINDS.values())}


def timeline(tests: Sequence[RunSpan], passes: Sequence[PassSpan]) -> str:
    """Return the picture; empty if nothing is known."""
    if not tests:
        return ""
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
    paths = "".join(
        f'<path class="{kind}" d="{"".join(boxes)}"/>' for kind, boxes in shown.items() if boxes
    )
    told = f"{counted(len(tests), 'test')} on {counted(len(workers), 'worker')}, {end:,.1f} s"
    picture = (
        f'<svg class="chart timeline" viewBox="0 0 {CHART_WIDTH} {bottom + 24:.0f}" role="img" '
        f'aria-label="{for_html(told)}">{paths}{_marks(passes, end, bottom)}'
        f'<text x="{LEFT_MARGIN - 8}" y="{min(bottom, 14):.0f}" text-anchor="end">'
        f"{counted(len(workers), 'worker')}</text></svg>"
    )
    legend = "".join(
        f'<li><span class="swatch {kind}"></span> {words}</li>' for kind, words in WORDS.items()
    )
    return f'{scrolled(picture, "timeline of workers")}\n<ul class="legend">{legend}</ul>'


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


def _marks(passes: Sequence[PassSpan], end: float, bottom: float) -> str:
    """Return the name of each pass that is long enough to be named, and when it ended."""
    parts = []
    free = 0.0
    for span in passes:
        at = LEFT_MARGIN + (CHART_WIDTH - LEFT_MARGIN - RIGHT_MARGIN) * min(1, span.began / end)
        if at >= free:
            name = legible(span.name)
            free = at + 8 * len(name) + 12
            if free <= CHART_WIDTH - END_WIDTH:
                parts.append(f'<text x="{at:.0f}" y="{bottom + 16:.0f}">{for_html(name)}</text>')
    x, y = CHART_WIDTH - RIGHT_MARGIN, bottom + 16
    parts.append(f'<text x="{x}" y="{y:.0f}" text-anchor="end">{end:,.1f} s</text>')
    return "".join(parts)
