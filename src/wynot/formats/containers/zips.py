"""Zip files: members as they are stored, whole or damaged.

A member's header is its entry in the central directory. Members whose content is as it was are
written as they were compressed. Not kept are the extra fields of local headers, which repeat those
of the directory, and bytes between members.

A member is what is between its own header and the next one, whether or not the directory knows it.
Its header is its entry in the directory, or if it has none the one in front of its content. Of what
an entry or the end of the directory says about places and numbers only by how much it is wrong is
kept: so what is right stays right when members go, and what is wrong stays wrong.
"""

import re
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from wynot.formats.containers import container
from wynot.formats.containers.container import (
    TOO_LARGE,
    Broken,
    Container,
    Member,
    Packed,
    check,
    reason,
    room_in,
    salvaged,
)

LOCAL, ENTRY, END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
LOCAL_FIELDS = struct.Struct("<4s5H3I2H")
ENTRY_FIELDS = struct.Struct("<4s6H3I5H2I")
END_FIELDS = struct.Struct("<4s4H2IH")
MAX_COMMENT_BYTES = (1 << 16) - 1
NO_END = "the end of the central directory is missing"
_ENCRYPTED, SIZES_FOLLOW, _UTF8 = 0x2041, 0x8, 0x800
STORED, DEFLATED = 0, 8


class DirectoryEntry(NamedTuple):
    """What the directory says of a member."""

    magic: bytes
    made_by: int
    version: int
    flags: int
    method: int
    time: int
    date: int
    crc: int
    packed_size: int
    size: int
    name_size: int
    extra_size: int
    comment_size: int
    disk: int
    inner_attributes: int
    attributes: int
    offset: int

    @property
    def following(self) -> int:
        """How many bytes of name, extra fields and comment follow."""
        return self.name_size + self.extra_size + self.comment_size


def fits(content: bytes) -> bool:
    """Tell by the first bytes."""
    return content.startswith((LOCAL, END))


def _read(content: bytes) -> container.Packed:
    end = content.rfind(END, max(0, len(content) - MAX_COMMENT_BYTES - END_FIELDS.size))
    container.check(end >= 0, NO_END)
    _, disk, first_disk, here, count, size, offset, comment = END_FIELDS.unpack_from(content, end)
    container.check(disk == first_disk == 0 and here == count and offset + size <= end)
    container.check(end + END_FIELDS.size + comment == len(content), "more follows its end")
    members, left = [], container.room_in(content)
    for _ in range(count):
        entry = DirectoryEntry(*ENTRY_FIELDS.unpack_from(content, offset))
        after = offset + ENTRY_FIELDS.size + entry.following
        container.check(entry.magic == ENTRY and after <= end and entry.disk == 0)
        left -= entry.size
        container.check(left >= 0, container.TOO_LARGE)
        members.append(_member(content, content[offset:after], entry))
        offset = after
    return container.Packed(tuple(members), tail=content[len(content) - comment :])


def _member(content: bytes, header: bytes, entry: DirectoryEntry) -> container.Member:
    local = LOCAL_FIELDS.unpack_from(content, entry.offset)
    container.check(local[0] == LOCAL, "a member is not where the directory says")
    start = entry.offset + LOCAL_FIELDS.size + local[-2] + local[-1]
    stored = content[start : start + entry.packed_size]
    whole = content_of(stored, entry)
    name = header[ENTRY_FIELDS.size :][: entry.name_size]
    return container.Member(decoded(name, entry.flags), header, whole, stored=stored)


def content_of(stored: bytes, entry: DirectoryEntry) -> bytes:
    """Return what a member holds, or raise if it cannot be read."""
    container.check(not entry.flags & _ENCRYPTED, "it is encrypted")
    container.check(
        entry.method in {STORED, DEFLATED}, f"compression method {entry.method} is not supported"
    )
    container.check(len(stored) == entry.packed_size, container.CUT_SHORT)
    whole, rest = stored, b""
    if entry.method == DEFLATED:
        whole, rest = container.inflated(stored, entry.size)
    container.check(not rest and len(whole) == entry.size, "wrong size")
    container.check(zlib.crc32(whole) == entry.crc, "bad CRC-32")
    return whole


def decoded(name: bytes, flags: int) -> str:
    """Return a name as text."""
    return name.decode("utf-8" if flags & _UTF8 else "cp437", "replace")


