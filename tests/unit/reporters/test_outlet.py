"""A stream that takes any text and never raises."""

import fcntl
import io
import os
import pty
import struct
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import pytest

from unit.reporters.story import BEGAN, ENDED, Broken, Terminal
from wynot.core.events import Noticed
from wynot.document.text_width import LINE_COLUMNS, cells
from wynot.reporters.outlet import Outlet
from wynot.reporters.plain import Plain


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize("error", [BrokenPipeError(), OSError(), ValueError("closed")])
def test_when_nobody_reads_it_falls_silent(error: Exception) -> None:
    stream = Broken(error)
    outlet = Outlet(stream)
    outlet.say("a")
    outlet.say("b")
    assert stream.tries == 1


def test_a_terminal_that_is_not_ready_may_be_so_later() -> None:
    stream = Broken(BlockingIOError())
    outlet = Outlet(stream)
    outlet.say("a")
    outlet.say("b")
    assert stream.tries == 2


@pytest.mark.parametrize(("error", "tries"), [(BlockingIOError(), 2), (BrokenPipeError(), 1)])
def test_what_cannot_be_handed_on_is_lost(error: Exception, tries: int) -> None:
    class Full(io.StringIO):
        tries = 0

        def flush(self) -> None:
            self.tries += 1
            raise error

    stream = Full()
    outlet = Outlet(stream)
    outlet.say("a")
    outlet.say("b")
    assert stream.tries == tries


def test_a_closed_stream_is_no_terminal() -> None:
    stream = Terminal()
    stream.close()
    closed = io.StringIO()
    closed.close()
    assert not Outlet(closed).isatty()
    Outlet(stream).say("lost")


def test_there_may_be_no_stream_at_all() -> None:
    outlet = Outlet(None)
    outlet.say("lost")
    assert not outlet.isatty()


def test_an_encoding_without_arrows_gets_signs_of_the_same_width() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, "ascii")
    Outlet(stream).say("1 → 2 ▁█━ é")
    assert raw.getvalue() == b"1 > 2 .#= \\xe9\n"


def test_an_unknown_encoding_gets_ascii() -> None:
    class Odd(io.StringIO):
        encoding = "no-such"

    stream = Odd()
    Outlet(stream).say("→")
    assert stream.getvalue() == ">\n"


def test_colours_only_on_a_terminal_that_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Outlet(io.StringIO()).paint("bold", "a") == "a"
    assert Outlet(Terminal()).paint("bold", "a") == "\x1b[1ma\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Outlet(Terminal()).paint("bold", "a") == "a"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert Outlet(Terminal()).paint("bold", "a") == "a"


def test_the_descriptor_is_that_of_the_stream() -> None:
    with pytest.raises(io.UnsupportedOperation):
        Outlet(io.StringIO()).fileno()


@contextmanager
def terminal(columns: int) -> Iterator[tuple[TextIO, int]]:
    """Yield a real terminal of so many columns, and what reads what is written to it."""
    reader, writer = pty.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(writer, "w") as stream:
        yield stream, reader
    os.close(reader)


@pytest.mark.parametrize(
    ("columns", "width"), [(50, 50), (80, 80), (100, 100), (300, 100), (3, 30), (0, LINE_COLUMNS)]
)
def test_lines_are_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, width: int
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    with terminal(columns) as (stream, _):
        assert Outlet(stream).width == width


def test_columns_that_are_asked_for_count_only_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    assert Outlet(Terminal()).width == 44
    assert Outlet(io.StringIO()).width == LINE_COLUMNS
    monkeypatch.setenv("COLUMNS", "many")
    assert Outlet(Terminal()).width == LINE_COLUMNS


@pytest.mark.parametrize("columns", [40, 60, 100])
def test_nothing_that_is_told_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal(columns) as (stream, reader):
        plain = Plain(stream)
        for event in (BEGAN, Noticed("slug", "word " * 30), ENDED):
            plain.handle(event)
        lines = _all_of(reader, stream).decode().splitlines()
    # The table of figures has columns of its own.
    widths = [cells(line) for line in lines if "of all" not in line]
    assert columns - 10 < max(widths) <= columns


def _all_of(reader: int, stream: TextIO) -> bytes:
    """Return what a terminal was told: it hands on what it has, and not all of that at once."""
    stream.write("\x04")
    stream.flush()
    told = b""
    while not told.endswith(b"\x04"):
        told += os.read(reader, 65536)
    return told.removesuffix(b"\x04")
