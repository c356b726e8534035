"""Gzip that is cut short or wrong, of which all is reduced that can be read; and several in a row.

A member's header says how it ends, before its header in the file: in what way its stream does, and
by which bits its checksum and length are wrong, as far as they are there. So what is written with
another content is wrong in the same way.
"""

from collections.abc import Iterator

from wynot.formats.containers import container
from wynot.formats.containers.gzips import MAGIC, TRAILER, fits, header_of, trailer

_WHOLE, _CUT, _WRONG = range(3)
_NO_SUCH_BLOCK = b"\7"
"""What no deflated stream goes on with."""
_CHECKSUM_BYTES = 4
_REST = b""
"""The header of what is no gzip."""


def _read(content: bytes) -> container.Packed:
    members, damage = [], ""
    for member, why in _members(content):
        members.append(member)
        damage = damage or why
    container.check(any(member.content for member in members), "nothing of it can be read")
    return container.Packed(tuple(members), damage=damage)


def _members(content: bytes) -> Iterator[tuple[container.Member, str]]:
    """Return what is in each gzip of a file, then what follows, and what is wrong with each."""
    cursor, left = 0, container.room_in(content)
    while content.startswith(MAGIC, cursor):
        try:
            start, name = header_of(content, cursor)
            whole, stop, why = container.salvaged(content, start, left)
        except container.Broken:
            if not cursor:
                raise
            break
        left -= len(whole)
        end = content[stop : stop + TRAILER.size]
        bits = bytes(one ^ other for one, other in zip(end, trailer(whole), strict=False))
        kind = _WHOLE if not why else _CUT if why == container.CUT_SHORT else _WRONG
        after = len(content) if why else stop + len(end)
        header = bytes((kind, len(bits))) + bits + content[cursor:start]
        raw = content[cursor:after]
        yield (
            container.Member(name, header, whole, required=not cursor, raw=raw),
            why or _wrong_with(bits),
        )
        cursor = after
    if cursor < len(content):
        rest = content[cursor:]
        yield container.Member("rest", _REST, rest), "something else follows" if any(rest) else ""


def _wrong_with(bits: bytes) -> str:
    if len(bits) < TRAILER.size:
        return "the checksum is missing"
    if any(bits[:_CHECKSUM_BYTES]):
        return "bad CRC-32"
    return "wrong length" if any(bits) else ""


def _pack(packed: container.Packed) -> bytes:
    return b"".join(map(_written, packed.members))


def _written(member: container.Member) -> bytes:
    content = member.content
    if member.raw is not None:
        return member.raw
    if member.header == _REST:
        return content
    kind, size = member.header[:2]
    bits, head = member.header[2 : 2 + size], member.header[2 + size :]
    if kind != _WHOLE:
        return head + container.unended(content) + (_NO_SUCH_BLOCK if kind == _WRONG else b"")
    end = bytes(one ^ other for one, other in zip(bits, trailer(content), strict=False))
    return head + container.deflated(content) + end


DAMAGED_GZIP = container.Container("gzip", fits, _read, _pack, exact=True)
