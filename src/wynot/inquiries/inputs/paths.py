"""What became of each path, which deltas lie in one node of a tree, and all of it as a patch.

Two neighbouring deltas are in one node down to some depth, and apart below. So a single number for
each pair of neighbours tells the groups of all depths, and deeper groups lie in those above.

A file that is missing is something else than an empty one, so that it is there is a delta of its
own. A file with content is always there; thus every delta matters, whichever others are applied.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.system.folder_files import USUAL_MODE
from wynot.core.texts.difference import Change, Effort, changes
from wynot.core.texts.tree import Tree
from wynot.formats.cuts import lines
from wynot.inquiries.inputs.edits import EditAtoms, Edits, InputSource, Region

NEVER_PARTED = 1 << 30
"""The depth of what is not parted: white space goes with what stands before it, and what is put in
with what it replaces."""
_LEVEL_GROWTH = 2
"""How many times more groups make a depth worth a level of its own."""


def partings(edits: Edits) -> list[int]:
    """Return for each delta of a text from which depth on it is apart from the one before it."""
    after = _Side(edits.failing.tree, edits.failing.content)
    has_lists = any(region.middle - region.first > 1 for region in edits.regions)
    before = _Side(edits.passing.tree if has_lists else None, edits.passing.content)
    found: list[int] = []
    last: int | None = None
    for region in edits.regions:
        removed = edits.spans(region.first, region.middle)
        added = edits.spans(region.middle, region.after)
        removals, _, _ = before.depths(removed)
        additions, first, end = after.depths(added)
        if first is None:  # nothing but blanks was put in: a place in the failing text
            first = end = after.around(region)
        # What replaces something is one with it: half of either would be a text of no side.
        depths = (
            [NEVER_PARTED] * len(removed + added) if removed and added else removals + additions
        )
        depths[0] = after.parting(last, first) if edits.failing.tree else min(1, len(found))
        found += depths
        last = end
    return found


def by_depth(partings: Sequence[int]) -> Iterator[list[int]]:
    """Return the first delta of each group, for each depth that is worth it; the finest is."""
    parted = [(at, depth) for at, depth in enumerate(partings) if at and depth < NEVER_PARTED]
    depths = sorted(depth for _, depth in parted)
    groups = 1
    for place, depth in enumerate(depths):
        is_last = place + 1 == len(depths)
        if is_last or (depths[place + 1] != depth and place + 2 >= _LEVEL_GROWTH * groups):
            groups = place + 2
            yield [0] + [at for at, each in parted if each <= depth]


class _Side:
    """A text and its tree, gone through from front to back."""

    def __init__(self, tree: Tree | None, content: bytes) -> None:
        self._tree = tree
        self._content = content
        self._next = 0
        self._open: list[int] = []
        """The nodes around the present place, from the root on."""
        self._depths = array("l")
        if tree is not None:
            self._depths.append(0)
            for number in range(1, len(tree)):
                self._depths.append(self._depths[tree.parents[number]] + 1)

    def depths(self, spans: Sequence[tuple[int, int]]) -> tuple[list[int], int | None, int | None]:
        """Return the partings of neighbouring atoms, and the nodes of the first and the last.

        These two are None if all is white space. The first parting is not for this to say.
        """
        found: list[int] = []
        first: int | None = None
        last: int | None = None
        for start, stop in spans:
            if self._content[start:stop].isspace():
                found.append(NEVER_PARTED)
                continue
            node = self._at(start, stop)
            found.append(NEVER_PARTED if last is None else self.parting(last, node))
            first = node if first is None else first
            last = node
        return found, first, last

    def parting(self, one: int | None, other: int | None) -> int:
        """Return from which depth on two nodes are apart: below the lowest that is around both."""
        tree = self._tree
        if one is None or other is None:
            return 0
        if tree is None:
            return NEVER_PARTED
        while not one <= other < tree.subtree_ends[one]:
            one = tree.parents[one]
        return self._depths[one] + 1

    def around(self, region: Region) -> int:
        """Return the node that a place is inside of, not where it begins."""
        node = self._at(region.begin, region.end)
        tree = self._tree
        while tree is not None and node and tree.starts[node] == region.begin:
            node = tree.parents[node]
        return node

    def _at(self, start: int, stop: int) -> int:
        """Return the lowest node around a piece of text; pieces come from front to back."""
        tree = self._tree
        if tree is None:
            return 0
        while self._open and tree.stops[self._open[-1]] <= start:
            self._open.pop()
        while self._next < len(tree) and tree.starts[self._next] <= start:
            if tree.stops[self._next] > start:
                self._open.append(self._next)
            self._next += 1
        if self._open and tree.stops[self._open[-1]] >= stop:  # nearly always
            return self._open[-1]
        # Stops fall from the root on.
        place = bisect_right(self._open, -stop, key=lambda node: -tree.stops[node])
        return self._open[place - 1] if place else 0


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


CONTEXT_LINES = 3
_FILE, _LINK = 0o100000, 0o120000
_EMPTY, _NONE = b"e69de29", b"0000000"
"""What git calls the empty file, and no file at all."""
_NO_NEWLINE = b"\\ No newline at end of file\n"
_PLAIN = frozenset(range(0x20, 0x7F)) - {0x22, 0x5C}
_ESCAPES = {0x07: b"a", 0x08: b"b", 0x09: b"t", 0x0A: b"n", 0x0B: b"v", 0x0C: b"f", 0x0D: b"r"}
_ESCAPES |= {0x22: b'"', 0x5C: b"\\"}


def patch_of(passing: Files, failing: Files) -> bytes:
    """Return the patch that makes the failing side of the passing one.

    Of binary files it only says that they differ.
    """
    paths = {*passing.contents, *passing.links, *failing.contents, *failing.links}
    return b"".join(
        _path_patch(path, found_at(passing, path), found_at(failing, path))
        for path in sorted(paths)
    )


def _path_patch(path: str, passing: PathState, failing: PathState) -> bytes:
    if passing == failing:
        return b""
    before, after = _mode(passing), _mode(failing)
    if before and after and (before ^ after) & _LINK & ~_FILE:  # a file for a link, or vice versa
        return _path_patch(path, passing, PathState()) + _path_patch(path, PathState(), failing)
    one, other = _quoted("a", path), _quoted("b", path)
    header = [b"diff --git %s %s\n" % (one, other)]
    if not before:
        header.append(b"new file mode %o\n" % after)
    elif not after:
        header.append(b"deleted file mode %o\n" % before)
    elif before != after:
        header.append(b"old mode %o\nnew mode %o\n" % (before, after))
    old, new = _content(passing), _content(failing)
    if old == new:
        if before != after and not (before and after):  # patch wants to know that it is empty
            header.append(b"index %s..%s\n" % ((_EMPTY, _NONE) if before else (_NONE, _EMPTY)))
        return b"".join(header) if len(header) > 1 else b""  # git knows few modes
    names = one if before else b"/dev/null", other if after else b"/dev/null"
    if b"\0" in old or b"\0" in new:
        return b"".join((*header, b"Binary files %s and %s differ\n" % names))
    # After a name with a blank, a tab says where it ends.
    ends = [b"%s\t" % name if b" " in name else name for name in names]
    header.append(b"--- %s\n+++ %s\n" % (ends[0], ends[1]))
    return b"".join((*header, *unified(old, new)))


def _mode(found: PathState) -> int:
    """Return the mode as git writes it; 0: there is nothing."""
    if found.link is not None:
        return _LINK
    if found.content is None:
        return 0
    return _FILE | (0o755 if found.mode & 0o100 else 0o644)


def _content(found: PathState) -> bytes:
    if found.link is not None:
        return found.link.encode("utf-8", "surrogateescape")
    return found.content or b""


def _quoted(side: str, path: str) -> bytes:
    """Return a path behind the name of its side, in quotes if it has odd characters."""
    name = f"{side}/{path}".encode("utf-8", "surrogateescape")
    if _PLAIN.issuperset(name):
        return name
    inner = (
        bytes([each]) if each in _PLAIN else b"\\" + (_ESCAPES.get(each) or b"%03o" % each)
        for each in name
    )
    return b'"%s"' % b"".join(inner)


def unified(passing: bytes, failing: bytes, context: int = CONTEXT_LINES) -> Iterator[bytes]:
    """Yield the hunks of a patch, each with the lines around what changed."""
    old, new = _lines(passing), _lines(failing)
    for near in _neighbours(changes(old, new, Effort()), context):
        start = max(0, near[0].start - context)
        stop = min(len(old), near[-1].stop + context)
        begin = near[0].begin - (near[0].start - start)
        end = near[-1].end + (stop - near[-1].stop)
        yield b"@@ -%s +%s @@\n" % (_range(start, stop), _range(begin, end))
        cursor = start
        for change in near:
            yield from (_line(b" ", each) for each in old[cursor : change.start])
            yield from (_line(b"-", each) for each in old[change.start : change.stop])
            yield from (_line(b"+", each) for each in new[change.begin : change.end])
            cursor = change.stop
        yield from (_line(b" ", each) for each in old[cursor:stop])


def _neighbours(found: Sequence[Change], context: int) -> Iterator[list[Change]]:
    """Put changes together whose context would overlap or touch."""
    near: list[Change] = []
    for change in found:
        if near and change.start - near[-1].stop > 2 * context:
            yield near
            near = []
        near.append(change)
    if near:
        yield near


def _range(start: int, stop: int) -> bytes:
    """Return lines as a patch counts them: from 1, and none are after the line before."""
    count = stop - start
    first = start + 1 if count else start
    return b"%d" % first if count == 1 else b"%d,%d" % (first, count)


def _line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else b"%s%s\n%s" % (mark, line, _NO_NEWLINE)


def _lines(content: bytes) -> list[bytes]:
    return [content[start:stop] for start, stop in lines(content).spans]
