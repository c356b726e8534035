"""A history, asked by ``git bisect run`` and ``wynot changes``: what each says, and its cost."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from benchmarks.histories.build import built
from benchmarks.histories.cases import Case
from benchmarks.histories.repository import git
from benchmarks.histories.states import PYTHON, script

_FIRST_BAD = re.compile(r"^([0-9a-f]{40}) is the first bad commit", re.MULTILINE)
_NEAR = 1
"""So many lines beside a hunk are still that hunk: which of several equal lines is new is open."""

Truth = Mapping[str, Any]


@dataclass
class Asked:
    """What one of the two has told about a history."""

    tests: int
    seconds: float
    commit: str
    told_after: int = 0
    """The tests until it told the commit."""
    hunk: bool = False
    """Whether all it names in that commit is among the hunks that matter."""
    cause: bool = False
    """Whether its cause.patch makes what fail it is said to: the good side, or the commit."""
    revert: str = ""
    """``passes`` if the bad side does with its revert.patch; ``none`` if it says there is none,
    and the bad side does not pass without the whole commit either."""
    untouched: bool = False
    """Whether the checkout is to the bit what it was before, time stamps and index too."""
    end: str = ""
    """How it ended, if not well."""


@dataclass
class Measured:
    """All about one history."""

    name: str
    commits: int
    merges: int
    unbuilt: int
    pieces: int
    guilty: str
    git: Asked
    one: Asked
    """wynot at ``-j 1``."""
    many: Asked
    """wynot at ``-j`` more."""

    @property
    def ratio(self) -> float:
        """How much of the time it takes with more workers."""
        return self.many.seconds / self.one.seconds

    @property
    def row(self) -> dict[str, Any]:
        """All of it as JSON."""
        return asdict(self)


class Ground:
    """A folder with clones of a history, and a test that is counted."""

    def __init__(self, name: str, case: Case, folder: Path, pause: float) -> None:
        self.made, self.truth = built(name, case)
        self.folder = folder
        check = folder / "check.py"
        check.write_text(script(case, strict=case.says_unbuilt))
        self.log = folder / "log"
        self.test = folder / "test.sh"
        run = " ".join(f"'{word}'" for word in (*PYTHON, str(check)))
        self.test.write_text(f"#!/bin/sh\necho >>'{self.log}'\nsleep {pause}\nexec {run}\n")
        self.test.chmod(0o755)

    def clone(self, name: str) -> Path:
        """Return a new checkout of the bad side."""
        folder = self.folder / name
        git(self.folder, "clone", "-q", str(self.made / "repository"), str(folder))
        return folder

    @property
    def count(self) -> int:
        """How often the test was run, so far."""
        return self.log.read_bytes().count(b"\n") if self.log.exists() else 0

    def runs(self) -> int:
        """Return how often the test was run, and begin to count anew."""
        count = self.count
        self.log.unlink(missing_ok=True)
        return count

    def difference(self, commit: str) -> Path:
        """Return a patch of what a commit changes against its first parent."""
        patch = Path(mkdtemp(dir=self.folder)) / "whole.patch"
        repository = self.made / "repository"
        patch.write_text(git(repository, "diff", "--binary", f"{commit}^1", commit))
        return patch

    def status(self, revision: str, patch: Path, *options: str) -> int:
        """Return what the test says about a revision with a patch; -1: it does not apply."""
        if not patch.exists():
            return -1
        folder = self.clone(f"{patch.parent.name}-{patch.stem}")
        git(folder, "checkout", "-q", revision)
        command = ["git", "-C", str(folder), "apply", *options, str(patch)]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            return -1
        return subprocess.run([self.test], cwd=folder, check=False, capture_output=True).returncode


def measured(name: str, case: Case, jobs: int, pause: float) -> Measured:
    """Ask both about a history."""
    with TemporaryDirectory(prefix="histories-") as temporary:
        ground = Ground(name, case, Path(temporary), pause)
        truth = ground.truth
        return Measured(
            name,
            truth["commits"],
            truth["merges"],
            truth["unbuilt"],
            truth["pieces"],
            truth["guilty"],
            _bisected(ground),
            _inquired(ground, 1),
            _inquired(ground, jobs),
        )


def _bisected(ground: Ground) -> Asked:
    folder = ground.clone("bisected")
    git(folder, "bisect", "start", ground.truth["bad"], ground.truth["good"])
    ground.runs()
    start = time.monotonic()
    command = ["git", "-C", str(folder), "bisect", "run", str(ground.test)]
    done = subprocess.run(command, capture_output=True, check=False)
    seconds = time.monotonic() - start
    found = _FIRST_BAD.search(done.stdout.decode())
    return Asked(ground.runs(), seconds, found[1] if found else "")


def _inquired(ground: Ground, jobs: int) -> Asked:
    folder, out = ground.clone(f"at-{jobs}"), ground.folder / f"out-{jobs}"
    _make_dirty(folder)
    before = _snapshot(folder)
    ground.runs()
    truth = ground.truth
    arguments = ["--json", "--fresh", "-j", str(jobs), "--good", truth["good"], "-o", str(out)]
    command = [sys.executable, "-m", "wynot", "changes", *arguments, "--", str(ground.test)]
    asked = Asked(0, 0.0, "")
    answers = {}
    start = time.monotonic()
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        for line in process.stdout or ():
            event = json.loads(line)
            if event["event"] == "answered":
                answers[event["question"]] = event
                asked.told_after = asked.told_after or ground.count
    asked.seconds = time.monotonic() - start
    asked.tests = ground.runs()
    asked.untouched = _snapshot(folder) == before
    if process.returncode:
        asked.end = f"exit status {process.returncode}"
    _read(asked, answers, truth)
    cause, revert = out / "cause.patch", out / "revert.patch"
    if "put into the good side" in answers.get("cause", {"title": ""})["title"]:
        asked.cause = ground.status(truth["good"], cause) == 1
    else:
        asked.cause = ground.status(truth["guilty"], cause, "--reverse") == 0
    if revert.exists():
        asked.revert = "passes" if ground.status(truth["bad"], revert) == 0 else ""
    elif "cure" in answers:
        whole = ground.difference(truth["guilty"])
        asked.revert = "" if ground.status(truth["bad"], whole, "--reverse") == 0 else "none"
    return asked


def _read(asked: Asked, answers: Mapping[str, Any], truth: Truth) -> None:
    """Take the answers apart."""
    first, cause = (
        {each["commit"]: each.get("places", []) for each in answer["data"]["commits"]}
        for answer in (answers.get(each, {"data": {"commits": []}}) for each in ("commit", "cause"))
    )
    asked.commit = " ".join(first or cause)
    places = cause.get(truth["guilty"], [])
    asked.hunk = bool(places) and all(_matters(place, truth) for place in places)


def _matters(place: str, truth: Truth) -> bool:
    """Tell whether a place, ``path:line``, is in one of the hunks that matter."""
    path, _, line = place.rpartition(":")
    if not line.isdigit():
        path, line = place, "0"
    number = int(line)
    for old, new, first, last, new_first, new_last in truth["needed"]:
        if path not in {old, new}:
            continue
        spans = ((first, last), (new_first, new_last))
        if any(low - _NEAR <= number <= max(low, high) + _NEAR for low, high in spans):
            return True
    return False


def _make_dirty(folder: Path) -> None:
    """Leave a changed, a staged and a new file in a checkout, as people do."""
    first = next(each for each in sorted(folder.rglob("*.py")) if each.stat().st_size)
    first.write_bytes(first.read_bytes() + b"# not committed\n")
    (folder / "staged.txt").write_text("staged\n")
    git(folder, "add", "staged.txt")
    (folder / "new.txt").write_text("new\n")


def _snapshot(folder: Path) -> str:
    """Return a hash of all there is in a folder, its repository too: modes, times, contents."""
    seen = sha256()
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        seen.update(repr((os.fspath(path), about.st_mode, about.st_mtime_ns, content)).encode())
    return seen.hexdigest()
