"""What is said while a test takes its time: it waits until that was said, and goes on."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from e2e.programs import LONGEST, PLAIN, shell

FIRST = "the first run of the test has taken"


@contextmanager
def waiting(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Run the command with both outputs in one; it ends at the latest with the test."""
    process = subprocess.Popen(  # noqa: S603 - the command is what is tested
        [sys.executable, "-m", "wynot", *arguments],
        cwd=folder,
        env={**os.environ, **PLAIN, "GATE": str(folder / "gate")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    timer = threading.Timer(LONGEST, process.kill)
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()
        process.kill()
        process.communicate()


def read_until(process: "subprocess.Popen[str]", words: str) -> str:
    """Return what is written up to a line with these words."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if words in line:
            return said
    raise AssertionError(said)


@pytest.fixture
def gated(numbers: Path) -> Path:
    """Return a folder with a test that does not end its first run before the gate is opened."""
    os.mkfifo(numbers / "gate")
    shell(numbers, 'if [ -p "$GATE" ]; then read _ < "$GATE"; fi\ngrep -q 33 in.txt')
    return numbers


def open_gate(folder: Path) -> None:
    """Let the test that waits go on, and all later ones pass."""
    with (folder / "gate").open("w") as gate:
        (folder / "gate").unlink()
        gate.write("go\n")


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        (["reduce", "test.sh", "in.txt"], "1-minimal"),
        (["check", "--runs", "2", "test.sh", "in.txt"], "The test is good."),
    ],
    ids=["reduce", "check"],
)
def test_a_first_run_that_takes_long_is_told_of(
    gated: Path, arguments: Sequence[str], end: str
) -> None:
    with waiting(gated, *arguments) as process:
        said = read_until(process, FIRST)
        assert "it may take up to 300 s" in said
        open_gate(gated)
        read_until(process, end)


def test_both_sides_of_an_inquiry_are_told_of(gated: Path) -> None:
    (gated / "good.txt").write_text("1\n")
    with waiting(gated, "isolate", "test.sh", "good.txt", "in.txt") as process:
        read_until(process, "trying 'in.txt' has taken")
        open_gate(gated)
        read_until(process, "one side passes, the other fails")


def test_programs_are_told_what_is_being_done(numbers: Path) -> None:
    with waiting(numbers, "reduce", "--json", "test.sh", "in.txt") as process:
        said = read_until(process, '"began"')
    assert '{"event": "doing", ' in said
    assert '"what": "the first run of the test", ' in said
