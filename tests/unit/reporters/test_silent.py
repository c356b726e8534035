"""Only problems, and the result."""

import io

import pytest

from unit.reporters.story import BEGAN, ENDED, EVERY, Broken
from wynot.reporters.reporter import Silent


def test_two_lines_of_a_whole_reduction() -> None:
    stream = io.StringIO()
    silent = Silent(stream)
    for event in EVERY:
        silent.handle(event)
    silent.close()
    silent.close()
    assert stream.getvalue() == (
        "wynot: it is slow [slow-test]\n"
        "prog.c: 32,689 → 116 bytes (99.6 % smaller) in 1,126 tests, 41 s.\n"
    )


def test_a_stop_is_said_in_the_same_line(capsys: pytest.CaptureFixture[str]) -> None:
    silent = Silent()
    silent.handle(BEGAN)
    silent.handle(ENDED._replace(stopped="max-time"))
    assert capsys.readouterr().err == (
        "prog.c: 32,689 → 116 bytes (99.6 % smaller) in 1,126 tests, 41 s. Stopped by --max-time.\n"
    )


def test_nobody_reads_and_nothing_happens() -> None:
    silent = Silent(Broken(BrokenPipeError()))
    for event in EVERY:
        silent.handle(event)
