"""WebAssembly modules and components: sections.

A member's header is the section's kind, how many bytes its size is written with (linkers leave room
for the largest), and the name of a custom section as it is there.
"""

from wynot.formats.containers.base import Broken, Container, Member, Packed, check

_MAGIC = b"\0asm"
_HEAD = 8
_CUSTOM = 0
_NAMES = (
    *("custom", "type", "import", "function", "table", "memory", "global", "export", "start"),
    *("element", "code", "data", "data count", "tag"),
)
_WIDEST = 5
"""Bytes of a 32-bit number."""
_LARGEST = (1 << 32) - 1


def _fits(content: bytes) -> bool:
    return content.startswith(_MAGIC)


def _read(content: bytes) -> Packed:
    check(len(content) >= _HEAD)
    is_module = content[4:_HEAD] == b"\1\0\0\0"
    members, cursor = [], _HEAD
    while cursor < len(content):
        kind = content[cursor]
        size, start = _number(content, cursor + 1)
        width = start - cursor - 1
        cursor = start + size
        check(cursor <= len(content))
        name, first = _name(kind, is_module=is_module), start
        if kind == _CUSTOM:
            length, first = _number(content, start)
            first += length
            check(first <= cursor)
            name += " " + content[first - length : first].decode("utf-8", "replace")
        header = bytes((kind, width)) + content[start:first]
        members.append(Member(name, header, content[first:cursor]))
    return Packed(tuple(members), head=content[:_HEAD])


def _name(kind: int, *, is_module: bool) -> str:
    """Return what a section is called; components number theirs in another way."""
    known = kind == _CUSTOM or (is_module and kind < len(_NAMES))
    return _NAMES[kind] if known else f"section {kind}"


def _pack(packed: Packed) -> bytes:
    pieces = [packed.head]
    for member in packed.members:
        (kind, width), name = member.header[:2], member.header[2:]
        size = _leb128(len(name) + len(member.content), width)
        pieces += [bytes((kind,)), size, name, member.content]
    return b"".join((*pieces, packed.tail))


def _number(content: bytes, start: int) -> tuple[int, int]:
    """Read an unsigned LEB128 number; return it, and where the next thing begins."""
    number = 0
    for place, byte in enumerate(content[start : start + _WIDEST]):
        number |= (byte & 0x7F) << 7 * place
        if byte < 0x80:  # noqa: PLR2004 - the bit that says that more follows
            check(number <= _LARGEST)
            return number, start + place + 1
    raise Broken


def _leb128(number: int, width: int) -> bytes:
    """Write a number with at least so many bytes."""
    written = bytearray()
    while number or len(written) < width:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written[-1] &= 0x7F
    return bytes(written)


WASM = Container("wasm", _fits, _read, _pack)
