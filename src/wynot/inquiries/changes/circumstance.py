"""Changes: what leads from a tree that passes to one that fails, as a case."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from posixpath import dirname
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.options.quantities import some_of
from wynot.inquiries.changes.commit_history import ChainStep
from wynot.inquiries.changes.lineage import Conflict, Lineage, Rendition
from wynot.inquiries.changes.overlay import Overlay, TreeEntry
from wynot.inquiries.changes.weaving import Delta, Fabric
from wynot.inquiries.circumstances import Level

LEVELS = ("commits", "files", "hunks", "lines")
_KEPT_STATES = 4
"""So many trees are kept written out: the next candidate differs from one of them in few files."""

MAX_TOLD_STEPS = 4
"""So many commits of a candidate are named before they are counted."""


class _State(NamedTuple):
    """A configuration, and what it makes of each lineage."""

    kept: Deltas
    renditions: Sequence[Rendition]


class Changes:
    """The deltas between two trees; of them any choice gives a tree, or an objection.

    The thread of the scheduler uses it, and nobody else.
    """

    def __init__(self, base: str, steps: Sequence[ChainStep], fabric: Fabric) -> None:
        """Take the commit of the passing tree, the steps from there, and what they are woven to."""
        self._base = base
        self.steps = steps
        self.described: Sequence[Delta] = fabric.deltas
        """What each delta is."""
        self.deltas = Deltas.first(len(fabric.deltas))
        self.levels = _levels(fabric)
        self._groups = {"commits": fabric.steps, "files": fabric.files, "hunks": fabric.hunks}
        self._lineages = fabric.lineages
        self._good: Mapping[str, TreeEntry] = {
            each.good.path: TreeEntry(each.good.mode, each.good.blob)
            for each in fabric.lineages
            if each.good is not None
        }
        self._contested = _contested(fabric.lineages)
        self._starts, self._owners = _owners(fabric.lineages)
        first = _State(NONE, [each.render(NONE) for each in fabric.lineages])
        self._unchanged = first.renditions
        self._states = {NONE.key: first}

    def render(self, candidate: Candidate) -> Overlay:
        """Return how the candidate's tree differs from the passing one."""
        return self.overlay(candidate.kept)

    def overlay(self, kept: Deltas) -> Overlay:
        """Return how the tree with these deltas differs from the passing one."""
        entries: dict[str, TreeEntry | None] = {}
        renditions = self._state(kept).renditions
        changed = [
            (lineage, now)
            for lineage, now, before in zip(
                self._lineages, renditions, self._unchanged, strict=True
            )
            if now is not before
        ]
        for lineage, _ in changed:
            if lineage.good is not None:
                entries[lineage.good.path] = None
        entries |= {now.path: now.entry for _, now in changed if now.entry is not None}
        return Overlay(
            self._base,
            {
                path: entry
                for path, entry in sorted(entries.items())
                if entry is None or entry[:2] != self._good.get(path, (0, ""))[:2]
            },
        )

    def hunk_of(self, delta: int) -> int:
        """Return the number of the hunk that a delta belongs to."""
        return bisect_right(self._groups["hunks"], delta) - 1

    def step(self, number: int) -> Deltas:
        """Return the deltas of a step."""
        start, stop = [*self._groups["commits"], len(self.described)][number : number + 2]
        return Deltas.covering([(start, stop)])

    def whole(self, deltas: Deltas, kind: str) -> Deltas:
        """Return the hunks, or files, or commits, that have any of these deltas."""
        starts = [*self._groups[kind], len(self.described)]
        places = {bisect_right(starts, delta) for delta in deltas}
        return Deltas.covering((starts[each - 1], starts[each]) for each in places)

    def conflict(self, kept: Deltas) -> Conflict | None:
        """Return a delta that does not apply, and the absent one that it needs, if there is any."""
        conflicts = (each.conflict for each in self._state(kept).renditions)
        return next(filter(None, conflicts), None)

    def digest(self, candidate: Candidate) -> bytes:
        """Return a key for the candidate's tree; what cannot be has one of its own."""
        if self.objection(candidate):
            return sha256(b"impossible %r" % (candidate.kept.bounds,)).digest()
        return self.render(candidate).digest

    def size(self, deltas: Deltas) -> int:
        """Return how many deltas there are."""
        return len(deltas)

    def describe(self, candidate: Candidate) -> str:
        """Return which commits it has, whole or in part."""
        there = Counter(self.described[each].step for each in candidate.kept)
        every = Counter(each.step for each in self.described)
        parts = [
            self.steps[step].name
            if count == every[step]
            else f"{count} of {every[step]} parts of {self.steps[step].name}"
            for step, count in there.items()
        ]
        return f"with {some_of(parts, MAX_TOLD_STEPS)}" if parts else "with no change"

    def objection(self, candidate: Candidate) -> str:
        """Return which delta does not apply, or which files are in each other's way."""
        conflict = self.conflict(candidate.kept)
        if conflict is not None:
            return self._inapplicable(*(self.described[each] for each in conflict))
        renditions = self._state(candidate.kept).renditions
        return _clash([renditions[each] for each in self._contested])

    def _inapplicable(self, delta: Delta, needs: Delta) -> str:
        by, other = self.steps[delta.step].name, self.steps[needs.step].name
        if not delta.line:
            return f"{delta.path} is changed by {by}, which needs {other}"
        return f"line {delta.line} of {delta.path} is changed by {by}, which needs {other}"

    def _state(self, kept: Deltas) -> _State:
        """Return what each lineage comes to; only what differs from a known state is looked at."""
        known = self._states.get(kept.key)
        if known is None:
            near = next(reversed(self._states.values()))
            renditions = list(near.renditions)
            for lineage in self._touched(near.kept.toggle(kept)):
                renditions[lineage] = self._lineages[lineage].render(kept)
            known = self._states[kept.key] = _State(kept, renditions)
            if len(self._states) > _KEPT_STATES:
                del self._states[next(iter(self._states))]
        return known

    def _touched(self, deltas: Deltas) -> set[int]:
        """Return the lineages that any of these deltas belongs to."""
        touched: set[int] = set()
        for start, stop in deltas.runs:
            at = bisect_right(self._starts, start) - 1
            while at < len(self._starts) and self._starts[at] < stop:
                touched.update(self._owners[at])
                at += 1
        return touched


