"""``wynot changes`` and ``git bisect run`` on the same histories: the same commit, as few tests."""

import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from e2e.programs import wynot
from tiers import slow_after
from unit.inquiries.changes.repositories import git

SIDES = 2
"""What wynot tests and git does not: the two sides, which git believes."""


class Made(NamedTuple):
    """A repository, in which the file ``n`` of each commit has the number of that commit."""

    folder: Path
    commits: list[str]
    lines: list[set[int]]
    """Of each commit those that it comes from, itself among them."""

    def script(self, guilty: int, unresolved: Sequence[int] = ()) -> str:
        """Return a test: it fails where a commit is taken in, and writes down what it is run on."""
        bad = [each for each, line in enumerate(self.lines) if guilty in line]
        path = self.folder.parent / "test.sh"
        cases = f"{'|'.join(map(str, bad))}) exit 1;;"
        if unresolved:
            cases = f"{'|'.join(map(str, unresolved))}) exit 125;; {cases}"
        log = self.folder.parent / "log"
        path.write_text(f"cat n >>'{log}'; case $(cat n) in {cases} esac; exit 0\n")
        return str(path)

    def asked(self) -> list[int]:
        """Return what the test was run on since this was asked last."""
        log = self.folder.parent / "log"
        found = [int(line) for line in log.read_text().split()] if log.exists() else []
        log.unlink(missing_ok=True)
        return found


def made(folder: Path, parents: Sequence[Sequence[int]], dates: Sequence[int] = ()) -> Made:
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    stream = []
    for each, before in enumerate(parents):
        date = 1_600_000_000 + (dates[each] if dates else 60 * each)
        text = f"{each}\n"
        stream.append(f"commit refs/heads/main\nmark :{each + 1}\n")
        stream.append(f"committer Ann <ann@example.org> {date} +0000\ndata <<.\ncommit {each}\n.\n")
        for number, parent in enumerate(before):
            stream.append(f"{'merge' if number else 'from'} :{parent + 1}\n")
        stream.append(f"M 644 inline n\ndata {len(text)}\n{text}\n")
    marks = folder.parent / "marks"
    git(folder, "fast-import", "--quiet", f"--export-marks={marks}", given="".join(stream).encode())
    names = dict(line.split() for line in marks.read_text().splitlines())
    git(folder, "reset", "-q", "--hard", "main")
    lines: list[set[int]] = []
    for each, before in enumerate(parents):
        lines.append({each}.union(*(lines[parent] for parent in before)))
    return Made(folder, [names[f":{each + 1}"] for each in range(len(parents))], lines)


def by_git(repository: Made, script: str) -> list[int]:
    """Return what ``git bisect run`` asks about."""
    folder = repository.folder
    git(folder, "bisect", "start", repository.commits[-1], repository.commits[0])
    command = ["git", "-C", str(folder), "bisect", "run", "sh", script]
    subprocess.run(command, capture_output=True, check=False, env={**os.environ})  # noqa: S603
    git(folder, "bisect", "reset")
    return repository.asked()


def by_wynot(repository: Made, script: str, *arguments: str, code: int = 0) -> dict[str, Any]:
    good = repository.commits[0]
    options = ("-j", "1", "--good", good, "--no-cure", "--atoms", "commits", *arguments)
    ran = wynot(repository.folder, "changes", "--json", *options, "--", "sh", script)
    assert ran.code == code, ran
    [answer] = [
        each
        for each in ran.events
        if each.get("question") == "commit" and each["event"] == "answered"
    ]
    found: dict[str, Any] = answer
    return found


def graph(seed: int) -> list[list[int]]:
    """Return the parents of commits, a third of them merges."""
    chance = random.Random(seed)
    parents: list[list[int]] = [[]]
    loose = {0}
    for each in range(1, 40):
        some = {chance.randint(max(0, each - 5), each - 1)}
        if chance.random() < 0.35:
            some.add(chance.randint(max(0, each - 8), each - 1))
        parents.append(sorted(some, reverse=True))
        loose = (loose - some) | {each}
    return [*parents, sorted(loose, reverse=True)]


@pytest.mark.parametrize("seed", slow_after(1, range(4)))
def test_the_same_questions_as_git_and_the_same_commit(seed: int, tmp_path: Path) -> None:
    """Also where all commits are of the same second, as after a rebase."""
    parents = graph(seed)
    repository = made(tmp_path / "r", parents, [0] * len(parents) if seed % 2 else ())
    guilty = random.Random(seed).randrange(1, len(parents))
    script = repository.script(guilty)
    asked = by_git(repository, script)
    found = by_wynot(repository, script)
    assert [each["subject"] for each in found["data"]["commits"]] == [f"commit {guilty}"]
    assert found["title"].endswith(f" is the first bad commit: commit {guilty}")
    last, first = len(parents) - 1, 0
    assert repository.asked()[: SIDES + len(asked)] == [last, first, *asked]


@pytest.mark.slow
def test_commits_that_cannot_be_built_are_gone_around(tmp_path: Path) -> None:
    repository = made(tmp_path / "r", [[each - 1] if each else [] for each in range(60)])
    found = by_wynot(repository, repository.script(40, unresolved=range(24, 36)))
    assert [each["subject"] for each in found["data"]["commits"]] == ["commit 40"]
    found = by_wynot(repository, repository.script(31, unresolved=range(30, 34)))
    assert [each["subject"] for each in found["data"]["commits"]] == [
        f"commit {each}" for each in range(30, 35)
    ]
    assert found["title"].startswith("one of 5 commits is the first bad one")


def test_a_budget_leaves_the_commits_that_are_left(tmp_path: Path) -> None:
    repository = made(tmp_path / "r", [[each - 1] if each else [] for each in range(33)])
    found = by_wynot(repository, repository.script(20), "--max-tests", "2", code=3)
    assert found["title"] == "one of 8 commits is the first bad one:"
    assert f"commit {20}" in [each["subject"] for each in found["data"]["commits"]]


@pytest.mark.slow
def test_a_commit_that_fixed_it_is_found_where_the_sides_part(tmp_path: Path) -> None:
    """The good side has a fix that the bad one, a branch from before it, does not have."""
    parents = [[], [0], [1], [2], [3], [1], [5]]
    repository = made(tmp_path / "r", parents)
    folder = repository.folder
    path = tmp_path / "test.sh"
    path.write_text("case $(cat n) in 3|4) exit 0;; esac; exit 1\n")
    good, bad = repository.commits[4], repository.commits[6]
    ran = wynot(
        folder,
        "changes",
        "--json",
        "--good",
        good,
        "--bad",
        bad,
        "--no-cure",
        "--",
        "sh",
        str(path),
    )
    [answer] = [
        each
        for each in ran.events
        if each.get("question") == "commit" and each["event"] == "answered"
    ]
    [blamed] = answer["data"]["commits"]
    assert (blamed["subject"], blamed["undone"]) == ("commit 3", True)
    assert "has fixed it" in answer["title"]
