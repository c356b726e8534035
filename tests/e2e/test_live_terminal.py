"""The live view in a real terminal: what it shows, what keys do, and that the terminal is left."""

import re
import signal
import subprocess
from functools import reduce
from pathlib import Path

import pytest

from e2e.held_runs import COMMAND, LINES, HeldRun
from e2e.programs import told
from e2e.terminals import needs_tmux, terminal
from faults.scripts import until

pytestmark = [pytest.mark.slow, needs_tmux]

VARYING = (
    (r"(?:< )?(?:\d+ min )?\d+(?:\.\d)? m?s\b", "T"),
    (r"\d+/min$", "R · 42 % interesting"),  # then there is no room for more in 40 columns
    (r"[\d.]+/(?:s|min)", "R"),
    (r"(?<= workers  )[━╸─]+  [\d.]+ of 1 busy(?: · T a test)?$", "BUSY"),
    (r"(?<= workers  )no test has ended for T$", "BUSY"),
    (r"no progress for T", "the last T ago"),
    (r"─{3,}", "───"),
)
"""What depends on the clock and on how busy the machine is, and what stands for it here."""
TITLE = re.compile(r"── wynot in.txt .*──")
CURVE = re.compile(r"( {10}| {3}471 B  | {4}50 B  )[▁▂▃▄▅▆▇█ ]+")


def view(rows: list[str]) -> list[str]:
    """Return the rows of the view, without what depends on the clock."""
    titles = [number for number, row in enumerate(rows) if row.startswith("── wynot")]
    begin = max(titles, default=len(rows))
    shown: list[str] = []
    for row in filter(None, rows[begin:]):
        is_strip = shown and shown[-1].startswith(" pass")
        if not is_strip and CURVE.fullmatch(row):
            shown.append("CURVE")
            continue
        shown.append(reduce(lambda text, each: re.sub(each[0], each[1], text), VARYING, row))
    return shown


NARROW = """\
── wynot in.txt ─── T ──
 size     ━─────  88 bytes · 18.7 %
 pass     blocks 1 · 15 of 60 parts
                  ████       ███▄
 left     at most 2 questions · T
 tests    12 · R · 42 % interesting
 workers  BUSY
 steps    5 · the last T ago
 ? help · s skip · p pause · v view
"""
USUAL = """\
── wynot in.txt ─── T ──
 size     ━━━╸───  88 bytes · 18.7 % of 471
{curve}
 pass     blocks 1 · 15 of 60 parts · loop 1 · tries without 4
{strip}
 left     at most 2 questions · T · then finer ones
 tests    12 · R · 42 % interesting · 0 % unresolved · 1 from memo
 workers  BUSY
 steps    5 · the last T ago · 0 tests since
 ? help · s skip · p pause · v view · q stop
"""


@pytest.mark.parametrize(
    ("columns", "rows", "expected"),
    [
        (40, 15, NARROW.replace("━─────", "━───", 1)),
        (
            80,
            24,
            USUAL.format(
                curve="\n".join(["CURVE"] * 4), strip=f"{' ' * 29}{'█' * 9}{' ' * 17}{'█' * 8}"
            ),
        ),
        (
            200,
            60,
            USUAL.format(
                curve="\n".join(["CURVE"] * 8), strip=f"{' ' * 34}{'█' * 12}{' ' * 22}{'█' * 11}"
            ),
        ),
    ],
)
def test_the_view_fits(tmp_path: Path, columns: int, rows: int, expected: str) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path, columns, rows) as window:
        window.line(COMMAND)
        run.wait()
        screen = window.fits(lambda rows: view(rows) == expected.splitlines(), expected)
        assert all(len(row) <= columns for row in screen)
        run.go()
        end = window.shows("journal   .wynot/in.txt.journal")
        assert not any("── wynot" in row for row in end)