def _pack(packed: container.Packed) -> bytes:
    pieces, directory, offset = [], [], 0
    for member in packed.members:
        entry, following, stored = written(member, offset)
        name = following[: entry.name_size]
        local = LOCAL_FIELDS.pack(LOCAL, *entry[2:10], entry.name_size, 0)
        pieces += [local, name, stored]
        directory += [ENTRY_FIELDS.pack(*entry), following]
        offset += len(local) + len(name) + len(stored)
    size, count = sum(map(len, directory)), len(packed.members)
    end = END_FIELDS.pack(END, 0, 0, count, count, size, offset, len(packed.tail))
    return b"".join((*pieces, *directory, end, packed.tail))


def written(member: container.Member, offset: int) -> tuple[DirectoryEntry, bytes, bytes]:
    """Return a member's entry, what follows that, and the content as it is stored."""
    entry = DirectoryEntry(*ENTRY_FIELDS.unpack_from(member.header))
    stored, crc = member.stored, entry.crc
    if stored is None:
        crc = zlib.crc32(member.content)
        stored = container.deflated(member.content) if entry.method == DEFLATED else member.content
    entry = entry._replace(
        flags=entry.flags & ~SIZES_FOLLOW,
        crc=crc,
        packed_size=len(stored),
        size=len(member.content),
        offset=offset,
    )
    return entry, member.header[ENTRY_FIELDS.size :], stored


ZIP = container.Container("zip", fits, _read, _pack)


_SIGNATURE = re.compile(rb"PK(?:\x03\x04|\x01\x02|\x05\x06|\x06\x06|\x06\x07)")
"""What begins a member, an entry of the directory, or its end."""
_SIZES = b"PK\7\x08"
_SIZES_FIELDS = 12
"""Bytes of the checksum and the sizes that may follow a content."""
_METHODS = frozenset((*range(21), *range(93, 100)))


class LocalHeader(NamedTuple):
    """A member by its own header: what that says, and where it, its content and all of it ends."""

    entry: DirectoryEntry
    name: bytes
    start: int
    first: int
    stop: int


def locals_in(content: bytes) -> list[LocalHeader]:
    """Return all members one after the other, from the first that there is."""
    scan = _Scan(content, room_in(content))
    return list(scan.run(scan.next_signature(0, only=LOCAL)))


def header_fields(header: bytes) -> DirectoryEntry:
    """Return what the header in front of a content says, as an entry of the directory would."""
    magic, *numbers, name_size, extra_size = LOCAL_FIELDS.unpack_from(header)
    return DirectoryEntry._make((magic, numbers[0], *numbers, name_size, extra_size, 0, 0, 0, 0, 0))


@dataclass(slots=True)
class _Scan:
    """Goes from header to header."""

    content: bytes
    room: int
    """How much may be unpacked only to see where it ends."""

    def run(self, cursor: int) -> Iterator[LocalHeader]:
        while self._is_header(cursor):
            entry = header_fields(self.content[cursor : cursor + LOCAL_FIELDS.size])
            named = cursor + LOCAL_FIELDS.size
            first = named + entry.following
            entry, stop = self._stop(entry, first)
            name = self.content[named : named + entry.name_size]
            yield LocalHeader(entry, name, cursor, min(first, stop), stop)
            cursor = stop

    def _is_header(self, at: int) -> bool:
        """Tell whether something begins here that makes sense as a header."""
        content = self.content
        if not content.startswith(LOCAL, at) or len(content) < at + LOCAL_FIELDS.size:
            return False
        entry = header_fields(content[at : at + LOCAL_FIELDS.size])
        named = at + LOCAL_FIELDS.size
        name = content[named : named + entry.name_size]
        return entry.method in _METHODS and bool(name) and b"\0" not in name

    def next_signature(self, start: int, only: bytes = b"") -> int:
        """Return where the next thing begins; else the end."""
        for match in _SIGNATURE.finditer(self.content, start):
            is_local = match[0] == LOCAL
            if (is_local or not only) and (not is_local or self._is_header(match.start())):
                return match.start()
        return len(self.content)

    def _stop(self, entry: DirectoryEntry, first: int) -> tuple[DirectoryEntry, int]:
        """Return where a member stops; and its sizes, if those are known by its content only."""
        unknown = entry.flags & SIZES_FOLLOW and not entry.packed_size
        if not unknown:
            stop = self._landing(entry, first + entry.packed_size)
            return entry, self.next_signature(first) if stop is None else stop
        if entry.method == DEFLATED:
            try:
                whole, end, damage = salvaged(self.content, first, self.room)
            except Broken:
                whole, end, damage = b"", first, "too large"
            self.room -= len(whole)
            stop = None if damage else self._landing(entry, end)
            if stop is not None:
                at = end + (len(_SIZES) if self.content.startswith(_SIZES, end) else 0)
                crc = int.from_bytes(self.content[at : at + 4], "little")
                return entry._replace(crc=crc, packed_size=end - first, size=len(whole)), stop
        return entry, self.next_signature(first)

    def _landing(self, entry: DirectoryEntry, end: int) -> int | None:
        """Return where the next thing begins after a content that ends here, if one does."""
        content, stops = self.content, [end]
        if entry.flags & SIZES_FOLLOW:
            named = len(_SIZES) if content.startswith(_SIZES, end) else 0
            stops.insert(0, end + named + _SIZES_FIELDS)
        for stop in stops:
            if stop == len(content) or _SIGNATURE.match(content, stop):
                return stop
        return None


_FOUR_BYTES, _TWO_BYTES = 1 << 32, 1 << 16
_BEFORE, _AFTER = b"before", b"after"
"""The headers of what is no member."""


class _Listed(NamedTuple):
    """An entry of the directory, as it is there."""

    entry: DirectoryEntry
    following: bytes
    """Its name, extra fields and comment."""

    @property
    def name(self) -> bytes:
        return self.following[: self.entry.name_size]

    def shifted(self, place: int) -> bytes:
        """Return the entry, which says by how much it is wrong in place of where a member is."""
        wrong = (self.entry.offset - place) % _FOUR_BYTES
        return ENTRY_FIELDS.pack(*self.entry._replace(offset=wrong)) + self.following


def _fits(content: bytes) -> bool:
    if content.startswith((LOCAL, END)):
        return True
    end = content.rfind(END, max(0, len(content) - MAX_COMMENT_BYTES - END_FIELDS.size))
    if end < 0 or len(content) < end + END_FIELDS.size:
        return False
    size = END_FIELDS.unpack_from(content, end)[5]
    return 0 < size <= end and content.startswith(ENTRY, end - size)


def _read_damaged(content: bytes) -> Packed:
    found = locals_in(content)
    check(found, "it has no members")
    begin, middle = found[0].start, found[-1].stop
    listed, end = _directory(content, middle)
    # Places are counted from the first member where nobody has put them right since.
    shift = begin if any(each.entry.offset == 0 for each in listed) else 0
    members = list(_members(content, _paired(found, listed, shift), begin, shift))
    readable = any(not member.damage for member in members)
    check(readable or listed or len(found) > 1, "nothing in it can be unpacked")
    tail, after = _end(content[end:], len(listed), end - middle, middle - shift)
    damage = ""
    if not listed:
        damage = "the central directory is missing"
    elif END not in tail:
        damage = NO_END
    elif begin or after:
        damage = f"something else comes {'before' if begin else 'after'} it"
    others = [Member("before", _BEFORE, content[:begin])] if shift else []
    rest = [Member("after", _AFTER, after)] if after else []
    return Packed((*others, *members, *rest), b"" if shift else content[:begin], tail, damage)


def _directory(content: bytes, cursor: int) -> tuple[list[_Listed], int]:
    """Return the entries of the directory that begins here, and where they end."""
    listed = []
    while content.startswith(ENTRY, cursor) and len(content) >= cursor + ENTRY_FIELDS.size:
        entry = DirectoryEntry(*ENTRY_FIELDS.unpack_from(content, cursor))
        first = cursor + ENTRY_FIELDS.size
        if first + entry.following > len(content):
            break
        cursor = first + entry.following
        listed.append(_Listed(entry, content[first:cursor]))
    return listed, cursor


def _end(rest: bytes, count: int, size: int, place: int) -> tuple[bytes, bytes]:
    """Return the end of a directory, with what is wrong with its numbers, and what follows it."""
    at = rest.find(END)
    if at < 0 or len(rest) < at + END_FIELDS.size:
        return rest, b""
    tail = _counted(rest, -count, -size, -place)
    stop = at + END_FIELDS.size + END_FIELDS.unpack_from(rest, at)[-1]
    return tail[:stop], tail[stop:]


def _counted(tail: bytes, count: int, size: int, place: int) -> bytes:
    """Return the end of a directory with so much more of everything."""
    at = tail.find(END)
    if at < 0 or len(tail) < at + END_FIELDS.size:
        return tail
    magic, *disks, here, all_, stated, offset, comment = END_FIELDS.unpack_from(tail, at)
    end = END_FIELDS.pack(
        *(magic, *disks),
        *((each + count) % _TWO_BYTES for each in (here, all_)),
        *((stated + size) % _FOUR_BYTES, (offset + place) % _FOUR_BYTES),
        comment,
    )
    return tail[:at] + end + tail[at + END_FIELDS.size :]


def _paired(
    found: Sequence[LocalHeader], listed: Sequence[_Listed], shift: int
) -> Iterator[tuple[LocalHeader | None, _Listed | None]]:
    """Return members with their entries, by place and name, or one of the two, in both orders."""
    names: dict[bytes, list[int]] = {}
    for number, local in enumerate(found):
        names.setdefault(local.name, []).append(number)
    known = {entry.name for entry in listed}
    places = {
        (local.start - shift, local.name if local.name in known else None): number
        for number, local in enumerate(found)
    }
    cursor = 0
    for entry in listed:
        same = names.get(entry.name, [])
        later, place = bisect_left(same, cursor), entry.entry.offset
        numbers = (
            places.get((place, entry.name), -1),
            *same[later : later + 1],
            places.get((place, None), -1),
        )
        number = next((each for each in numbers if each >= cursor), -1)
        if number < 0:
            yield None, entry
            continue
        yield from ((local, None) for local in found[cursor:number])
        yield found[number], entry
        cursor = number + 1
    yield from ((local, None) for local in found[cursor:])


def _members(
    content: bytes,
    pairs: Iterable[tuple[LocalHeader | None, _Listed | None]],
    begin: int,
    shift: int,
) -> Iterator[Member]:
    place, room = begin, room_in(content)
    for local, listed in pairs:
        if local is not None:
            member = _damaged_member(content, local, listed, shift, room)
            place, room = local.stop, room - (0 if member.damage else len(member.content))
            yield member
        elif listed is not None:
            name = decoded(listed.name, listed.entry.flags)
            yield Member.sealed(name, b"", "its data are missing", listed.shifted(place - shift))


def _damaged_member(
    content: bytes, local: LocalHeader, listed: _Listed | None, shift: int, room: int
) -> Member:
    if listed is None:
        entry, header = local.entry, content[local.start : local.first]
    else:
        entry, header = listed.entry, listed.shifted(local.start - shift)
    name = decoded(local.name if listed is None else listed.name, entry.flags)
    raw = content[local.start : local.stop]
    try:
        check(entry.size <= room, TOO_LARGE)
        stop = min(local.first + entry.packed_size, local.stop)
        return Member(name, header, content_of(content[local.first : stop], entry), raw=raw)
    except (Broken, zlib.error) as why:
        return Member.sealed(name, raw, reason(why), header)


def _pack_damaged(packed: Packed) -> bytes:
    pieces, directory, after = [packed.head], [], b""
    place = len(packed.head)
    for member in packed.members:
        if member.header == _BEFORE:
            pieces.append(member.content)
        elif member.header == _AFTER:
            after = member.content
        else:
            whole, entry = _written(member, place)
            pieces.append(whole)
            directory += [entry] if entry else []
            place += len(whole)
    tail = _counted(packed.tail, len(directory), sum(map(len, directory)), place)
    return b"".join((*pieces, *directory, tail, after))


def _written(member: Member, place: int) -> tuple[bytes, bytes]:
    """Return all of a member, and its entry in the directory if it has one."""
    is_listed = member.header.startswith(ENTRY)
    if is_listed:
        entry = DirectoryEntry(*ENTRY_FIELDS.unpack_from(member.header))
        following = member.header[ENTRY_FIELDS.size :]
    else:
        entry, following = header_fields(member.header), member.header[LOCAL_FIELDS.size :]
    offset = (entry.offset + place) % _FOUR_BYTES
    if member.raw is not None:
        whole, entry = member.raw, entry._replace(offset=offset)
    else:
        as_listed = replace(member, header=ENTRY_FIELDS.pack(*entry) + following)
        entry, _, stored = written(as_listed, offset)
        local = LOCAL_FIELDS.pack(LOCAL, *entry[2:10], entry.name_size, 0)
        whole = local + following[: entry.name_size] + stored
    return whole, ENTRY_FIELDS.pack(*entry) + following if is_listed else b""


DAMAGED_ZIP = Container("zip", _fits, _read_damaged, _pack_damaged, exact=True)
