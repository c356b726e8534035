"""Folders whose files bring in each other, and packages that are copied into them."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.programs import CALM, refused, shell, text, there, told
from faults.scripts import WYNOT, killed_at_last

HINT = "--vendor copies an installed package into the case"
PYTHON = f"{sys.executable} -SE"


def left(folder: Path) -> dict[str, str]:
    """Return what is left of the case."""
    return {name: content.decode() for name, content in there(folder / "case").items()}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_what_a_preprocessor_brings_in_is_written_there(tmp_path: Path) -> None:
    text(tmp_path / "case/main.c", '#include "h.h"\nint f(void) { return SIZE / ZERO; }\n')
    text(tmp_path / "case/h.h", "#define ZERO (SIZE - 4)\n#define SIZE 4\n")
    test = 'gcc -c case/main.c -o x.o 2>&1 | grep -q "division by zero"'
    ran = told(tmp_path, "reduce", "-j1", *CALM, shell(tmp_path, test), "case")
    assert ran.code == 0
    assert [*left(tmp_path)] == ["main.c"]
    assert "include" not in left(tmp_path)["main.c"]


@pytest.mark.slow
def test_modules_are_written_where_they_are_imported(tmp_path: Path) -> None:
    text(tmp_path / "case/main.py", "import tools\nfrom names import who\ntools.greet(who)\n")
    text(tmp_path / "case/tools.py", "def greet(name):\n    return name.missing\n")
    text(tmp_path / "case/names.py", "who = 3\nother = 4\n")
    test = f"{PYTHON} case/main.py 2>&1 | grep -q \"has no attribute 'missing'\""
    ran = told(tmp_path, "reduce", "-j1", "--fast", *CALM, shell(tmp_path, test), "case")
    assert ran.code == 0
    assert [*left(tmp_path)] == ["main.py"]
    assert "import" not in left(tmp_path)["main.py"]


@pytest.mark.slow
def test_imports_that_are_left_are_told_with_the_reason(tmp_path: Path) -> None:
    text(tmp_path / "case/main.py", "import json\nfrom own import x\nfrom gone import y\nx\n")
    text(tmp_path / "case/own.py", "x = 1\n")
    text(tmp_path / "case/gone.py", "y = 2\n")
    words = ["^import json", "^from own import x", "^from gone import y"]
    lines = [f"grep -q '{word}' case/main.py" for word in words]
    test = " && ".join([*lines, "grep -q 'x = 1' case/own.py"])
    ran = told(tmp_path, "reduce", "-j1", *CALM, "--json", shell(tmp_path, test), "case")
    said = [each["message"] for each in ran.events if each.get("slug") == "import"]
    parts = [line.removeprefix("case/main.py: ").split(" is left: ") for line in said]
    assert parts == [
        ["'import json'", f"what it names is not among the files of the case; {HINT}"],
        ["'from own import x'", "with case/own.py in its place, the failure does not show"],
        ["'from gone import y'", "the file it names, case/gone.py, is not needed, but this is"],
    ]


def test_a_file_alone_is_told_nothing_of_its_imports(tmp_path: Path) -> None:
    text(tmp_path / "main.py", "import json\n1\n")
    test = shell(tmp_path, "grep -q json main.py")
    assert "import" not in told(tmp_path, "reduce", "-j1", *CALM, test, "main.py").out


def installed_python(folder: Path) -> dict[str, str]:
    """Install a package of Python, and return the variables that make it known."""
    text(folder / "site/sums/__init__.py", "from .deep import total\nfrom .other import mean\n")
    text(folder / "site/sums/deep.py", "def total(of):\n    return sum(of) + len(of)\n")
    text(folder / "site/sums/other.py", "def mean(of):\n    return sum(of) / len(of)\n")
    text(folder / "site/sums/__pycache__/deep.pyc", "no part of it")
    return {**os.environ, "PYTHONPATH": str(folder / "site")}


@pytest.mark.slow
def test_an_installed_package_of_python_becomes_a_part_of_the_case(tmp_path: Path) -> None:
    variables = installed_python(tmp_path)
    text(tmp_path / "case/main.py", "import sums\nprint(sums.mean([1, 2]))\nsums.total([None])\n")
    shown = "unsupported operand type(s) for +: 'int' and 'NoneType'"
    test = shell(tmp_path, f'{sys.executable} -S case/main.py 2>&1 | grep -qF "{shown}"')
    before = there(tmp_path / "site")
    argv = [WYNOT, "reduce", "-j1", "--fast", *CALM, "--vendor", "sums", test, "case"]
    ran = subprocess.run(  # noqa: S603
        [*map(str, argv)], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran
    now = left(tmp_path)
    assert "sums" not in "".join(now.values())  # it is reproduced without the installed one
    assert len(now) == 1
    assert there(tmp_path / "site") == before
    assert set(there(tmp_path / "case.orig")) == {"main.py"}


def test_an_installed_package_of_node_does_too(tmp_path: Path) -> None:
    package = tmp_path / "node_modules/@own/sums"
    text(package / "package.json", '{"name": "@own/sums", "main": "lib/all.js"}')
    text(package / "lib/all.js", "const t = require('./t')\nexports.total = of => t(of).magic.x\n")
    text(package / "lib/t.js", "module.exports = of => of[0]\n")
    text(tmp_path / "case/main.js", "const s = require('@own/sums')\ns.total([1])\n")
    test = "cat case/*.js case/node_modules/@own/sums/lib/*.js 2>/dev/null | grep -q magic"
    argv = ("reduce", "-j1", *CALM, "--vendor", "@own/sums", shell(tmp_path, test), "case")
    assert told(tmp_path, *argv).code == 0
    assert "".join(left(tmp_path).values()).strip() == "magic"


@pytest.mark.slow
def test_a_reduction_with_a_package_goes_on_where_it_was(tmp_path: Path) -> None:
    for name in ("whole", "part"):
        package = tmp_path / name / "node_modules/p"
        text(package / "package.json", "{}")
        lines = "".join(f"exports.f{number} = {number};\n" for number in range(60))
        text(package / "index.js", f"{lines}exports.magic = 7;\n")
        text(tmp_path / name / "case/main.js", "require('p').magic\n")
        log = f'echo run >>"{tmp_path}/{name}/log"'
        body = f"{log}; cat case/*.js case/node_modules/p/*.js 2>/dev/null | grep -q 'magic *= *7'"
        shell(tmp_path / name, body)
    argv = ("reduce", "-j1", "--json", "--vendor", "p", "./test.sh", "case")
    assert told(tmp_path / "whole", *argv).code == 0
    with killed_at_last(
        subprocess.Popen(  # noqa: S603
            [str(WYNOT), *argv], cwd=tmp_path / "part", stdout=subprocess.PIPE, text=True
        )
    ) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if '"accepted"' in line and '"number": 3' in line)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert told(tmp_path / "part", *argv).code == 0
    assert left(tmp_path / "part") == left(tmp_path / "whole")
    runs = [(tmp_path / name / "log").read_text().count("run") for name in ("whole", "part")]
    assert runs[1] <= runs[0] + 10


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--vendor", "no_such_package_here", "test.sh", "case"], ["which is not installed"]),
        (["--vendor", "../x", "test.sh", "case"], ["--vendor is '../x'", "name of a package"]),
        (["--vendor", "json", "test.sh", "case/a.py"], ["--vendor copies packages into a folder"]),
    ],
)
def test_mistakes_about_packages_are_told(
    tmp_path: Path, given: list[str], words: list[str]
) -> None:
    text(tmp_path / "case/a.py", "import json\n")
    shell(tmp_path, "grep -q json case/a.py")
    before = there(tmp_path / "case")
    refused(told(tmp_path, "reduce", *given), 2, "[invalid-option]", *words)
    assert there(tmp_path / "case") == before