def _levels(fabric: Fabric) -> list[Level]:
    """Return the levels that say something new: not all in one, and not as the one before."""
    end = len(fabric.deltas)
    bounds = {
        "commits": fabric.steps,
        "files": fabric.files,
        "hunks": fabric.hunks,
        "lines": range(end),
    }
    levels: list[Level] = []
    for name, starts in bounds.items():
        units = [Deltas((start, stop)) for start, stop in pairwise([*starts, end]) if start < stop]
        if len(units) > (len(levels[-1].units) if levels else 1):
            levels.append(Level(name, units))
    return levels or [Level("lines", [Deltas.first(end)])]


def _owners(lineages: Sequence[Lineage]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return where the deltas of other lineages begin, and whose they are from there on."""
    bounds: dict[int, set[int]] = {}
    for owner, lineage in enumerate(lineages):
        for start, stop in lineage.segments.runs:
            bounds.setdefault(start, set()).add(owner)
            bounds.setdefault(stop, set()).add(owner)
    starts, owners = sorted(bounds), []
    now: set[int] = set()
    for start in starts:
        now ^= bounds[start]
        owners.append(tuple(now))
    return starts, owners


def _contested(lineages: Sequence[Lineage]) -> list[int]:
    """Return the lineages that can be in each other's way: the others need not be looked at."""
    at: dict[str, set[int]] = {}
    for number, lineage in enumerate(lineages):
        for path in lineage.paths:
            at.setdefault(path, set()).add(number)
    found: set[int] = set()
    for path, those in at.items():
        if len(those) > 1:
            found |= those
        for folder in _folders(path):
            if folder in at:
                found |= those | at[folder]
    return sorted(found)


def _clash(renditions: Sequence[Rendition]) -> str:
    """Return which files would be in each other's way."""
    paths = [each.path for each in renditions if each.entry is not None]
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            return f"there would be two files {path}"
        seen.add(path)
    for path in paths:
        for folder in _folders(path):
            if folder in seen:
                return f"{folder} would be a file and a folder"
    return ""


def _folders(path: str) -> Iterator[str]:
    """Go through the folders that a path leads through, from the inside out."""
    while path := dirname(path):
        yield path


def down_to(finest: str, levels: Sequence[Level]) -> Sequence[Level]:
    """Return the levels down to the finest that is asked for; the coarsest in any case."""
    wanted = LEVELS[: LEVELS.index(finest) + 1]
    return [level for level in levels if level.name in wanted] or levels[:1]


def whole_hunks(levels: Sequence[Level], deltas: Deltas) -> Sequence[Level]:
    """Return the levels down to hunks: to take back half of one makes a version of nobody's."""
    return [level for level in levels if level.name != "lines"] or [Level("hunks", [deltas])]
