"""Gzip files: members one after the other, whole or damaged.

A member's header says how it ends, before its header in the file: in what way its stream does, and
by which bits its checksum and length are wrong, as far as they are there. So what is written with
another content is wrong in the same way.
"""

import struct
import zlib
from collections.abc import Iterator

from wynot.formats.containers import container

MAGIC = b"\x1f\x8b\x08"
_HEADER_BYTES = 10
_HAS_CHECKSUM, _HAS_EXTRA, _HAS_NAME, _HAS_COMMENT, _RESERVED = 2, 4, 8, 16, 0xE0
TRAILER = struct.Struct("<2I")


def fits(content: bytes) -> bool:
    """Tell by the first bytes."""
    return content.startswith(MAGIC)


def _read(content: bytes) -> container.Packed:
    start, name = header_of(content)
    whole, after = container.inflated(content[start:], container.room_in(content))
    container.check(after == trailer(whole), "bad checksum or length")
    stored = content[start : len(content) - TRAILER.size]
    return container.Packed(
        (container.Member(name, content[:start], whole, required=True, stored=stored),)
    )


def header_of(content: bytes, start: int = 0) -> tuple[int, str]:
    """Return where the header that starts here ends, and the name in it."""
    container.check(len(content) > start + _HEADER_BYTES, container.CUT_SHORT)
    flags, cursor, name = content[start + 3], start + _HEADER_BYTES, b""
    container.check(not flags & _RESERVED, "unknown flags in the header")
    if flags & _HAS_EXTRA:
        (size,) = struct.unpack_from("<H", content, cursor)
        cursor += 2 + size
    if flags & _HAS_NAME:
        name, cursor = _string(content, cursor)
    if flags & _HAS_COMMENT:
        _, cursor = _string(content, cursor)
    if flags & _HAS_CHECKSUM:
        cursor += 2
    return cursor, name.decode("latin-1")


def _string(content: bytes, start: int) -> tuple[bytes, int]:
    """Return a string that a NUL ends, and where the next thing begins."""
    stop = content.find(b"\0", start)
    container.check(stop >= 0, container.CUT_SHORT)
    return content[start:stop], stop + 1


def _pack(packed: container.Packed) -> bytes:
    return b"".join(
        member.header
        + (container.deflated(member.content) if member.stored is None else member.stored)
        + trailer(member.content)
        for member in packed.members
    )


def trailer(content: bytes) -> bytes:
    """Return what follows a content: its checksum and its length."""
    return TRAILER.pack(zlib.crc32(content), len(content) & 0xFFFFFFFF)


GZIP = container.Container("gzip", fits, _read, _pack)


_WHOLE, _CUT, _WRONG = range(3)
_NO_SUCH_BLOCK = b"\7"
"""What no deflated stream goes on with."""
_CHECKSUM_BYTES = 4
_REST = b""
"""The header of what is no gzip."""


def _read_damaged(content: bytes) -> container.Packed:
    members, damage = [], ""
    for member, why in _members(content):
        members.append(member)
        damage = damage or why
    container.check(any(member.content for member in members), "nothing of it can be read")
    return container.Packed(tuple(members), damage=damage)


def _members(content: bytes) -> Iterator[tuple[container.Member, str]]:
    """Return what is in each gzip of a file, then what follows, and what is wrong with each."""
    cursor, left = 0, container.room_in(content)
    while content.startswith(MAGIC, cursor):
        try:
            start, name = header_of(content, cursor)
            whole, stop, why = container.salvaged(content, start, left)
        except container.Broken:
            if not cursor:
                raise
            break
        left -= len(whole)
        end = content[stop : stop + TRAILER.size]
        bits = bytes(one ^ other for one, other in zip(end, trailer(whole), strict=False))
        kind = _WHOLE if not why else _CUT if why == container.CUT_SHORT else _WRONG
        after = len(content) if why else stop + len(end)
        header = bytes((kind, len(bits))) + bits + content[cursor:start]
        raw = content[cursor:after]
        yield (
            container.Member(name, header, whole, required=not cursor, raw=raw),
            why or _wrong_with(bits),
        )
        cursor = after
    if cursor < len(content):
        rest = content[cursor:]
        yield container.Member("rest", _REST, rest), "something else follows" if any(rest) else ""


def _wrong_with(bits: bytes) -> str:
    if len(bits) < TRAILER.size:
        return "the checksum is missing"
    if any(bits[:_CHECKSUM_BYTES]):
        return "bad CRC-32"
    return "wrong length" if any(bits) else ""


def _pack_damaged(packed: container.Packed) -> bytes:
    return b"".join(map(_written, packed.members))


def _written(member: container.Member) -> bytes:
    content = member.content
    if member.raw is not None:
        return member.raw
    if member.header == _REST:
        return content
    kind, size = member.header[:2]
    bits, head = member.header[2 : 2 + size], member.header[2 + size :]
    if kind != _WHOLE:
        return head + container.unended(content) + (_NO_SUCH_BLOCK if kind == _WRONG else b"")
    end = bytes(one ^ other for one, other in zip(bits, trailer(content), strict=False))
    return head + container.deflated(content) + end


DAMAGED_GZIP = container.Container("gzip", fits, _read_damaged, _pack_damaged, exact=True)
