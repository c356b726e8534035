"""Zip archives, and what is one by another name: jar, docx, apk.

A member's header is its entry in the central directory. Members whose content is as it was are
written as they were compressed. Not kept are the extra fields of local headers, which repeat those
of the directory, and bytes between members.
"""

import struct
import zlib
from typing import NamedTuple

from wynot.formats.containers import container

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
