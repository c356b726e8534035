"""Undefined behaviour as compilers see it: real ones, on small programs."""

import json
import shutil
from pathlib import Path

import pytest

from wynot.commands.shared_options import FailureOptions
from wynot.core.ending import Ending
from wynot.core.errors import GuardFails, InvalidOption
from wynot.oracle.no_ub import flags_in, no_ub
from wynot.programs.undefined import ChosenChecks, check, choose

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")

GOOD = """
#include <stdio.h>
static int a[4] = {1, 2, 3, 4};
int main(void) {
    volatile int at = 2;
    int x = 3;
    printf("%d", a[at] + x);
    return 0;
}
"""


def written(folder: Path, text: str, name: str = "p.c") -> list[str]:
    (folder / name).write_text(text)
    return [str(folder / name)]


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> ChosenChecks:
    """Return what is asked of parts of the good program."""
    folder = tmp_path_factory.mktemp("good")
    chosen = choose([], written(folder, GOOD), str(folder))
    assert not chosen["problem"]
    assert not chosen["notices"]
    return chosen["choice"]


def test_a_good_program_is_compiled_and_run(choice: ChosenChecks, tmp_path: Path) -> None:
    assert choice["runs"]
    assert choice["must_end"]
    assert "maybe-uninitialized" in choice["checks"][0]["warnings"]
    assert "sometimes-uninitialized" not in choice["checks"][0]["warnings"]  # that is clang's
    assert check(choice, written(tmp_path, GOOD), str(tmp_path)) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("int x = 3;", "int x;", "uninitialized"),
        ("volatile int at = 2;", "volatile int at = 7;", "runtime error: index 7"),
        ("#include <stdio.h>", "", "implicit-function-declaration"),
        ('"%d"', '"%s"', "format"),
        ("int main", "main", "implicit-int"),
        ("return 0;", "int f() { }", "return-type"),
        ("return 0;", "return 1 << 40;", "shift-count-overflow"),
        ("return 0;", "return at / (at - 2);", "runtime error: division by zero"),
        ("return 0;", "return at + 2147483646;", "runtime error: signed integer overflow"),
        ("return 0;", "for (;;) at = 1;", "does not end within"),
        ("return 0;", "return 0", "expected"),
    ],
)
def test_what_makes_it_undefined_is_found(
    choice: ChosenChecks, tmp_path: Path, old: str, new: str, found: str
) -> None:
    assert old in GOOD
    said = check(choice, written(tmp_path, GOOD.replace(old, new)), str(tmp_path))
    assert found in said


@pytest.mark.parametrize(
    "text",
    [
        "int f(int x) { return x; }\n",
        "",
        "int main(void) { return 113; }\n",  # the status of a report, without one
        "#include <stdlib.h>\nint main(void) { abort(); }\n",
    ],
    ids=["no main", "nothing", "status", "abort"],
)
def test_what_is_defined_passes(choice: ChosenChecks, tmp_path: Path, text: str) -> None:
    assert check(choice, written(tmp_path, text), str(tmp_path)) == ""


def test_warnings_that_the_original_gives_are_left_out(tmp_path: Path) -> None:
    chosen = choose([], written(tmp_path, "f(void) { return g(); }\n"), str(tmp_path))
    [notice] = chosen["notices"]
    assert "-Wimplicit-function-declaration" in notice
    assert "-Wimplicit-int" in notice
    assert "implicit-int" not in chosen["choice"]["checks"][0]["warnings"]
    assert not chosen["choice"]["runs"]


def test_an_original_that_is_undefined_when_it_runs_is_not_run(tmp_path: Path) -> None:
    chosen = choose([], written(tmp_path, GOOD.replace("at = 2", "at = 7")), str(tmp_path))
    assert not chosen["choice"]["runs"]
    assert "the original has undefined behaviour itself" in chosen["notices"][0]
    assert "index 7 out of bounds" in chosen["notices"][0]


@pytest.mark.slow
def test_an_original_that_does_not_end_may_go_on_like_that(
    choice: ChosenChecks, tmp_path: Path
) -> None:
    sources = written(tmp_path, "int main(void) { for (;;); }\n")
    endless: ChosenChecks = {**choice, "must_end": False}
    assert check(endless, sources, str(tmp_path)) == ""


@pytest.mark.skipif(not shutil.which("g++"), reason="there is no g++")
def test_c_and_cpp_are_compiled_each_by_its_own_and_linked_together(tmp_path: Path) -> None:
    one = written(tmp_path, 'extern "C" int f(void);\nint main() { return f(); }\n', "one.cc")
    two = written(tmp_path, "int f(void) { return 0; }\n", "two.c")
    choice = choose([], [*one, *two], str(tmp_path))["choice"]
    assert {asked["language"] for asked in choice["checks"]} == {"C", "C++"}
    assert choice["runs"]
    two = written(tmp_path, "int f(void) { return 1 / 0; }\n", "two.c")
    assert "div-by-zero" in check(choice, [*one, *two], str(tmp_path))


def learned(tmp_path: Path, text: str, name: str = "p.c") -> object:
    """Have the guard see an original, as its first run prints it."""
    sources = written(tmp_path, text, name) if name.endswith(".c") else []
    said = json.dumps(choose([], sources, str(tmp_path))).encode()
    guard = no_ub(FailureOptions())
    assert guard.learn is not None
    return guard.learn(Ending(0, 0.1, "", said)).guard.words


def test_what_is_looked_for_is_said_in_one_line(tmp_path: Path) -> None:
    words = learned(tmp_path, GOOD)
    assert str(words).startswith("no undefined behaviour: gcc -O2 with ")
    assert str(words).endswith(" warnings as errors; run with -fsanitize=undefined,address")


def test_files_that_are_not_c_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="none of the files is C or C"):
        learned(tmp_path, "x", "p.txt")


def test_an_original_that_does_not_compile_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GuardFails, match=r"gcc does not compile the original: p\.c:.*error: expec"):
        learned(tmp_path, "int f(\n")


def test_without_a_compiler_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        InvalidOption, match=r"there is no compiler for C\nhint: install gcc or cla"
    ):
        learned(tmp_path, GOOD)


def test_what_a_compiler_has_to_be_told_is_taken_from_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inc").mkdir()
    monkeypatch.chdir(tmp_path)
    command = ["gcc", "-O3", "-Iinc", "-isystem", "/opt/x", "-DA=1", "-std=c99", "-c", "{}", "-lz"]
    assert flags_in(command) == [
        *("-I", f"{tmp_path}/inc", "-isystem", "/opt/x", "-DA=1", "-std=c99", "-lz"),
    ]
    assert flags_in(()) == []
