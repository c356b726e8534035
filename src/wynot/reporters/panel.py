"""What the live view shows: a dozen rows, at any width.

A row is a label and some facts, the most important first; those that do not fit are left out.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from rich.console import Console, ConsoleOptions
from rich.text import Text

from wynot.core.events import Doing
from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted
from wynot.core.verdict import Verdict
from wynot.document import sentences
from wynot.reporters.phase_line import SILENT_SECONDS, in_a_row
from wynot.reporters.run_figures import Load, Remaining, RunFigures, bar, curve, lowest, strip

_LABEL_COLUMNS = 10
_BAR_COLUMNS = 18
_CURVE_LINES = 4
_TALL_CURVE_LINES, _TALL_LINES = 8, 40
"""How many lines the curve has on a terminal that has at least so many."""
_NARROW_COLUMNS = 60
"""On a narrower terminal bars are shorter."""
_SHORT_LINES = 16
"""On a lower terminal there is no curve."""
_MAX_COLUMNS = 100
"""What is wider is harder to read, not easier."""
_STALL_SECONDS = 10.0
"""So many seconds without progress are worth a colour."""
_LATE_FACTOR = 5
"""A test that takes so many times as long as the others is."""
_MAX_NOTICES = 2
_TRIES = {"drop": "without", "add": "with", "keep": "only"}

DIM, VALUE, ACCENT, PALE, ALARM = "dim", "bold", "magenta", "dim magenta", "red"
"""The terminal's own colours, and of these only such as can be read on black and on white."""


