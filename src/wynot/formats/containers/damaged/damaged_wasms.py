"""WebAssembly with sections that are wrong or cut short."""

from wynot.formats.containers.container import CUT_SHORT, Broken, Container, Member, Packed, check
from wynot.formats.containers.wasms import HEAD_BYTES, bounds, fits, section, written


def _read(content: bytes) -> Packed:
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


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        pieces += written(member)
    return b"".join((*pieces, packed.tail))


DAMAGED_WASM = Container("wasm", fits, _read, _pack, exact=True)
