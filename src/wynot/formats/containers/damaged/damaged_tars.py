"""Tar archives with headers that are wrong, or that are cut short."""

from wynot.formats.containers import tars
from wynot.formats.containers.container import CUT_SHORT, Broken, Container, Member, Packed, check


def _read(content: bytes) -> Packed:
    members: list[Member] = []
    cursor, framed = 0, False
    while any(content[cursor : cursor + tars.BLOCK_BYTES]):
        start = cursor
        try:
            member, cursor = tars.next_member(content, start)
            raw = content[start:cursor]
            member = Member(member.name, member.header, member.content, raw=raw)
            framed = True
        except Broken as why:
            stated = _stated_stop(content, start)
            framed = framed or stated is not None
            cursor = _next_header(content, start) if stated is None else stated
            name = tars.short_name(
                content[start : start + tars.BLOCK_BYTES].ljust(tars.BLOCK_BYTES, b"\0")
            )
            raw = content[start:cursor]
            member = Member.sealed(name.decode("utf-8", "replace"), raw, str(why))
        members.append(member)
    check(framed, CUT_SHORT)
    return Packed(tuple(members), tail=content[cursor:])


def _stated_stop(content: bytes, start: int) -> int | None:
    """Return where a damaged member stops by its own word, if something can begin there."""
    header = content[start : start + tars.BLOCK_BYTES]
    try:
        stop = (
            start + tars.BLOCK_BYTES + tars.padded(tars.stated_size(header))
            if len(header) == tars.BLOCK_BYTES
            else None
        )
    except Broken:
        return None
    if stop is None or stop > len(content):
        return None
    block = content[stop : stop + tars.BLOCK_BYTES]
    return stop if not any(block) or tars.is_header(block) else None


def _next_header(content: bytes, start: int) -> int:
    """Return where the next block is that is a header; else the end."""
    places = range(start + tars.BLOCK_BYTES, len(content), tars.BLOCK_BYTES)
    return next(
        (place for place in places if tars.is_header(content[place : place + tars.BLOCK_BYTES])),
        len(content),
    )


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        pieces += tars.written(member) if member.raw is None else (member.raw,)
    return b"".join((*pieces, packed.tail))


DAMAGED_TAR = Container("tar", tars.fits, _read, _pack, exact=True)
