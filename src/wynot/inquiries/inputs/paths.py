"""What became of one path: the deltas of a file, or of whatever else is there.

A file that is missing is something else than an empty one, so that it is there is a delta of its
own. A file with content is always there; thus every delta matters, whichever others are applied.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.folder_files import USUAL_MODE
from wynot.inquiries.inputs.edits import EditAtoms, Edits
from wynot.inquiries.inputs.input_source import InputSource
from wynot.inquiries.inputs.partings import NEVER_PARTED, partings


class PathState(NamedTuple):
    """What is at a path: a file, or a link; if it is neither, there is nothing."""

    content: bytes | None = None
    mode: int = USUAL_MODE
    link: str | None = None


NOTHING = PathState()


def found_at(files: Files, path: str) -> PathState:
    """Return what one of the sides has at a path."""
    if path in files.links:
        return PathState(link=files.links[path])
    if path not in files.contents:
        return NOTHING
    return PathState(files.contents[path], files.modes.get(path, USUAL_MODE))


class Whole:
    """A path of which all is from the one side or from the other, by a single delta."""

    def __init__(self, passing: PathState, failing: PathState, first: int) -> None:
        self._sides = passing, failing
        self.first, self.after = first, first + 1

    def written(self, kept: Deltas) -> PathState:
        """Return what is there with some deltas applied."""
        return self._sides[self.first in kept]

    def hunks(self) -> Iterator[int]:
        """Return the first delta of each change."""
        yield self.first

    def atoms(self) -> Iterator[int]:
        """Return the first delta of each atom."""
        yield self.first

    def depths(self) -> list[int]:
        """Return from which depth on each delta is apart from the one before it."""
        return [0]


class ChangedText:
    """A file whose content is made of atoms; it may be missing on one side."""

    def __init__(
        self, path: str, sides: tuple[PathState, PathState], atoms: EditAtoms, first: int
    ) -> None:
        passing, failing = self._sides = sides
        self.first = first
        self._appears, self._goes = passing.content is None, failing.content is None
        self._is_set = not (self._appears or self._goes) and passing.mode != failing.mode
        sources = (
            InputSource(path, passing.content or b""),
            InputSource(path, failing.content or b""),
        )
        self.edits = Edits(*sources, atoms, first + (self._appears or self._is_set))
        self.after = self.edits.after + self._goes

    def written(self, kept: Deltas) -> PathState:
        """Return what is there with some deltas applied."""
        passing, failing = self._sides
        content = self.edits.written(kept.bounds)
        if not content:
            if self._appears and self.first not in kept:
                return NOTHING
            if self._goes and self.after - 1 in kept:
                return NOTHING
        is_new = self._appears or (self._is_set and self.first in kept)
        return PathState(content, failing.mode if is_new else passing.mode)

    def hunks(self) -> Iterator[int]:
        """Return the first delta of each change; a file appears or goes with one of them."""
        yield self.first
        regions = self.edits.regions
        if self._is_set:
            yield from (each.first for each in regions[:1])
        yield from (each.first for last, each in pairwise(regions) if not each.adjoins(last))

    def atoms(self) -> Iterator[int]:
        """Return the first delta of each atom; what replaces another one is one with it.

        Else there would be both of them, or neither: a text that is part of no side. Of lines only
        one for one are, since several that became several others often have no more in common; of
        characters only if they are of a language.
        """
        edits = self.edits
        is_loose = edits.atoms == "characters" and not edits.failing.is_known
        yield from range(self.first, edits.first)
        for region in edits.regions:
            removed, added = region.middle - region.first, region.after - region.middle
            is_one = removed and added and (edits.atoms != "lines" or removed == added == 1)
            is_one = is_one and not is_loose
            yield from (region.first,) if is_one else range(region.first, region.after)
        yield from range(edits.after, self.after)

    def depths(self) -> list[int]:
        """Return from which depth on each delta is apart from the one before it."""
        found = partings(self.edits)
        if self._appears:
            found[:1] = [0, NEVER_PARTED][: 1 + len(found)]
        elif self._is_set:
            found[:0] = [0]
        if self._goes:
            found.append(NEVER_PARTED if found else 0)
        return found
