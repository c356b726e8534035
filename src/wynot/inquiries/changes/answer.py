"""Answers: what a set of deltas is to people: a patch, a list of commits, places in files."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.changes.chain import ChainStep
from wynot.inquiries.changes.circumstance import Changes
from wynot.inquiries.changes.git import DIFFERENCE
from wynot.inquiries.changes.sources import Compared
from wynot.inquiries.changes.weaving import Delta

_PATCH = ("--patch", "--binary", "-U3", "--inter-hunk-context=0")


class HunkPart(NamedTuple):
    """What of one hunk, or of one change of a file as such, is in the set."""

    path: str
    line: int
    """Where it is in the file after the step, before it if it only takes out; 0: the whole file."""
    deltas: tuple[Delta, ...]

    @property
    def place(self) -> str:
        """``path:line``, or only the path."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def words(self) -> str:
        """What it does, in a few words."""
        first = self.deltas[0]
        lines = [each for each in self.deltas if each.line]
        removed = sum(each.kind == "removed line" for each in lines)
        counts = [(len(lines) - removed, "+"), (removed, "-")]
        shown = " ".join(f"{sign}{count}" for count, sign in counts if count)
        if first.kind == "rename":
            return f"renamed from {first.text.decode(errors='replace')}"
        if first.kind == "mode":
            return f"mode {first.text.decode()}"
        if first.line:
            return shown
        return f"{first.kind} {shown}".rstrip()


class Culprit(NamedTuple):
    """A step, and what of it is in the set."""

    step: ChainStep
    parts: tuple[HunkPart, ...]


def culprits(changes: Changes, deltas: Deltas) -> list[Culprit]:
    """Return the steps that a set of deltas is of, and what of each."""
    found = []
    for step, parts in groupby(_parts(changes, deltas), lambda part: part.deltas[0].step):
        found.append(Culprit(changes.steps[step], tuple(parts)))
    return found


def places(changes: Changes, deltas: Deltas) -> list[str]:
    """Return one ``path:line`` for each hunk."""
    return [part.place for part in _parts(changes, deltas)]


def patch(compared: Compared, before: Deltas, after: Deltas) -> bytes:
    """Return what leads from one tree to another, as a patch that ``git apply`` takes."""
    changes, store = compared.changes, compared.source.store
    trees = [
        store.commit(changes.overlay(kept).stream("answer"), "answer") for kept in (before, after)
    ]
    return store.run("diff-tree", *DIFFERENCE, *_PATCH, *trees)


def cause(compared: Compared, deltas: Deltas) -> bytes:
    """Return these deltas as a patch of the passing tree."""
    return patch(compared, NONE, deltas)


def cure(compared: Compared, deltas: Deltas) -> bytes:
    """Return a patch that takes these deltas back from the failing tree."""
    whole = compared.changes.deltas
    return patch(compared, whole, whole.toggle(deltas))


def _parts(changes: Changes, deltas: Deltas) -> Iterator[HunkPart]:
    """Go through a set of deltas hunk by hunk."""
    for _, members in groupby(deltas, changes.hunk_of):
        chosen = tuple(changes.described[each] for each in members)
        lines = [each for each in chosen if each.kind == "added line"] or chosen
        # A file that is new, or takes another's place, is meant as such, not its first line.
        line = lines[0].line if chosen[0].line else 0
        yield HunkPart(chosen[-1].path, line, chosen)
