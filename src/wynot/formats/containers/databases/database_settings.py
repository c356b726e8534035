"""What a database says of itself in its first bytes, and what of that is worth a text."""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wynot.formats.containers.container import CUT_SHORT, check

MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
LEAST_PAGE_BYTES, MOST_PAGE_BYTES = 512, 65536
_ENCODINGS = ("UTF-8", "UTF-16le", "UTF-16be")
_WITH_LOG = b"\2\2"
"""Written and read with a write-ahead log."""
_WITHOUT_LOG = b"\1\1"
_VERSIONS = slice(18, 20)
_CHANGES, _SCHEMA_CHANGES, _VALID_FOR = slice(24, 28), slice(40, 44), slice(92, 96)
_ONE = struct.pack(">I", 1)
_SIGNED = range(-(1 << 31), 1 << 31)


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """By name, as pragmas call them; what is left out is as it is by default."""

    values: Mapping[str, str]

    @classmethod
    def of(cls, content: bytes) -> "DatabaseSettings":
        """Read them."""
        check(len(content) >= HEADER_BYTES, CUT_SHORT)
        (page,) = struct.unpack_from(">H", content, 16)
        (largest_root, encoding, user) = struct.unpack_from(">IIi", content, 52)
        (is_incremental, application) = struct.unpack_from(">Ii", content, 64)
        check(encoding <= len(_ENCODINGS), "its encoding is unknown")
        values = {
            "page_size": MOST_PAGE_BYTES if page == 1 else page,
            "encoding": _ENCODINGS[max(encoding, 1) - 1],
            "auto_vacuum": (2 if is_incremental else 1) if largest_root else 0,
            "user_version": user,
            "application_id": application,
            "journal_mode": "WAL" if content[_VERSIONS] == _WITH_LOG else "DELETE",
        }
        return cls({name: str(value) for name, value in values.items()})

    @classmethod
    def stated(cls, settings: Iterable[tuple[str, str]]) -> "DatabaseSettings":
        """Take those that can be; the last of a name counts."""
        return cls({name: value for name, value in settings if _can_be(name, value)})

    @property
    def unusual(self) -> dict[str, str]:
        """Those that are not as by default."""
        return {name: value for name, value in self.values.items() if value != DEFAULTS.get(name)}

    def __getitem__(self, name: str) -> str:
        """Return one, as it is or by default."""
        return self.values.get(name, DEFAULTS[name])

    def headed(self, content: bytes) -> bytes:
        """Return a database that says so in its first bytes, and not how often it was changed."""
        header = bytearray(content[:HEADER_BYTES])
        header[_CHANGES] = header[_SCHEMA_CHANGES] = header[_VALID_FOR] = _ONE
        if self["journal_mode"] == "WAL":
            header[_VERSIONS] = _WITH_LOG
        return bytes(header) + content[HEADER_BYTES:]


DEFAULTS = {
    "page_size": str(LEAST_PAGE_BYTES),
    "encoding": "UTF-8",
    "auto_vacuum": "0",
    "user_version": "0",
    "application_id": "0",
    "journal_mode": "DELETE",
}
_PAGES = frozenset(str(1 << power) for power in range(9, 17))
_CHOICES = {
    "page_size": _PAGES,
    "encoding": frozenset(_ENCODINGS),
    "auto_vacuum": frozenset("012"),
    "journal_mode": frozenset({"WAL", "DELETE"}),
}


def _can_be(name: str, value: str) -> bool:
    if name in _CHOICES:
        return value in _CHOICES[name]
    digits = value.removeprefix("-")
    is_number = digits.isdecimal() and digits.isascii() and len(digits) <= len("2147483648")
    return name in DEFAULTS and is_number and int(value) in _SIGNED


def without_log(content: bytes) -> bytes:
    """Return a database that can be read without its write-ahead log."""
    return content[: _VERSIONS.start] + _WITHOUT_LOG + content[_VERSIONS.stop :]
