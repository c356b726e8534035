"""Failures that show now and then on both sides: what makes them more frequent, and how surely."""

import json
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest

from e2e.programs import CALM, Ran, refused, shell, wynot
from unit.inquiries.changes.repositories import make, snapshot

COMMITS, CULPRIT = 24, 15
COIN = """
runs={runs}/$1
printf x >>$runs
tossed=$(echo "$2 $1 $(wc -c <$runs)" | md5sum | tr -dc 0-9 | cut -c1-6)
[ $(expr $tossed % 100) -ge $3 ]
"""
"""Fails in $3 of 100 runs; the n-th run of what $1 names is always the same for a seed, $2."""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give wynot folders of its own; no work tree may be left."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    yield
    assert not list(folder.iterdir())


@pytest.fixture
def coin(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return shell(tmp_path, COIN.format(runs=tmp_path / "runs"), "coin")


def history(folder: Path, before: int, after: int) -> Path:
    """Make a history whose test fails in so many of 100 runs before the culprit, and after it."""
    trees = [
        {
            "number": b"%d" % number,
            "rate": b"%d" % (after if number >= CULPRIT else before),
            "text": b"".join(
                b"line %d\n" % (1000 * line * (number >= CULPRIT)) for line in range(9)
            ),
        }
        for number in range(COMMITS + 1)
    ]
    make(folder, trees)
    return folder


def tossing(coin: Path, seed: int) -> tuple[str, ...]:
    return ("--", "sh", "-c", f"{coin} $(cat number) {seed} $(cat rate)")


def tossed(seed: int, commit: int) -> int:
    """Return what the coin shows in the first run of a commit."""
    digest = md5(b"%d %d 1\n" % (seed, commit), usedforsecurity=False).hexdigest()
    return int("".join(filter(str.isdigit, digest))[:6]) % 100


def answer(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran
    [found] = [each for each in ran.events if each["event"] == "answered"]
    data: dict[str, Any] = found["data"]
    return data


@pytest.mark.slow
def test_the_commit_that_makes_a_failure_more_frequent(tmp_path: Path, coin: Path) -> None:
    repository = history(tmp_path / "repository", 10, 90)
    before = snapshot(repository)
    arguments = ("--good", f"HEAD~{COMMITS}", "--flaky", "-j", "1", *CALM, *tossing(coin, 1))
    found = answer(wynot(repository, "changes", "--json", *arguments))
    [commit] = found["commits"]
    assert commit["subject"] == f"commit {CULPRIT}"
    assert commit["places"] == ["rate:1"]  # and not the other file that it changes
    assert found["probability"] > 0.9
    rates = [side["failed"] / side["runs"] for side in (found["before"], found["after"])]
    assert rates[1] - rates[0] > 0.4
    assert snapshot(repository) == before


@pytest.mark.slow
def test_it_is_noticed_when_the_good_side_fails_too(tmp_path: Path, coin: Path) -> None:
    repository = history(tmp_path / "repository", 20, 80)
    # A seed with which the first run of the bad side fails, and that of the good one, too.
    seed = next(each for each in range(99) if tossed(each, 0) < 20 and tossed(each, COMMITS) < 80)
    ran = wynot(
        *(repository, "changes", "--good", f"HEAD~{COMMITS}", "-j", "1", *CALM),
        *tossing(coin, seed),
    )
    assert ran.code == 0, ran
    assert "on both sides" in ran.out
    assert "with a probability of 9" in ran.out
    assert f"commit {CULPRIT}\n" in ran.out


@pytest.mark.slow
def test_sides_that_do_not_differ_are_refused_with_their_rates(tmp_path: Path, coin: Path) -> None:
    repository = history(tmp_path / "repository", 50, 50)
    ran = wynot(
        *(repository, "changes", "--good", f"HEAD~{COMMITS}", "--flaky", "-j", "1", *CALM),
        *("--confidence", "0.6", *tossing(coin, 3)),
    )
    refused(ran, 1, "as often as each other", "runs of each")


@pytest.mark.slow
def test_a_budget_ends_it_and_the_same_command_goes_on(tmp_path: Path, coin: Path) -> None:
    repository = history(tmp_path / "repository", 20, 80)
    arguments = ("--good", f"HEAD~{COMMITS}", "--flaky", "-j", "1", *CALM)
    toss = tossing(coin, 4)
    first = wynot(repository, "changes", "--json", *arguments, "--max-tests", "9", *toss)
    assert first.code == 3, first
    some = next(each for each in map(json.loads, first.out.splitlines()) if "data" in each)
    assert len(some["data"]["commits"]) > 1  # the fewest of which it is likely one
    runs = sum(each.stat().st_size for each in (tmp_path / "runs").iterdir())
    again = wynot(repository, "changes", "--json", *arguments, *toss)
    [commit] = answer(again)["commits"]
    assert commit["subject"] == f"commit {CULPRIT}"
    total = sum(each.stat().st_size for each in (tmp_path / "runs").iterdir())
    tests = again.events[-1]["tests"]
    assert total - runs <= tests - 9  # the nine were not run again


def test_an_option_that_makes_a_failure_more_frequent(tmp_path: Path, coin: Path) -> None:
    script = shell(
        tmp_path,
        f'case "$*" in *--fast*) rate=90;; *) rate=10;; esac; exec {coin} "$#" 5 $rate',
        "program",
    )
    options = ("-a", "-b", "--fast", "--slow", "-c")
    ran = wynot(
        *(tmp_path, "options", "--json", "--flaky", "-j", "1", *CALM, "--", script, *options)
    )
    found = answer(ran)
    assert found["options"] == [["--fast"]]
    assert found["probability"] >= 0.97


def test_an_earlier_test_that_makes_a_failure_more_frequent(tmp_path: Path, coin: Path) -> None:
    # Alone the first run passes, and after all others it fails, as they mostly do.
    seed = next(each for each in range(99) if tossed(each, 1) >= 10 and tossed(each, 5) < 90)
    script = shell(
        tmp_path,
        f'case "$*" in *polluter*) rate=90;; *) rate=10;; esac; exec {coin} "$#" {seed} $rate',
        "runner",
    )
    project = tmp_path / "project"
    project.mkdir()
    names = ["one", "two", "polluter", "four", "target"]
    (tmp_path / "list").write_text("".join(f"{name}\n" for name in names))
    ran = wynot(
        *(project, "tests", "target", "--list", tmp_path / "list", "--json", "--flaky", *CALM),
        *("--", script, "{tests}"),
    )
    found = answer(ran)
    assert found["tests"] == ["polluter"]
    assert found["probability"] >= 0.97


def measured(tmp_path: Path, *more: str, worse: str = "number") -> Ran:
    script = shell(tmp_path, 'case "$*" in *--deep*) echo 25;; *) echo 10;; esac', "program")
    options = ("-a", "--deep", "-b")
    return wynot(tmp_path, "options", "--worse", worse, *more, *CALM, "--", script, *options)


@pytest.mark.slow
def test_an_option_that_makes_a_number_worse(tmp_path: Path) -> None:
    assert answer(measured(tmp_path, "--json"))["options"] == [["--deep"]]
    ran = measured(tmp_path)
    assert "the number is above 17.5" in ran.out
    assert answer(measured(tmp_path, "--json", "--threshold", "24"))["options"] == [["--deep"]]


@pytest.mark.slow
def test_what_cannot_be_measured_or_does_not_differ_is_refused(tmp_path: Path) -> None:
    refused(measured(tmp_path, worse="number:x([0-9])"), 1, "prints no such number")
    refused(measured(tmp_path, worse="output"), 1, "do not differ in output: ", "3 bytes")
    refused(measured(tmp_path, worse="speed"), 2, "--worse is 'speed'")
    refused(measured(tmp_path, "--exit", "3"), 2, "--worse is given with --exit")
    failing = wynot(tmp_path, "options", "--worse", "number", "--", "sh", "-c", "exit 3", "-x")
    refused(failing, 1, "cannot be measured: exit status 3")


def test_the_commit_that_makes_output_larger(tmp_path: Path) -> None:
    repository = history(tmp_path / "repository", 10, 90)
    arguments = ("--good", f"HEAD~{COMMITS}", "--worse", "output", *CALM, "--", "cat", "text")
    ran = wynot(repository, "changes", *arguments)
    assert ran.code == 0, ran
    assert f"is the first bad commit: commit {CULPRIT}" in ran.out


def test_a_number_that_varies_is_a_matter_of_rates(tmp_path: Path, coin: Path) -> None:
    # 40 or 60, and with the option 40 more often than not.
    body = (
        f'case "$*" in *--fast*) rate=90;; *) rate=15;; esac; '
        f'if {coin} "$#" 8 $rate; then echo 60; else echo 40; fi'
    )
    script = shell(tmp_path, body, "program")
    words = ("options", "--json", "--worse", "number", "-j", "1", *CALM, "--", script)
    found = answer(wynot(tmp_path, *words, "-a", "-b", "--fast", "--slow", "-c"))
    assert found["options"] == [["--fast"]]
    assert found["probability"] >= 0.97
