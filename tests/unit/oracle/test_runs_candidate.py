"""Which command lines run the candidate, and which only read it."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import CannotConfine, InvalidOption, NoSuchFile
from wynot.oracle.confining import confinement, runs_candidate
from wynot.oracle.runs_candidate import by_script
from wynot.runners import landlock

RUN = [
    "./{}",
    "{}",
    "sh {}",
    "/bin/bash -e {}",
    "python3 {}",
    "python3.12 -W error -X dev {} --flag",
    "python3 -m pytest {}",
    "pytest -x {}",
    "perl -w {}",
    "node --trace-warnings {}",
    "node case.sh",
    "ruby @@",
    "make -f {}",
    "make -C {} test",
    "awk -f {} data",
    "bash",
    "python3 -",
    "env A=1 B=2 python3 {}",
    "timeout -k 1 10 sh {}",
    "nice -n 5 timeout 10s ./{}",
    "valgrind --error-exitcode=9 ./{}",
    "sh -c 'bash {} 2>&1 | grep x'",
    "bash -ec 'cd x && ./{} > log'",
    "sh -c 'if python3 {}; then exit 1; fi'",
    "sh {}/run.sh",
    "deno run {}",
]
READ = [
    "gcc -c {}",
    "node parse.js {}",
    "python3 tool.py {}",
    "python3 -m json.tool {}",
    "python3 -c 'import sys' {}",
    "perl -ne 'print' {}",
    "sh tool.sh {}",
    "sh -c 'gcc {} -o a && ./a'",
    "make all",
    "java -jar tool.jar {}",
    "cat",
    "grep -q needle case.sh",
    "timeout 10 gcc -c {}",
    "shellcheck {}",
    "sh -c 'grep -q \"unbalanced' {}",
]


@pytest.mark.parametrize("line", RUN)
def test_a_command_that_runs_it(line: str) -> None:

    assert runs_candidate(FailureOptions(command=shlex.split(line)), ["case.sh"])


@pytest.mark.parametrize("line", READ)
def test_a_command_that_reads_it(line: str) -> None:

    assert not runs_candidate(FailureOptions(command=shlex.split(line)), ["case.sh"])


def test_make_runs_a_makefile() -> None:
    assert runs_candidate(FailureOptions(command=["make", "all"]), ["Makefile"])


@pytest.mark.parametrize(
    ("body", "runs"),
    [
        ("#!/bin/sh\npython3 case.py 2>&1 | grep -q Error", True),
        ('#!/usr/bin/env bash\nset -e\ntimeout 5 python3 "$1"', True),
        ("#!/bin/sh\n! ./case.py", True),
        ("#!/bin/sh\ngcc -c case.py && python3 other.py", False),
        ("#!/bin/sh\n# python3 case.py\nflake8 case.py", False),
        ("#!/usr/bin/python3\nsubprocess.run(['python3', 'case.py'])", False),
    ],
)
def test_a_test_script_is_looked_through(tmp_path: Path, body: str, runs: bool) -> None:
    test = tmp_path / "test"
    test.write_text(body)
    assert by_script(test, [Path("case.py")]) is runs
    assert runs_candidate(FailureOptions(test=str(test)), ["case.py"]) is runs


@pytest.mark.parametrize(
    ("name", "content", "mode", "runs"),
    [
        ("a.sh", "true", 0o644, True),
        ("Makefile", "all:", 0o644, True),
        ("tool", "#!/usr/bin/perl", 0o755, True),
        ("tool", "#!/usr/bin/perl", 0o644, False),
        ("a.c", "int x;", 0o755, False),
    ],
)
def test_a_file_that_is_there_to_be_run_is_run(
    tmp_path: Path, name: str, content: str, mode: int, runs: bool
) -> None:
    file = tmp_path / name
    file.write_text(content)
    file.chmod(mode)
    assert runs_candidate(FailureOptions(test="/bin/true"), [str(file)]) is runs
    line = FailureOptions(shell="grep -q x")  # noqa: S604 - it is only looked at
    assert runs_candidate(line, [str(file)]) is runs


# What follows from it.

SCRIPT = FailureOptions(command=["sh", "{}"])
READER = FailureOptions(command=["cat", "{}"])


@pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")
def test_the_options_decide_and_else_what_is_run(tmp_path: Path) -> None:

    folder = str(tmp_path)
    assert confinement(SCRIPT, ["a.sh"])[:2] == ((), True)
    assert confinement(READER, ["a.sh"])[:2] == (None, False)
    assert confinement(replace(SCRIPT, confine=False), ["a.sh"]).writable is None
    assert confinement(replace(READER, confine=True), ["a.sh"])[:2] == ((), False)
    assert confinement(replace(READER, writable=[folder]), ["a.sh"])[:2] == ((folder,), False)
    assert confinement(replace(SCRIPT, confine=True)).writable == ()
    with pytest.raises(InvalidOption, match="both --writable and --no-confine"):
        confinement(replace(SCRIPT, confine=False, writable=[folder]))
    with pytest.raises(NoSuchFile, match="there is no folder"):
        confinement(replace(SCRIPT, writable=[f"{folder}/none"]))


def test_a_system_without_landlock_is_told(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(landlock, "version", lambda: 0)
    usual = confinement(SCRIPT, ["a.sh"])
    assert usual.writable is None
    assert "no Landlock" in usual.missing
    assert not confinement(READER, ["a.sh"]).missing
    with pytest.raises(CannotConfine, match="no Landlock"):
        confinement(replace(READER, confine=True), ["a.sh"])


@pytest.mark.parametrize("word", ["sub/case.sh", "./sub/case.sh", "sub/../sub/case.sh", None])
def test_a_file_is_the_candidate_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "case.sh").write_text("exit 3\n")
    (tmp_path / "tool.sh").write_text("exit 3\n")
    written = word or str(tmp_path / "sub" / "case.sh")
    for file in ("sub/case.sh", "./sub", str(tmp_path / "sub")):
        assert runs_candidate(FailureOptions(command=["sh", written]), [file])
        assert not runs_candidate(FailureOptions(command=["sh", "./tool.sh", written]), [file])
