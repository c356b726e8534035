"""Hints: in the words of the command line, harmless to a terminal, and as wide as it is."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.programs import LONGEST, PLAIN, refused, shell, text, told

RED = "\x1b[31mred"


@pytest.mark.parametrize(
    "given",
    [
        ("reduce", "./test.sh", RED),
        ("reduce", RED, "in.txt"),
        ("reduce", f"--{RED}", "./test.sh", "in.txt"),
        ("reduce", "--stdout", f"({RED}", "in.txt", "--", "cat", "{}"),
        ("reduce", "in.txt", "--", RED, "{}"),
        ("reduce", "--config", RED, "./test.sh", "in.txt"),
        ("reduce", "--config", f"{RED}.toml", "./test.sh", "in.txt"),
        ("reduce", "in.txt", "cat", RED, "{}"),
        ("reduce", "-j", RED, "./test.sh", "in.txt"),
        ("options", "--env", RED, "--", "cat", "-n"),
        ("options", RED),
        ("history", RED),
        ("history", "--restore", "0", "-o", f"{RED}.txt", f"{RED}.toml"),
        (RED,),
        ("in.txt", RED),
    ],
    ids=ascii,
)
def test_what_was_typed_does_nothing_to_the_terminal(numbers: Path, given: tuple[str, ...]) -> None:
    text(numbers / f"{RED}.toml", f"{RED} = 1")
    ran = told(numbers, *given)
    assert ran.code == 2
    assert ran.err.startswith("wynot: ")
    assert "\x1b" not in ran.err + ran.out


def test_a_forgotten_separator_is_put_where_it_belongs(numbers: Path) -> None:
    ran = told(numbers, "reduce", "in.txt", "sh", "-c", "{}")
    refused(ran, 2, "did you mean: wynot reduce in.txt -- sh -c {}\n")
    ran = told(numbers, "reduce", "in.txt", "cat", "--number", "it's")
    refused(ran, 2, """did you mean: wynot reduce in.txt -- cat --number 'it'"'"'s'\n""")
    ran = told(numbers, "in.txt", "--", "cat")
    refused(ran, 2, "no command 'in.txt'", "did you mean: wynot reduce in.txt -- cat\n")


def test_a_file_whose_name_is_like_another_one(numbers: Path) -> None:
    refused(told(numbers, "reduce", "./test.sh", "in.tx"), 2, "did you mean 'in.txt'?")
    refused(told(numbers, "reduce", "./tets.sh", "in.txt"), 2, "did you mean 'test.sh'?")
    refused(told(numbers, "history", "im.txt"), 2, "did you mean 'in.txt'?")
    refused(told(numbers, "reduce", "in.txt", "--", "test.sh"), 2, "did you mean './test.sh'?")
    refused(told(numbers, "reduce", "in.txt", "--", "./tset.sh"), 2, "did you mean 'test.sh'?")
    text(numbers / "old.lock", "")
    ran = told(numbers, "packages", "--good", "odl.lock", "--bad", "old.lock", "--", "cat")
    refused(ran, 2, "did you mean 'old.lock'?")


def test_what_to_look_for_is_said_with_options(numbers: Path) -> None:
    ran = told(numbers, "reduce", "in.txt", "--", "cat", "{}")
    refused(ran, 1, "shows no failure", "--stdout REGEX or --stderr REGEX")
    ran = told(numbers, "reduce", "--same", "trace", "in.txt", "--", "false", "{}")
    refused(ran, 1, "--same is 'trace'")
    ran = told(numbers, "check", "--same", "trace", "in.txt", "--", "false", "{}")
    assert "--same is 'trace'" in ran.out
    refused(told(numbers, "options", "-j", "0", "--", "cat", "-n"), 2, "--jobs is 0")
    refused(told(numbers, "check", "--runs", "1", "test.sh", "in.txt"), 2, "--runs is 1")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [50, 90])
def test_an_error_is_as_wide_as_the_terminal(numbers: Path, columns: int) -> None:
    shell(numbers, "exit 1", "never.sh")
    seen, terminal = pty.openpty()
    command = [sys.executable, "-m", "wynot", "reduce", "./never.sh", "in.txt"]
    with subprocess.Popen(  # noqa: S603 - the command is what is tested
        command,
        cwd=numbers,
        env={**os.environ, **PLAIN, "COLUMNS": str(columns)},
        stdout=subprocess.DEVNULL,
        stderr=terminal,
    ) as process:
        assert process.wait(LONGEST) == 1
    os.close(terminal)
    lines = os.read(seen, 65536).decode().splitlines()
    os.close(seen)
    assert lines[0].startswith("wynot: the failure does not show")
    assert any(line.startswith("hint: ") for line in lines)
    assert columns - 15 < max(map(len, lines)) <= columns
    assert all(line.startswith(("wynot: ", "hint: ", "      ")) for line in lines)


def test_names_in_answers_do_nothing_to_the_terminal(numbers: Path) -> None:
    name = f"{RED}.txt"
    (numbers / "in.txt").rename(numbers / name)
    shell(numbers, 'grep -q 33 "$1"')
    answers = [
        told(numbers, "reduce", "./test.sh", name),
        told(numbers, "history", name),
        told(numbers, "history", "--restore", "0", name),
        told(numbers, "options", "--", "cat", "-n", RED),
    ]
    assert [ran.code for ran in answers] == [0] * len(answers)
    assert "\x1b" not in "".join(ran.out + ran.err for ran in answers)
    assert r"fails: cat -n $'\x1b[31mred'" in answers[-1].out  # as a shell would take it
