"""WebAssembly modules and components: sections, whole or damaged.

A member's header is the section's kind, how many bytes its size is written with (linkers leave room
for the largest), and the name of a custom section as it is there.
"""

from wynot.formats.containers.container import CUT_SHORT, Broken, Container, Member, Packed, check
from wynot.formats.leb128 import read_leb128, write_leb128

_MAGIC = b"\0asm"
HEAD_BYTES = 8
_CUSTOM_SECTION = 0
_NAMES = (
    *("custom", "type", "import", "function", "table", "memory", "global", "export", "start"),
    *("element", "code", "data", "data count", "tag"),
)
_MAX_NUMBER_BYTES = 5
"""Bytes of a 32-bit number."""
_MAX_NUMBER = (1 << 32) - 1


def fits(content: bytes) -> bool:
    """Tell by the first bytes."""
    return content.startswith(_MAGIC)


def _read(content: bytes) -> Packed:
    check(len(content) >= HEAD_BYTES, CUT_SHORT)
    members, cursor = [], HEAD_BYTES
    while cursor < len(content):
        start, stop = bounds(content, cursor)
        members.append(section(content, cursor, start, stop))
        cursor = stop
    return Packed(tuple(members), head=content[:HEAD_BYTES])


def bounds(content: bytes, cursor: int) -> tuple[int, int]:
    """Return where what is in the section that begins here starts and stops."""
    size, start = _number(content, cursor + 1)
    check(start + size <= len(content), CUT_SHORT)
    return start, start + size


def section(content: bytes, cursor: int, start: int, stop: int) -> Member:
    """Return the section that begins at the cursor."""
    kind, first = content[cursor], start
    name = _name(kind, is_module=content[4:HEAD_BYTES] == b"\1\0\0\0")
    if kind == _CUSTOM_SECTION:
        length, first = _number(content, start)
        first += length
        check(first <= stop, "the name is longer than the section")
        name += " " + content[first - length : first].decode("utf-8", "replace")
    header = bytes((kind, start - cursor - 1)) + content[start:first]
    return Member(name, header, content[first:stop], raw=content[cursor:stop])


def _name(kind: int, *, is_module: bool) -> str:
    """Return what a section is called; components number theirs in another way."""
    known = kind == _CUSTOM_SECTION or (is_module and kind < len(_NAMES))
    return _NAMES[kind] if known else f"section {kind}"


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        pieces += written(member)
    return b"".join((*pieces, packed.tail))


def written(member: Member) -> tuple[bytes, ...]:
    """Return a section's kind, its size, its name and its content; in one, if nothing is new."""
    if member.raw is not None:
        return (member.raw,)
    (kind, width), name = member.header[:2], member.header[2:]
    size = write_leb128(len(name) + len(member.content), width)
    return bytes((kind,)), size, name, member.content


def _number(content: bytes, start: int) -> tuple[int, int]:
    """Read an unsigned LEB128 number; return it, and where the next thing begins."""
    stop = start + _MAX_NUMBER_BYTES
    found = read_leb128(content, start, min(stop, len(content)))
    if found is None:
        raise Broken(CUT_SHORT if stop > len(content) else "a number is too long")
    check(found[0] <= _MAX_NUMBER, "a number is too large")
    return found


WASM = Container("wasm", fits, _read, _pack)


def _read_damaged(content: bytes) -> Packed:
    check(len(content) >= HEAD_BYTES, CUT_SHORT)
    members: list[Member] = []
    cursor = HEAD_BYTES
    while cursor < len(content):
        member, cursor = _next(content, cursor)
        members.append(member)
    check(any(not member.damage for member in members), "no section of it can be read")
    return Packed(tuple(members), head=content[:HEAD_BYTES])


def _next(content: bytes, cursor: int) -> tuple[Member, int]:
    """Return the section that begins here and where it stops; if that is not known, all the rest.

    A section that can be read is written as any other: its size is as wide as it was.
    """
    stop = len(content)
    try:
        start, stop = bounds(content, cursor)
        return section(content, cursor, start, stop), stop
    except Broken as why:
        name = f"section {content[cursor]}"
        return Member.sealed(name, content[cursor:stop], str(why)), stop


def _pack_damaged(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        pieces += written(member)
    return b"".join((*pieces, packed.tail))


DAMAGED_WASM = Container("wasm", fits, _read_damaged, _pack_damaged, exact=True)
