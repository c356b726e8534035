"""Processes that have modules loaded do not outlive wynot, whichever way it ends."""

import signal
import sys
from pathlib import Path

import pytest

from faults.scripts import Place, finish, kill, killed_at_last, processes, soon, text, until
from tiers import slow_but
from warm_program import IS_COPY
from wynot.machine.reaper import HAS_PIDFD

pytestmark = pytest.mark.skipif(not HAS_PIDFD, reason="processes are adopted on Linux only")

PROGRAM = """
import argparse, asyncio, decimal, email.message, json, logging, sys, unittest

with open({log!r}, "a") as log:
    log.write("warm" if {is_copy} else "cold")
sys.exit(3 if "needle" in open(sys.argv[1]).read() else 0)
"""


def program(folder: Path) -> tuple[Path, Path]:
    path, log = folder / "program.py", folder / "log"
    path.write_text(PROGRAM.format(log=str(log), is_copy=IS_COPY))
    return path, log


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", slow_but([signal.SIGKILL], [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
)
def test_nothing_is_left_and_the_next_run_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    path, log = program(tmp_path)
    place = Place(tmp_path / "place", text("needle"))
    command = ("-j2", place.name, "--", sys.executable, path, "{}")
    process = place.start(*command)
    with killed_at_last(process):
        until(lambda: log.exists() and log.read_text().count("warm") > 4, "copies run")
        kill(process, number)
    assert soon(lambda: not processes(path))
    assert finish(place.start(*command)).code == 0
    other = Place(tmp_path / "other", place.original)
    assert other.run("--cold", other.name, "--", sys.executable, path, "{}").code == 0
    assert place.file.read_bytes() == other.file.read_bytes()
    assert not processes(path)
