"""Tar files: a header and a content for each member, whole or damaged.

A member's header is its blocks as they are, with those of long names and pax records before it; of
a member that has another size, the size and the checksum are put right. Links, folders and devices
are members without content.
"""

import re
from typing import NamedTuple

from wynot.formats.containers.container import CUT_SHORT, Broken, Container, Member, Packed, check

BLOCK_BYTES = 512
_MAGIC = slice(257, 262)
_NAME, _PREFIX = slice(0, 100), slice(345, 500)
_SIZE, _CHECKSUM, _TYPE = slice(124, 136), slice(148, 156), slice(156, 157)
_OCTAL = re.compile(rb"[ \0]*([0-7]*)[ \0]*")
_BASE_256 = 0x80
_WITHOUT_CONTENT = frozenset(b"123456")
"""Links, devices, folders and pipes: whatever size they state."""
_OF_THE_NEXT, _OF_ALL, _LONG_NAME = frozenset(b"xXLK"), b"g", b"L"
_UNKNOWN = frozenset(b"SM")
"""Sparse files and pieces of files, whose headers say more about sizes."""
_UNKNOWN_SIZE = "its size is stated in pax records"
_PAX_PATH = re.compile(rb"(?:^|\n)\d+ path=([^\n]*)\n")
_PAX_SIZE = re.compile(rb"(?:^|\n)\d+ (?:size|GNU\.sparse\.[a-z]+)=")


class _Blocks(NamedTuple):
    """A header block, and the data that follows it."""

    header: bytes
    kind: bytes
    data: bytes
    stop: int


def fits(content: bytes) -> bool:
    """Tell whether the first header is one of these."""
    return content[_MAGIC] == b"ustar"


def _read(content: bytes) -> Packed:
    members: list[Member] = []
    cursor = 0
    while any(content[cursor : cursor + BLOCK_BYTES]):
        member, cursor = next_member(content, cursor)
        members.append(member)
    return Packed(tuple(members), tail=content[cursor:])


def next_member(content: bytes, start: int) -> tuple[Member, int]:
    """Return the member that begins here, with the headers before it, and where it stops."""
    cursor, name = start, None
    while any(content[cursor : cursor + BLOCK_BYTES]):
        found = _blocks(content, cursor)
        size = len(found.data)
        if found.kind[0] in _OF_THE_NEXT:
            name = _stated_name(found) or name
            cursor = found.stop
            continue
        if found.kind == _OF_ALL:  # its records are part of its header
            check(cursor == start and not _PAX_SIZE.search(found.data), _UNKNOWN_SIZE)
            size = 0
        first = found.stop - padded(size)
        shown = (name or short_name(found.header)).decode("utf-8", "replace")
        member = Member(shown, content[start:first], content[first : first + size])
        return member, found.stop
    raise Broken("there is no member after its first headers")


def _blocks(content: bytes, start: int) -> _Blocks:
    header = content[start : start + BLOCK_BYTES]
    check(len(header) == BLOCK_BYTES, CUT_SHORT)
    check(_number(header[_CHECKSUM]) == _checksum(header), "bad checksum of the header")
    kind = header[_TYPE]
    check(kind[0] not in _UNKNOWN, "it is a sparse file, or a piece of one")
    size = stated_size(header)
    first = start + BLOCK_BYTES
    stop = first + padded(size)
    check(stop <= len(content), CUT_SHORT)
    return _Blocks(header, kind, content[first : first + size], stop)


def stated_size(header: bytes) -> int:
    """Return how many bytes of data follow a header."""
    return 0 if header[_TYPE][0] in _WITHOUT_CONTENT else _number(header[_SIZE])


def is_header(block: bytes) -> bool:
    """Tell whether a block is a header with a right checksum."""
    if len(block) < BLOCK_BYTES or not any(block):
        return False
    try:
        return _number(block[_CHECKSUM]) == _checksum(block)
    except Broken:
        return False


