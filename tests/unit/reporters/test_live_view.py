"""What is written to draw the view: one write a frame, and only what has changed."""

import re

import pytest
from rich.console import ConsoleDimensions
from rich.text import Text

from unit.reporters.story import Terminal
from wynot.reporters.live_view import BEGIN_UPDATE, END_UPDATE, LiveView
from wynot.reporters.outlet import Outlet


class Screen(Terminal):
    """A terminal that keeps what is written, and shows it as a terminal would."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, text: str) -> int:
        self.writes.append(text)
        return super().write(text)

    def shown(self) -> list[str]:
        """Return the rows: those codes that the view uses are enough."""
        rows, row, column = [""], 0, 0
        text = "".join(self.writes)
        at = 0
        while at < len(text):
            found = re.compile(r"\x1b\[(\??)([\d;]*)([A-Za-z])").match(text, at)
            if found:
                at = found.end()
                private, number, letter = found.groups()
                if private or letter == "m":
                    continue
                if letter == "A":
                    row = max(0, row - int(number or 1))
                elif letter == "K":
                    rows[row] = rows[row][:column]
                elif letter == "J":
                    first = 0 if number == "2" else row
                    rows[first:] = [""] if number == "2" else [rows[row][:column]]
                elif letter == "H":
                    row = column = 0
                continue
            letter, at = text[at], at + 1
            if letter == "\r":
                column = 0
            elif letter == "\n":
                row, column = row + 1, 0
                rows += [""] * (row + 1 - len(rows))
            else:
                rows[row] = rows[row][:column].ljust(column) + letter + rows[row][column + 1 :]
                column += 1
        return [each.rstrip() for each in rows]


class Rows:
    """Something to show that can be changed."""

    def __init__(self, *rows: str) -> None:
        self.rows = list(rows)

    def __rich__(self) -> Text:
        return Text("\n".join(self.rows))


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("TERM", "xterm-256color")
    size(monkeypatch, 40, 10)
    return Screen()


def size(monkeypatch: pytest.MonkeyPatch, columns: int, rows: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(rows))


def opened(screen: Screen, rows: Rows, *head: str) -> LiveView:
    view = LiveView(Outlet(screen))
    view.open(rows, head)
    return view


def test_a_frame_is_one_write_of_what_has_changed(screen: Screen) -> None:
    rows = Rows("one", "two", "three")
    view = opened(screen, rows, "head")
    assert screen.shown() == ["head", "one", "two", "three"]
    rows.rows[1] = "TWO"
    before = len(screen.writes)
    view.draw()
    [frame] = screen.writes[before:]
    assert frame.startswith(BEGIN_UPDATE)
    assert frame.endswith(END_UPDATE)
    assert "TWO" in frame
    assert "one" not in frame
    assert "three" not in frame
    assert "\x1b[2K" not in frame  # nothing is erased before it is written over
    assert screen.shown() == ["head", "one", "TWO", "three"]


def test_what_has_not_changed_is_not_written(screen: Screen) -> None:
    view = opened(screen, Rows("one", "two"))
    before = len(screen.writes)
    view.draw()
    view.draw()
    assert len(screen.writes) == before


def test_it_grows_and_shrinks(screen: Screen) -> None:
    rows = Rows("one", "two")
    view = opened(screen, rows, "head")
    rows.rows = ["one", "two", "three", "four"]
    view.draw()
    assert screen.shown() == ["head", "one", "two", "three", "four"]
    rows.rows = ["ONE"]
    view.draw()
    assert screen.shown() == ["head", "ONE"]
    view.close()
    assert screen.shown() == ["head", ""]


def test_lines_of_others_stand_above(screen: Screen) -> None:
    rows = Rows("one", "two")
    view = opened(screen, rows, "head")
    view.say(["said", "and more"])
    assert screen.shown() == ["head", "said", "and more", "one", "two"]
    view.close()
    view.say(["after"])
    assert screen.shown() == ["head", "said", "and more", "after", ""]


def test_it_is_never_higher_than_the_terminal(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    size(monkeypatch, 40, 4)
    opened(screen, Rows(*"abcdefgh"))
    assert screen.shown() == ["a", "b", "c"]


def test_rows_that_have_become_too_long_are_drawn_anew(screen: Screen) -> None:
    rows = Rows("x" * 40, "y")
    view = opened(screen, rows, "head")
    console = view._console  # noqa: SLF001 - it asks the terminal for its size
    console.size = ConsoleDimensions(20, 10)
    rows.rows[0] = "x" * 20
    view.draw()
    assert screen.shown() == ["head", "x" * 20, "y"]
    console.size = ConsoleDimensions(60, 10)
    rows.rows[0] = "x" * 60
    view.draw()
    assert screen.shown() == ["head", "x" * 60, "y"]


def test_something_else_has_the_screen_and_gives_it_back(screen: Screen) -> None:
    rows = Rows("one", "two")
    view = opened(screen, rows)
    view.fill(lambda columns, lines: [f"{columns} x {lines}"] * 20)
    assert "\x1b[?1049h" in screen.writes[-2]
    assert screen.writes[-1].count("40 x 10") == 10
    view.fill(None)
    assert "\x1b[?1049l" in "".join(screen.writes[-2:])
    view.fill(lambda _columns, _lines: ["still there"])
    view.close()
    after = "".join(screen.writes).rpartition("still there")[2]
    assert "\x1b[?1049l" in after
    assert after.endswith("\x1b[?25h")


def test_while_it_is_suspended_nothing_is_left_of_it(screen: Screen) -> None:
    view = opened(screen, Rows("one", "two"), "head")
    view.suspend()
    assert screen.shown() == ["head", ""]
    assert screen.writes[-1].endswith("\x1b[?25h")
    screen.write("$ fg\n")
    view.resume()
    assert screen.shown() == ["head", "$ fg", "one", "two"]
