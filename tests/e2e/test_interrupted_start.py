"""Ctrl-C while the command is still being imported: one line, and the exit code for it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from e2e.programs import LONGEST, PLAIN, text
from structure.pages import ROOT

SIGNALLING = """
import os, signal, sys

def signal_at(event, arguments):
    if event == "import" and arguments[0] == os.environ["SIGNAL_AT"]:
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(signal_at)
"""
"""Presses Ctrl-C at the moment when a module is about to be imported."""

SCRIPT = "import sys; from wynot.__main__ import main; sys.exit(main())"
"""What installers write into the script `wynot`."""


@pytest.mark.parametrize(
    ("begun", "module"),
    [
        (["-c", SCRIPT], "argparse"),
        (["-m", "wynot"], "wynot.core.errors"),
        (["-m", "wynot"], "wynot.cli.parser"),
        (["-m", "wynot"], "wynot.reduction.job"),
        (["-m", "wynot"], "sqlite3"),
    ],
    ids=lambda each: each if isinstance(each, str) else each[0],
)
def test_ctrl_c_while_importing_is_one_line(numbers: Path, begun: list[str], module: str) -> None:
    text(numbers / "hook" / "sitecustomize.py", SIGNALLING)
    before = sorted(numbers.rglob("*"))
    ran = subprocess.run(  # noqa: S603 - the command is what is tested
        [sys.executable, *begun, "reduce", "./test.sh", "in.txt"],
        cwd=numbers,
        env={
            **os.environ,
            **PLAIN,
            "PYTHONPATH": str(numbers / "hook"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "SIGNAL_AT": module,
        },
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert ran.stderr == "wynot: interrupted before anything was done\n"
    assert (ran.returncode, ran.stdout) == (130, "")
    assert sorted(numbers.rglob("*")) == before


def test_the_script_begins_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"wynot": "wynot.__main__:main"}
