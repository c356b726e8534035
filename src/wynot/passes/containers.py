"""Passes over the members of containers, and the canonical form of binary files.

One pass leaves members out. Any other pass can be let in: what it sees are files in which each
container is replaced by its members, ``archive.zip!inner/name.txt``, and what it leaves of them is
packed again.

Such a text does not say how bytes are laid out: which pages of a database are free, with how many
bytes a module writes its numbers. So a file is laid out anew first. That is a test like any other:
if the failure hangs on the layout, the file stays as it is, and what is reduced are its bytes.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files, RenderedCase
from wynot.core.texts.rewrites import Patch, Rewrite, RewritesCase
from wynot.formats.containers.container import Member
from wynot.formats.containers.opened import MemberPath, Opened, canonical, opened
from wynot.passes.reduction_pass import Cut, MappedCase, Pass, ProtectedPatterns
from wynot.search.largest import NO_LESSONS, Lessons


class Where(NamedTuple):
    """A member: of which file, and where in it."""

    path: str
    place: MemberPath


class View(NamedTuple):
    """Files as they look inside, and which of them are members of what."""

    files: Files
    members: Mapping[str, Where]


def containers_in(files: Files) -> dict[str, Opened]:
    """Return the files that are containers, opened."""
    found = ((path, opened(content)) for path, content in files.contents.items())
    return {path: each for path, each in found if each is not None}


def unpacked(files: Files, containers: Mapping[str, Opened]) -> View:
    """Return the files with each container replaced by its members, as deep as they are opened.

    Members without content are not shown, nor are damaged ones: nothing in them can be reduced.
    """
    names = _Names(files.contents)
    contents: dict[str, bytes] = {}
    members: dict[str, Where] = {}
    for path, content in files.contents.items():
        if path not in containers:
            contents[path] = content
            continue
        shown: dict[MemberPath, str] = {(): path}
        for place, member, inside in containers[path].walk():
            name = shown[place] = names.new(shown[place[:-1]], member)
            if inside is None and member.content and not member.damage:
                contents[name] = member.content
                members[name] = Where(path, place)
    return View(files.replaced(contents), members)


class _Names:
    """Gives each member a name of its own, with the suffix that it has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._count: Counter[str] = Counter()

    def new(self, outer: str, member: Member) -> str:
        """Return a name; of what has none, that of the container without its suffix."""
        inner = member.name or PurePosixPath(outer.rpartition("!")[2]).stem
        name = plain = f"{outer}!{inner}"
        while name in self._taken:
            self._count[plain] += 1
            name = f"{outer}#{self._count[plain] + 1}!{inner}"
        self._taken.add(name)
        return name


class PackedCase(RenderedCase):
    """Files, in some of which are members that can go; with it goes what is inside of one."""

    def __init__(
        self, files: Files, containers: Mapping[str, Opened], members: Mapping[Where, Member]
    ) -> None:
        super().__init__(files, len(members))
        self._containers = containers
        self._members = members
        self._where = tuple(members)

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return ("members", self._where)

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each member; its name counts as one."""
        return [len(member.content) + 1 for member in self._members.values()]

    def _write(self, candidate: Candidate) -> Files:
        gone: dict[str, set[MemberPath]] = {}
        for number in self.deltas.toggle(candidate.kept):
            path, place = self._where[number]
            gone.setdefault(path, set()).add(place)
        written = {path: self._containers[path].written(gone[path], {}) for path in gone}
        return self.files.replaced({**self.files.contents, **written})


def packed(
    whole: Files, containers: Mapping[str, Opened], members: Mapping[str, Where], files: Files
) -> Files:
    """Return what is left of the whole if this is left of what its containers hold."""
    left = files.contents
    gone: dict[str, set[MemberPath]] = {path: set() for path in containers}
    kept: dict[str, dict[MemberPath, bytes]] = {path: {} for path in containers}
    for name, (path, place) in members.items():
        if name in left:
            kept[path][place] = left[name]
        else:
            gone[path].add(place)
    contents = {
        path: containers[path].written(gone[path], kept[path]) if path in containers else left[path]
        for path in whole.contents
        if path in containers or path in left
    }
    return whole.replaced(contents)


@dataclass(frozen=True, slots=True)
class DeleteMembers:
    """Leave out members of containers, and of containers in those."""

    name: str = "members"
    proves: str = "members"

    def cut(self, files: Files, keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each member as a part, but for required ones and those that hold a match."""
        containers = containers_in(files)
        members: dict[Where, Member] = {}
        folders: dict[tuple[str, MemberPath, str], list[int]] = {}
        for path, container in containers.items():
            found = list(container.walk())
            kept = {
                place[:depth]
                for place, member, inside in found
                if inside is None and any(pattern.search(member.content) for pattern in keep)
                for depth in range(1, len(place) + 1)
            }
            for place, member, _ in found:
                if not member.required and place not in kept:
                    folder = member.name.rstrip("/").rpartition("/")[0]
                    folders.setdefault((path, place[:-1], folder), []).append(len(members))
                    members[Where(path, place)] = member
        groups = tuple(map(Deltas.of, folders.values()))
        return Cut(PackedCase(files, containers, members), groups if len(groups) > 1 else ())


@dataclass(frozen=True, slots=True)
class Inside:
    """Let a pass cut what containers hold, beside files that are none."""

    inner: Pass
    opens: Callable[[Files], Mapping[str, Opened]] = containers_in
    """Opens what it is let into."""

    @property
    def name(self) -> str:
        """What it is called: as the pass."""
        return self.inner.name

    @property
    def proves(self) -> str:
        """The same, but for bytes: those of the containers themselves are not tried."""
        return "" if self.inner.proves == "bytes" else self.inner.proves

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut what is inside."""
        containers = self.opens(files)
        view = unpacked(files, containers)
        cut = self.inner.cut(view.files, keep, lessons)
        packs = partial(packed, files, containers, view.members)
        return cut._replace(case=MappedCase(cut.case, files, "inside", files=packs))


@dataclass(frozen=True, slots=True)
class LayOutAnew:
    """Write files in the form in which they are opened."""

    name: str = "canonical form"
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each file that can be written so as a part."""
        found = [
            Rewrite(self.name, (Patch(path, 0, len(content), written),))
            for path, content in files.contents.items()
            if (written := canonical(content)) is not None
        ]
        return Cut(RewritesCase(files, found))


def still_closed(files: Files) -> dict[str, Opened]:
    """Return the containers, but for those that can be laid out anew: they are taken as they are.

    They could be opened in another way, as a module can by its sections.
    """
    found = containers_in(files)
    return {
        path: _closing(found[path])
        for path, content in files.contents.items()
        if path in found and canonical(content) is None
    }


def _closing(container: Opened) -> Opened:
    inner = {
        number: _closing(inside)
        for number, inside in container.inner.items()
        if canonical(inside.content) is None
    }
    return replace(container, inner=inner)


def can_be_laid_out(files: Files) -> bool:
    """Tell whether any of the files, or of what they hold, is not in its canonical form."""
    return any(map(canonical, unpacked(files, still_closed(files)).files.contents.values()))


def laid_out(files: Files) -> Files:
    """Return the files as they are in their canonical form, where they have one."""
    containers = still_closed(files)
    view = unpacked(files, containers)
    written = {path: canonical(content) or content for path, content in view.files.contents.items()}
    return packed(files, containers, view.members, view.files.replaced(written))


LAY_OUT_INSIDE = Inside(LayOutAnew(), still_closed)
"""Lays out what containers hold, too."""
