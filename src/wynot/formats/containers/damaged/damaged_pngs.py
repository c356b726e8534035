"""PNG images with chunks that are wrong or cut short."""

import zlib

from wynot.formats.containers import pngs
from wynot.formats.containers.container import CUT_SHORT, Container, Member, Packed, check


def _read(content: bytes) -> Packed:
    members: list[Member] = []
    cursor = len(pngs.SIGNATURE)
    while cursor < len(content) and not (members and members[-1].name == pngs.LAST):
        member, cursor = _next(content, cursor)
        members.append(member)
    check(any(not member.damage for member in members), "no chunk of it can be read")
    return Packed(tuple(members), pngs.SIGNATURE, content[cursor:])


def _next(content: bytes, start: int) -> tuple[Member, int]:
    """Return the chunk that begins here and where it stops; if that is not known, all the rest."""
    if len(content) < start + pngs.BEFORE.size:
        return Member.sealed("rest", content[start:], CUT_SHORT), len(content)
    size, kind = pngs.BEFORE.unpack_from(content, start)
    name, first = kind.decode("ascii", "replace"), start + pngs.BEFORE.size
    stop = first + size + pngs.AFTER.size
    if not pngs.KIND.fullmatch(kind) or stop > len(content):
        why = CUT_SHORT if pngs.KIND.fullmatch(kind) else "it has no proper name"
        return Member.sealed(name, content[start:], why), len(content)
    raw, data = content[start:stop], content[first : first + size]
    (crc,) = pngs.AFTER.unpack_from(content, first + size)
    if crc != zlib.crc32(kind + data):
        return Member.sealed(name, raw, "bad CRC-32"), stop
    return Member(name, b"", data, required=name in {pngs.FIRST, pngs.LAST}, raw=raw), stop


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        if member.raw is not None:
            pieces.append(member.raw)
        else:
            pieces += pngs.chunk(member.name.encode("ascii"), member.content)
    return b"".join((*pieces, packed.tail))


DAMAGED_PNG = Container("png", pngs.fits, _read, _pack, exact=True)
