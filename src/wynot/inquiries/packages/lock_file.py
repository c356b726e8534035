"""Locked: the packages that a file names, each with what pins it down."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

from wynot.core.masking import masked

Ecosystem = Literal["python", "node"]
Role = Literal["asked", "bound"]
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
    role: Role = field(default="asked", compare=False)

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
