"""Tests of Python programs that begin with their modules loaded."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from e2e.programs import CALM, Ran
from e2e.programs import told as run_wynot
from warm_program import IS_COPY

PROGRAM = """
import argparse, asyncio, decimal, email.message, json, logging, unittest
import sys

text = open(sys.argv[1]).read()
{before}
if "boom" in text and text.count("(") == text.count(")"):
    raise ValueError("boom")
"""
TEXT = "".join(f"word{number} (more {number})\n" for number in range(30)) + "boom (x)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.txt").write_text(TEXT)
    return tmp_path


def program(folder: Path, before: str = "") -> str:
    path = folder / "program.py"
    path.write_text(PROGRAM.format(before=before))
    return str(path)


def reduce(folder: Path, path: str, *options: str, out: str) -> Ran:
    command = ("--", sys.executable, path, "{}")
    return run_wynot(folder, "reduce", "--json", *CALM, *options, "-o", out, "in.txt", *command)


def fact(folder: Path, out: str, name: str) -> str:
    with closing(sqlite3.connect(folder / ".wynot" / f"{out}.journal")) as journal:
        asked = "SELECT body FROM events WHERE kind = 'fact' AND key = ? ORDER BY seq"
        rows = journal.execute(asked, (name,)).fetchall()
    return rows[-1][0] if rows else ""


def steps(folder: Path, out: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(folder / ".wynot" / f"{out}.journal")) as journal:
        asked = "SELECT body ->> 0, body ->> 3, key FROM events WHERE kind = 'step' ORDER BY seq"
        return journal.execute(asked).fetchall()


def notices(ran: Ran, slug: str) -> list[str]:
    return [
        each["message"]
        for each in ran.events
        if each["event"] == "noticed" and each["slug"] == slug
    ]


@pytest.mark.slow
def test_the_result_is_that_of_programs_that_are_started(folder: Path) -> None:
    path = program(folder)
    ran = {
        "warm": reduce(folder, path, "-j", "1", out="warm"),
        "wide": reduce(folder, path, "-j", "3", out="wide"),
        "cold": reduce(folder, path, "-j", "1", "--cold", out="cold"),
    }
    assert {name: each.code for name, each in ran.items()} == {"warm": 0, "wide": 0, "cold": 0}
    assert fact(folder, "warm", "warm") == "on"
    assert fact(folder, "cold", "warm") == ""
    assert steps(folder, "warm") == steps(folder, "wide") == steps(folder, "cold") != []
    assert {each.events[-1]["tests"] for each in ran.values()} == {ran["cold"].events[-1]["tests"]}
    assert (folder / "warm").read_bytes() == (folder / "cold").read_bytes()


def test_what_was_run_before_is_not_run_again_to_try_copies(folder: Path) -> None:
    path = program(folder, "open(__file__ + '.log', 'a').write('run\\n')")
    reduce(folder, path, "-j", "1", "--max-tests", "0", out="out")
    assert fact(folder, "out", "warm") == "on"
    runs = (folder / "program.py.log").read_text().split()
    # Twice on the original, once on an empty file; to see what it loads; and a copy of each.
    assert len(runs) == 3 + 1 + 2


@pytest.mark.slow
def test_a_program_that_is_another_when_it_is_copied_is_started(folder: Path) -> None:
    path = program(folder, "import gc; print(gc.get_freeze_count() > 0)")
    ran = reduce(folder, path, "-j", "1", out="out")
    assert ran.code == 0
    assert fact(folder, "out", "warm") == ""


DIFFERS = f"if {IS_COPY} and len(text) < 300: sys.exit(0)"
"""It shows the failure on small cases only if it is started."""


@pytest.mark.slow
def test_a_difference_has_all_asked_again(folder: Path) -> None:
    path = program(folder, DIFFERS)
    ran = reduce(folder, path, "-j", "2", out="out")
    cold = reduce(folder, path, "-j", "2", "--cold", out="cold")
    assert len(notices(ran, "warm")) == 1
    assert fact(folder, "out", "warm").startswith("off ")
    assert (folder / "out").read_bytes() == (folder / "cold").read_bytes()
    assert cold.code == ran.code == 0


WRONG = f"if {IS_COPY} and 0 < len(text) < 300: raise ValueError('boom')"
"""It shows the failure on almost any small case, but only if it is copied."""


@pytest.mark.slow
def test_a_result_that_only_copies_find_does_not_stay(folder: Path) -> None:
    path = program(folder, WRONG)
    ran = reduce(folder, path, "-j", "2", out="out")
    reduce(folder, path, "-j", "2", "--cold", out="cold")
    assert len(notices(ran, "warm")) == 1
    assert (folder / "out").read_bytes() == (folder / "cold").read_bytes()


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_as_it_would_have(folder: Path) -> None:
    path = program(folder, DIFFERS)
    reduce(folder, path, "-j", "1", out="whole")
    for tests in ("2", "7", "20"):
        reduce(folder, path, "-j", "1", "--max-tests", tests, out="out")
    assert reduce(folder, path, "-j", "1", out="out").code == 0
    assert fact(folder, "out", "warm") == fact(folder, "whole", "warm") != ""
    assert steps(folder, "out") == steps(folder, "whole")


def test_the_program_may_be_what_is_reduced(folder: Path) -> None:
    lines = [f"value{number} = json.dumps([{number}])" for number in range(20)]
    (folder / "in.py").write_text(
        "\n".join(["import argparse, asyncio, json, logging", *lines, "print(1 / 0)"])
    )
    for name, options in {"warm": (), "cold": ("--cold",)}.items():
        command = ("-o", name, "in.py", "--", sys.executable, "{}")
        assert run_wynot(folder, "reduce", *CALM, *options, *command).code == 0
    assert fact(folder, "warm", "warm") == "on"
    assert steps(folder, "warm") == steps(folder, "cold") != []


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "exec {python} {path} in.txt 2>/dev/null",
        '! {python} {path} "$1" >/dev/null 2>&1',
    ],
)
def test_a_script_that_is_nothing_but_a_program(folder: Path, line: str) -> None:
    path = program(folder, "" if line.startswith("!") else "sys.exit(0 if 'boom' in text else 1)")
    test = folder / "test.sh"
    test.write_text(f"#!/bin/sh\n{line.format(python=sys.executable, path=path)}\n")
    test.chmod(0o755)
    for name, options in {"warm": (), "cold": ("--cold",)}.items():
        ran = run_wynot(folder, "reduce", *CALM, *options, "-o", name, "test.sh", "in.txt")
        assert ran.code == 0
    assert fact(folder, "warm", "warm") == "on"
    assert steps(folder, "warm") == steps(folder, "cold") != []


@pytest.mark.slow
def test_guards_are_programs_of_their_own(folder: Path) -> None:
    path = program(folder)
    guard = f"{sys.executable} -c 'import sys; sys.exit(len(open(sys.argv[1]).read()) < 10)' {{}}"
    ran = reduce(folder, path, "--passes", guard, out="out")
    assert ran.code == 0
    assert fact(folder, "out", "warm") == "on"
    assert len((folder / "out").read_bytes()) >= 10


WRONG_LATER = f"""import os
if os.path.exists(__file__ + ".later") and {IS_COPY} and 5 < len(text) < 300:
    raise ValueError("boom")"""
"""After the reduction it shows the failure on small cases that are not the result, if copied."""


@pytest.mark.slow
def test_what_copies_have_explained_is_asked_again_if_one_differs(folder: Path) -> None:
    path = program(folder, WRONG_LATER)
    for out, options in (("out", ()), ("cold", ("--cold",))):
        assert reduce(folder, path, "-j", "2", *options, out=out).code == 0
    (folder / "program.py.later").touch()
    warm, again, cold = (
        run_wynot(folder, "explain", "--json", out) for out in ("out", "out", "cold")
    )
    assert len(notices(warm, "warm")) == 1
    assert notices(again, "warm") == notices(cold, "warm") == []
    said = [each.events[-2]["data"]["pattern"] for each in (warm, again, cold)]
    assert said[0] == said[1] == said[2] != ""