def _stated_name(found: _Blocks) -> bytes | None:
    """Return the name that a header states of the next member, if it does."""
    if found.kind == _LONG_NAME:
        return found.data.rstrip(b"\0")
    if found.kind in {b"x", b"X"}:
        check(not _PAX_SIZE.search(found.data), _UNKNOWN_SIZE)
        match = _PAX_PATH.search(found.data)
        return match[1] if match else None
    return None


def short_name(header: bytes) -> bytes:
    """Return the name in a header itself."""
    name, prefix = (header[field].partition(b"\0")[0] for field in (_NAME, _PREFIX))
    is_posix = header[_MAGIC.stop] == 0
    return prefix + b"/" + name if prefix and is_posix else name


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        pieces += written(member)
    return b"".join((*pieces, packed.tail))


def written(member: Member) -> tuple[bytes, bytes, bytes]:
    """Return a member's header, its content, and what fills the last block."""
    size = len(member.content)
    return _sized(member.header, size), member.content, bytes(padded(size) - size)


def _sized(header: bytes, size: int) -> bytes:
    """Return the blocks of a header, of which the last states this size."""
    before, last = header[:-BLOCK_BYTES], bytearray(header[-BLOCK_BYTES:])
    states_none = last[_TYPE][0] in _WITHOUT_CONTENT or header[_TYPE] == _OF_ALL
    if states_none or _number(bytes(last[_SIZE])) == size:
        return header
    last[_SIZE] = b"%011o\0" % size
    last[_CHECKSUM] = b"%06o\0 " % _checksum(last)
    return before + last


def _number(field: bytes) -> int:
    if field[0] == _BASE_256:
        return int.from_bytes(field[1:], "big")
    match = _OCTAL.fullmatch(field)
    if match is None:
        raise Broken("bad number in the header")
    return int(match[1] or b"0", 8)


def _checksum(header: bytes | bytearray) -> int:
    blanks = _CHECKSUM.stop - _CHECKSUM.start
    return sum(header) - sum(header[_CHECKSUM]) + blanks * ord(" ")


def padded(size: int) -> int:
    """Return the size of as many blocks as it takes."""
    return -(-size // BLOCK_BYTES) * BLOCK_BYTES


TAR = Container("tar", fits, _read, _pack)


def _read_damaged(content: bytes) -> Packed:
    members: list[Member] = []
    cursor, framed = 0, False
    while any(content[cursor : cursor + BLOCK_BYTES]):
        start = cursor
        try:
            member, cursor = next_member(content, start)
            raw = content[start:cursor]
            member = Member(member.name, member.header, member.content, raw=raw)
            framed = True
        except Broken as why:
            stated = _stated_stop(content, start)
            framed = framed or stated is not None
            cursor = _next_header(content, start) if stated is None else stated
            name = short_name(content[start : start + BLOCK_BYTES].ljust(BLOCK_BYTES, b"\0"))
            raw = content[start:cursor]
            member = Member.sealed(name.decode("utf-8", "replace"), raw, str(why))
        members.append(member)
    check(framed, CUT_SHORT)
    return Packed(tuple(members), tail=content[cursor:])


def _stated_stop(content: bytes, start: int) -> int | None:
    """Return where a damaged member stops by its own word, if something can begin there."""
    header = content[start : start + BLOCK_BYTES]
    try:
        stop = (
            start + BLOCK_BYTES + padded(stated_size(header))
            if len(header) == BLOCK_BYTES
            else None
        )
    except Broken:
        return None
    if stop is None or stop > len(content):
        return None
    block = content[stop : stop + BLOCK_BYTES]
    return stop if not any(block) or is_header(block) else None


def _next_header(content: bytes, start: int) -> int:
    """Return where the next block is that is a header; else the end."""
    places = range(start + BLOCK_BYTES, len(content), BLOCK_BYTES)
    return next(
        (place for place in places if is_header(content[place : place + BLOCK_BYTES])),
        len(content),
    )


def _pack_damaged(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        pieces += written(member) if member.raw is None else (member.raw,)
    return b"".join((*pieces, packed.tail))


DAMAGED_TAR = Container("tar", fits, _read_damaged, _pack_damaged, exact=True)
