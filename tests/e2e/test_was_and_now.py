"""What the failure looked like, and what the result shows; and a failure that any input shows."""

from pathlib import Path
from typing import Any

import pytest

from e2e.programs import Ran, refused, shell, text, told, wynot

NOISE = "".join(f"noise {number}\n" for number in range(6))
INPUT = f"{NOISE}deep\n{NOISE}heap\n{NOISE}"

WIDGET = """\
if grep -q deep "$1" && grep -q heap "$1"; then
    echo "widget: cannot be wound at line $(grep -n deep "$1" | cut -d: -f1)" >&2; exit 3
fi
grep -q deep "$1" && { echo "widget: not found" >&2; exit 3; }
exit 0
"""
WAS = "widget: cannot be wound at line 7"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Return a folder with an input, a program that fails on it, and two tests."""
    text(tmp_path / "in.txt", INPUT)
    program = shell(tmp_path, WIDGET, "widget.sh")
    shell(tmp_path, f'{program} "$1" 2>&1 | grep widget:', "tells.sh")
    shell(tmp_path, f'{program} "$1" 2>&1 | grep -q widget:', "silent.sh")
    return tmp_path


def ended(ran: Ran) -> dict[str, Any]:
    assert ran.events[-1]["event"] == "ended", ran
    return ran.events[-1]


def notices(ran: Ran) -> list[str]:
    return [event["slug"] for event in ran.events if event["event"] == "noticed"]


COMMAND = ("in.txt", "--", "./widget.sh", "{}")


@pytest.mark.slow
def test_the_same_failure_is_said_to_be_the_same(case: Path) -> None:
    ran = wynot(case, "reduce", *COMMAND)
    assert ran.code == 0, ran
    assert f"\nwas:      {WAS}\nnow:      widget: cannot be wound at line 1\n" in ran.out
    assert "another failure" not in ran.out


def test_another_failure_is_said_to_be_another(case: Path) -> None:
    ran = told(case, "reduce", "--same", "exit", *COMMAND)
    assert ran.code == 0, ran
    assert f"\nwas:      {WAS}\nnow:      widget: not found\n" in ran.out
    assert "--same exact or --text STRING" in " ".join(ran.out.split())
    again = told(case, "reduce", "--same", "exit", *COMMAND)
    assert f"\nwas:      {WAS}\nnow:      widget: not found\n" in again.out


def test_programs_are_told_too(case: Path) -> None:
    same = told(case, "reduce", "--json", "-o", "a", *COMMAND)
    assert ended(same)["was"] == WAS
    assert ended(same)["now"] == "widget: cannot be wound at line 1"
    assert not ended(same)["differs"]
    other = told(case, "reduce", "--json", "-o", "b", "--same", "exit", *COMMAND)
    assert ended(other)["differs"]
    assert notices(other) == ["differs"]


def test_of_a_script_it_is_what_the_script_prints(case: Path) -> None:
    ran = told(case, "reduce", "--json", "./tells.sh", "in.txt")
    assert (ended(ran)["was"], ended(ran)["now"]) == (WAS, "widget: not found")
    assert notices(ran) == ["differs"]


def test_of_a_script_that_prints_nothing_nothing_is_said(case: Path) -> None:
    ran = told(case, "reduce", "./silent.sh", "in.txt")
    assert ran.code == 0, ran
    assert "was:" not in ran.out


def test_a_resumed_run_tells_it_as_well(case: Path) -> None:
    stopped = told(case, "reduce", "--json", "--max-tests", "3", *COMMAND)
    assert ended(stopped)["stopped"] == "max-tests"
    assert not ended(stopped)["now"]
    ran = told(case, "reduce", "--json", *COMMAND)
    assert ended(ran)["was"] == WAS
    assert ended(ran)["now"] == "widget: cannot be wound at line 1"


def test_check_shows_what_it_looks_like(case: Path) -> None:
    ran = told(case, "check", *COMMAND)
    assert f"     it shows: {WAS}\n" in ran.out
    assert "ok   private" in ran.out


NEEDS = ("in.txt", "--", "sh", "-c", "cat rules.txt && exit 3", "sh", "{}")


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        (["sh", "-c", "echo 'error: no display' >&2; exit 3", "sh", "{}"], "on any input"),
        (["sh", "-c", "echo 'error: no display' >&2; exit 3"], "write {} where its name goes"),
        (["sh", "-c", "echo 'error: no display' >&2; exit 3", "sh", "in.txt"], "run it by hand"),
    ],
)
def test_a_command_that_fails_on_any_input(case: Path, command: list[str], hint: str) -> None:
    ran = told(case, "reduce", "in.txt", "--", *command)
    refused(ran, 1, "[always-interesting]", 'keeps: exit status 3 and "error: no display"')
    assert "\n  | error: no display\n" in ran.err
    assert hint in ran.hint
    checked = told(case, "check", "in.txt", "--", *command)
    assert checked.code == 1
    assert "private" not in checked.out
    assert hint in checked.out


def test_a_command_that_fails_only_because_it_is_elsewhere(case: Path) -> None:
    text(case / "rules.txt", "rule one\n")
    ran = told(case, "reduce", *NEEDS)
    refused(ran, 1, "[always-interesting]", "rules.txt")
    assert "--with FILE" in ran.hint
    checked = told(case, "check", *NEEDS)
    assert "--with FILE" in checked.out
    assert "ok   private" not in checked.out
    given = told(case, "check", "--with", "rules.txt", *NEEDS)
    assert "--with FILE" not in given.out


def test_a_script_that_accepts_anything_shows_its_output(case: Path) -> None:
    shell(case, "echo here I am; exit 0", "always.sh")
    ran = told(case, "reduce", "./always.sh", "in.txt")
    refused(ran, 1, "interesting even for an empty file", "| here I am", "wynot check TEST FILE")
