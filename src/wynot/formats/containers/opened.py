"""A file that is a container, taken apart: its members, and those of the containers inside."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from operator import is_
from typing import NamedTuple, TypeAlias

from wynot.core.system.plugin_loading import loaded
from wynot.core.system.recent import Cache
from wynot.formats.containers.container import (
    MAX_UNPACKED_BYTES,
    TOO_LARGE,
    Broken,
    Container,
    Member,
    Packed,
    room_in,
)
from wynot.formats.containers.gzips import DAMAGED_GZIP, GZIP
from wynot.formats.containers.pngs import DAMAGED_PNG, PNG
from wynot.formats.containers.tars import DAMAGED_TAR, TAR
from wynot.formats.containers.wasms import DAMAGED_WASM, WASM
from wynot.formats.containers.zips import DAMAGED_ZIP, ZIP

CONTAINERS = (ZIP, GZIP, PNG, WASM, TAR)
DAMAGED = (DAMAGED_ZIP, DAMAGED_GZIP, DAMAGED_PNG, DAMAGED_WASM, DAMAGED_TAR)
"""The same kinds, as far as they can be read; tried if they are not whole."""
TEXT_FORM_GROUP = "wynot.containers"
MEMBER_BYTES = 300
"""What a member takes beside its content, and that as it is stored."""
MAX_CONTAINER_DEPTH = 4
"""How many containers are opened inside of each other."""

MemberPath: TypeAlias = tuple[int, ...]
"""Which member of the container, which one of that, and so on."""


class FoundMember(NamedTuple):
    """A member, where it is, and what it is if it is a container itself."""

    place: MemberPath
    member: Member
    opened: "Opened | None"


@dataclass(frozen=True, slots=True)
class Opened:
    """A container, what is in it, and which of its members are opened too."""

    content: bytes
    container: Container
    packed: Packed
    inner: Mapping[int, "Opened"]

    def walk(self, at: MemberPath = ()) -> Iterator[FoundMember]:
        """Return all members, each before those inside of it."""
        for number, member in enumerate(self.packed.members):
            inside, place = self.inner.get(number), (*at, number)
            yield FoundMember(place, member, inside)
            if inside is not None:
                yield from inside.walk(place)

    @property
    def size(self) -> int:
        """About how many bytes all of it takes."""
        members = (member for _, member, _ in self.walk())
        return len(self.content) + sum(MEMBER_BYTES + 2 * len(each.content) for each in members)

    def written(
        self,
        gone: AbstractSet[MemberPath],
        contents: Mapping[MemberPath, bytes],
        at: MemberPath = (),
    ) -> bytes:
        """Return the container without some members, and with other contents of some.

        All of these are inside of the place ``at``. Required members stay. If nothing is changed,
        these are its bytes as they were; if they are too much to be written, it is empty, and a
        test can tell.
        """
        before = self.packed.members
        members: list[Member | None] = [*before]
        touched: dict[int, list[MemberPath]] = {}
        for each in (*gone, *contents):
            touched.setdefault(each[len(at)], []).append(each)
        for number, places in touched.items():
            place, member, inside = (*at, number), before[number], self.inner.get(number)
            if place in gone and not member.required:
                members[number] = None
            elif inside is not None:
                here = {each: contents[each] for each in places if each in contents}
                content = inside.written(gone & set(places), here, place)
                members[number] = member.holding(content)
            else:
                members[number] = member.holding(contents.get(place, member.content))
        if all(map(is_, members, before)):
            return self.content
        left = tuple(member for member in members if member is not None)
        try:
            return self.container.write(replace(self.packed, members=left))
        except Broken:
            return b""


def text_forms() -> tuple[Container, ...]:
    """Return the binary files that plug-ins read as texts; opened only in their canonical form."""
    return loaded(TEXT_FORM_GROUP, Container).found


_OPENED: Cache[tuple[bytes, int], Opened | None] = Cache(
    lambda key, found: found.size if found else len(key[0])
)


def opened(content: bytes, room: int = MAX_UNPACKED_BYTES) -> Opened | None:
    """Take a content apart; None if it is no container that can be written again.

    All that is in it, and in what is in it, may have ``room`` bytes; what is beyond stays closed.
    """
    if not any(each.fits(content) for each in (*text_forms(), *CONTAINERS, *DAMAGED)):
        return None
    return _OPENED.get((content, room), lambda: _Opening(room).open(content, MAX_CONTAINER_DEPTH))


@dataclass(slots=True)
class _Opening:
    """Opens containers inside of containers, as long as there is room."""

    room: int

    def open(self, content: bytes, depth: int) -> Opened | None:
        if depth == 0 or self.room <= 0:
            return None
        found = self._read(content)
        if found is None:
            return None
        container, packed = found
        self.room -= packed.size
        if self.room < 0:
            return None
        inner = {}
        for number, member in enumerate(packed.members):
            inside = None if member.damage else self.open(member.content, depth - 1)
            if inside is not None:
                inner[number] = inside
        return Opened(content, container, packed, inner)

    def _read(self, content: bytes) -> tuple[Container, Packed] | None:
        """Return the kind of a container and its members; what unpacks into too much takes room."""
        for container in (*text_forms(), *CONTAINERS, *DAMAGED):
            try:
                return container, container.attempt(content)
            except Broken as why:
                if why.args == (TOO_LARGE,):
                    self.room -= room_in(content)
            if self.room <= 0:
                break
        return None


_CANONICAL: Cache[bytes, bytes | None] = Cache(
    lambda content, written: len(content) + len(written or b"")
)


def canonical(content: bytes) -> bytes | None:
    """Return a content in the form in which it is opened; None if it is, or cannot be."""
    forms = [each for each in text_forms() if each.fits(content)]
    return _CANONICAL.get(content, lambda: _canonical(content, forms)) if forms else None


def _canonical(content: bytes, forms: list[Container]) -> bytes | None:
    for form in forms:
        try:
            written = form.write(form.read(content))
        except Broken:
            continue
        if written != content and form.unpack(written) is not None:
            return written
    return None


def why_closed(content: bytes) -> str:
    """Return why a content that begins like a container cannot be opened; else nothing."""
    for container in (each for each in (*text_forms(), *DAMAGED) if each.fits(content)):
        try:
            container.attempt(content)
        except Broken as why:
            return f"it begins like a {container.name} file, but {why}"
        return TOO_LARGE
    return ""
