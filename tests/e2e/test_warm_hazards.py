"""Programs that could tell a copy of a process from one that was started.

Each is reduced twice, as usual and with ``--cold``. Either the copies do the same, or there are
none: the result is the same in both cases.
"""

import sys
from pathlib import Path

import pytest

from e2e.hazards import HAZARDS, Hazard
from e2e.programs import CALM, told
from tiers import slow_but
from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.job import warming

LINES = "".join(f"{word} {'-' * 60}\n" for word in ("one", "two", "needle", "four", "last"))


QUICK = ("nothing special", "a file that is open since import")


def put(folder: Path, hazard: Hazard) -> list[str]:
    """Write the program, and return the command that runs it."""
    program = folder / "program"
    program.mkdir()
    lines = hazard.module.splitlines(keepends=True)
    module = "".join(line.removeprefix("        ") for line in lines)
    (program / "lib.py").write_text(f"import argparse, email.message\n{module}")
    path = "lib.here + '/' + sys.argv[1]" if "here" in hazard.module else "sys.argv[1]"
    body = f"import sys, lib\ntext = open({path}).read()\n{hazard.body}\n"
    (program / "tool.py").write_text(body)
    (folder / "a.txt").write_text(LINES)
    return [sys.executable, *hazard.before, str(program / "tool.py"), "{}"]


@pytest.fixture
def endings(monkeypatch: pytest.MonkeyPatch) -> list[Ending]:
    """All runs from now on; tests are warm however little they take."""
    seen: list[Ending] = []
    usual = Sandbox.run

    def run(*arguments: object, **more: object) -> Ending:
        ending = usual(*arguments, **more)  # type: ignore[arg-type]
        seen.append(ending)
        return ending

    monkeypatch.setattr(Sandbox, "run", run)
    monkeypatch.setattr(warming, "LEAST_SECONDS", 0.0)
    return seen


def reduced(folder: Path, out: str, hazard: Hazard, command: list[str], *more: str) -> bytes:
    limit = () if "--timeout" in hazard.options else CALM
    options = (*limit, *hazard.options, "--atoms", "lines", "-j", "2", "-o", out, *more)
    done = told(folder, "reduce", *options, "a.txt", "--", *command)
    assert done.code == 0, done.err
    return (folder / out).read_bytes()


@pytest.mark.parametrize("name", slow_but(QUICK, HAZARDS))
def test_the_result_is_the_cold_one(tmp_path: Path, endings: list[Ending], name: str) -> None:
    hazard = HAZARDS[name]
    command = put(tmp_path, hazard)
    result = reduced(tmp_path, "warm.txt", hazard, command)
    was_warm = any(ending.is_warm for ending in endings)
    endings.clear()
    assert result == reduced(tmp_path, "cold.txt", hazard, command, "--cold")
    assert not any(ending.is_warm for ending in endings)
    assert b"needle" in result
    assert was_warm or not hazard.runs_warm
