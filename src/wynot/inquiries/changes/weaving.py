"""From steps to deltas: every file change of every step is cut into the finest deltas there are.

They are numbered in their natural order: step, file, hunk, line. What changes a file as such comes
before what changes its lines; and files that a step moves to another folder are first moved, all of
them together: half a package works nowhere. A line that takes the place of another is one delta
with it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from os import fsencode
from typing import Literal, NamedTuple

from wynot.core.texts.difference import Effort, line_pairs
from wynot.inquiries.changes.diff_parser import FileChange, Hunk, Version
from wynot.inquiries.changes.git import BlobReader
from wynot.inquiries.changes.lineage import (
    BASE,
    NEVER,
    Blobs,
    Lineage,
    LineChange,
    LineText,
    Loom,
    Segments,
)

ChangeKind = Literal[
    "creation",
    "deletion",
    "replacement",
    "rename",
    "mode",
    "content",
    "removed line",
    "added line",
    "replaced line",
]

MOST_LINES = 100_000
"""A file with more lines changes as a whole."""


class Delta(NamedTuple):
    """What one delta is."""

    kind: ChangeKind
    step: int
    """The position of its step."""
    path: str
    """Where the file is after the step; before it, for what is taken out."""
    line: int = 0
    """The number of the line: in the old file for a removed one, else in the new file."""
    text: bytes = b""
    """The line, as it is then if it is replaced; the old path or the new mode, if those change."""
    was: bytes = b""
    """The line that it takes the place of."""


class Fabric(NamedTuple):
    """All that was woven."""

    deltas: Sequence[Delta]
    lineages: Sequence[Lineage]
    steps: Sequence[int]
    """The first delta of each step; of a step without any that of the next one."""
    files: Sequence[int]
    """The first delta of each file in each step."""
    hunks: Sequence[int]
    """The first delta of each hunk."""


def weave(steps: Sequence[Sequence[FileChange]], read: BlobReader) -> Fabric:
    """Weave the changes of all steps into lineages."""
    weaver = _Weaver(read)
    for changes in steps:
        weaver.step(changes)
    return weaver.fabric()


class _Thread:
    """A lineage in the making."""

    def __init__(self, first: Version) -> None:
        self.first = first
        self.life = (BASE, NEVER)
        self.segments = Segments()
        self.paths: list[tuple[int, str]] = []
        self.modes: list[tuple[int, int]] = []
        self.blobs: list[tuple[int, str]] = [(BASE, first.blob)]
        self.loom: Loom | None = None

    def lineage(self) -> Lineage:
        loom = self.loom
        source = Blobs(self.blobs) if loom is None else LineText(loom.weave(), self.first.blob)
        return Lineage(self.first, self.life, self.paths, self.modes, source, self.segments)

    @property
    def path(self) -> str:
        """Where it is now."""
        return self.paths[-1][1] if self.paths else self.first.path

    @property
    def is_whole(self) -> bool:
        """Whether it has changed as a whole before, and so goes on like that."""
        return len(self.blobs) > 1


class _Weaver:
    """Goes through the steps, and knows which thread is where."""

    def __init__(self, read: BlobReader) -> None:
        self._read = read
        self._effort = Effort()
        self._threads: list[_Thread] = []
        self._at: dict[str, _Thread] = {}
        self._deltas: list[Delta] = []
        self._steps: list[int] = []
        self._files: list[int] = []
        self._hunks: list[int] = []

    def fabric(self) -> Fabric:
        lineages = [thread.lineage() for thread in self._threads]
        return Fabric(self._deltas, lineages, self._steps, self._files, self._hunks)

    def step(self, changes: Sequence[FileChange]) -> None:
        """Weave in one step. All its changes are against the tree before it."""
        self._steps.append(len(self._deltas))
        gone = [(each.old, self._thread(each.old)) for each in changes if each.old is not None]
        before = {old.path: thread for old, thread in gone}
        for path in before:
            del self._at[path]
        self._move(before, changes)
        for change in changes:
            self._files.append(len(self._deltas))
            if change.old is None:
                self._begin("creation", change)
            else:
                self._go_on(before[change.old.path], change.old, change)

    def _move(self, before: Mapping[str, _Thread], changes: Sequence[FileChange]) -> None:
        """Weave in that files go from one folder to another: one hunk if it is several files."""
        moves: dict[tuple[str, str], list[tuple[_Thread, Version]]] = defaultdict(list)
        for old, new, hunks in changes:
            if old is not None and new is not None and old.path != new.path:
                thread = before[old.path]
                if not _is_replaced(thread, old, new, hunks):
                    moves[moved_folders(old.path, new.path)].append((thread, new))
        for moved in moves.values():
            if len(moved) > 1:
                self._files.append(len(self._deltas))
                first = len(self._hunks)
                for thread, new in moved:
                    self._rename(thread, new.path)
                del self._hunks[first + 1 :]

    def _rename(self, thread: _Thread, path: str) -> None:
        number = self._note("rename", path, text=fsencode(thread.path))
        thread.paths.append((thread.segments.add(number), path))

    def _go_on(self, thread: _Thread, old: Version, change: FileChange) -> None:
        """Weave in what happens to a file that is there."""
        new = change.new
        if new is None:
            self._end(thread, self._note("deletion", old.path))
        elif _is_replaced(thread, old, new, change.hunks):
            self._end(thread, self._begin("replacement", change))
        else:
            self._alter(thread, old, new, change.hunks)
            self._at[new.path] = thread

    def _thread(self, old: Version) -> _Thread:
        """Return the thread of a file; one that nothing has changed yet begins here."""
        if old.path not in self._at:
            thread = self._at[old.path] = _Thread(old)
            self._threads.append(thread)
        return self._at[old.path]

    def _note(
        self, kind: ChangeKind, path: str, line: int = 0, text: bytes = b"", was: bytes = b""
    ) -> int:
        """Return the number of a new delta; if it is no line it is a hunk of its own."""
        number = len(self._deltas)
        self._deltas.append(Delta(kind, len(self._steps) - 1, path, line, text, was))
        if not line:
            self._hunks.append(number)
        return number

    def _end(self, thread: _Thread, number: int) -> None:
        thread.life = (thread.life[0], thread.segments.add(number))

    def _begin(self, kind: ChangeKind, change: FileChange) -> int:
        """Let a file begin, its lines in one hunk with itself; return the delta that does it."""
        new, hunks = change.new, change.hunks
        if new is None:
            raise ValueError("neither before nor after the step there is a file")
        thread = self._at[new.path] = _Thread(new)
        self._threads.append(thread)
        number = self._note(kind, new.path)
        thread.life = (thread.segments.add(number), NEVER)
        lines = [line for hunk in hunks or () for line in hunk.added]
        if change.old is None and hunks is not None and len(lines) <= MOST_LINES:
            thread.loom = Loom(b"")
            self._weave(thread.segments, thread.loom, new.path, new.path, [Hunk(0, 0, (*lines,))])
            del self._hunks[-1]
        return number

    def _alter(
        self, thread: _Thread, old: Version, new: Version, hunks: Sequence[Hunk] | None
    ) -> None:
        """Change what differs, each on its own."""
        add = thread.segments.add
        if thread.path != new.path:
            self._rename(thread, new.path)
        if old.mode != new.mode:
            number = self._note("mode", new.path, text=b"%o" % new.mode)
            thread.modes.append((add(number), new.mode))
        if old.blob == new.blob:
            return
        if hunks is not None and thread.loom is None and not thread.is_whole:
            content = self._read(old.blob)
            if content.count(b"\n") <= MOST_LINES:
                thread.loom = Loom(content)
        if hunks is None or thread.loom is None:
            thread.blobs.append((add(self._note("content", new.path)), new.blob))
        else:
            self._weave(thread.segments, thread.loom, old.path, new.path, hunks)

    def _weave(
        self, segments: Segments, loom: Loom, old: str, new: str, hunks: Sequence[Hunk]
    ) -> None:
        """Give numbers to the lines of all hunks, and weave them in."""
        comparison_of = []
        shift = 0
        for start, removed, added in hunks:
            self._hunks.append(len(self._deltas))
            lines = [loom.line(start + number) for number in range(removed)]
            changes = []
            gone = come = 0
            for goes, comes in line_pairs(lines, added, self._effort):
                gone, come = gone + goes, come + comes
                if comes:
                    kind: ChangeKind = "replaced line" if goes else "added line"
                    was = lines[gone - 1] if goes else b""
                    number = self._note(kind, new, start + shift + come, added[come - 1], was)
                else:
                    number = self._note("removed line", old, start + gone, lines[gone - 1])
                text = added[come - 1] if comes else None
                changes.append(LineChange(segments.add(number), goes, text))
            shift += len(added) - removed
            comparison_of.append((start, changes))
        for start, changes in reversed(comparison_of):
            loom.replace(start, changes)


def _is_replaced(thread: _Thread, old: Version, new: Version, hunks: Sequence[Hunk] | None) -> bool:
    """Tell whether another file takes its place: a link where a file was, or a text no longer."""
    return old.kind != new.kind or (thread.loom is not None and hunks is None)


def moved_folders(old: str, new: str) -> tuple[str, str]:
    """Return from which folder to which a file goes: what the two paths do not have in common."""
    olds, news = old.split("/"), new.split("/")
    while olds and news and olds[-1] == news[-1]:
        olds.pop()
        news.pop()
    return "/".join(olds), "/".join(news)
