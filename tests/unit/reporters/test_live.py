"""The live view: it begins, is drawn, and makes room."""

import io
import sys

import pytest

from unit.reporters.story import BEGAN, ENDED, EVERY, Broken, Clock, Terminal, from_threads, ran
from wynot.core.events import Noticed, PassStarted
from wynot.reporters.live import Live

SHOW, HIDE = "\x1b[?25h", "\x1b[?25l"


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")


def test_it_is_drawn_and_makes_room_for_the_last_paragraph() -> None:
    stream = Terminal()
    live = Live(stream, Clock())
    for event in EVERY:
        live.handle(event)
    live.close()
    live.close()
    text = stream.getvalue()
    assert text.startswith("\x1b[33mwynot:\x1b[0m it is slow [slow-test]\nwynot: reducing prog.c")
    assert text.count(HIDE) == 1
    assert text.rindex(SHOW) > text.rindex(HIDE)
    last = text[text.rindex("\x1b[J") :]
    assert "prog.c: 32,689 → 116 bytes (99.6 % smaller) in 1,126 tests, 41 s.\n" in last
    assert last.endswith("original  prog.c.orig\n")


def test_an_error_leaves_the_terminal_as_it_was() -> None:
    stream = Terminal()
    live = Live(stream, Clock())
    live.handle(BEGAN)
    assert stream.getvalue().count(SHOW) == 0
    live.close()
    assert stream.getvalue().endswith(SHOW)
    before = stream.getvalue()
    live.close()
    assert stream.getvalue() == before


def test_notices_stay_when_the_view_goes() -> None:
    stream = Terminal()
    live = Live(stream, Clock())
    live.handle(BEGAN)
    for _ in range(3):
        live.handle(Noticed("slow-test", "it is slow"))
    for number in range(1_000):
        live.handle(Noticed("many", f"number {number}"))
    live.close()
    after = stream.getvalue()[stream.getvalue().rindex(SHOW) :]
    assert after.count("it is slow [slow-test]") == 1
    assert after.count("[many]") < 100


def test_what_others_print_stands_above_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    live = Live(stream, Clock())
    live.handle(BEGAN)
    print("see [bold]this[/bold] :smile:")  # noqa: T201
    assert sys.stdout is not stream
    live.close()
    assert sys.stdout is stream
    assert "see [bold]this[/bold] :smile:\x1b[K\n" in stream.getvalue()


def test_what_goes_to_a_program_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, stream = io.StringIO(), Terminal()
    monkeypatch.setattr(sys, "stdout", pipe)
    live = Live(stream, Clock())
    live.handle(BEGAN)
    print("data")  # noqa: T201
    live.close()
    assert pipe.getvalue() == "data\n"
    assert "data" not in stream.getvalue()


def test_where_there_is_no_terminal_only_lines_are_written() -> None:
    stream = io.StringIO()
    live = Live(stream, Clock())
    for event in EVERY:
        live.handle(event)
    assert "\x1b" not in stream.getvalue()
    assert stream.getvalue().endswith("original  prog.c.orig\n")


def test_an_end_without_a_beginning() -> None:
    stream = Terminal()
    live = Live(stream, Clock())
    live.handle(ENDED._replace(stopped="not-interesting"))
    live.close()
    assert stream.getvalue().startswith("Nothing was reduced")
    assert HIDE not in stream.getvalue()


def test_two_beginnings_are_one_view() -> None:
    stream = Terminal()
    live = Live(stream, Clock())
    live.handle(BEGAN)
    live.handle(BEGAN)
    live.close()
    assert stream.getvalue().count(HIDE) == 1


@pytest.mark.parametrize("error", [BrokenPipeError(), OSError("gone"), ValueError("closed")])
def test_nobody_looks_and_nothing_happens(error: Exception) -> None:
    stream = Broken(error)
    live = Live(stream, Clock())
    for event in EVERY:
        live.handle(event)
    live.close()
    assert stream.tries == 1


def test_thousands_of_tests_from_many_threads_cost_no_frame_each() -> None:
    stream = Terminal()
    live = Live(stream, Clock())
    live.handle(BEGAN)
    live.handle(PassStarted("lines", 10, 1))
    from_threads(live, ran(), threads=8, times=2_500)
    live.close()
    frames = stream.getvalue().count("\x1b[?2026h")
    assert 1 <= frames < 200
