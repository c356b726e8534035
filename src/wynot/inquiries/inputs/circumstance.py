"""Two inputs as circumstances: the deltas that make a failing file or folder of a passing one.

Zeller & Hildebrandt 2002 (``003``), §5 and §6.1. One object for each granularity: when `dd` has
narrowed a pair by lines, the pair is aligned anew by tokens, inside of the few lines that are left.
"""

from array import array
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from posixpath import dirname
from typing import Literal, TypeAlias, overload

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files, RenderedCase
from wynot.core.system.folder_files import USUAL_MODE
from wynot.inquiries.circumstances import Level
from wynot.inquiries.inputs.edits import EditAtoms, Edits, Region
from wynot.inquiries.inputs.paths import ChangedText, Whole, by_depth, found_at

Granularity: TypeAlias = Literal["files", "hunks", "lines", "nodes", "tokens", "characters"]

_ATOMS: dict[Granularity, EditAtoms] = {
    "hunks": "lines",
    "lines": "lines",
    "nodes": "tokens",
    "tokens": "tokens",
    "characters": "characters",
}


class NeighbourGroups(Sequence[Deltas]):
    """Groups of neighbouring deltas, each made when it is asked for: there can be millions."""

    def __init__(self, firsts: Sequence[int], count: int) -> None:
        """Take the first delta of each group, and how many deltas there are in all."""
        self._firsts = firsts
        self._count = count

    def __len__(self) -> int:
        return len(self._firsts)

    @overload
    def __getitem__(self, place: int) -> Deltas: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Deltas]: ...
    def __getitem__(self, place: int | slice) -> Deltas | Sequence[Deltas]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        after = self._firsts[at + 1] if at + 1 < len(self) else self._count
        return Deltas((self._firsts[at], after))


class InputDifference(RenderedCase):
    """The difference of two inputs at one granularity.

    Both have their files under the same names; what is under a name on one side only is missing on
    the other.
    """

    def __init__(self, passing: Files, failing: Files, granularity: Granularity) -> None:
        self.passing, self.failing = passing, failing
        self.granularity = granularity
        self._paths: dict[str, ChangedText | Whole] = {}
        count = 0
        for path in _differing(passing, failing):
            sides = found_at(passing, path), found_at(failing, path)
            if granularity == "files" or any(each.link is not None for each in sides):
                self._paths[path] = Whole(*sides, count)
            else:
                self._paths[path] = ChangedText(path, sides, _ATOMS[granularity], count)
            count = self._paths[path].after
        super().__init__(failing, count)
        self.levels = self._grouped()
        self._above = _above(passing, failing)

    @property
    def edits(self) -> Sequence[Edits]:
        """What became of each file that is not replaced as a whole."""
        return [each.edits for each in self._paths.values() if isinstance(each, ChangedText)]

    def objection(self, candidate: Candidate) -> str:
        """Return why a candidate cannot exist: a path that is a file, and a folder for others."""
        if self._above:
            files = self.render(candidate)
            there = _paths(files)
            for path in sorted(self._above & there):
                if any(other.startswith(f"{path}/") for other in there):
                    return f"{path!r} would be a file and a folder"
        return ""

    def _grouped(self) -> tuple[Level, ...]:
        paths, count = self._paths.values(), len(self.deltas)
        if self.granularity == "hunks":
            firsts = [*chain.from_iterable(each.hunks() for each in paths)]
            return (Level("hunks", NeighbourGroups(firsts, count)),)
        if self.granularity == "nodes":
            depths = [*chain.from_iterable(each.depths() for each in paths)]
            levels = [Level("nodes", NeighbourGroups(firsts, count)) for firsts in by_depth(depths)]
            return (*levels,) or (Level("nodes", NeighbourGroups([0] if count else [], count)),)
        atoms: Sequence[int] = range(count)
        if any(region.first < region.middle < region.after for region in self._regions):
            atoms = array("q", chain.from_iterable(each.atoms() for each in paths))
        return (Level(self.granularity, NeighbourGroups(atoms, count)),)

    @property
    def _regions(self) -> Iterator[Region]:
        return chain.from_iterable(edits.regions for edits in self.edits)

    def _write(self, candidate: Candidate) -> Files:
        return self.written(candidate.kept)

    def _digest(self, files: Files) -> bytes:
        return digest_of(files)

    def written(self, kept: Deltas) -> Files:
        """Return the passing side with these deltas applied."""
        changed = {path: change.written(kept) for path, change in self._paths.items()}
        contents: dict[str, bytes] = {}
        modes, links = dict(self.passing.modes), dict(self.passing.links)
        for path in dict.fromkeys(chain(self.failing.contents, self.passing.contents)):
            content = changed[path].content if path in changed else self.passing.contents[path]
            if content is not None:
                contents[path] = content
        for path, found in changed.items():
            modes.pop(path, None)
            links.pop(path, None)
            if found.link is not None:
                links[path] = found.link
            elif found.content is not None and found.mode != USUAL_MODE:
                modes[path] = found.mode
        return Files(contents, modes, links)


def _differing(passing: Files, failing: Files) -> Iterator[str]:
    """Return the paths at which the sides have not the same."""
    for path in sorted(_paths(passing) | _paths(failing)):
        if found_at(passing, path) != found_at(failing, path):
            yield path


def _paths(files: Files) -> set[str]:
    return {*files.contents, *files.links}


def _above(passing: Files, failing: Files) -> frozenset[str]:
    """Return the paths that are a file or link on one side, and a folder on the other."""
    paths = _paths(passing) | _paths(failing)
    found = set()
    for path in paths:
        folder = dirname(path)
        while folder:
            if folder in paths:
                found.add(folder)
            folder = dirname(folder)
    return frozenset(found)


def digest_of(files: Files) -> bytes:
    """Return a digest that tells a missing file from an empty one, and tells modes and links."""
    whole = sha256()
    for path in sorted(_paths(files)):
        found = found_at(files, path)
        content = _bytes(found.link) if found.content is None else found.content
        name, kind = _bytes(path), 0 if found.content is None else found.mode + 1
        whole.update(b"%d %d %d\n%s" % (len(name), kind, len(content), name))
        whole.update(content)
    return whole.digest()


def _bytes(text: str | None) -> bytes:
    return (text or "").encode("utf-8", "surrogateescape")
