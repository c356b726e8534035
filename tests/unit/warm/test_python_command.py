"""What is taken for a Python program: only what is fully understood."""

import sys
from pathlib import Path

import pytest

from wynot.warm.python_command import PythonCommand, python_command

ENVIRON = [b"PATH=/usr/bin:/bin"]
INSIDE = PythonCommand(is_inside=True)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "case").mkdir()
    return str(tmp_path / "case")


def found(folder: str, *words: str, environ: list[bytes] = ENVIRON) -> PythonCommand | None:
    return python_command([sys.executable, *words], folder, environ)


def script(folder: str, text: str, name: str = "tool") -> str:
    path = Path(folder).parent / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["-c", "pass"], INSIDE),
        (["-cpass"], INSIDE),
        (["-m", "black", "-q", "f.py"], PythonCommand(("black", "black.__main__"), is_inside=True)),
        (["-mblack"], PythonCommand(("black", "black.__main__"), is_inside=True)),
        (["-uB", "-W", "error", "-Xdev", "f.py"], INSIDE),
        (["f.py", "-I"], INSIDE),
        (["-"], INSIDE),
        ([], INSIDE),
        (["-I", "f.py"], None),
        (["-sE", "f.py"], None),
        (["-S", "f.py"], None),
        (["-i", "f.py"], None),
        (["-v", "f.py"], None),
        (["-X", "importtime", "f.py"], None),
        (["--version"], None),
        (["-m"], None),
        (["/nowhere/tool.py"], None),
    ],
)
def test_options_of_the_interpreter(
    folder: str, words: list[str], expected: PythonCommand | None
) -> None:
    assert found(folder, *words) == expected


def test_a_script_looks_for_modules_beside_itself(folder: str) -> None:
    path = script(folder, "pass", "tool.py")
    assert found(folder, path) == PythonCommand(path=str(Path(path).parent))


def test_a_folder_and_an_archive_are_not_scripts(folder: str) -> None:
    assert found(folder, str(Path(folder).parent)) is None


@pytest.mark.parametrize(
    ("first", "is_python"),
    [
        ("#!PYTHON", True),
        ("#!PYTHON -u", True),
        ("#!PYTHON -I", False),
        (f"#!/usr/bin/env {Path(sys.executable).name}", True),
        ("#!/usr/bin/env -S python3 -u", False),
        ("#!/bin/sh", False),
        ("#!/usr/bin/perl", False),
        ("#!/nowhere/python3", False),
        ("import os", False),
    ],
)
def test_the_first_line_of_a_script_says_what_it_is(
    folder: str, first: str, *, is_python: bool
) -> None:
    python = (
        Path(folder).parent / "python3"
    )  # in a path without spaces, which this line cannot have
    python.symlink_to(sys.executable)
    path = script(folder, f"{first.replace('PYTHON', str(python))}\npass\n")
    environ = [f"PATH={Path(sys.executable).parent}:/usr/bin".encode()]
    assert (python_command([path, "f.py"], folder, environ) is not None) is is_python


def test_a_script_of_pyenv_becomes_the_program(folder: str) -> None:
    text = (
        '#!/usr/bin/env bash\nset -e\n[ -n "$PYENV_DEBUG" ] && set -x\n\nprogram="${0##*/}"\n\n'
        'export PYENV_ROOT="/x"\nexec "/x/libexec/pyenv" exec "$program" "$@"\n'
    )
    assert python_command([script(folder, text, "black")], folder, ENVIRON) == PythonCommand()
    assert python_command([script(folder, text, "python3"), "-c", "1"], folder, ENVIRON) == INSIDE
    assert python_command([script(folder, text + "ls", "tool")], folder, ENVIRON) is None


def test_a_program_that_is_the_candidate_may_become_another(folder: str) -> None:
    path = Path(folder) / "tool"
    path.write_text(f"#!{sys.executable}\n")
    path.chmod(0o755)
    assert python_command([str(path)], folder, ENVIRON) is None
    assert python_command(["./tool"], folder, ENVIRON) is None


def test_other_programs_are_none(folder: str) -> None:
    assert python_command(["/bin/sh", "-c", "python3 f.py"], folder, ENVIRON) is None
    assert python_command(["cat", "f.py"], folder, ENVIRON) is None
    assert python_command(["nowhere"], folder, ENVIRON) is None


@pytest.mark.parametrize("name", ["PYTHONINSPECT", "PYTHONPROFILEIMPORTTIME"])
def test_variables_that_make_it_do_more(folder: str, name: str) -> None:
    assert found(folder, "f.py", environ=[*ENVIRON, f"{name}=1".encode()]) is None
