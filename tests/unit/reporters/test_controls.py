"""What keys do, and what is said of them."""

import io

import pytest
from rich.text import Text

from unit.reporters.story import Terminal
from wynot.core.standing import Steering
from wynot.reporters.controls import Controls, Keyboard, keys_in
from wynot.reporters.live_view import LiveView
from wynot.reporters.outlet import Outlet


@pytest.fixture(autouse=True)
def _typist(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be somebody who types; what is typed is told by the tests."""
    monkeypatch.setattr(Keyboard, "open", lambda _keyboard: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "12")


def shown(*, watches: bool = False) -> tuple[Controls, Steering, Terminal]:
    stream, steering = Terminal(), Steering()
    view = LiveView(Outlet(stream))
    controls = Controls(view, steering, watches=watches)
    controls.open()
    view.open(Text("the view"))
    return controls, steering, stream


def wipe(stream: Terminal) -> None:
    stream.seek(0)
    stream.truncate()


def line(controls: Controls, room: int = 78) -> str:
    said = controls.line(room)
    assert said is not None
    return said.plain


def test_the_line_of_keys_fits() -> None:
    controls, _, _ = shown()
    assert line(controls) == "? help · s skip · p pause · v view · q stop"
    assert line(controls, 30) == "? help · s skip · p pause"
    assert line(controls, 5) == "? help"
    assert line(shown(watches=True)[0]) == "? help · v view · q leave"


def test_a_skip_is_said_until_the_next_pass_begins() -> None:
    controls, steering, _ = shown()
    controls.hear("s")
    assert line(controls) == "skipping this pass"
    assert steering.takes_skip()
    controls.begins()
    assert line(controls).startswith("? help")


@pytest.mark.parametrize("key", ["p", " "])
def test_pause_and_on(key: str) -> None:
    controls, steering, _ = shown()
    controls.hear(key)
    assert steering.is_paused
    assert line(controls) == "paused · p goes on · q stops"
    assert len(line(controls, 10)) <= 10
    controls.hear(key)
    assert not steering.is_paused


def test_stop() -> None:
    controls, steering, _ = shown()
    controls.hear("p")
    controls.hear("q")
    assert steering.is_stopped
    assert not steering.is_paused
    assert line(controls).startswith("stopping")


def test_one_who_looks_on_steers_nothing() -> None:
    controls, steering, _ = shown(watches=True)
    for key in "sp ":
        controls.hear(key)
    assert not steering.is_paused
    assert not steering.takes_skip()
    controls.hear("q")
    assert steering.is_stopped  # the watch, that is


def test_the_case_is_read_page_by_page_while_it_gets_smaller() -> None:
    controls, steering, stream = shown()
    case = {"a.txt": b"".join(b"line %d\n" % number for number in range(100))}
    steering.shows(lambda: case)
    controls.hear("v")
    assert "lines 1 to 11 of 100" in stream.getvalue()
    for key, said in {
        " ": "lines 12 to 22",
        "b": "lines 1 to 11",
        "down": "lines 2 to 12",
        "up": "lines 1 to 11",
        "end": "lines 90 to 100",
        "home": "lines 1 to 11",
    }.items():
        wipe(stream)
        controls.hear(key)
        assert said in stream.getvalue()
    case = {"a.txt": b"\x1b[2Jx\tline\xff\n" + b"y" * 1_000_000, "b": b"z"}
    wipe(stream)
    controls.look()
    assert "── a.txt, 1,000,012 bytes" in stream.getvalue()
    assert r"\x1b[2Jx" in stream.getvalue()
    assert r"\xff" in stream.getvalue()
    assert len(stream.getvalue()) < 2_000
    wipe(stream)
    controls.hear("right")
    assert "y" * 79 in stream.getvalue()
    controls.hear("q")
    assert not steering.is_stopped
    assert "\x1b[?1049l" in stream.getvalue()


def test_nothing_to_see_yet() -> None:
    controls, _, stream = shown()
    controls.hear("v")
    assert "0 bytes" in stream.getvalue()


@pytest.mark.parametrize("key", ["?", "h"])
def test_help(key: str) -> None:
    controls, steering, stream = shown()
    controls.hear(key)
    assert "start no more tests; again: go on" in stream.getvalue()
    controls.hear("q")  # any key: back
    assert not steering.is_stopped
    assert stream.getvalue().count("\x1b[?1049l") == 1


def test_before_there_is_a_view_keys_are_for_nothing() -> None:
    steering = Steering()
    view = LiveView(Outlet(Terminal()))
    controls = Controls(view, steering)
    controls.open()
    controls.hear("q")
    assert not steering.is_stopped


def test_where_nobody_can_type_there_is_no_line() -> None:
    controls = Controls(LiveView(Outlet(io.StringIO())), None)
    controls.open()
    assert controls.line(80) is None


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("ab", ["a", "b"]),
        ("\x1b[A\x1b[6~q", ["up", "page down", "q"]),
        ("\x1b", ["escape"]),
        ("\x1bOBé\r", ["down", "é", "enter"]),
        ("", []),
    ],
)
def test_keys_by_their_names(typed: str, keys: list[str]) -> None:
    assert keys_in(typed) == keys
