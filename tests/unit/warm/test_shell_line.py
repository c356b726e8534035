"""Which shell scripts are one command, and what that does to streams and status."""

import subprocess
from pathlib import Path

import pytest

from wynot.warm.shell_line import ShellLine, shell_command, shell_script, unwrapped

SCRIPT = ["/x/test.sh", "/y/in put.txt", "two"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("python x.py", ["python", "x.py"]),
        ('python x.py "$1"', ["python", "x.py", "/y/in put.txt"]),
        ('python "${2}" --name="$2".txt', ["python", "two", "--name=two.txt"]),
        ("python 'a b' \"c d\" ''", ["python", "a b", "c d", ""]),
        ("exec python -m black -q in.py", ["python", "-m", "black", "-q", "in.py"]),
        ("python x.py $2", ["python", "x.py", "two"]),
        ("! python x.py", ["python", "x.py"]),
        ("python -c 'import $x; `y`'", ["python", "-c", "import $x; `y`"]),
    ],
)
def test_words_are_those_of_the_shell(line: str, expected: list[str]) -> None:
    found = shell_command(line)
    assert found is not None
    assert found.argv(SCRIPT) == expected


def test_words_are_those_that_a_shell_gives() -> None:
    line = "printf '%s|' \"$1\" a'b'\"c $2\"  '' x=1 --q=\"${1}\" '\"' $2"
    ran = subprocess.run(  # noqa: S603 - what a shell makes of it is the point
        ["/bin/sh", "-c", line, *SCRIPT], capture_output=True, check=True
    )
    found = shell_command(line)
    assert found is not None
    argv = found.argv(SCRIPT)
    assert argv is not None
    assert "".join(f"{word}|" for word in argv[2:]).encode() == ran.stdout


@pytest.mark.parametrize(
    "line",
    [
        "python x.py | grep y",
        "python x.py; true",
        "python x.py && true",
        "python x.py &",
        "python x.py &> /dev/null",
        "python x.py > out.txt",
        "python x.py < in.txt",
        "python x.py >> /dev/null",
        "python $HOME/x.py",
        'python "$HOME"',
        'python "$@"',
        "python $10",
        "python x.py # comment",
        "python ~/x.py",
        "python *.py",
        "python x\\ y",
        "python $(ls)",
        "python `ls`",
        'python "a\\"b"',
        "python {a,b}",
        "$1 x.py",
        "(python x.py)",
        "! exec python x.py",
        "python 'x",
        "!python x.py",
        "",
    ],
)
def test_everything_else_is_left_to_the_shell(line: str) -> None:
    found = shell_command(line)
    assert found is None or found.words[0] == ("!python",)


def test_an_argument_that_a_shell_would_split_is_left_to_it() -> None:
    found = shell_command("python $1")
    assert found is not None
    assert found.argv(SCRIPT) is None
    assert found.argv(["test.sh", "in.txt"]) == ["python", "in.txt"]
    assert found.argv(["test.sh"]) is None


@pytest.mark.parametrize(
    ("line", "streams"),
    [
        ("python x", (1, 2)),
        ("python x >/dev/null", (0, 2)),
        ("python x 2>/dev/null", (1, 0)),
        ("python x > /dev/null 2>&1", (0, 0)),
        ("python x 2>&1 >/dev/null", (0, 1)),
        ("python x 2>&1", (1, 1)),
        ("python x 1>&2 y", (2, 2)),
    ],
)
def test_streams_go_where_they_are_sent(line: str, streams: tuple[int, int]) -> None:
    found = shell_command(line)
    assert found is not None
    assert found.streams == streams


@pytest.mark.parametrize(
    ("line", "statuses"),
    [
        ("python x", {0: 0, 3: 3, -11: 139}),
        ("exec python x", {0: 0, 3: 3, -11: -11}),
        ("! python x", {0: 1, 3: 0, -11: 0}),
    ],
)
def test_the_status_is_that_of_the_script(line: str, statuses: dict[int, int]) -> None:
    found = shell_command(line)
    assert found is not None
    assert {status: found.status(status) for status in statuses} == statuses


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("#!/bin/sh\npython x.py\n", True),
        ("#!/usr/bin/env bash\nset -euo pipefail\n\n# it fails\n  python x.py  \n", True),
        ("#!/bin/sh -e\npython x.py", True),
        ("#!/bin/sh\nset -x\npython x.py\n", False),
        ("#!/bin/sh\npython x.py\npython y.py\n", False),
        ("#!/bin/zsh\npython x.py\n", False),
        ("python x.py\n", False),
        ("#!/bin/sh\n", False),
    ],
)
def test_a_script_is_one_command(text: str, *, is_one: bool) -> None:
    assert (shell_script(text) is not None) is is_one


def test_it_is_found_in_files_and_lines(tmp_path: Path) -> None:
    (tmp_path / "test.sh").write_text('#!/bin/sh\n! python x.py "$1"\n')
    found = unwrapped([str(tmp_path / "test.sh"), "in.txt"])
    assert found == ShellLine((("python",), ("x.py",), (1,)), is_negated=True)
    assert ShellLine.read(found.text) == found
    argv = ["/bin/sh", "-c", 'python x.py "$1"', "sh", "in.txt"]
    line = unwrapped(argv)
    assert line is not None
    assert line.argv(argv) == ["python", "x.py", "in.txt"]
    assert unwrapped(["/bin/ls"]) is None
