"""What installed packages need, by what they say of themselves."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import Distribution
from pathlib import Path
from typing import NamedTuple, TypeAlias

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from wynot.inquiries.packages.lock_file import LockFile, Pin, Pins
from wynot.inquiries.packages.mixture import Kinship
from wynot.inquiries.packages.python.python_installers import PythonSite

_ABOUT_PYTHON = """
import json, os, platform, sys
info = sys.implementation.version
version = "{0.major}.{0.minor}.{0.micro}".format(info)
if info.releaselevel != "final":
    version += info.releaselevel[0] + str(info.serial)
print(json.dumps({
    "implementation_name": sys.implementation.name,
    "implementation_version": version,
    "os_name": os.name,
    "platform_machine": platform.machine(),
    "platform_release": platform.release(),
    "platform_system": platform.system(),
    "platform_version": platform.version(),
    "python_full_version": platform.python_version(),
    "platform_python_implementation": platform.python_implementation(),
    "python_version": ".".join(platform.python_version_tuple()[:2]),
    "sys_platform": sys.platform,
}))
"""

Surroundings: TypeAlias = Mapping[str, str]
"""What environment markers ask about."""


class DeclaredPackage(NamedTuple):
    """An installed package, by what it says of itself."""

    version: str
    needs: tuple[Requirement, ...]


DeclaredSide: TypeAlias = Mapping[str, DeclaredPackage]


@dataclass(slots=True)
class DeclaredNeeds:
    """What the packages of two sides need, read as soon as a side is installed."""

    good: LockFile
    bad: LockFile
    _sides: dict[bytes, DeclaredSide] = field(default_factory=dict, init=False)
    _surroundings: Surroundings = field(default_factory=dict, init=False)

    def note(self, pins: Pins, site: PythonSite) -> None:
        """Look at what is installed, if it is one of the sides and not seen yet."""
        digest = pins.digest
        if digest in map(_digest, (self.good, self.bad)) and digest not in self._sides:
            self._surroundings = self._surroundings or _surroundings(site)
            self._sides[digest] = declared(site.environment)

    @property
    def kinship(self) -> Kinship | None:
        """Who goes with whom, if both sides were seen."""
        if not self._surroundings or not {_digest(self.good), _digest(self.bad)} <= {*self._sides}:
            return None
        sides = [
            _Side(lock, self._sides[_digest(lock)], self._surroundings)
            for lock in (self.good, self.bad)
        ]
        needs: dict[str, set[str]] = {}
        below: dict[str, set[str]] = {}
        for side, other in (sides, sides[::-1]):
            for name, need in side.applying():
                inner = canonicalize_name(need.name)
                below.setdefault(name, set()).add(inner)
                # What no file pins down may be had in yet another version.
                is_pinned = all(self._is_pinned(each) for each in (name, inner))
                is_other = side.version(name) != other.version(name)
                if is_pinned and is_other and not other.fits(need):
                    one, two = (name, inner) if side is sides[1] else (inner, name)
                    needs.setdefault(one, set()).add(two)
        direct = [
            name
            for lock in (self.bad, self.good)
            for name, pin in lock.pins.items()
            if pin.role == "direct"
        ]
        return Kinship(_ordered(needs), _ordered(below), list(dict.fromkeys(direct)))

    def _is_pinned(self, name: str) -> bool:
        return name in self.good.pins or name in self.bad.pins


class _Side(NamedTuple):
    lock: LockFile
    packages: DeclaredSide
    surroundings: Surroundings

    def version(self, name: str) -> str:
        """Return the version of a package; empty if it is not there."""
        if name in self.packages:
            return self.packages[name].version
        pin = self.lock.pins.get(name)
        return pin.version if pin else ""

    def fits(self, need: Requirement) -> bool:
        """Tell whether this side has what another package needs; what cannot be told fits."""
        version = self.version(canonicalize_name(need.name))
        if not version:
            return canonicalize_name(need.name) in self.lock.pins
        try:
            return need.specifier.contains(Version(version), prereleases=True)
        except InvalidVersion:
            return True

    def applying(self) -> Iterator[tuple[str, Requirement]]:
        """Yield packages and what they need here, with the extras that anyone asks for."""
        extras = {name: _extras(pin) for name, pin in self.lock.pins.items()}
        waiting = [(name, extra) for name in self.packages for extra in ("", *extras.get(name, ()))]
        seen = set(waiting)
        while waiting:
            name, extra = waiting.pop()
            for need in self.packages[name].needs if name in self.packages else ():
                if _applies(need, {**self.surroundings, "extra": extra}):
                    yield name, need
                    further = {(canonicalize_name(need.name), each) for each in need.extras} - seen
                    waiting += sorted(further)
                    seen |= further


def declared(environment: Path) -> DeclaredSide:
    """Return what the packages of an environment say of themselves."""
    found: dict[str, DeclaredPackage] = {}
    for folder in sorted(environment.glob("lib/python*/site-packages/*.dist-info")):
        distribution = Distribution.at(folder)
        try:
            metadata, texts = distribution.metadata, distribution.requires or []
        except (OSError, UnicodeDecodeError):
            continue
        if "Name" in metadata and "Version" in metadata:
            package = DeclaredPackage(metadata["Version"], tuple(_parsed(texts)))
            found[canonicalize_name(metadata["Name"])] = package
    return found


def _parsed(texts: Sequence[str]) -> Iterator[Requirement]:
    for text in texts:
        try:
            yield Requirement(text)
        except (InvalidRequirement, RecursionError):
            continue  # the installer has to know what to make of it


def _applies(need: Requirement, surroundings: Surroundings) -> bool:
    try:
        return need.marker is None or need.marker.evaluate(dict(surroundings))
    except (UndefinedComparison, UndefinedEnvironmentName, InvalidVersion):
        return False


def _extras(pin: Pin) -> list[str]:
    head, bracket, rest = pin.spec.partition("[")
    inner = rest.partition("]")[0] if bracket and head == pin.name else ""
    return [canonicalize_name(each) for each in inner.split(",") if each.strip()]


def _surroundings(site: PythonSite) -> Surroundings:
    ending = site.attempt(site.python, "-I", "-c", _ABOUT_PYTHON)
    if ending.status or ending.limit:
        return {}
    return {str(key): str(value) for key, value in json.loads(ending.stdout).items()}


def _digest(lock: LockFile) -> bytes:
    return Pins(lock.pins.values()).digest


def _ordered(graph: Mapping[str, set[str]]) -> dict[str, list[str]]:
    return {name: sorted(others) for name, others in graph.items()}
