"""PNG files: chunks, whole or damaged.

A member's header is the sizes of its chunks: more than one only of IDAT. It is written in one chunk
when it has another size.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

from wynot.formats.containers.container import CUT_SHORT, Container, Member, Packed, check

SIGNATURE = b"\x89PNG\r\n\x1a\n"
FIRST, LAST, _IMAGE = "IHDR", "IEND", "IDAT"
BEFORE = struct.Struct(">I4s")
AFTER = struct.Struct(">I")
KIND = re.compile(rb"[A-Za-z]{4}")


def fits(content: bytes) -> bool:
    """Tell by the first bytes."""
    return content.startswith(SIGNATURE)


def _read(content: bytes) -> Packed:
    chunks: list[tuple[str, bytes]] = []
    cursor = len(SIGNATURE)
    while not chunks or chunks[-1][0] != LAST:
        size, kind = BEFORE.unpack_from(content, cursor)
        cursor += BEFORE.size
        data = content[cursor : cursor + size]
        (crc,) = AFTER.unpack_from(content, cursor + size)
        cursor += size + AFTER.size
        check(KIND.fullmatch(kind), "a chunk has no proper name")
        check(crc == zlib.crc32(kind + data), "bad CRC-32 of a chunk")
        chunks.append((kind.decode("ascii"), data))
    check(chunks[0][0] == FIRST, f"it does not begin with {FIRST}")
    return Packed(tuple(_members(chunks)), SIGNATURE, content[cursor:])


def _members(chunks: list[tuple[str, bytes]]) -> Iterator[Member]:
    for name, run in groupby(chunks, key=itemgetter(0)):
        contents = [data for _, data in run]
        for pieces in [contents] if name == _IMAGE else [[each] for each in contents]:
            header = b"".join(AFTER.pack(len(piece)) for piece in pieces)
            yield Member(name, header, b"".join(pieces), required=name in {FIRST, LAST})


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        kind, content = member.name.encode("ascii"), member.content
        sizes = [size for (size,) in AFTER.iter_unpack(member.header)]
        if sum(sizes) != len(content):
            sizes = [len(content)]
        for start, stop in pairwise(accumulate(sizes, initial=0)):
            pieces += chunk(kind, content[start:stop])
    return b"".join((*pieces, packed.tail))


def chunk(kind: bytes, data: bytes) -> tuple[bytes, bytes, bytes]:
    """Return what is before the data of a chunk, the data, and what is after."""
    return BEFORE.pack(len(data), kind), data, AFTER.pack(zlib.crc32(kind + data))


PNG = Container("png", fits, _read, _pack)


def _read_damaged(content: bytes) -> Packed:
    members: list[Member] = []
    cursor = len(SIGNATURE)
    while cursor < len(content) and not (members and members[-1].name == LAST):
        member, cursor = _next(content, cursor)
        members.append(member)
    check(any(not member.damage for member in members), "no chunk of it can be read")
    return Packed(tuple(members), SIGNATURE, content[cursor:])


def _next(content: bytes, start: int) -> tuple[Member, int]:
    """Return the chunk that begins here and where it stops; if that is not known, all the rest."""
    if len(content) < start + BEFORE.size:
        return Member.sealed("rest", content[start:], CUT_SHORT), len(content)
    size, kind = BEFORE.unpack_from(content, start)
    name, first = kind.decode("ascii", "replace"), start + BEFORE.size
    stop = first + size + AFTER.size
    if not KIND.fullmatch(kind) or stop > len(content):
        why = CUT_SHORT if KIND.fullmatch(kind) else "it has no proper name"
        return Member.sealed(name, content[start:], why), len(content)
    raw, data = content[start:stop], content[first : first + size]
    (crc,) = AFTER.unpack_from(content, first + size)
    if crc != zlib.crc32(kind + data):
        return Member.sealed(name, raw, "bad CRC-32"), stop
    return Member(name, b"", data, required=name in {FIRST, LAST}, raw=raw), stop


def _pack_damaged(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        if member.raw is not None:
            pieces.append(member.raw)
        else:
            pieces += chunk(member.name.encode("ascii"), member.content)
    return b"".join((*pieces, packed.tail))


DAMAGED_PNG = Container("png", fits, _read_damaged, _pack_damaged, exact=True)
