"""`wynot watch`: a run is followed by its journal alone."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.held_runs import COMMAND, HeldRun
from e2e.programs import CALM, refused, shell, told, wynot
from e2e.terminals import needs_tmux, terminal
from faults.scripts import until
from tiers import slow_after


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_that_has_finished_is_told_again(numbers: Path) -> None:
    ran = told(numbers, "reduce", *CALM, "test.sh", "in.txt")
    left = files(numbers)
    for asked in (["in.txt"], [], [".wynot/in.txt.journal"]):
        watched = told(numbers, "watch", *asked)
        assert watched.code == 0
        assert watched.out.startswith("wynot: the run has finished\nwynot: reducing in.txt")
        assert watched.out.split("\n\n")[1] == ran.out.split("\n\n")[1]
    assert files(numbers) == left


def test_a_run_that_was_stopped(numbers: Path) -> None:
    told(numbers, "reduce", "--max-tests", "3", "test.sh", "in.txt")
    watched = told(numbers, "watch", "in.txt")
    assert watched.code == 3
    assert watched.out.startswith("wynot: the run has stopped\n")
    assert "Stopped by --max-tests; the best so far is in in.txt." in watched.out


def test_there_is_no_such_run(tmp_path: Path) -> None:
    refused(told(tmp_path, "watch"), 2, "no run has left a journal here")
    refused(told(tmp_path, "watch", "in.txt"), 2, "there is no journal for 'in.txt'")


FORGET = """\
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute(sys.argv[2])
connection.commit()
"""


ODD_STATUS = json.dumps({"tests": -1, "question": [1, 2, 3, 4], "verdicts": 7, "recalled": []})
ODD_BEGINNING = json.dumps({"names": 5, "size": "x", "jobs": None, "passes": [1, "b"]})
ODD_END = json.dumps({"stopped": 5, "minimal": [1, ["a", 2]], "refused": ["a", ["b", 1]]})
CHANGE = "UPDATE events SET {} WHERE kind = '{}'"


@pytest.mark.parametrize(
    "nonsense",
    slow_after(
        2,
        [
            CHANGE.format(f"body = '{ODD_STATUS}'", "status"),
            CHANGE.format("body = x'ff'", "pass_ended"),
            CHANGE.format("body = '['", "status"),
            CHANGE.format(f"body = '{ODD_BEGINNING}'", "began"),
            CHANGE.format("at = 'x'", "began"),
            CHANGE.format(f"body = '{ODD_END}'", "ended"),
            CHANGE.format("at = 'x'", "ran"),
            CHANGE.format("body = '[5]'", "step"),
        ],
    ),
)
def test_a_journal_may_say_anything(numbers: Path, nonsense: str) -> None:
    told(numbers, "reduce", "test.sh", "in.txt")
    journal = numbers / ".wynot" / "in.txt.journal"
    subprocess.run([sys.executable, "-c", FORGET, journal, nonsense], check=True)  # noqa: S603
    watched = wynot(numbers, "watch", "in.txt")
    assert watched.code == 0, watched.err
    assert "Traceback" not in watched.err


def test_a_run_that_was_killed(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    process = _started(tmp_path)
    run.wait()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    watched = told(tmp_path, "watch", "in.txt")
    assert watched.code == 3
    assert "the run was killed, or has crashed; the same command continues it" in watched.out
    run.go()
    assert told(tmp_path, *COMMAND.split()[1:]).code == 0


def test_a_run_is_followed_to_its_end_and_not_disturbed(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    process = _started(tmp_path)
    with (tmp_path / "watched").open("w") as out:
        # From the very beginning: it waits until the test is found to be good.
        until((tmp_path / ".wynot" / "in.txt.lock").exists, "it begins")
        watching = subprocess.Popen(_command("watch"), cwd=tmp_path, stdout=out, stderr=out)  # noqa: S603
        run.wait()
        until(lambda: "under way" in (tmp_path / "watched").read_text(), "it is followed")
        run.go()
        assert process.wait() == 0
        assert watching.wait() == 0
    said = (tmp_path / "watched").read_text()
    assert f"the run is under way, as process {process.pid}" in said
    assert "No single line can be left out: each was tried (1-minimal)." in said
    assert (tmp_path / "in.txt").read_text() == "line 17\nline 44\n"
    left = {path.name for path in (tmp_path / ".wynot").iterdir()}
    assert left == {".gitignore", "in.txt.journal"}


HELD = ("sh", "-c", "echo held; exec cat")
"""Says that it has begun, and ends when nobody has anything to say to it."""


def test_of_several_runs_one_is_to_be_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    shell(tmp_path, "grep -q 33 in.txt")
    home = tmp_path / ".wynot"
    home.mkdir()
    holding = [
        subprocess.Popen(["flock", home / f"{name}.lock", *HELD], stdin=-1, stdout=-1)  # noqa: S603
        for name in "ab"
    ]
    try:
        for each, name in zip(holding, "ab", strict=True):
            assert each.stdout
            assert each.stdout.readline() == b"held\n"
            (home / f"{name}.lock").write_text(str(each.pid))
        assert "2 runs are under way here: a, b" in told(tmp_path, "watch").err
    finally:
        for each in holding:
            each.communicate()


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "wynot", *arguments]


def _started(folder: Path) -> "subprocess.Popen[bytes]":
    with (folder / "told").open("w") as out:
        command = _command(*COMMAND.split()[1:])
        return subprocess.Popen(command, cwd=folder, stdout=out, stderr=out)  # noqa: S603


@needs_tmux
@pytest.mark.slow
def test_it_shows_what_the_run_itself_shows(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    with terminal(tmp_path) as first, terminal(tmp_path) as second:
        first.line(COMMAND)
        run.wait()
        first.shows(" tests    12 ")
        second.line("wynot watch; echo ended with $?")
        second.shows(" tests    12 ")

        def is_the_same(rows: list[str]) -> bool:
            # Each screen may be a frame behind what the run does, also that of the run itself.
            own = {row for row in first.screen() if row.startswith((" size ", " pass "))}
            return len(own) == 2 and own.issubset(rows)

        seen = second.fits(is_the_same, "the size and the pass that the run shows")
        assert " ? help · v view · q leave" in seen
        second.type("v")
        second.shows(" 88 bytes · lines 1 to 11 of 11")
        second.type("q")
        first.type("p")
        run.go()
        second.shows(" now      a pause by hand")
        first.type("p")
        end = first.shows("(1-minimal)")
        second.shows("ended with 0")
        assert any("(1-minimal)" in row for row in end)


@needs_tmux
@pytest.mark.slow
def test_who_leaves_does_not_end_the_run(tmp_path: Path) -> None:
    run = HeldRun(tmp_path)
    process = _started(tmp_path)
    run.wait()
    with terminal(tmp_path) as window:
        for key, code in (("q", 0), ("C-c", 130)):
            window.line(f"clear; wynot watch; echo ended with $? by {key}")
            window.shows("? help")
            window.type(key)
            window.shows(f"ended with {code} by {key}")
    run.go()
    assert process.wait() == 0
