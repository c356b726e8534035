"""A test that changes while wynot runs: it is noticed, and nothing it then says is believed."""

from pathlib import Path

import pytest

from e2e.programs import NUMBERS, refused, shell, text, told


def changing(folder: Path, *, after: int, then: str, name: str = "test.sh") -> str:
    """Write a test that becomes another one after some calls; return its text."""
    log, test, other = folder / "log", folder / name, folder / f"{name}.new"
    text(other, f"#!/bin/sh\n{then}\n", 0o755)
    body = (
        f"echo >> '{log}'\n"
        f"if [ $(wc -l < '{log}') -ge {after} ] && [ -e '{other}' ]; then\n"
        f"  mv '{other}' '{test}'\n"
        "fi\n"
        'grep -q 33 "$1"'
    )
    return shell(folder, body, name).read_text()


@pytest.mark.parametrize("jobs", ["-j1", "-j3"])
def test_a_script_that_changes_ends_the_reduction(numbers: Path, jobs: str) -> None:
    changing(numbers, after=16, then="exit 0")
    ran = told(numbers, "reduce", jobs, "test.sh", "in.txt")
    refused(ran, 4, "[changed-test]", "the test 'test.sh' has changed")
    assert "Stopped: the test was changed during the run" in ran.out
    left = (numbers / "in.txt").read_bytes()
    assert b"33\n" in left
    assert left != NUMBERS  # what was found before is kept
    assert (numbers / "in.txt.orig").read_bytes() == NUMBERS


def test_nothing_that_the_changed_script_said_is_used_if_the_old_one_comes_back(
    numbers: Path,
) -> None:
    # What it says once it has changed is wrong of every candidate.
    before = changing(numbers, after=10, then="exit 1")
    refused(told(numbers, "reduce", "-j1", "test.sh", "in.txt"), 4, "[changed-test]")
    text(numbers / "test.sh", before, 0o755)
    ran = told(numbers, "reduce", "-j1", "test.sh", "in.txt")
    assert ran.code == 0, ran
    assert "of an earlier run known already" in ran.out
    assert (numbers / "in.txt").read_bytes().strip() == b"33"


def test_a_script_that_is_only_written_again_has_not_changed(numbers: Path) -> None:
    test = numbers / "test.sh"
    shell(
        numbers,
        f"cp '{test}' '{test}.$$'\nmv '{test}.$$' '{test}'\ntouch '{test}'\ngrep -q 33 in.txt",
    )
    ran = told(numbers, "reduce", "test.sh", "in.txt")
    assert ran.code == 0, ran
    assert (numbers / "in.txt").read_bytes().strip() == b"33"


def test_a_script_that_is_taken_away_ends_the_reduction(numbers: Path) -> None:
    log, test = numbers / "log", numbers / "test.sh"
    shell(
        numbers,
        f"echo >> '{log}'\n[ $(wc -l < '{log}') -eq 10 ] && rm '{test}'\ngrep -q 33 in.txt",
    )
    refused(told(numbers, "reduce", "-j1", "test.sh", "in.txt"), 4, "[changed-test]", "no longer")
    assert b"33" in (numbers / "in.txt").read_bytes()


def test_a_script_that_a_command_names_is_watched(numbers: Path) -> None:
    changing(numbers, after=10, then="exit 0")
    given = ("--exit", "0", "in.txt", "--", "sh", "test.sh", "{}")
    refused(told(numbers, "reduce", "-j1", *given), 4, "[changed-test]", "the script 'test.sh'")
    assert b"33\n" in (numbers / "in.txt").read_bytes()


def test_a_program_that_is_part_of_the_candidate_may_change(tmp_path: Path) -> None:
    text(tmp_path / "case/run.sh", "#!/bin/sh\nexit 7\n# a\n# b\n", 0o755)
    ran = told(tmp_path, "reduce", "--exit", "7", "case", "--", "sh", "case/run.sh")
    assert ran.code == 0, ran
    assert (tmp_path / "case/run.sh").read_text().strip() == "exit 7"


def test_an_inquiry_ends_too_and_tells_what_it_had(numbers: Path) -> None:
    (numbers / "good.txt").write_bytes(NUMBERS.replace(b"33", b"thirty-three").replace(b"7", b"x"))
    changing(numbers, after=6, then="exit 0")
    ran = told(numbers, "isolate", "-j1", "test.sh", "good.txt", "in.txt")
    refused(ran, 4, "[changed-test]")
    assert "Stopped: the test was changed during the run; what is found so far is true" in ran.out
