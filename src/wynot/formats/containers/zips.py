"""Zip archives, and what is one by another name: jar, docx, apk.

A member's header is its entry in the central directory. Members whose content is as it was are
written as they were compressed. Not kept are the extra fields of local headers, which repeat those
of the directory, and bytes between members.
"""

import struct
import zlib
from typing import NamedTuple

from wynot.formats.containers.base import (
    Container,
    Member,
    Packed,
    check,
    deflated,
    inflated,
    room_in,
)

_LOCAL, _ENTRY, _END = b"PK\3\4", b"PK\1\2", b"PK\5\6"
_LOCAL_FIELDS = struct.Struct("<4s5H3I2H")
_ENTRY_FIELDS = struct.Struct("<4s6H3I5H2I")
_END_FIELDS = struct.Struct("<4s4H2IH")
_COMMENT = (1 << 16) - 1
_ENCRYPTED, _SIZES_FOLLOW, _UTF8 = 0x2041, 0x8, 0x800
_STORED, _DEFLATED = 0, 8


class _Entry(NamedTuple):
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


def _fits(content: bytes) -> bool:
    return content.startswith((_LOCAL, _END))


def _read(content: bytes) -> Packed:
    end = content.rfind(_END, max(0, len(content) - _COMMENT - _END_FIELDS.size))
    check(end >= 0)
    _, disk, first_disk, here, count, size, offset, comment = _END_FIELDS.unpack_from(content, end)
    check(disk == first_disk == 0 and here == count and offset + size <= end)
    check(end + _END_FIELDS.size + comment == len(content))
    members, left = [], room_in(content)
    for _ in range(count):
        entry = _Entry(*_ENTRY_FIELDS.unpack_from(content, offset))
        after = offset + _ENTRY_FIELDS.size + entry.following
        check(entry.magic == _ENTRY and after <= end and entry.disk == 0)
        left -= entry.size
        check(left >= 0)
        members.append(_member(content, content[offset:after], entry))
        offset = after
    return Packed(tuple(members), tail=content[len(content) - comment :])


def _member(content: bytes, header: bytes, entry: _Entry) -> Member:
    check(not entry.flags & _ENCRYPTED and entry.method in {_STORED, _DEFLATED})
    local = _LOCAL_FIELDS.unpack_from(content, entry.offset)
    check(local[0] == _LOCAL)
    start = entry.offset + _LOCAL_FIELDS.size + local[-2] + local[-1]
    stored = content[start : start + entry.packed_size]
    check(len(stored) == entry.packed_size)
    whole, rest = stored, b""
    if entry.method == _DEFLATED:
        whole, rest = inflated(stored, entry.size)
    check(not rest and len(whole) == entry.size and zlib.crc32(whole) == entry.crc)
    name = header[_ENTRY_FIELDS.size :][: entry.name_size]
    encoding = "utf-8" if entry.flags & _UTF8 else "cp437"
    return Member(name.decode(encoding, "replace"), header, whole, stored=stored)


def _pack(packed: Packed) -> bytes:
    pieces, directory, offset = [], [], 0
    for member in packed.members:
        entry, following, stored = _written(member, offset)
        name = following[: entry.name_size]
        local = _LOCAL_FIELDS.pack(_LOCAL, *entry[2:10], entry.name_size, 0)
        pieces += [local, name, stored]
        directory += [_ENTRY_FIELDS.pack(*entry), following]
        offset += len(local) + len(name) + len(stored)
    size, count = sum(map(len, directory)), len(packed.members)
    end = _END_FIELDS.pack(_END, 0, 0, count, count, size, offset, len(packed.tail))
    return b"".join((*pieces, *directory, end, packed.tail))


def _written(member: Member, offset: int) -> tuple[_Entry, bytes, bytes]:
    """Return a member's entry, what follows that, and the content as it is stored."""
    entry = _Entry(*_ENTRY_FIELDS.unpack_from(member.header))
    stored, crc = member.stored, entry.crc
    if stored is None:
        crc = zlib.crc32(member.content)
        stored = deflated(member.content) if entry.method == _DEFLATED else member.content
    entry = entry._replace(
        flags=entry.flags & ~_SIZES_FOLLOW,
        crc=crc,
        packed_size=len(stored),
        size=len(member.content),
        offset=offset,
    )
    return entry, member.header[_ENTRY_FIELDS.size :], stored


ZIP = Container("zip", _fits, _read, _pack)
