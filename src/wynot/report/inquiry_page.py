"""The page of an inquiry, from its record.

Of two inputs it shows the pair, of changes the commits with the places of each, and the patch.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic

from wynot.core.events import (
    Answered,
    Event,
    GivenUp,
    InquiryEnded,
    InquiryStarted,
    LevelStarted,
    Narrowed,
    Noticed,
    Ran,
)
from wynot.core.foreign_text import Html, for_script_line
from wynot.core.options.quantities import counted
from wynot.core.standing import Stop
from wynot.disk.run_timeline import GIVEN_UP, RunSpan
from wynot.document.blocks import (
    Bar,
    Block,
    CodeBlock,
    Difference,
    Facts,
    Paragraph,
    StyledText,
    Text,
    TextTable,
    code,
)
from wynot.document.html import fragment, framed, html, section, tiles
from wynot.document.sentences import proof
from wynot.report.timeline import timeline

MAX_SPANS = 200_000
"""Tests whose time is kept; a picture of more would be the same."""


@dataclass(slots=True)
class NarrowedLevel:
    """A level of a question: how many groups there were, and how many after so many tests."""

    question: str
    level: str
    units: int
    points: list[tuple[int, int]] = field(default_factory=list)

    @property
    def left(self) -> int:
        """How many there are in the end."""
        return self.points[-1][1] if self.points else self.units


@dataclass(slots=True)
class InquiryRecord:
    """Hands events on, and keeps what a page tells. Any thread may call it."""

    observe: Callable[[Event], None]
    clock: Callable[[], float] = monotonic
    started: InquiryStarted | None = None
    ended: InquiryEnded | None = None
    levels: list[NarrowedLevel] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    spans: list[RunSpan] = field(default_factory=list)
    _start: float = field(init=False)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._start = self.clock()

    def handle(self, event: Event) -> None:
        """Keep what belongs on the page, and hand the event on."""
        with self._lock:
            self._keep(event)
        self.observe(event)

    def _keep(self, event: Event) -> None:
        match event:
            case Ran():
                self._span(event.worker, event.seconds, event.verdict.value)
            case GivenUp():
                self._span(event.worker, event.seconds, GIVEN_UP)
            case InquiryStarted():
                self.started = event
            case LevelStarted():
                self.levels.append(NarrowedLevel(event.question, event.level, event.units))
            case Narrowed() if self.levels:
                self.levels[-1].points.append((event.tests, event.units))
            case Answered():
                self.answers.append(event)
            case Noticed():
                self.notices.append(event.message)
            case InquiryEnded():
                self.ended = event

    def _span(self, worker: int, seconds: float, what: str) -> None:
        if len(self.spans) < MAX_SPANS:
            self.spans.append(RunSpan(self.clock() - self._start, seconds, worker, what))


MAX_COMMITS = 200
"""Commits and pairs that are shown."""
MAX_LINES = 2_000
NAMES = {
    "cause": "What makes it fail",
    "commit": "The first bad one",
    "cure": "What to take back",
    "difference": "The difference",
}
SIGNS = {"+": "green", "-": "red", "@": "dim"}
FILE_HEADS = ("diff --git ", "--- ", "+++ ", "index ", "new file ", "deleted file ")


def inquiry_page(record: InquiryRecord, name: str, command: Sequence[str], version: str) -> str:
    """Return the page; ``name`` is the command that has asked."""
    titles, sections = dict[str, str](), list[Html]()
    for number, answer in enumerate(record.answers, start=1):
        key, title = f"answer{number}", NAMES.get(answer.question, answer.question)
        titles[key] = title
        sections.append(section(key, title, html(_answer(answer))))
    more = {
        "how it was found": ("course", html(_course(record.levels))),
        "workers": ("workers", timeline(record.spans, ())),
        "settings": ("settings", html(_settings(record, command, version))),
    }
    for title, (key, part) in more.items():
        if part:
            titles[key] = title
            sections.append(section(key, title.capitalize(), part))
    title = record.answers[0].title.rstrip(":") if record.answers else f"wynot {name}: no answer"
    return framed(title, fragment((_opening(record), *sections), "\n"), titles)


def _opening(record: InquiryRecord) -> Html:
    started, ended = record.started, record.ended
    blocks = []
    if started:
        blocks.append(Paragraph(f"{started.subject}; {started.keeps}", "lead"))
    if ended is None or ended.stopped != Stop.FINISHED:
        state = "It has not come to its end: the answers are as good as they could be had."
        blocks.append(Paragraph(state, "note"))
    blocks += [Paragraph(each, "note") for each in record.notices]
    figures = {}
    if ended is not None:
        figures["tests"] = f"{ended.tests:,}"
        figures["runs of the command"] = f"{ended.runs:,}"
        figures["seconds"] = f"{ended.seconds:,.1f}"
    return fragment((html(blocks), tiles(figures)))


def _answer(answer: Answered) -> Iterator[Block]:
    data = answer.data if isinstance(answer.data, Mapping) else {}
    commits, patch = data.get("commits"), data.get("patch")
    yield Paragraph(answer.title)
    if answer.minimal:
        yield Paragraph(proof([answer.minimal], question=answer.question))
    if isinstance(commits, list) and commits:
        yield from _commits(commits)
    yield from (Difference(*pair) for pair in answer.pairs[:MAX_COMMITS])
    if isinstance(patch, str) and patch:
        yield Paragraph("The patch", "heading")
        lines = [StyledText(_style(line), line) for line in patch.splitlines(keepends=True)]
        yield CodeBlock(lines, kind="diff")
    elif answer.lines and not commits:
        shown = [StyledText(style, f"{text}\n") for text, style in answer.lines[:MAX_LINES]]
        yield CodeBlock(shown, kind="diff")


def _commits(commits: Sequence[object]) -> Iterator[Block]:
    rows: list[tuple[Text, ...]] = []
    for commit in commits[:MAX_COMMITS]:
        if isinstance(commit, Mapping):
            facts = [str(commit.get(key) or "") for key in ("commit", "author", "date", "subject")]
            undone = " (taken back)" if commit.get("undone") else ""
            places = "\n".join(map(str, commit.get("places") or ()))
            rows.append(([code(facts[0][:10])], *facts[1:3], facts[3] + undone, places))
    yield TextTable("", ("commit", "author", "date", "subject", "places"), rows)
    if len(commits) > MAX_COMMITS:
        yield Paragraph(f"… {counted(len(commits) - MAX_COMMITS, 'commit')} more", "note")


def _style(line: str) -> str:
    return "dim" if line.startswith(FILE_HEADS) else SIGNS.get(line[:1], "")


def _course(levels: Sequence[NarrowedLevel]) -> Iterator[Block]:
    """Yield how many groups were left to choose from, level by level."""
    most = max((each.units for each in levels), default=0) or 1
    heads = ("question", "asked of", "at first", "left", "times fewer", "left")
    if levels:
        yield TextTable(
            "",
            heads,
            [
                (
                    *(each.question, each.level),
                    *(each.units, each.left, len(each.points), Bar(each.left / most)),
                )
                for each in levels
            ],
        )


def _settings(record: InquiryRecord, command: Sequence[str], version: str) -> Iterator[Block]:
    yield Paragraph("To ask again:")
    yield CodeBlock(for_script_line(command))
    written = record.ended.written if record.ended else ()
    if written:
        yield Paragraph("Written:")
        yield Facts([(name, [StyledText("path", place)]) for name, place in written])
    yield Paragraph(f"wynot {version}", "note")
