"""Results to show: ``--readable``, and the final newline."""

from pathlib import Path

import pytest

from e2e.programs import reduced, shell, text, told

PROGRAM = """\
int unused(int value) {
    return value;
}
int counted(int number) {
    int total = number + 1234;
        total / 0;
    return total;
}"""
TEST = "grep -q 'total */ *0' a.c && grep -q 'int counted' a.c && gcc -fsyntax-only a.c 2>&-"


def result_of(folder: Path, *options: str) -> str:
    text(folder / "a.c", PROGRAM)
    shell(folder, TEST)
    reduced(folder, "--fresh", *options, "test.sh", "a.c")
    return (folder / "a.c").read_text()


def test_a_readable_result_has_names_indentation_and_a_line_end(tmp_path: Path) -> None:
    found = result_of(tmp_path, "--readable")
    assert "int counted(" in found
    assert found.endswith("}\n")
    assert "\n    int total;\n    total / 0;\n" in found


@pytest.mark.slow
def test_a_format_that_is_given_holds(tmp_path: Path) -> None:
    found = result_of(tmp_path, "--readable", "--format", "short")
    assert "int counted(" in found
    assert not found.endswith("\n")


def test_the_last_line_end_is_a_step_and_is_not_meant_by_what_is_proved(tmp_path: Path) -> None:
    text(tmp_path / "in.txt", "".join(f"{number}\n" for number in range(30)))
    shell(tmp_path, "grep -q 17 in.txt")
    ran = told(tmp_path, "reduce", "test.sh", "in.txt")
    assert (tmp_path / "in.txt").read_text() == "17\n"
    assert "character except the final newline can be left out" in " ".join(ran.out.split())
    assert "asked again" not in ran.out  # nothing was cut off
    history = told(tmp_path, "history", "in.txt").out
    assert history.splitlines()[-1].endswith("line ends final newline")
    again = told(tmp_path, "reduce", "test.sh", "in.txt")
    assert "except the final newline can be left out" in " ".join(again.out.split())


def test_options_of_a_file_are_kept_to(tmp_path: Path) -> None:
    text(tmp_path / "pyproject.toml", "[tool.wynot]\nreadable = true\n")
    assert "int counted(" in result_of(tmp_path)
