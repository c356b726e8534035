"""The page of an inquiry, from its record.

Of two inputs it shows the pair, of changes the commits with the places of each, and the patch.
"""

from collections.abc import Callable, Mapping, Sequence
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
    Shown,
)
from wynot.core.foreign_text import for_html, for_script_line, legible
from wynot.core.options.quantities import counted
from wynot.core.standing import Stop
from wynot.disk.chronicle import GIVEN_UP, RunSpan
from wynot.document.sentences import proof
from wynot.report.page_frame import framed, scrolled, titled
from wynot.report.step_view import pair_view
from wynot.report.story import timeline

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
    _began: float = field(init=False)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._began = self.clock()

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
            self.spans.append(RunSpan(self.clock() - self._began, seconds, worker, what))


MAX_PATCH_CHARS = 400_000
MAX_COMMITS = 200
"""Commits and pairs that are shown."""
MAX_LINES = 2_000
NAMES = {
    "cause": "What makes it fail",
    "commit": "The first bad one",
    "cure": "What to take back",
    "difference": "The difference",
}
STYLES = {"green": "a", "red": "d", "yellow": "c", "dim": "w", "bold": "c"}
SIGNS = {"+": "a", "-": "d", "@": "w"}
FILE_HEADS = ("diff --git ", "--- ", "+++ ", "index ", "new file ", "deleted file ")


def inquiry_page(record: InquiryRecord, name: str, command: Sequence[str], version: str) -> str:
    """Return the page; ``name`` is the command that has asked."""
    sections = {f"answer{n}": _answer(n, each) for n, each in enumerate(record.answers, start=1)}
    parts = {f"answer{n}": _called(each) for n, each in enumerate(record.answers, start=1)}
    more = {
        "course": ("how it was found", _course(record.levels)),
        "workers": ("workers", _workers(record)),
        "settings": ("settings", _settings(record, command, version)),
    }
    for key, (words, section) in more.items():
        if section:
            sections[key], parts[key] = section, words
    title = record.answers[0].title.rstrip(":") if record.answers else f"wynot {name}: no answer"
    body = "\n".join((_opening(record), *sections.values()))
    return framed(title, body, parts)


def _opening(record: InquiryRecord) -> str:
    started, ended = record.started, record.ended
    figures = {}
    if ended is not None:
        figures["tests"] = f"{ended.tests:,}"
        figures["runs of the command"] = f"{ended.runs:,}"
        figures["seconds"] = f"{ended.seconds:,.1f}"
    tiles = "".join(f"<li><b>{value}</b> {what}</li>" for what, value in figures.items())
    asked = f"{started.subject}; {started.keeps}" if started else ""
    is_open = ended is None or ended.stopped != Stop.FINISHED
    state = "It has not come to its end: the answers are as good as they could be had."
    return "\n".join(
        (
            f'<p class="lead">{for_html(asked)}</p>' if asked else "",
            f'<p class="note">{state}</p>' if is_open else "",
            *(f'<p class="note">{for_html(each)}</p>' for each in record.notices),
            f'<ul class="tiles">{tiles}</ul>',
        )
    )


def _called(answer: Answered) -> str:
    return NAMES.get(answer.question, answer.question)


def _answer(number: int, answer: Answered) -> str:
    data = answer.data if isinstance(answer.data, Mapping) else {}
    commits, patch = data.get("commits"), data.get("patch")
    has_table = isinstance(commits, list) and bool(commits)
    claim = proof([answer.minimal], question=answer.question) if answer.minimal else ""
    pairs = "".join(pair_view(*pair) for pair in answer.pairs[:MAX_COMMITS])
    return titled(
        f"answer{number}",
        _called(answer),
        f"<p>{for_html(answer.title)}</p>",
        f"<p>{for_html(claim)}</p>" if claim else "",
        _commits(commits) if isinstance(commits, list) and has_table else "",
        pairs,
        _patch(patch) if isinstance(patch, str) and patch else "",
        "" if has_table or patch else _lines(answer.lines),
    )


