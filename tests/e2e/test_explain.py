"""``wynot explain``, ``reduce --explain``: what a case needs, and what of it may be anything."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from e2e.programs import CALM, LONGEST, PLAIN, Ran, reduced, refused, shell, text, there, told

CONFIG = """\
{"name": "web", "port": 8080, "tags": ["a", "b"],
 "limits": {"cpu": 2, "memory": 512}, "debug": false}
"""
CHECK = r"""
match($0, /"port": *[0-9]+/) {
    split(substr($0, RSTART, RLENGTH), two, ":")
    if (two[2] + 0 > 1024) { print "Error: port is too large" > "/dev/stderr"; exit 2 }
}
"""
FORM = '"port":\u2039integer\u203a'
"""What is left of the config, with a label for what may be something else."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return a folder with a program that cannot have a port above 1024, and a config."""
    text(tmp_path / "check.awk", CHECK)
    text(tmp_path / "config.json", CONFIG)
    return tmp_path


RUN = ("config.json", "--", "awk", "-f", "check.awk", "{}")
FEW = ("--explain-tests", "200")
"""For tests that do not look at what is said of all parts together."""


def explanation(ran: Ran) -> dict[str, Any]:
    """Return what the command has found, as programs get it."""
    assert ran.code == 0, ran
    [found] = [event for event in ran.events if event["event"] == "answered"]
    assert found["question"] == "explanation"
    data: dict[str, Any] = found["data"]
    return data


def test_a_case_is_explained_after_its_reduction(config: Path) -> None:
    reduced(config, *CALM, *RUN)
    ran = told(config, "explain", "config.json")
    assert ran.code == 0, ran
    said = " ".join(ran.out.split())
    assert "config.json fails for everything of this form" in said
    assert FORM in said
    assert "\u2039integer\u203a any integer from 1,025 on [1,024: passes]" in said
    assert "needed, and what happens without it:" in said
    assert "free together: yes" in said
    assert "fails in 20 of 20 runs" in said
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    assert (config / "config.passing.json").exists()


@pytest.mark.slow
def test_what_is_known_is_not_asked_again_whatever_the_width(config: Path) -> None:
    found, runs = [], []
    for jobs in ("1", "3"):
        text(config / "config.json", CONFIG)
        reduced(config, *CALM, "--fresh", "-j", jobs, *RUN)
        for name in ("config.passing.json", "config.json.orig"):
            (config / name).unlink(missing_ok=True)
        first = explanation(told(config, "explain", "--json", *FEW, "-j", jobs, "config.json"))
        again = told(config, "explain", "--json", *FEW, "-j", "4", "config.json")
        runs.append(again.events[-1]["test_seconds"])
        for data in (first, explanation(again)):
            data.pop("seconds")
            found.append(data)
    assert found[0] == found[1] == found[2] == found[3]
    assert found[0]["tests"] <= 200
    assert runs == [0, 0], "all of it was in the journal"


@pytest.mark.slow
def test_a_reduction_ends_with_its_explanation_if_that_is_asked_for(config: Path) -> None:
    ran = told(config, "reduce", *CALM, "--json", "--explain", *RUN)
    data = explanation(ran)
    [part] = data["free"]
    assert (part["kind"], part["low"], part["high"]) == ("integer", 1025, None)
    assert [event["event"] for event in ran.events][-1] == "concluded"
    budget = told(config, "explain", "--json", "--explain-tests", "40", "config.json")
    assert explanation(budget)["tests"] <= 40


@pytest.mark.slow
def test_it_is_one_line_if_nothing_more_is_asked_for(config: Path) -> None:
    reduced(config, *CALM, *RUN)
    ran = told(config, "explain", "-q", *FEW, "config.json")
    assert ran.code == 0
    assert ran.out.startswith("config.json fails for everything of this form")


@pytest.mark.slow
def test_a_bug_report_has_the_explanation(config: Path) -> None:
    reduced(config, *CALM, *RUN)
    told(config, "explain", "-q", *FEW, "config.json")
    assert told(config, "repro", "config.json").code == 0
    issue = (config / "config.json.repro" / "ISSUE.md").read_text()
    assert FORM in issue
    assert "any integer from 1,025 on" in issue
    assert issue.count("\n") <= 60


