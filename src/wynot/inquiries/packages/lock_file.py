"""Locked packages: what a file names, each with what pins it down, read whoever wrote it."""

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from wynot.core.errors import InvalidLockFile
from wynot.core.system.user_folders import masked
from wynot.disk.read_limited import read_limited
from wynot.inquiries.packages import package_names

Ecosystem = Literal["python", "node"]
Role = Literal["direct", "bound"]
"""Asked: it is to be installed. Bound: if anything needs it, then in this version."""


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """One package, as one side has it.

    Pins are equal if their packages are: neither hashes nor the reason why they are there count.
    """

    name: str
    """The normal form (PEP 503); for npm the path below node_modules; the line if it has none."""
    version: str
    """Empty if the file leaves it open, or names a place instead of a version."""
    spec: str
    """What the installer is told, without hashes: lines of a requirements file."""
    sealed: str = field(default="", compare=False)
    """The same with hashes; for npm the entry of the lock file, as JSON."""
    role: Role = field(default="direct", compare=False)

    @property
    def shown(self) -> str:
        """The version, or what stands for it, to be read by people."""
        bare = self.spec.partition(" ; ")[0].replace("\n", ", ")
        rest = bare.removeprefix(self.name).removeprefix(" @ ").strip()
        return self.version or masked(rest) or "any version"


class Pins(frozenset[Pin]):
    """What is placed: the packages of a candidate."""

    __slots__ = ()

    @property
    def digest(self) -> bytes:
        """A key for them."""
        lines = sorted(f"{pin.role} {pin.name} {pin.spec}" for pin in self)
        return sha256("\n".join(lines).encode()).digest()


def joined(pins: Sequence[Pin]) -> Pin:
    """Return one pin for several lines of a package: they are for different markers."""
    lines = {pin.spec: pin.sealed or pin.spec for pin in pins}
    versions = dict.fromkeys(pin.version for pin in pins)
    return Pin(
        pins[0].name,
        " or ".join(versions) if all(versions) else "",
        "\n".join(lines),
        "\n".join(lines.values()),
        pins[0].role,
    )


class Option(NamedTuple):
    """An option that a requirements file holds for the installer, such as the index to use."""

    name: str
    value: str = ""

    @property
    def line(self) -> str:
        """The line of a requirements file, with secrets if there are any."""
        return f"{self.name} {self.value}".strip()


@dataclass(frozen=True, slots=True)
class LockFile:
    """What a file says: packages in its order, and options for the installer."""

    path: Path
    kind: str
    pins: Mapping[str, Pin]
    options: tuple[Option, ...] = ()
    left_out: tuple[str, ...] = ()
    """Packages that are folders of the project itself: they are not installed."""

    @property
    def ecosystem(self) -> Ecosystem:
        """Whose installer it is for."""
        return "node" if self.kind.startswith("package-lock") else "python"

    @property
    def unpinned(self) -> tuple[str, ...]:
        """Packages without exactly one version: what is installed for them can change by itself."""
        return tuple(
            name for name, pin in self.pins.items() if not pin.version and "://" not in pin.spec
        )


class Table(NamedTuple):
    """A table of a file, and how to call it in a message."""

    values: Mapping[str, object]
    where: str

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; raise if there is none and no default."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, "a string")
        return value

    def table(self, key: str) -> "Table":
        """Return a table, an empty one if it is not there."""
        return self._as_table(self.values.get(key, {}), key)

    def tables(self, key: str) -> "list[Table]":
        """Return a list of tables, an empty one if it is not there."""
        return [self._as_table(each, f"{key}[{at}]") for at, each in enumerate(self._list(key))]

    def texts(self, key: str) -> list[str]:
        """Return a list of strings, an empty one if it is not there."""
        values = self._list(key)
        if not all(isinstance(each, str) for each in values):
            raise self.wrong(key, "a list of strings")
        return [str(each) for each in values]

    def wrong(self, key: str, wanted: str) -> InvalidLockFile:
        """Return the error that this key is not what it should be."""
        seen = package_names.shown_name(str(self.values[key])) if key in self.values else "nothing"
        return InvalidLockFile(
            f"{self.where}: {key} should be {wanted}, and is {seen}",
            hint="write the file again with the tool that made it",
        )

    def _as_table(self, value: object, name: str) -> "Table":
        if not isinstance(value, Mapping):
            raise self.wrong(name.partition("[")[0], "a table")
        is_plain = name.isprintable() and len(name) <= package_names.MAX_SHOWN_CHARS
        return Table(value, f"{self.where}, {name if is_plain else package_names.shown_name(name)}")

    def _list(self, key: str) -> Sequence[object]:
        value = self.values.get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return value


_MAX_FILE_BYTES = 64 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),  # what PowerShell makes of ``pip freeze > file``
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(path: Path, *, included_by: str = "") -> str:
    """Return the text of a file."""
    shown = f"{included_by}: {str(path)!r}" if included_by else repr(str(path))
    content = read_limited(path, most=_MAX_FILE_BYTES, expected="a lock file", label=shown)
    coding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(coding)
    except UnicodeDecodeError as error:
        seen_byte = f"byte 0x{content[error.start]:02x} at {error.start}"
        raise InvalidLockFile(
            f"{shown} is not text: {seen_byte}", hint="lock files are UTF-8; is it the right file?"
        ) from None
