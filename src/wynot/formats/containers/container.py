"""What a container is.

Laws: what was unpacked packs into a container with the same members, in the same order; and so does
any choice of its members that has all the required ones, with any contents of those that have one:
sizes and checksums are always right. Only texts of a binary file may be refused, if they are too
much for it. The same members always pack into the same bytes. Bytes that are no such container, or
a broken one, unpack into nothing; no bytes make it raise.

A damaged container is a kind of its own. It keeps the bytes of each member as they are, and packs
into exactly the bytes that it was read from. What is wrong with it stays wrong, since that may be
what the failure is about: members that cannot be read are written as they were, or left out.
"""

import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from wynot.core.system.recent import Cache

MAX_UNPACKED_BYTES = 256 << 20
"""Bytes that a container may unpack into."""
RATIO, FREE = 256, 16 << 20
"""How many times its own size that may be; and what it may be in any case."""
TEXT_RATIO, TEXT_FREE, MAX_TEXT_BYTES = 64, 64 << 10, 64 << 20
"""How many times the size of a binary file its text may be; what it may be in any case; at most."""
MOST_MEMBERS = (1 << 16) - 2
"""As many as a zip can count."""
CUT_SHORT = "the data end too soon"
TOO_LARGE = "it unpacks into too much"
TOO_MUCH = "there is more in it than it can count"
_RAW = -zlib.MAX_WBITS
_WINDOW_BYTES = 1 << 16
_STEP_BYTES = 1 << 14
_DEFLATED: Cache[bytes, bytes] = Cache(lambda content, stored: len(content) + len(stored))


class Broken(Exception):
    """It is no such container, or one that cannot be written again; and why, in a few words."""


@dataclass(frozen=True, slots=True)
class Member:
    """One thing in a container."""

    name: str
    """To read, and to tell the language by; it need not be the only one of that name."""
    header: bytes
    """What its container needs to write it again, but for sizes and checksums."""
    content: bytes
    required: bool = False
    """Whether there is no container without it."""
    stored: bytes | None = None
    """The content as it is in the container, if that is compressed and known."""
    raw: bytes | None = None
    """All its bytes in the container, to be written as they are while it holds the same."""
    damage: str = ""
    """Why it cannot be unpacked, in a few words; its content are its bytes in the container."""

    def holding(self, content: bytes) -> "Member":
        """Return this member with another content."""
        if content == self.content:
            return self
        return replace(self, content=content, stored=None, raw=None)

    @classmethod
    def sealed(cls, name: str, raw: bytes, damage: str, header: bytes = b"") -> "Member":
        """Return a member that can be left out, and not be changed."""
        return cls(name, header, raw, raw=raw, damage=damage)


@dataclass(frozen=True, slots=True)
class Packed:
    """The members of a container, in order, and what is before and after them."""

    members: tuple[Member, ...]
    head: bytes = b""
    tail: bytes = b""
    damage: str = ""
    """What is wrong with the container itself, in a few words."""

    @property
    def size(self) -> int:
        """How many bytes there are in all members."""
        return sum(len(member.content) for member in self.members)


@dataclass(frozen=True, slots=True)
class Container:
    """A kind of container."""

    name: str
    fits: Callable[[bytes], bool]
    """Tells by the first bytes whether it may be one."""
    read: Callable[[bytes], Packed]
    """Takes it apart, or raises: what ``unpack`` uses."""
    pack: Callable[[Packed], bytes]
    """Puts it together; what is too large for its kind raises: ``write`` tells the reason."""
    exact: bool = False
    """Whether it is opened only if it packs into exactly the same bytes: if it is damaged, or its
    members say nothing of what is lost on the way."""

    def unpack(self, content: bytes) -> Packed | None:
        """Return what is in it; None if it is none, is broken, encrypted or too large."""
        try:
            return self.attempt(content)
        except Broken:
            return None

    def attempt(self, content: bytes) -> Packed:
        """Return what is in it, or raise ``Broken`` with the reason."""
        check(self.fits(content), f"it does not begin like a {self.name} file")
        try:
            packed = self.read(content)
        except (struct.error, zlib.error) as error:
            raise Broken(reason(error)) from error
        check(len(packed.members) <= MOST_MEMBERS, "it has too many members")
        check(not self.exact or self.write(packed) == content, "it cannot be written again")
        return packed

    def write(self, packed: Packed) -> bytes:
        """Return the members put together, or raise ``Broken`` if they are too much for it."""
        try:
            return self.pack(packed)
        except struct.error as error:
            raise Broken(TOO_MUCH) from error