def _commits(commits: Sequence[object]) -> str:
    rows = []
    for commit in commits[:MAX_COMMITS]:
        if not isinstance(commit, Mapping):
            continue
        facts = [legible(str(commit.get(key) or "")) for key in ("commit", "author", "date")]
        places = commit.get("places")
        where = "<br>".join(for_html(str(each)) for each in places or ())
        subject = for_html(str(commit.get("subject") or ""))
        taken = " (taken back)" if commit.get("undone") else ""
        rows.append(
            f"<tr><td><code>{for_html(facts[0][:10])}</code></td><td>{for_html(facts[1])}</td>"
            f"<td>{for_html(facts[2])}</td><td>{subject}{taken}</td><td>{where}</td></tr>"
        )
    left = len(commits) - MAX_COMMITS
    more = f'<p class="note">… {counted(left, "commit")} more</p>' if left > 0 else ""
    heads = "".join(
        f"<th scope=col>{each}</th>" for each in ("commit", "author", "date", "subject", "places")
    )
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return scrolled(table, "commits") + more


def _patch(patch: str) -> str:
    lines = legible(patch[:MAX_PATCH_CHARS]).removesuffix("\n").split("\n")
    left = len(patch) - MAX_PATCH_CHARS
    more = f'<p class="note">… {left:,} more characters: --out writes all</p>' if left > 0 else ""
    shown = "".join(f"<span class={_kind(line)}>{for_html(line)}\n</span>" for line in lines)
    return f'<h3>The patch</h3><pre class="diff" tabindex="0">{shown}</pre>{more}'


def _kind(line: str) -> str:
    return "w" if line.startswith(FILE_HEADS) else SIGNS.get(line[:1], "s")


def _lines(lines: Sequence[Shown]) -> str:
    if not lines:
        return ""
    shown = "".join(
        f"<span class={STYLES.get(each.style, 's')}>{for_html(each.text)}\n</span>"
        for each in lines[:MAX_LINES]
    )
    return f'<pre class="diff" tabindex="0">{shown}</pre>'


def _course(levels: Sequence[NarrowedLevel]) -> str:
    """Return how many groups were left to choose from, level by level."""
    if not levels:
        return ""
    most = max(each.units for each in levels) or 1
    rows = "".join(
        f"<tr><td>{for_html(each.question)}</td><td>{for_html(each.level)}</td>"
        f"<td class=n>{each.units:,}</td><td class=n>{each.left:,}</td>"
        f"<td class=n>{len(each.points):,}</td><td class=bar-cell>"
        f'<span class=bar style="width:{100 * each.left / most:.1f}%"></span></td></tr>'
        for each in levels
    )
    table = f"""<table><thead><tr><th scope=col>question</th><th scope=col>asked of</th>
<th scope=col class=n>at first</th><th scope=col class=n>left</th>
<th scope=col class=n>times fewer</th><th scope=col class=bar-cell>left</th></tr></thead>
<tbody>{rows}</tbody></table>"""
    return titled("course", "How it was found", scrolled(table, "levels of the questions"))


def _workers(record: InquiryRecord) -> str:
    shown = timeline(record.spans, ())
    return titled("workers", "Workers", shown) if shown else ""


def _settings(record: InquiryRecord, command: Sequence[str], version: str) -> str:
    written = record.ended.written if record.ended else ()
    files = "".join(
        f"<li>{for_html(what)}: <code>{for_html(where)}</code></li>" for what, where in written
    )
    return titled(
        "settings",
        "Settings",
        f'<p>To ask again:</p><pre tabindex="0">{for_html(for_script_line(command))}</pre>',
        f"<p>Written:</p><ul>{files}</ul>" if files else "",
        f'<p class="note">wynot {for_html(version)}</p>',
    )
