"""``wynot options`` on the compiler that is here: Zeller & Hildebrandt 2002, §4.1 and Table 1."""

import shutil
from pathlib import Path

import pytest

from e2e.programs import CALM, Ran, told, wynot

SAMPLES = Path(__file__).parent / "gcc"

# The table's 31 options; three that this compiler has no more are replaced by younger ones.
OPTIONS = [
    "-ffloat-store",
    "-fno-default-inline",
    "-fno-defer-pop",
    "-fweb",
    "-fforce-addr",
    "-fomit-frame-pointer",
    "-fno-inline",
    "-finline-functions",
    "-fkeep-inline-functions",
    "-fkeep-static-consts",
    "-fno-function-cse",
    "-ffast-math",
    "-fstrength-reduce",
    "-fthread-jumps",
    "-fcse-follow-jumps",
    "-fcse-skip-blocks",
    "-frerun-cse-after-loop",
    "-frerun-loop-opt",
    "-fgcse",
    "-fexpensive-optimizations",
    "-fschedule-insns",
    "-fschedule-insns2",
    "-ffunction-sections",
    "-fdata-sections",
    "-fcaller-saves",
    "-funroll-loops",
    "-funroll-all-loops",
    "-ftree-vectorize",
    "-fpredictive-commoning",
    "-fno-peephole",
    "-fstrict-aliasing",
]

NEEDED = 10
"""Tests in all, with those of the two sides: well below twelve, whatever the width."""
PREVENTED = 3 + 31 + 1
"""Tests of the two sides, of each option alone, and of the answer once more."""

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")


@pytest.fixture
def compiles_and_runs(tmp_path: Path) -> Path:
    script = tmp_path / "run.sh"
    script.write_text('#!/bin/sh\ngcc "$@" -o prog || exit 125\n./prog\n')
    script.chmod(0o755)
    for sample in SAMPLES.iterdir():
        shutil.copy(sample, tmp_path)
    return tmp_path


def concluded(ran: Ran) -> dict[str, object]:
    assert ran.code == 0, ran.out + ran.err
    return ran.events[-1]


def answered(ran: Ran) -> dict[str, object]:
    [answer] = [event for event in ran.events if event["event"] == "answered"]
    return answer


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_one_option_of_31_that_a_failure_needs(compiles_and_runs: Path, jobs: str) -> None:
    assert len(OPTIONS) == 31
    command = ["./run.sh", "-O1", *OPTIONS, "nan.c"]
    options = ("--json", "-j", jobs, *CALM, "--keep", "^-O")
    ran = wynot(compiles_and_runs, "options", *options, "--", *command)
    data = answered(ran)["data"]
    assert isinstance(data, dict)
    assert data["options"] == [["-ffast-math"]]
    assert (answered(ran)["minimal"], concluded(ran)["tests"]) == ("options", NEEDED)


def alternatives(ran: Ran) -> list[list[list[str]]]:
    data = answered(ran)["data"]
    assert isinstance(data, dict)
    return [each["options"] for each in data["alternatives"]]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_one_option_of_31_that_prevents_a_failure(compiles_and_runs: Path, jobs: str) -> None:
    tried = " ".join([*OPTIONS[:-1], "-fno-strict-aliasing"])
    command = ["./run.sh", "-O2", "alias.c"]
    options = ("--json", "-j", jobs, *CALM, "--try", tried)
    ran = told(compiles_and_runs, "options", *options, "--", *command)
    assert alternatives(ran) == [[["-fno-strict-aliasing"]]]
    assert concluded(ran)["tests"] == PREVENTED


@pytest.mark.slow
def test_every_option_of_31_that_prevents_a_failure_is_named(compiles_and_runs: Path) -> None:
    """As in the paper's Table 1, where two of 31 options do, each by itself."""
    tried = " ".join(["-O0", *OPTIONS[:-2], "-fno-strict-aliasing"])
    ran = told(
        compiles_and_runs, "options", "--json", *CALM, "--try", tried, "--",
        "./run.sh", "-O2", "alias.c",
    )  # fmt: skip
    assert alternatives(ran) == [[["-O0"]], [["-fno-strict-aliasing"]]]
    assert "2 of 31 options prevent the failure, each by itself" in str(answered(ran)["title"])


