"""What a container is.

Laws: what was unpacked packs into a container with the same members, in the same order; and so does
any choice of its members that has all the required ones, with any contents of those that have one:
sizes and checksums are always right. The same members always pack into the same bytes. Bytes that
are no such container, or a broken one, unpack into nothing; no bytes make it raise.
"""

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

MOST = 256 << 20
"""Bytes that a container may unpack into."""
RATIO, FREE = 256, 16 << 20
"""How many times its own size that may be; and what it may be in any case."""
MOST_MEMBERS = (1 << 16) - 2
"""As many as a zip can count."""
_RAW = -zlib.MAX_WBITS
_REMEMBERED = 1 << 16


class Broken(Exception):
    """It is no such container, or one that cannot be written again."""


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

    def holding(self, content: bytes) -> "Member":
        """Return this member with another content."""
        return self if content == self.content else replace(self, content=content, stored=None)


@dataclass(frozen=True, slots=True)
class Packed:
    """The members of a container, in order, and what is before and after them."""

    members: tuple[Member, ...]
    head: bytes = b""
    tail: bytes = b""

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

    def unpack(self, content: bytes) -> Packed | None:
        """Return what is in it; None if it is none, is broken, encrypted or too large."""
        if not self.fits(content):
            return None
        try:
            packed = self.read(content)
        except (Broken, struct.error, zlib.error):
            return None
        return packed if len(packed.members) <= MOST_MEMBERS else None


def check(condition: object) -> None:
    """Raise if something is not as it has to be."""
    if not condition:
        raise Broken


def room_in(content: bytes) -> int:
    """Return how many bytes a compressed container may unpack into."""
    return min(MOST, max(FREE, RATIO * len(content)))


def inflated(data: bytes, most: int) -> tuple[bytes, bytes]:
    """Return what a deflated stream holds, and what follows it; raise if there is more in it."""
    stream = zlib.decompressobj(_RAW)
    content = stream.decompress(data, most + 1)
    check(stream.eof and len(content) <= most)
    return content, stream.unused_data


def deflated(content: bytes) -> bytes:
    """Return a content compressed; small ones are remembered.

    Since in a large archive most members stay as they are from one candidate to the next.
    """
    return _remembered(content) if len(content) <= _REMEMBERED else _deflated(content)


def _deflated(content: bytes) -> bytes:
    stream = zlib.compressobj(zlib.Z_BEST_COMPRESSION, zlib.DEFLATED, _RAW)
    return stream.compress(content) + stream.flush()


@lru_cache(maxsize=2048)
def _remembered(content: bytes) -> bytes:
    return _deflated(content)
