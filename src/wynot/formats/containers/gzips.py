"""Gzip: one content, often a tar. Files of several gzip members are left alone."""

import struct
import zlib

from wynot.formats.containers.base import (
    Container,
    Member,
    Packed,
    check,
    deflated,
    inflated,
    room_in,
)

_MAGIC = b"\x1f\x8b\x08"
_FIXED = 10
_HAS_CHECKSUM, _HAS_EXTRA, _HAS_NAME, _HAS_COMMENT, _RESERVED = 2, 4, 8, 16, 0xE0
_TRAILER = struct.Struct("<2I")


def _fits(content: bytes) -> bool:
    return content.startswith(_MAGIC)


def _read(content: bytes) -> Packed:
    start, name = _header(content)
    whole, trailer = inflated(content[start:], room_in(content))
    check(trailer == _trailer(whole))
    stored = content[start : len(content) - _TRAILER.size]
    return Packed((Member(name, content[:start], whole, required=True, stored=stored),))


def _header(content: bytes) -> tuple[int, str]:
    """Return where the header ends, and the name in it."""
    check(len(content) > _FIXED)
    flags, cursor, name = content[3], _FIXED, b""
    check(not flags & _RESERVED)
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
    check(stop >= 0)
    return content[start:stop], stop + 1


def _pack(packed: Packed) -> bytes:
    return b"".join(
        member.header
        + (deflated(member.content) if member.stored is None else member.stored)
        + _trailer(member.content)
        for member in packed.members
    )


def _trailer(content: bytes) -> bytes:
    return _TRAILER.pack(zlib.crc32(content), len(content) & 0xFFFFFFFF)


GZIP = Container("gzip", _fits, _read, _pack)
