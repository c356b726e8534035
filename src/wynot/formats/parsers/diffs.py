"""Differences, as ``diff -u`` and git write them: files, hunks, lines."""

import re
from collections.abc import Iterator

from wynot.core.texts.tree import Tree

_HUNK = re.compile(rb"@@+ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_LINE = re.compile(rb"[^\n]*")
_KINDS = {b" ": "context", b"+": "added", b"-": "removed", b"\\": "note"}
_BEGINS = (b"diff ", b"Index: ")


def parse(content: bytes) -> Tree:
    """Return the tree of a patch."""
    return _Patch(content).tree


class _Patch:
    def __init__(self, content: bytes) -> None:
        self.tree = Tree()
        self._content = content
        self._file = self._hunk = 0
        """The nodes that are open; 0: none."""
        self._old = self._new = 0
        """How many lines the hunk still wants, of either file."""
        root = self.tree.open("patch", 0, 0)
        headed = False
        """Whether the open file was begun by a line of its own, or has its ``---`` already."""
        for start, stop in _lines(content):
            line = content[start:stop]
            if self._hunk and self._takes(line, start, stop):
                continue
            self._end_hunk()
            if line.startswith(_BEGINS) or (line.startswith(b"--- ") and not headed):
                self._end_file()
                self._file = self.tree.open("file", start, root)
            headed = line.startswith(_BEGINS) or (headed and not line.startswith(b"--- "))
            match = _HUNK.match(line)
            if match is not None:
                self._begin_hunk(start, match)
            parent = self._hunk or self._file or root
            kind = "header" if parent else "text"
            if stop > start:
                self.tree.leaf(kind, start, stop, parent)
        self._end_hunk()
        self._end_file()
        self.tree.close(root, len(content))

    def _begin_hunk(self, start: int, match: re.Match[bytes]) -> None:
        self._hunk = self.tree.open("hunk", start, self._file)
        # A number longer than this is none, and Python is slow to read it.
        self._old, self._new = (int(count[:9]) if count else 1 for count in match.groups())

    def _takes(self, line: bytes, start: int, stop: int) -> bool:
        """Add a line to the hunk, if it is one of it."""
        kind = _KINDS.get(line[:1], "context" if not line.strip() else "")
        if not kind or (self._old + self._new <= 0 and kind != "note"):
            return False
        self._old -= kind in ("context", "removed")
        self._new -= kind in ("context", "added")
        if stop > start:
            self.tree.leaf(kind, start, stop, self._hunk)
        return True

    def _end_hunk(self) -> None:
        if self._hunk:
            self.tree.close(self._hunk, self.tree.stops[-1])
            if self._old or self._new:  # not as many lines as it says
                self.tree.mark_flaw(self._hunk)
            self._hunk = 0

    def _end_file(self) -> None:
        if self._file:
            self.tree.close(self._file, self.tree.stops[-1])
            self._file = 0


def _lines(content: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(content):
        match = _LINE.match(content, at)
        assert match is not None  # noqa: S101 - it matches anything
        yield at, match.end()
        at = match.end() + 1