@pytest.mark.parametrize("smaller", [(40, 15), (60, 20), (41, 24)])
def test_a_resize_leaves_one_view(tmp_path: Path, smaller: tuple[int, int]) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path, 100, 30) as window:
        window.line(COMMAND)
        run.wait()
        window.shows(" tests    12 ")
        for columns, rows in (smaller, (90, 30), smaller):
            window.resize(columns, rows)

            def is_drawn(screen: list[str], columns: int = columns) -> bool:
                titles = [row for row in screen if TITLE.fullmatch(row)]
                return [len(row) for row in titles] == [columns]

            screen = window.fits(is_drawn, f"one view of {columns} columns")
            assert sum(row.startswith(" steps") for row in screen) == 1
            assert sum("keeps: the test" in row for row in screen) == 1
        run.go()
        window.shows("journal   .wynot/in.txt.journal")


def test_colours_are_the_terminals_own_and_stand_on_any_ground(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        window.line(COMMAND)
        run.wait()
        window.shows(" tests    12 ")
        shown = "\n".join(window.screen("-e"))
        codes = {
            int(code) for found in re.findall(r"\x1b\[([\d;]*)m", shown) for code in _of(found)
        }
        # Bold, dim, red, magenta, and the ends of these; no background, and none of 256 colours.
        assert {1, 2, 35} <= codes <= {0, 1, 2, 22, 31, 35, 39, 49}
        run.go()
        window.shows("journal ")


def _of(codes: str) -> list[str]:
    return [code or "0" for code in codes.split(";")]


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["none", "dumb"])
def test_without_colours(tmp_path: Path, env: dict[str, str]) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path, env=env) as window:
        window.line(COMMAND)
        run.wait()
        is_dumb = "TERM" in env
        window.shows("bytes   of all" if is_dumb else " tests    12 ")
        run.go()
        window.shows("journal ")
        shown = "\n".join(window.screen("-e"))
        assert not re.search(r"\x1b\[(?:\d+;)*[34]\d", shown)
        if is_dumb:
            assert any("done: " in row for row in window.screen())


# Keys.


