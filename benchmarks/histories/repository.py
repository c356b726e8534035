"""Commits and what the test says about each, as a repository of git."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.histories.releases import Tree
from benchmarks.histories.states import BAD, GOOD, UNBUILT, States


class Unsuitable(Exception):
    """A history that says nothing about who is right."""


class History:
    """Commits, in the order in which they are made."""

    def __init__(self, states: States) -> None:
        self._states = states
        self.trees: list[Tree] = []
        self.parents: list[tuple[int, ...]] = []
        self.subjects: list[str] = []
        self.verdicts: list[int] = []

    def add(self, tree: Tree, parents: Sequence[int], subject: str) -> int:
        """Add a commit; return its number."""
        self.trees.append(tree)
        self.parents.append(tuple(parents))
        self.subjects.append(subject)
        self.verdicts.append(self._states.verdict(tree))
        return len(self.trees) - 1

    @property
    def guilty(self) -> int:
        """The one commit that fails though nothing before it does; all before it can be told."""
        failing: set[int] = set()
        first = []
        for number, parents in enumerate(self.parents):
            if failing.intersection(parents):
                failing.add(number)
            elif self.verdicts[number] == BAD:
                failing.add(number)
                first.append(number)
        if len(first) != 1 or self.verdicts[-1] != BAD:
            raise Unsuitable(f"{len(first)} commits make it fail")
        before = {self.verdicts[parent] for parent in self.parents[first[0]]}
        after = {self.verdicts[number] for number in failing}
        if before != {GOOD} or not after <= {BAD, UNBUILT}:
            raise Unsuitable(f"the test says {before} before and {after} after")
        return first[0]

    def write(self, folder: Path) -> list[str]:
        """Make a repository; return the ids of the commits."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main")
        git(
            folder, "fast-import", "--quiet", "--export-marks=marks", given=b"".join(self._stream())
        )
        git(folder, "reset", "-q", "--hard", "main")
        marks = dict(line.split() for line in (folder / "marks").read_text().splitlines())
        (folder / "marks").unlink()
        return [marks[f":{number + 1}"] for number in range(len(self.trees))]

    def _stream(self) -> Iterable[bytes]:
        for number, tree in enumerate(self.trees):
            subject = self.subjects[number].encode()
            who = b"Ann <ann@example.org> %d +0000" % (1_600_000_000 + 3600 * number)
            yield b"commit refs/heads/main\nmark :%d\nauthor %s\ncommitter %s\n" % (
                number + 1, who, who,
            )  # fmt: skip
            yield b"data %d\n%s\n" % (len(subject), subject)
            before: Tree = {}
            for word, parent in zip((b"from", b"merge"), self.parents[number], strict=False):
                yield b"%s :%d\n" % (word, parent + 1)
                before = before or self.trees[parent]
            for path in before.keys() - tree.keys():
                yield b'D "%s"\n' % path.encode()
            for path, content in tree.items():
                if before.get(path) != content:
                    yield b'M 100644 inline "%s"\ndata %d\n%s\n' % (
                        path.encode(), len(content), content,
                    )  # fmt: skip
            yield b"\n"


def git(folder: Path, *args: str, given: bytes = b"") -> str:
    """Run git, without anybody's settings."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", "-C", str(folder), *args]
    done = subprocess.run(command, input=given, capture_output=True, check=False, env=env)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()}")
    return done.stdout.decode()