class Panel:
    """Draws the figures of a reduction, as they are when it is drawn."""

    def __init__(
        self,
        progress: RunFigures,
        lock: AbstractContextManager[object],
        last: Callable[[int], Text | None] = lambda _room: None,
    ) -> None:
        """Take the figures and who locks them; ``last`` gives a last row of so many columns."""
        self._progress = progress
        self._lock = lock
        self._last = last

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        width = min(options.max_width, _MAX_COLUMNS)
        height = console.size.height
        with self._lock:
            rows = list(self._rows(width, height))
        last = self._last(width - 2)
        if last is not None:
            rows = [*rows[: max(1, height - 2)], Text.assemble(" ", last)]
        for row in rows:
            row.no_wrap = True
            row.rstrip()
            row.truncate(width, overflow="ellipsis")
            yield row

    def _rows(self, width: int, height: int) -> Iterator[Text]:
        yield self._title(width)
        yield self._size(width)
        if height >= _SHORT_LINES:
            lines = _TALL_CURVE_LINES if height >= _TALL_LINES else _CURVE_LINES
            yield from self._curve(width, lines)
        yield self._pass(width)
        if self._progress.latest is not None and self._progress.deltas:
            yield self._parts(width)
        remaining = self._progress.remaining()
        if remaining is not None and remaining.questions:
            yield self._left(width, remaining)
        load = self._progress.load()
        yield self._tests(width, load)
        yield self._workers(width, load)
        if self._progress.timed_out:
            yield self._hung(width)
        yield self._steps(width)
        if self._progress.doing and self._progress.doing_for >= SILENT_SECONDS:
            yield self._doing(self._progress.doing, width)
        yield from self._notices()

    def _title(self, width: int) -> Text:
        progress = self._progress
        elapsed = f" {sentences.duration(progress.elapsed)} "
        names = progress.started.names if progress.started else ()
        room = width - len(elapsed) - len("── wynot  ── ──")
        row = Text.assemble(("── ", DIM), ("wynot", ACCENT), " ")
        row.append(sentences.subject(names, max(1, room)), VALUE).append(" ")
        rule = "─" * (width - row.cell_len - len(elapsed) - 2)
        return row.append(rule, DIM).append(elapsed).append("──", DIM)

    def _size(self, width: int) -> Text:
        progress = self._progress
        share = progress.size / progress.original if progress.original else 0.0
        part = sentences.percent(progress.size, progress.original)
        if width >= _NARROW_COLUMNS:
            part = f"{part} of {progress.original:,}"
        facts = [Text(counted(progress.size, "byte"), VALUE), Text(part)]
        return _row("size", facts, width, share=share)

    def _curve(self, width: int, lines: int) -> Iterator[Text]:
        progress = self._progress
        rows = curve(progress.steps, progress.clock(), columns=_room(width), rows=lines)
        top = progress.original
        low = lowest(min((size for _, size in progress.steps), default=1), top)
        labels = [sentences.brief(top), *[""] * (lines - 2), sentences.brief(low)]
        above = " " * len(rows[0])
        for label, row in zip(labels, rows, strict=True):
            # What lies beneath the line is paler than the line.
            edge = len(above) - len(above.lstrip("▁▂▃▄▅▆▇█"))
            yield Text.assemble(
                (f"{label:>{_LABEL_COLUMNS - 2}}  ", DIM), (row[:edge], PALE), (row[edge:], ACCENT)
            )
            above = row

    def _pass(self, width: int) -> Text:
        current, question = self._progress.current, self._progress.question
        if current is None:
            return _row("pass", [Text("none yet", DIM)], width)
        facts = [Text(for_terminal(current.name), VALUE)]
        if question is None:
            facts.append(Text(counted(current.parts, "part")))
        else:
            total = counted(self._progress.deltas, "part")
            facts.append(Text(f"{question.parts:,} of {total}"))
        facts.append(Text(f"loop {current.loop}"))
        if current.again:
            facts.append(Text("asking again what was cut off early", ALARM))
        if question is not None:
            facts.append(Text(f"tries {_TRIES[question.verb]} {question.about:,}"))
        return _row("pass", facts, width)

    def _left(self, width: int, remaining: Remaining) -> Text:
        """Return what the pass has yet to ask, and how long that takes if there is a basis."""
        facts = [Text(f"at most {counted(remaining.questions, 'question')}")]
        if remaining.seconds is not None:
            is_short = remaining.seconds < 1
            facts.append(Text("< 1 s" if is_short else sentences.duration(remaining.seconds)))
        facts.append(Text("if nothing more goes" if remaining.is_last else "then finer ones"))
        return _row("left", facts, width)

    def _parts(self, width: int) -> Text:
        """Return which parts there are still, and, in another colour, those now in question."""
        latest, total = self._progress.latest, self._progress.deltas
        assert latest is not None  # noqa: S101 - else there is no such row
        columns = _room(width)
        row = Text(strip(latest.candidate.base, total, columns), PALE)
        verb, deltas = latest.candidate.edit
        if verb == "drop" and deltas:
            first = min(columns - 1, deltas.bounds[0] * columns // total)
            last = max(first + 1, -(-deltas.bounds[-1] * columns // total))
            row.stylize(ALARM, first, last)
        return Text.assemble(" " * _LABEL_COLUMNS, row)

    def _tests(self, width: int, load: Load | None) -> Text:
        progress = self._progress
        facts = [Text(f"{progress.tests:,}", VALUE)]
        if load:
            facts.append(Text(sentences.rate(load.rate)))
        if progress.tests:
            for verdict in (Verdict.INTERESTING, Verdict.UNRESOLVED):
                share = 100 * progress.verdicts[verdict] / progress.tests
                facts.append(Text(f"{share:.0f} % {verdict.value}"))
        if progress.recalled:
            facts.append(Text(f"{progress.recalled:,} from memo"))
        return _row("tests", facts, width)

    def _workers(self, width: int, load: Load | None) -> Text:
        progress = self._progress
        jobs = max(1, progress.started.jobs if progress.started else 1)
        if progress.silence > max(_STALL_SECONDS, _LATE_FACTOR * load.seconds if load else 0):
            since = sentences.duration(progress.silence)
            return _row("workers", [Text(f"no test has ended for {since}", ALARM)], width)
        if load is None:
            return _row("workers", [Text("no test has ended yet", DIM)], width)
        busy = min(float(jobs), load.busy)
        facts = [
            Text(f"{busy:.1f} of {jobs} busy"),
            Text(f"{sentences.instant(load.seconds)} a test"),
        ]
        return _row("workers", facts, width, share=busy / jobs)

    def _hung(self, width: int) -> Text:
        progress = self._progress
        sentence = sentences.timed_out(
            progress.timed_out, progress.timed_out_seconds, progress.busy
        )
        return _row("hung", [Text(each) for each in sentence.split(", ")], width)

    def _steps(self, width: int) -> Text:
        progress = self._progress
        facts = [Text(f"{progress.accepted:,}", VALUE)]
        if progress.idle >= _STALL_SECONDS:
            facts.append(Text(f"no progress for {sentences.duration(progress.idle)}", ALARM))
        elif progress.accepted:
            facts.append(Text(f"the last {sentences.duration(progress.idle)} ago"))
        facts.append(Text(f"{counted(progress.idle_tests, 'test')} since"))
        return _row("steps", facts, width)

    def _doing(self, doing: Doing, width: int) -> Text:
        sentence = in_a_row(doing, self._progress.doing_for, _room(width))
        return Text.assemble((f" {'now':<{_LABEL_COLUMNS - 1}}", DIM), sentence)

    def _notices(self) -> Iterator[Text]:
        for each in list(self._progress.noticed)[-_MAX_NOTICES:]:
            sentence = for_terminal("".join(each.message.splitlines()[:1]))
            yield Text.assemble((f" {'notice':<{_LABEL_COLUMNS - 1}}", ALARM), sentence)


def _room(width: int) -> int:
    return max(1, width - _LABEL_COLUMNS - 1)


def _row(label: str, facts: Sequence[Text], width: int, *, share: float | None = None) -> Text:
    """Return a row of as many facts as fit, after a bar if there is a share to show."""
    row = Text.assemble((f" {label:<{_LABEL_COLUMNS - 1}}", DIM))
    if share is not None:
        full, rest = bar(share, _BAR_COLUMNS if width >= _NARROW_COLUMNS else _BAR_COLUMNS // 3)
        row.append(full, ACCENT).append(rest, DIM).append("  ")
    for place, fact in enumerate(facts):
        gap = " · " if place else ""
        if place and row.cell_len + len(gap) + fact.cell_len > width - 1:
            break
        row.append(gap, DIM).append_text(fact)
    return row