def reason(error: Exception) -> str:
    """Return what an error says of a content: of zlib what follows its number."""
    return CUT_SHORT if isinstance(error, struct.error) else str(error).rpartition(": ")[2]


def check(condition: object, otherwise: str = "it is damaged") -> None:
    """Raise if something is not as it has to be."""
    if not condition:
        raise Broken(otherwise)


def room_in(content: bytes) -> int:
    """Return how many bytes a compressed container may unpack into."""
    return min(MAX_UNPACKED_BYTES, max(FREE, RATIO * len(content)))


class TextRoom:
    """How many bytes of text a binary file may still become.

    A few bytes can mention a long text, or many values, again and again. So each mention is counted
    when it is read, before anything is made of it: the file is opened as plain bytes instead.
    """

    def __init__(self, content: bytes) -> None:
        self._left = min(MAX_TEXT_BYTES, max(TEXT_FREE, TEXT_RATIO * len(content)))

    def take(self, size: int) -> None:
        """Count some more bytes; raise if there are too many."""
        self._left -= size
        check(self._left >= 0, TOO_LARGE)


def packed_texts(content: bytes, members: Iterable[Member]) -> Packed:
    """Return the texts of a binary file; raise as soon as they are too long for its size."""
    room, found = TextRoom(content), list[Member]()
    for member in members:
        room.take(len(member.content))
        found.append(member)
    return Packed(tuple(found))


def inflated(data: bytes, most: int) -> tuple[bytes, bytes]:
    """Return what a deflated stream holds, and what follows it; raise if there is more in it."""
    stream = zlib.decompressobj(_RAW)
    content = stream.decompress(data, most + 1)
    check(len(content) <= most, TOO_LARGE)
    check(stream.eof, CUT_SHORT)
    return content, stream.unused_data


class SalvagedStream(NamedTuple):
    """What could be read of a deflated stream, where it ends, and what ended it too soon."""

    content: bytes
    stop: int
    damage: str


def salvaged(data: bytes, start: int, most: int) -> SalvagedStream:
    """Read a deflated stream as far as that can be; raise if there is too much in it."""
    stream, view = zlib.decompressobj(_RAW), memoryview(data)
    pieces: list[bytes] = []
    cursor, step = start, _STEP_BYTES
    while cursor < len(data):
        before = stream.copy()
        try:
            piece = stream.decompress(view[cursor : cursor + step], most + 1)
        except zlib.error as error:
            if step == 1:
                return SalvagedStream(b"".join(pieces), len(data), reason(error))
            stream, step = before, 1  # which byte it is
            continue
        most -= len(piece)
        check(most >= 0, TOO_LARGE)
        pieces.append(piece)
        cursor = min(cursor + step, len(data))
        if stream.eof:
            return SalvagedStream(b"".join(pieces), cursor - len(stream.unused_data), "")
    return SalvagedStream(b"".join(pieces), len(data), CUT_SHORT)


def unended(content: bytes) -> bytes:
    """Return a content compressed into a stream that has no end."""
    stream = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, _RAW)
    return stream.compress(content) + stream.flush(zlib.Z_SYNC_FLUSH)


def deflated(content: bytes) -> bytes:
    """Return a content compressed; small ones are remembered.

    Since in a large archive most members stay as they are from one candidate to the next.
    """
    if len(content) > _WINDOW_BYTES:
        return _deflated(content)
    return _DEFLATED.get(content, lambda: _deflated(content))


def _deflated(content: bytes) -> bytes:
    stream = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, _RAW)
    return stream.compress(content) + stream.flush()
