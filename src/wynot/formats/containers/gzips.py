"""Gzip: one content, often a tar. Files of several gzip members are left alone."""

import struct
import zlib

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
