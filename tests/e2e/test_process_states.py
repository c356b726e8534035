"""Programs that look at the state of their process are reduced as if each was started."""

import sys
from pathlib import Path

import pytest

from e2e.process_states import STATES, TEXT, write_program
from e2e.programs import CALM, told
from tiers import slow_but
from wynot.job import warming

QUICK = ("peak memory in /proc",)


def reduced(folder: Path, out: str, *options: str) -> bytes:
    command = ("--", sys.executable, str(folder / "program" / "tool.py"), "{}")
    given = (*CALM, "--atoms", "lines", "-j", "2", *options, "-o", out, "a.txt")
    ran = told(folder, "reduce", *given, *command)
    assert ran.code == 0, ran.err
    return (folder / out).read_bytes()


@pytest.mark.parametrize("name", slow_but(QUICK, STATES))
def test_result_is_that_of_a_cold_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(warming, "LEAST_SECONDS", 0.0)
    write_program(tmp_path / "program", STATES[name])
    (tmp_path / "a.txt").write_text(TEXT)
    assert reduced(tmp_path, "warm.txt") == reduced(tmp_path, "cold.txt", "--cold")
