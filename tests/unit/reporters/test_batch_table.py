"""How a batch is told: a table that is drawn, and lines."""

from io import StringIO

from rich.console import Console

from wynot.core.events import (
    Accepted,
    BatchEnded,
    BatchGroup,
    BatchSorted,
    BatchStarted,
    Doing,
    Event,
    GroupEnded,
    GroupStarted,
    Noticed,
)
from wynot.reporters.batch_lines import BatchLines, BatchTable

STORY: list[Event] = [
    Doing("reading the folder"),
    BatchStarted("crashes", 9, 2),
    Doing("the first run of each input", done=4, of=9),
    BatchSorted(
        (BatchGroup(1, "SIGSEGV\x1b[2J in parse", 3, 900), BatchGroup(2, "Assertion", 5, 80)),
        passing=1, rejected=0, hanging=0, missing=0, known=0,
    ),
    Noticed("grammar", "there is no grammar"),
    GroupStarted(1, "id:000000", 900),
    Accepted(1, 120, 7, "nodes", "a"),
    GroupEnded(1, "reduced", "id:000000", 900, 12, 40, 1.0),
    Noticed("grammar", "there is no grammar"),
    GroupStarted(2, "id:000001", 80),
    GroupEnded(2, "duplicate", "id:000001", 80, 12, 30, 1.0, why="group 1"),
    BatchEnded("finished", 9, 8, 1, 0, 0, 70, 1, 2.5, "crashes.reduced"),
]  # fmt: skip


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def told_by(reporter: BatchTable | BatchLines, stream: StringIO, story: list[Event]) -> str:
    for event in story:
        reporter.handle(event)
        reporter.look()
    reporter.close()
    return stream.getvalue()


def test_lines_tell_each_group_once() -> None:
    stream = StringIO()
    lines = told_by(BatchLines(stream), stream, STORY).splitlines()
    assert lines[0] == "crashes: 9 inputs, each is run once, 2 at a time"
    assert lines[1] == "8 inputs in 2 groups; 1 not failing"
    assert sum("no grammar" in line for line in lines) == 1
    assert [line.split()[0] for line in lines if " → " in line] == ["1", "2"]
    assert any("= group 1" in line for line in lines)
    assert "\x1b" not in "".join(lines)
    assert "1 answer shared" in " ".join(lines)


def test_lines_give_a_sign_of_life() -> None:
    now, stream = [0.0], StringIO()
    reporter = BatchLines(stream, lambda: now[0])
    for event in STORY[:3]:
        reporter.handle(event)
    now[0] = 11.0
    reporter.look()
    for event in STORY[3:7]:
        reporter.handle(event)
    now[0] = 22.0
    reporter.look()
    assert "11 s: 4 of 9 inputs run" in stream.getvalue()
    assert "22 s: group 1 of 2, 900 → 120 bytes, 7 tests" in stream.getvalue()


def test_the_table_shows_where_it_is_and_stays_at_the_end() -> None:
    stream = Terminal()
    shown = told_by(BatchTable(stream), stream, STORY)
    assert "\x1b[2J" not in shown
    assert "\\x1b[2J in parse" in shown
    last = shown.splitlines()[-5:]
    assert "1 cause of 8 failing inputs" in " ".join(last)
    assert last[-1] == "results   crashes.reduced"


def test_many_groups_do_not_outgrow_the_terminal() -> None:
    groups = tuple(BatchGroup(number, "SIGSEGV", 1, 9) for number in range(1, 500))
    stream = Terminal()
    table = BatchTable(stream)
    table.handle(BatchStarted("crashes", 499, 2))
    table.handle(BatchSorted(groups, 0, 0, 0, 0, 0))
    page = Console(file=StringIO(), width=80, height=24, force_terminal=False)
    lines = page.render_lines(table, page.options)
    table.close()
    assert len(lines) <= 24
