"""What leads from one release to the next, in pieces that go together in any combination."""

import re
import subprocess
from collections.abc import Collection
from difflib import SequenceMatcher
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.histories.releases import Tree

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_ALIKE = 0.6
"""A file that is this similar to one that goes is a new name for it."""


class Piece(NamedTuple):
    """A hunk, or that a file comes, goes, or gets another name."""

    path: str
    """Where the file is before; where it comes, if it is new."""
    kind: str
    """``hunk``, ``add``, ``delete`` or ``move``."""
    start: int = 0
    stop: int = 0
    """The lines of the file before that a hunk replaces."""
    lines: tuple[bytes, ...] = ()
    """What is there after."""
    to: str = ""
    """Where the file is moved to."""

    @property
    def text(self) -> bytes:
        """What it adds."""
        return b"".join(self.lines)


class Difference:
    """Two releases, and the pieces between them."""

    def __init__(self, old: Tree, new: Tree) -> None:
        self.old = old
        gone, come = old.keys() - new.keys(), new.keys() - old.keys()
        self.moves = _moves(old, new, sorted(gone), sorted(come))
        both = {path: path for path in old.keys() & new.keys()} | self.moves
        found = [Piece(path, "move", to=to) for path, to in self.moves.items()]
        found += [Piece(path, "delete") for path in gone - self.moves.keys()]
        for path in come - set(self.moves.values()):
            found.append(Piece(path, "add", lines=tuple(new[path].splitlines(keepends=True))))
        for path, to in both.items():
            found += _hunks(path, old[path], new[to])
        self.pieces = sorted(found)

    def tree(self, chosen: Collection[Piece]) -> Tree:
        """Return the old release with some of the pieces put in."""
        tree = dict(self.old)
        hunks: dict[str, list[Piece]] = {}
        for piece in chosen:
            if piece.kind == "hunk":
                hunks.setdefault(piece.path, []).append(piece)
        for path, some in hunks.items():
            lines = tree[path].splitlines(keepends=True)
            for piece in sorted(some, reverse=True):
                lines[piece.start : piece.stop] = piece.lines
            tree[path] = b"".join(lines)
        for piece in chosen:
            if piece.kind == "delete":
                tree.pop(piece.path)
            elif piece.kind == "move":
                tree[piece.to] = tree.pop(piece.path)
            elif piece.kind == "add":
                tree[piece.path] = piece.text
        return tree


def _moves(old: Tree, new: Tree, gone: list[str], come: list[str]) -> dict[str, str]:
    """Return which files only get another name, as far as their names or contents show it."""
    found: dict[str, str] = {}
    for path in gone:
        for to in come:
            same_name = PurePath(to).stem == PurePath(path).stem
            if to not in found.values() and same_name and _alike(old[path], new[to]):
                found[path] = to
                break
    return found


def _alike(one: bytes, other: bytes) -> bool:
    if one == other:
        return True
    matcher = SequenceMatcher(None, one.splitlines(), other.splitlines(), autojunk=False)
    return matcher.quick_ratio() >= _ALIKE


def _hunks(path: str, old: bytes, new: bytes) -> list[Piece]:
    """Return the hunks between two versions of a file, as git sees them."""
    if old == new:
        return []
    with TemporaryDirectory() as temporary:
        files = [Path(temporary) / name for name in ("old", "new")]
        for file, content in zip(files, (old, new), strict=True):
            file.write_bytes(content)
        command = ["git", "diff", "--no-index", "--text", "-U0", *map(str, files)]
        done = subprocess.run(command, capture_output=True, check=False)
    lines = new.splitlines(keepends=True)
    found = []
    for match in _HUNK.finditer(done.stdout):
        start, count, place, length = (int(each or 1) for each in match.groups())
        if match[2] == b"0":
            start, count = start + 1, 0  # added after this line
        if match[4] == b"0":
            place, length = place + 1, 0
        after = tuple(lines[place - 1 : place - 1 + length])
        found.append(Piece(path, "hunk", start - 1, start - 1 + count, after))
    return found