PREVENTS = """#!/bin/sh
for option; do
    case $option in -a) a=1;; -b) b=1;; -c) c=1;; -worse) echo worse; exit 9;; esac
done
[ "$a$b" = 11 ] || [ "$c" ] || { echo boom; exit 1; }
"""


@pytest.fixture
def prevents(tmp_path: Path) -> Path:
    """Return a folder with a program that -c saves, and -a with -b; -worse breaks it."""
    script = tmp_path / "run.sh"
    script.write_text(PREVENTS)
    script.chmod(0o755)
    return tmp_path


def test_single_options_come_before_pairs(prevents: Path) -> None:
    ran = told(prevents, "options", "--json", "--try", "-a -b -x -c", "--", "./run.sh")
    assert alternatives(ran) == [[["-c"]]]
    ran = told(prevents, "options", "--json", "--try", "-a -x -b", "--", "./run.sh")
    assert alternatives(ran) == [[["-a"], ["-b"]]]
    assert answered(ran)["minimal"] == "options"
    ran = told(prevents, "options", "--try", "-a -x -b", "--", "./run.sh")
    assert "no single option prevents the failure; together -a and -b do" in ran.out


def test_one_option_prevents_it_though_all_together_do_not(prevents: Path) -> None:
    ran = told(prevents, "options", "--json", "--try", "-a -c -worse", "--", "./run.sh")
    assert ran.code == 0, ran
    assert alternatives(ran) == [[["-c"]]]


def test_options_that_do_not_prevent_it(prevents: Path) -> None:
    ran = told(prevents, "options", "--try", "-a -x -y", "--", "./run.sh")
    assert ran.code == 1, ran
    assert "no single one of them prevents it, nor do all together" in ran.err


def test_options_that_were_tried_before_a_budget_ends(prevents: Path) -> None:
    terms = ("options", "--json", "-j", "1", "--try", "-c -x -y -z", "--max-tests")
    ran = told(prevents, *terms, "2", "--", "./run.sh")
    assert ran.code == 3, ran
    assert alternatives(ran) == [[["-c"]]]
    assert "not all of the options were tried" in str(answered(ran)["lines"])
    ran = told(prevents, *terms, "9", "--", "./run.sh")
    assert (ran.code, alternatives(ran)) == (0, [[["-c"]]])
    assert "not all" not in str(answered(ran)["lines"])


def test_nothing_is_left_behind(compiles_and_runs: Path) -> None:
    before = sorted(path.name for path in compiles_and_runs.iterdir())
    told(compiles_and_runs, "options", "--", "./run.sh", "-O2", "-g", "alias.c")
    assert sorted(path.name for path in compiles_and_runs.iterdir()) == before


def test_a_variable_that_a_failure_needs(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text('#!/bin/sh\n[ "$COLOUR" = red ] && [ "$1" = -x ] && exit 1\nexit 0\n')
    script.chmod(0o755)
    ran = told(
        tmp_path, "options", "--json", "--env", "COLOUR=red", "--env", "SIZE=7", "--",
        "./run.sh", "-x", "-y",
    )  # fmt: skip
    data = answered(ran)["data"]
    assert isinstance(data, dict)
    assert (data["options"], data["variables"]) == ([["-x"]], ["COLOUR"])


def test_a_failure_that_needs_no_option(tmp_path: Path) -> None:
    ran = told(tmp_path, "options", "--", "sh", "-c", "exit 3", "-v", "--all")
    assert ran.code == 0
    assert "it fails without any of its 2 options" in ran.out


def test_a_command_with_one_option(tmp_path: Path) -> None:
    ran = told(tmp_path, "options", "--", "sh", "-c", "exit 3", "-v")
    assert "wynot: 1 option; " in ran.out


def test_a_command_that_does_not_fail(tmp_path: Path) -> None:
    ran = told(tmp_path, "options", "--", "true", "-v")
    assert ran.code == 1
    assert "the first run shows no failure" in ran.err
