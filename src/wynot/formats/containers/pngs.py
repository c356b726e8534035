"""PNG images: chunks. Neighbouring IDAT chunks are one member, since they are one stream.

A member's header is the sizes of its chunks: more than one only of IDAT. It is written in one chunk
when it has another size.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

from wynot.formats.containers.base import Container, Member, Packed, check

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FIRST, _LAST, _IMAGE = "IHDR", "IEND", "IDAT"
_BEFORE = struct.Struct(">I4s")
_AFTER = struct.Struct(">I")
_KIND = re.compile(rb"[A-Za-z]{4}")


def _fits(content: bytes) -> bool:
    return content.startswith(_SIGNATURE)


def _read(content: bytes) -> Packed:
    chunks: list[tuple[str, bytes]] = []
    cursor = len(_SIGNATURE)
    while not chunks or chunks[-1][0] != _LAST:
        size, kind = _BEFORE.unpack_from(content, cursor)
        cursor += _BEFORE.size
        data = content[cursor : cursor + size]
        (crc,) = _AFTER.unpack_from(content, cursor + size)
        cursor += size + _AFTER.size
        check(_KIND.fullmatch(kind) and crc == zlib.crc32(kind + data))
        chunks.append((kind.decode("ascii"), data))
    check(chunks[0][0] == _FIRST)
    return Packed(tuple(_members(chunks)), _SIGNATURE, content[cursor:])


def _members(chunks: list[tuple[str, bytes]]) -> Iterator[Member]:
    for name, run in groupby(chunks, key=itemgetter(0)):
        contents = [data for _, data in run]
        for pieces in [contents] if name == _IMAGE else [[each] for each in contents]:
            header = b"".join(_AFTER.pack(len(piece)) for piece in pieces)
            yield Member(name, header, b"".join(pieces), required=name in {_FIRST, _LAST})


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        kind, content = member.name.encode("ascii"), member.content
        sizes = [size for (size,) in _AFTER.iter_unpack(member.header)]
        if sum(sizes) != len(content):
            sizes = [len(content)]
        for start, stop in pairwise(accumulate(sizes, initial=0)):
            data = content[start:stop]
            crc = _AFTER.pack(zlib.crc32(kind + data))
            pieces += [_BEFORE.pack(len(data), kind), data, crc]
    return b"".join((*pieces, packed.tail))


PNG = Container("png", _fits, _read, _pack)
