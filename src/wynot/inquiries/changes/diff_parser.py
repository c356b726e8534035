"""What changes from one tree to the next, read from git to the byte.

With no lines of context, hunks are disjoint ranges of the old file. How many lines a hunk has is
said before it, so that a line that looks like the head of something else is still a line. Hunks
depend on nothing but the two contents: so they are looked up by the ids of those.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from os import fsdecode
from stat import S_IFMT
from typing import NamedTuple, NoReturn

from wynot.core.errors import InvalidOption
from wynot.core.system.folder_files import stays_inside
from wynot.inquiries.changes.git import DIFFERENCE, GITLINK_MODE, LINK_MODE, Git

MAX_PARTED_BYTES = 4 << 20
"""Bytes of a file that is looked into; larger ones change as a whole."""

MAX_PATHS = 2000
"""So many paths a command may be given."""

_RAW = re.compile(rb":(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*\0([^\0]+)\0")
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_INDEX = re.compile(rb"index ([0-9a-f]+)\.\.([0-9a-f]+)")
_UNFINISHED = b"\\ "


class Hunk(NamedTuple):
    """Some lines in place of others."""

    start: int
    """How many lines of the old file come before."""
    removed: int
    """How many lines it takes out."""
    added: tuple[bytes, ...]
    """The lines it brings in, each with its end."""


class Version(NamedTuple):
    """A file in one of the trees."""

    path: str
    mode: int
    blob: str

    @property
    def kind(self) -> int:
        """What it is: a file or a link."""
        return S_IFMT(self.mode)


class FileChange(NamedTuple):
    """What one step does to one file."""

    old: Version | None
    new: Version | None
    hunks: tuple[Hunk, ...] | None
    """The lines that change; None if it changes as a whole."""


def changes_between(
    git: Git, trees: Sequence[str], paths: Collection[str] = ()
) -> list[list[FileChange]]:
    """Return what changes from each tree to the next one; if paths are given, only there."""
    heads = [f"{old} {new}\n".encode() for old, new in pairwise(trees)]
    text = git.run(
        *("-c", f"core.bigFileThreshold={MAX_PARTED_BYTES}", "diff-tree", "--stdin", *DIFFERENCE),
        *("--raw", "-z", "-p", "-U0", "--inter-hunk-context=0"),
        *(f":(top,literal){path}" for path in paths),
        given=b"".join(heads),
    )
    return list(DiffParser(text).steps(heads))


def changes_around(git: Git, trees: Sequence[str], step: int) -> list[list[FileChange]]:
    """Return what changes from each tree to the next one, in detail only where one step matters.

    All other files change as a whole, and so are not read.
    """
    [inner] = changes_between(git, trees[step : step + 2])
    before = {change.old.path for change in inner if change.old is not None}
    after = {change.new.path for change in inner if change.new is not None}
    return [
        inner if number == step else _near(git, *pair, after if number > step else before)
        for number, pair in enumerate(pairwise(trees))
    ]


def _near(git: Git, old: str, new: str, paths: set[str]) -> list[FileChange]:
    """Return what changes between two trees, in detail where one of the paths is meant."""
    text = git.run("diff-tree", *DIFFERENCE, "--raw", "-z", old, new)
    entries = list(DiffParser(text).entries())
    affected = {
        each.path for pair in entries for each in pair if {pair[0].path, pair[1].path} & paths
    }
    limits = affected if len(affected) <= MAX_PATHS else ()
    inner = changes_between(git, [old, new], limits)[0] if affected else []
    detailed = {(change.old, change.new): change for change in inner}
    coarse = [_change(*pair, {}) for pair in entries]
    return [detailed.get((change.old, change.new), change) for change in coarse]


class DiffParser:
    """Goes through what git's diff commands print, once, from the front to the end."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._at = 0

    def steps(self, heads: Sequence[bytes]) -> Iterator[list[FileChange]]:
        """Yield the changes of each step, whose head is printed before it."""
        for head, following in zip(heads, [*heads[1:], b""], strict=True):
            if not self._text.startswith(head, self._at):
                raise InvalidOption(f"unexpected output of git diff-tree at {self._at}")
            self._at += len(head)
            entries = list(self.entries())
            hunks = dict(self._patches(following)) if self._skip(b"\0") else {}
            yield [_change(old, new, hunks) for old, new in entries]

    def entries(self) -> Iterator[tuple[Version, Version]]:
        """Yield both versions of each file; one of them may have the mode 0."""
        while found := _RAW.match(self._text, self._at):
            self._at = found.end()
            old = new = _path(found[6])
            if found[5] == b"R":
                end = self._text.index(b"\0", self._at)
                new = _path(self._text[self._at : end])
                self._at = end + 1
            yield (
                Version(old, int(found[1], 8), found[3].decode()),
                Version(new, int(found[2], 8), found[4].decode()),
            )

    def _patches(self, following: bytes) -> Iterator[tuple[tuple[str, str], tuple[Hunk, ...]]]:
        """Yield the hunks of each pair of contents; of binary ones there are none to yield."""
        pair = ("", "")
        hunks: list[Hunk] = []
        is_text = True
        while self._at < len(self._text) and not (
            following and self._text.startswith(following, self._at)
        ):
            line = self._line()
            if found := _HUNK.match(line):
                hunks.append(self._hunk(found))
            elif line.startswith(b"diff --git "):
                if is_text:
                    yield pair, tuple(hunks)
                pair, hunks, is_text = ("", ""), [], True
            elif found := _INDEX.match(line):
                pair = found[1].decode(), found[2].decode()
            elif line.startswith(b"Binary files "):
                is_text = False
        if is_text:
            yield pair, tuple(hunks)

    def _hunk(self, head: re.Match[bytes]) -> Hunk:
        start, removed, added = (
            int(head[1]),
            int(head[2] or 1),
            int(head[3] or 1),
        )
        for _ in range(removed):
            self._line()
            if self._text.startswith(_UNFINISHED, self._at):
                self._line()
        lines = []
        for _ in range(added):
            line = self._line()[1:]
            if self._text.startswith(_UNFINISHED, self._at):
                self._line()
                line = line[:-1]
            lines.append(line)
        return Hunk(start - 1 if removed else start, removed, tuple(lines))

    def _line(self) -> bytes:
        end = self._text.index(b"\n", self._at) + 1
        line = self._text[self._at : end]
        self._at = end
        return line

    def _skip(self, byte: bytes) -> bool:
        is_there = self._text.startswith(byte, self._at)
        self._at += is_there
        return is_there


def _change(
    old: Version, new: Version, hunks: dict[tuple[str, str], tuple[Hunk, ...]]
) -> FileChange:
    if GITLINK_MODE in {old.mode, new.mode}:
        refuse_submodule(new.path)
    before, after = (old if old.mode else None), (new if new.mode else None)
    found: tuple[Hunk, ...] | None
    if old.blob == new.blob:
        found = ()
    elif LINK_MODE in {old.mode, new.mode}:
        found = None
    else:
        found = hunks.get((old.blob, new.blob))
    return FileChange(before, after, found)


def refuse_submodule(path: str) -> NoReturn:
    """Raise, since a submodule has changed."""
    raise InvalidOption(
        f"the submodule {path!r} changes, and wynot does not look into submodules",
        hint="search in the submodule itself, or between two sides that have the same one",
    )


def _path(name: bytes) -> str:
    """Return a path as Python has it; raise if it leads out of the tree."""
    path = fsdecode(name)
    if not stays_inside(path):
        raise InvalidOption(
            f"a tree of this repository has a file {path!r}, which cannot exist in a folder",
            hint="`git fsck` says more",
        )
    return path
