"""What is learned from the real output of test runners, compilers and other tools.

Each file in ``runs`` has two runs of one failing input, made in different folders at different
times, one run of an input that fails in a different way, and for most test runners one in which the
same test is broken: it uses a name that does not exist. The first line is the command and its
version. ``learned.txt`` is what each first run teaches; it was reviewed line by line.
"""

import re
from functools import cache
from pathlib import Path

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.expectation import Expectation
from wynot.failures.failed_tests import RUNNERS
from wynot.failures.signature import readable

RUNS = Path(__file__).parent / "runs"
NAMES = sorted(path.stem for path in RUNS.glob("*.txt"))
LEARNED = Path(__file__).parent / "learned.txt"
_MARK = re.compile(
    r"^%%% (?:(?P<run>\w+): (?P<status>-?\d+)|(?P<stream>stdout|stderr))\n", re.MULTILINE
)
UNTERMINATED = "\n%%% unterminated\n"


@cache
def recorded(name: str) -> dict[str, Ending]:
    """Return the runs of a tool by what they are."""
    text = (RUNS / f"{name}.txt").read_text("utf-8")
    marks = [*_MARK.finditer(text)]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    found: dict[str, Ending] = {}
    for mark, end in zip(marks, ends, strict=True):
        if mark["run"]:
            run = mark["run"]
            found[run] = Ending(int(mark["status"]), 0.1)
        else:
            output = text[mark.end() : end].removesuffix(UNTERMINATED).encode()
            before = found[run]
            is_error = mark["stream"] == "stderr"
            found[run] = (
                before._replace(stderr=output) if is_error else before._replace(stdout=output)
            )
    return found


def learned(name: str, run: str = "first") -> Expectation:
    return Expectation.learned(recorded(name)[run])


def test_there_are_many_tools() -> None:
    assert len(NAMES) >= 75


def test_signatures_are_those_that_were_reviewed() -> None:
    found = "".join(f"{name}: {learned(name).words}\n" for name in NAMES)
    assert found == LEARNED.read_text("utf-8")


def test_each_style_of_report_is_one_of_a_recorded_run() -> None:
    ours = {"Maven", "Gradle", "dotnet test"}
    """Runners that were not at hand: see test_failed_tests.py."""
    outputs = [
        readable(run.stdout + run.stderr) for name in NAMES for run in recorded(name).values()
    ]
    found = {
        style.name
        for style in RUNNERS
        if any(
            style.needle in each and re.search(style.head, each, re.MULTILINE) for each in outputs
        )
    }
    assert found == {style.name for style in RUNNERS} - ours


@pytest.mark.parametrize("name", NAMES)
def test_two_runs_teach_one_signature(name: str) -> None:
    runs = recorded(name)
    assert learned(name).words == learned(name, "second").words
    assert learned(name).judge(runs["second"]) is Verdict.INTERESTING
    assert learned(name, "second").judge(runs["first"]) is Verdict.INTERESTING


@pytest.mark.parametrize("name", NAMES)
def test_another_failure_of_the_tool_is_another_signature(name: str) -> None:
    runs = recorded(name)
    for run in runs.keys() - {"first", "second"}:
        assert learned(name).judge(runs[run]) is Verdict.UNRESOLVED, run
        assert learned(name).words != learned(name, run).words, run
