"""Members of a zip found by their own headers, without the directory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from wynot.formats.containers import zips
from wynot.formats.containers.container import Broken, room_in, salvaged

_SIGNATURE = re.compile(rb"PK(?:\x03\x04|\x01\x02|\x05\x06|\x06\x06|\x06\x07)")
"""What begins a member, an entry of the directory, or its end."""
_SIZES = b"PK\7\x08"
_SIZES_FIELDS = 12
"""Bytes of the checksum and the sizes that may follow a content."""
_METHODS = frozenset((*range(21), *range(93, 100)))


class LocalHeader(NamedTuple):
    """A member by its own header: what that says, and where it, its content and all of it ends."""

    entry: zips.DirectoryEntry
    name: bytes
    start: int
    first: int
    stop: int


def locals_in(content: bytes) -> list[LocalHeader]:
    """Return all members one after the other, from the first that there is."""
    scan = _Scan(content, room_in(content))
    return list(scan.run(scan.next_signature(0, only=zips.LOCAL)))


def header_fields(header: bytes) -> zips.DirectoryEntry:
    """Return what the header in front of a content says, as an entry of the directory would."""
    magic, *said, name_size, extra_size = zips.LOCAL_FIELDS.unpack_from(header)
    return zips.DirectoryEntry._make((magic, said[0], *said, name_size, extra_size, 0, 0, 0, 0, 0))


@dataclass(slots=True)
class _Scan:
    """Goes from header to header."""

    content: bytes
    room: int
    """How much may be unpacked only to see where it ends."""

    def run(self, cursor: int) -> Iterator[LocalHeader]:
        while self._is_header(cursor):
            entry = header_fields(self.content[cursor : cursor + zips.LOCAL_FIELDS.size])
            named = cursor + zips.LOCAL_FIELDS.size
            first = named + entry.following
            entry, stop = self._stop(entry, first)
            name = self.content[named : named + entry.name_size]
            yield LocalHeader(entry, name, cursor, min(first, stop), stop)
            cursor = stop

    def _is_header(self, at: int) -> bool:
        """Tell whether something begins here that makes sense as a header."""
        content = self.content
        if not content.startswith(zips.LOCAL, at) or len(content) < at + zips.LOCAL_FIELDS.size:
            return False
        entry = header_fields(content[at : at + zips.LOCAL_FIELDS.size])
        named = at + zips.LOCAL_FIELDS.size
        name = content[named : named + entry.name_size]
        return entry.method in _METHODS and bool(name) and b"\0" not in name

    def next_signature(self, start: int, only: bytes = b"") -> int:
        """Return where the next thing begins; else the end."""
        for match in _SIGNATURE.finditer(self.content, start):
            is_local = match[0] == zips.LOCAL
            if (is_local or not only) and (not is_local or self._is_header(match.start())):
                return match.start()
        return len(self.content)

    def _stop(self, entry: zips.DirectoryEntry, first: int) -> tuple[zips.DirectoryEntry, int]:
        """Return where a member stops; and its sizes, if those are known by its content only."""
        unknown = entry.flags & zips.SIZES_FOLLOW and not entry.packed_size
        if not unknown:
            stop = self._landing(entry, first + entry.packed_size)
            return entry, self.next_signature(first) if stop is None else stop
        if entry.method == zips.DEFLATED:
            try:
                whole, end, damage = salvaged(self.content, first, self.room)
            except Broken:
                whole, end, damage = b"", first, "too large"
            self.room -= len(whole)
            stop = None if damage else self._landing(entry, end)
            if stop is not None:
                at = end + (len(_SIZES) if self.content.startswith(_SIZES, end) else 0)
                crc = int.from_bytes(self.content[at : at + 4], "little")
                return entry._replace(crc=crc, packed_size=end - first, size=len(whole)), stop
        return entry, self.next_signature(first)

    def _landing(self, entry: zips.DirectoryEntry, end: int) -> int | None:
        """Return where the next thing begins after a content that ends here, if one does."""
        content, stops = self.content, [end]
        if entry.flags & zips.SIZES_FOLLOW:
            named = len(_SIZES) if content.startswith(_SIZES, end) else 0
            stops.insert(0, end + named + _SIZES_FIELDS)
        for stop in stops:
            if stop == len(content) or _SIGNATURE.match(content, stop):
                return stop
        return None