@pytest.mark.slow
def test_the_case_may_be_explained_from_another_folder(config: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    reduced(config, *CALM, *RUN)
    ran = told(elsewhere, "explain", "-q", *FEW, "../config.json")
    assert ran.code == 0, ran
    assert "fails for everything of this form" in ran.out


@pytest.mark.slow
def test_a_folder_that_was_moved_has_all_that_is_needed(config: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for name in ("check.awk", "config.json"):
        (config / name).rename(inner / name)
    reduced(tmp_path, *CALM, "inner/config.json", "--", "awk", "-f", "inner/check.awk", "{}")
    inner.rename(tmp_path / "moved")
    refused(told(tmp_path, "explain", "moved/config.json"), 2, "inner/config.json")
    (tmp_path / "moved").rename(inner)
    assert told(tmp_path / "inner", "explain", "-q", *FEW, "config.json").code == 0


def test_what_was_not_reduced_is_not_explained(config: Path) -> None:
    refused(told(config, "explain", "config.json"), 2, "there is no journal")
    refused(told(config, "explain", "nothing.json"), 2, "there is no journal")
    told(config, "reduce", "-q", "--max-tests", "3", *RUN)
    ran = told(config, "explain", "config.json")
    refused(ran, 2, "has not come to its end")
    assert "wynot reduce" in ran.hint


def test_a_case_or_test_that_has_changed_is_not_explained(config: Path) -> None:
    shell(config, "awk -f check.awk config.json 2>&1 | grep -q large")
    reduced(config, *CALM, "--with", "check.awk", "./test.sh", "config.json")
    case = (config / "config.json").read_bytes()
    text(config / "config.json", '{"port": 9090}')
    refused(told(config, "explain", "config.json"), 4, "is not what the reduction has left")
    (config / "config.json").write_bytes(case)
    shell(config, "true")
    refused(told(config, "explain", "config.json"), 4, "the test, or how it is run")


COUNTING = """\
echo >> "{folder}/runs"
[ -e "{folder}/moody" ] && [ $(( $(wc -l < "{folder}/runs") % 3 )) = 0 ] && exit 1
grep -q 'BUG [0-9]' "$1"
"""


@pytest.fixture
def counting(tmp_path: Path) -> Path:
    """Return a folder with a test that counts its runs, and may become unreliable."""
    shell(tmp_path, COUNTING.format(folder=tmp_path))
    text(tmp_path / "log.txt", "one\ntwo BUG 3 four\nfive\n")
    return tmp_path


def test_a_case_that_does_not_always_fail_gets_no_confident_sentence(counting: Path) -> None:
    reduced(counting, *CALM, "./test.sh", "log.txt")
    (counting / "moody").touch()
    before = there(counting)
    ran = told(counting, "explain", "-j", "1", "log.txt")
    refused(ran, 1, "does not fail reliably", "of 10 runs")
    assert "everything of this form" not in ran.out
    assert {**there(counting), "runs": b""} == {**before, "runs": b""}


@pytest.mark.slow
def test_an_unreliable_test_is_not_explained(counting: Path) -> None:
    (counting / "moody").touch()
    ran = told(counting, "reduce", "-j", "1", "--explain", *CALM, "./test.sh", "log.txt")
    assert "everything of this form" not in ran.out
    assert "the test is not reliable" in " ".join(ran.out.split()) + ran.err
    refused(told(counting, "explain", "-j", "1", "log.txt"), 1, "reliabl")


STOPPING = """\
echo >> "{folder}/runs"
if [ -e "{folder}/pid" ] && [ $(wc -l < "{folder}/runs") = 40 ]; then
    kill -INT $(cat "{folder}/pid")
fi
grep -q 'BUG [0-9]' "$1"
"""


@pytest.mark.slow
def test_what_was_found_is_told_when_it_is_interrupted_and_resumed(counting: Path) -> None:
    shell(counting, STOPPING.format(folder=counting))
    reduced(counting, *CALM, "-j", "1", "./test.sh", "log.txt")
    (counting / "runs").unlink()
    command = [sys.executable, "-m", "wynot", "explain", "--json", *FEW, "-j", "1", "log.txt"]
    with subprocess.Popen(  # noqa: S603 - the command is what is tested
        command, cwd=counting, env={**os.environ, **PLAIN}, stdout=subprocess.PIPE, text=True
    ) as running:
        text(counting / "pid", str(running.pid))
        out, _ = running.communicate(timeout=LONGEST)
    assert running.returncode == 128 + signal.SIGINT
    events = [json.loads(line) for line in out.splitlines()]
    [told_so_far] = [event["data"] for event in events if event["event"] == "answered"]
    assert told_so_far["stopped"] == "interrupted"
    (counting / "pid").unlink()
    runs = len((counting / "runs").read_bytes())
    resumed = explanation(told(counting, "explain", "--json", *FEW, "-j", "2", "log.txt"))
    assert resumed["stopped"] == "finished"
    asked = len((counting / "runs").read_bytes()) - runs
    assert asked <= resumed["tests"] - told_so_far["tests"] + 12, "what was asked is known"
    assert [part["kind"] for part in resumed["free"]] == ["integer"]


def test_hostile_text_is_shown_as_text(tmp_path: Path) -> None:
    shell(tmp_path, 'grep -q "$(printf \'B\\033\\\\[31mG\')" "$1"')
    (tmp_path / "a.txt").write_bytes(b"x\ny B\x1b[31mG z\n\xff\n")
    reduced(tmp_path, *CALM, "./test.sh", "a.txt")
    ran = told(tmp_path, "explain", "a.txt")
    assert ran.code == 0, ran
    assert "\x1b" not in ran.out
