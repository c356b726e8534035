"""The story of a run from its journal: steps, and when they were made."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from wynot.core.events import LINE_ENDS
from wynot.core.explanation import Explanation, recalled_explanation
from wynot.core.files import Files
from wynot.core.foreign_text import read_json
from wynot.core.standing import Stop
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import EXPLAIN_EPOCH, StepRow
from wynot.disk.run_timeline import PassSpan, RunSpan, spans_of
from wynot.report.origins import Origins, Run
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
    for ran in journal.verdicts():
        if ran.epoch < EXPLAIN_EPOCH:
            verdicts[ran.verdict.value] += 1
            endings[ran.how] += 1
            seconds += ran.seconds
    return Story(
        journal.original(),
        before,
        steps,
        {path: each.runs() for path, each in origins.items()},
        verdicts,
        endings,
        seconds,
        _mapping(journal.fact("options")),
        tuple(_proved_kinds(journal.fact("minimal"))),
        journal.fact("state") == Stop.FINISHED,
        *spans_of(journal.events()),
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


def _proved_kinds(fact: str) -> list[str]:
    found = read_json(fact)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