def test_skip_ends_the_pass_and_is_gone_through_again(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        window.line(COMMAND)
        run.wait()
        window.shows(" tests    12 ")
        window.type("s")
        window.shows("skipping this pass")
        window.line("x")  # a key that is for nothing, and is not echoed
        run.go()
        end = window.ends("journal ")
        assert "Skipped by hand: blocks 1. What was left to try there was not tried." in end
        assert not any(row.startswith("x") for row in end)
    again = told(tmp_path, *COMMAND.split()[1:])
    assert "Skipped by hand: blocks 1." in again.out


def test_a_run_that_is_killed_goes_on_with_the_same_skip(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        window.line(f"{COMMAND} & fg")
        run.wait()
        window.shows(" tests    12 ")
        window.type("s")
        window.shows(" pass     lines")
        lock = tmp_path / ".wynot" / "in.txt.lock"
        process = int(lock.read_text())
        subprocess.run(["kill", "-9", str(process)], check=True)  # noqa: S603 - our own process
        window.shows("Killed")
        window.line("clear")
        run.go()
        window.line(COMMAND)
        end = window.shows("journal ")
        assert any("Skipped by hand: blocks 1." in row for row in end)


def test_while_it_is_paused_nothing_starts(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        window.line(COMMAND)
        run.wait()
        window.shows(" tests    12 ")
        window.type("p")
        window.shows("paused · p goes on · q stops")
        asked = run.asked
        run.go()
        window.shows(" now      a pause by hand")
        assert run.asked == asked
        window.type("p")
        window.shows("(1-minimal)")
        assert run.asked > asked


def test_stop_puts_the_best_case_in_place(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        window.line(f"{COMMAND}; echo ended with $?")
        run.wait()
        window.shows(" size     ━━━╸──────────────  88 bytes")
        window.type("q")
        screen = window.shows("ended with 3")
        assert any(
            row.startswith("Stopped by hand; the best so far is in in.txt.") for row in screen
        )
        assert (tmp_path / "in.txt").stat().st_size == 88


def test_the_present_case_and_the_keys_are_shown(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path, 60, 10) as window:
        window.line(COMMAND)
        run.wait()
        window.shows("? help")
        window.type("v")
        screen = window.shows(" 88 bytes · lines 1 to 9 of 11")
        assert screen[0] == "line 17"
        window.type("Down")
        assert window.shows("lines 2 to 10")[0] == "line 18"
        window.type("G")
        assert window.shows("lines 3 to 11")[8] == "line 46"
        window.type("q")
        window.shows("? help")
        window.type("?")
        screen = window.shows("Keys while it runs:")
        assert "s       end this pass, with what it has reached" in screen
        window.type("x")
        window.shows("? help")
        window.type("v")
        window.shows("88 bytes")
        run.go()  # it ends while something else is shown
        window.shows("journal ")


def test_a_batch_has_keys_too(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    (tmp_path / "inputs").mkdir()
    for name in ("a", "b"):
        (tmp_path / "inputs" / f"{name}.txt").write_text(LINES + name)
    run.named("input.txt")
    with terminal(tmp_path) as window:
        command = "wynot batch -j 1 --timeout 300 --atoms lines inputs ./test.sh"
        window.line(f"clear; {command}; echo ended with $?")
        run.wait()
        window.shows("? help · s skip · p pause · v view · q stop")
        window.type("v")
        window.shows("bytes · lines 1 to ")
        window.type("q")
        window.shows("groups done")
        window.type("q")
        window.shows("ended with 3")
        run.go()


# The terminal is left as it was found.


@pytest.mark.parametrize("end", ["done", "SIGTERM", "SIGHUP", "Ctrl-C", "q", "killed child"])
def test_the_terminal_is_as_it_was(tmp_path: Path, end: str) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        before = window.modes()
        window.line(f"clear; {COMMAND}; echo ended with $?")
        run.wait()
        window.shows("? help")
        process = int((tmp_path / ".wynot" / "in.txt.lock").read_text())
        match end:
            case "Ctrl-C":
                window.type("C-c")
            case "q":
                window.type("q")
            case "killed child":
                for child in _children(process):
                    subprocess.run(["kill", "-9", child], check=False)  # noqa: S603
                run.go()
            case "done":
                run.go()
            case _:
                subprocess.run(["kill", f"-{end[3:]}", str(process)], check=True)  # noqa: S603
        window.shows("ended with ")
        assert window.modes() == before
        window.line("echo it is echo''ed")
        assert any("echo it is echo''ed" in row for row in window.shows("it is echoed"))


def _children(process: int) -> list[str]:
    listed = subprocess.run(  # noqa: S603 - our own process
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return listed.stdout.split()


def test_it_can_be_stopped_and_goes_on(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        before = window.modes()
        window.line(f"clear; {COMMAND}")
        run.wait()
        window.shows(" tests    12 ")
        window.type("C-z")
        screen = window.shows("Stopped")
        assert not any(row.startswith("── wynot") for row in screen)
        assert window.modes() == before
        window.line("fg")
        screen = window.shows("? help")
        assert sum(row.startswith("── wynot") for row in screen) == 1
        window.type("C-z")
        window.shows("Stopped")
        window.line("clear; bg")
        run.go()
        until(lambda: (tmp_path / "in.txt").stat().st_size == 16, "it ends in the background")
        window.line("wait; echo over''!")
        window.shows("over!")
        assert window.modes() == before


def test_a_job_in_the_background_hears_no_keys(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as window:
        window.line(f"{COMMAND} > told.txt & echo begun''!")
        window.shows("begun!")
        run.wait()
        window.line("echo typed''!")
        window.shows("typed!")
        run.go()
        until(lambda: "1-minimal" in (tmp_path / "told.txt").read_text(), "it ends")


def test_signals_are_as_they_were() -> None:
    assert signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL
