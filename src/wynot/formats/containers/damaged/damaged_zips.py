"""Zip archives that are damaged, cut short, or have something before or after them.

A member is what is between its own header and the next one, whether or not the directory knows it.
Its header is its entry in the directory, or if it has none the one in front of its content. Of what
an entry or the end of the directory says about places and numbers only by how much it is wrong is
kept: so what is right stays right when members go, and what is wrong stays wrong.
"""

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from wynot.formats.containers import zips
from wynot.formats.containers.container import (
    TOO_LARGE,
    Broken,
    Container,
    Member,
    Packed,
    check,
    room_in,
    words,
)
from wynot.formats.containers.damaged.zip_members import LocalHeader, header_fields, locals_in

_FOUR_BYTES, _TWO_BYTES = 1 << 32, 1 << 16
_BEFORE, _AFTER = b"before", b"after"
"""The headers of what is no member."""


class _Listed(NamedTuple):
    """An entry of the directory, as it is there."""

    entry: zips.DirectoryEntry
    following: bytes
    """Its name, extra fields and comment."""

    @property
    def name(self) -> bytes:
        return self.following[: self.entry.name_size]

    def shifted(self, place: int) -> bytes:
        """Return the entry, which says by how much it is wrong in place of where a member is."""
        wrong = (self.entry.offset - place) % _FOUR_BYTES
        return zips.ENTRY_FIELDS.pack(*self.entry._replace(offset=wrong)) + self.following


def _fits(content: bytes) -> bool:
    if content.startswith((zips.LOCAL, zips.END)):
        return True
    end = content.rfind(
        zips.END, max(0, len(content) - zips.MAX_COMMENT_BYTES - zips.END_FIELDS.size)
    )
    if end < 0 or len(content) < end + zips.END_FIELDS.size:
        return False
    size = zips.END_FIELDS.unpack_from(content, end)[5]
    return 0 < size <= end and content.startswith(zips.ENTRY, end - size)


def _read(content: bytes) -> Packed:
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
    elif zips.END not in tail:
        damage = zips.NO_END
    elif begin or after:
        damage = f"something else comes {'before' if begin else 'after'} it"
    others = [Member("before", _BEFORE, content[:begin])] if shift else []
    rest = [Member("after", _AFTER, after)] if after else []
    return Packed((*others, *members, *rest), b"" if shift else content[:begin], tail, damage)


def _directory(content: bytes, cursor: int) -> tuple[list[_Listed], int]:
    """Return the entries of the directory that begins here, and where they end."""
    listed = []
    while (
        content.startswith(zips.ENTRY, cursor) and len(content) >= cursor + zips.ENTRY_FIELDS.size
    ):
        entry = zips.DirectoryEntry(*zips.ENTRY_FIELDS.unpack_from(content, cursor))
        first = cursor + zips.ENTRY_FIELDS.size
        if first + entry.following > len(content):
            break
        cursor = first + entry.following
        listed.append(_Listed(entry, content[first:cursor]))
    return listed, cursor


def _end(rest: bytes, count: int, size: int, place: int) -> tuple[bytes, bytes]:
    """Return the end of a directory, with what is wrong with its numbers, and what follows it."""
    at = rest.find(zips.END)
    if at < 0 or len(rest) < at + zips.END_FIELDS.size:
        return rest, b""
    tail = _counted(rest, -count, -size, -place)
    stop = at + zips.END_FIELDS.size + zips.END_FIELDS.unpack_from(rest, at)[-1]
    return tail[:stop], tail[stop:]


def _counted(tail: bytes, count: int, size: int, place: int) -> bytes:
    """Return the end of a directory with so much more of everything."""
    at = tail.find(zips.END)
    if at < 0 or len(tail) < at + zips.END_FIELDS.size:
        return tail
    magic, *disks, here, all_, stated, offset, comment = zips.END_FIELDS.unpack_from(tail, at)
    end = zips.END_FIELDS.pack(
        *(magic, *disks),
        *((each + count) % _TWO_BYTES for each in (here, all_)),
        *((stated + size) % _FOUR_BYTES, (offset + place) % _FOUR_BYTES),
        comment,
    )
    return tail[:at] + end + tail[at + zips.END_FIELDS.size :]


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
            member = _member(content, local, listed, shift, room)
            place, room = local.stop, room - (0 if member.damage else len(member.content))
            yield member
        elif listed is not None:
            name = zips.decoded(listed.name, listed.entry.flags)
            yield Member.sealed(name, b"", "its data are missing", listed.shifted(place - shift))


def _member(
    content: bytes, local: LocalHeader, listed: _Listed | None, shift: int, room: int
) -> Member:
    if listed is None:
        entry, header = local.entry, content[local.start : local.first]
    else:
        entry, header = listed.entry, listed.shifted(local.start - shift)
    name = zips.decoded(local.name if listed is None else listed.name, entry.flags)
    raw = content[local.start : local.stop]
    try:
        check(entry.size <= room, TOO_LARGE)
        stop = min(local.first + entry.packed_size, local.stop)
        return Member(name, header, zips.content_of(content[local.first : stop], entry), raw=raw)
    except (Broken, zlib.error) as why:
        return Member.sealed(name, raw, words(why), header)


def _pack(packed: Packed) -> bytes:
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
    is_listed = member.header.startswith(zips.ENTRY)
    if is_listed:
        entry = zips.DirectoryEntry(*zips.ENTRY_FIELDS.unpack_from(member.header))
        following = member.header[zips.ENTRY_FIELDS.size :]
    else:
        entry, following = header_fields(member.header), member.header[zips.LOCAL_FIELDS.size :]
    offset = (entry.offset + place) % _FOUR_BYTES
    if member.raw is not None:
        whole, entry = member.raw, entry._replace(offset=offset)
    else:
        as_listed = replace(member, header=zips.ENTRY_FIELDS.pack(*entry) + following)
        entry, _, stored = zips.written(as_listed, offset)
        local = zips.LOCAL_FIELDS.pack(zips.LOCAL, *entry[2:10], entry.name_size, 0)
        whole = local + following[: entry.name_size] + stored
    return whole, zips.ENTRY_FIELDS.pack(*entry) + following if is_listed else b""


DAMAGED_ZIP = Container("zip", _fits, _read, _pack, exact=True)
