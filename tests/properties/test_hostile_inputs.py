"""No input, however hostile, keeps wynot busy for long, takes much memory or ends it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_SECONDS = "60"
"""Processor time for each input: six times that of ``make fuzz``, as machines may be slow or busy.
Those that took too long had no end."""
IN_ONE_PROCESS = 20


WRONG = (377, 592, 1593, 1945, 3414, 4429, 4707, 6719, 6854, 7574, 8149)
"""Inputs that have taken too long, or ended with an exception."""


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 200, IN_ONE_PROCESS))
def test_hostile_inputs_are_reduced_within_bounds(start: int) -> None:
    reduce_some(str(IN_ONE_PROCESS), "--start", str(start))


@pytest.mark.slow
@pytest.mark.parametrize("number", WRONG)
def test_inputs_that_took_too_long_do_not(number: int) -> None:
    reduce_some("--only", str(number))


def reduce_some(*arguments: str) -> None:
    command = [sys.executable, "-m", "benchmarks.fuzz", "--seconds", MAX_SECONDS, *arguments]
    done = subprocess.run(  # noqa: S603
        command,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'tests'}:{ROOT / 'src'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
