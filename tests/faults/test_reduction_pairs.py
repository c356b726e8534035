"""Signals that come in pairs, as GNU timeout and terminals send them."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from faults.scripts import finish, killed_at_last, until

SCRIPT = """#!/bin/sh
printf . >> {log}
grep -q 77 t.txt && grep -q 1234 t.txt
"""


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (signal.SIGTERM, 143),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, 143, marks=pytest.mark.slow),
    ],
)
def test_the_second_signal_does_not_disturb_the_end(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    log, case, script = (tmp_path / name for name in ("log", "t.txt", "t.sh"))
    log.touch()
    case.write_text("".join(f"{each}\n" for each in range(3000)))
    script.write_text(SCRIPT.format(log=log))
    script.chmod(0o755)
    command = [
        sys.executable,
        "-m",
        "wynot",
        "reduce",
        "t.sh",
        "t.txt",
        "-j",
        "1",
        "--atoms",
        "bytes",
    ]
    running = subprocess.Popen(  # noqa: S603 - our own command
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    with killed_at_last(running):
        until(lambda: log.stat().st_size >= 12 or running.poll() is not None, "some tests")
        for _ in range(2):
            running.send_signal(number)
        ended = finish(running)
    assert ended.code == code, ended.said
    assert "The same command continues" in ended.said
    assert len(case.read_bytes()) < 13_000


@pytest.mark.slow
def test_with_nohup_it_goes_on_when_the_terminal_closes(tmp_path: Path) -> None:
    log, case, script = (tmp_path / name for name in ("log", "t.txt", "t.sh"))
    log.touch()
    case.write_text("".join(f"{each}\n" for each in range(3000)))
    script.write_text(SCRIPT.format(log=log))
    script.chmod(0o755)
    command = ["nohup", sys.executable, "-m", "wynot", "reduce", "t.sh", "t.txt"]
    running = subprocess.Popen(  # noqa: S603 - our own command
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    with killed_at_last(running):
        until(lambda: log.stat().st_size >= 12 or running.poll() is not None, "some tests")
        running.send_signal(signal.SIGHUP)
        ended = finish(running)
    assert ended.code == 0, ended.said
    assert case.read_text() == "123477\n"
