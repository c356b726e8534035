"""Private environments: a candidate's packages, installed for real, with what they need.

The two sides are installed before anything else is asked. What is in their environments then tells,
for any kind of file, which upgrade needs which other one (`kinship`).
"""

import importlib.util
import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.errors import MessageError
from email.parser import BytesHeaderParser
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeAlias

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from wynot.agents.sandbox import Sandbox
from wynot.core.errors import NoInstaller
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.installers import (
    ASKED,
    BOUND,
    Installer,
    Pip,
    Site,
    Uv,
    Wanted,
    answer_of,
    cache_folders,
)
from wynot.inquiries.packages.lock_file import LockFile, Option, Pin, Pins
from wynot.inquiries.packages.mixture import Kinship
from wynot.inquiries.packages.package_stores import PythonStore, difference, fingerprint, installed
from wynot.inquiries.packages.requirements import read_lines
from wynot.machine.removal import make_folder, remove
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.wire.run_request import Killed

_MAX_METADATA_BYTES = 4 << 20
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

    def note(self, pins: Pins, site: Site) -> None:
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
        asked = [
            name
            for lock in (self.bad, self.good)
            for name, pin in lock.pins.items()
            if pin.role == "asked"
        ]
        return Kinship(_ordered(needs), _ordered(below), list(dict.fromkeys(asked)))

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
    for path in sorted(environment.glob("lib/python*/site-packages/*.dist-info/METADATA")):
        try:
            with path.open("rb") as file:
                told = BytesHeaderParser().parsebytes(file.read(_MAX_METADATA_BYTES))
        except (OSError, MessageError):
            continue
        name, version = str(told.get("Name", "")), str(told.get("Version", ""))
        texts = [str(each) for each in told.get_all("Requires-Dist", [])]
        found[canonicalize_name(name)] = DeclaredPackage(version, tuple(_parsed(texts)))
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


def _surroundings(site: Site) -> Surroundings:
    ending = site.attempt(site.python, "-I", "-c", _ABOUT_PYTHON)
    if ending.status or ending.limit:
        return {}
    return {str(key): str(value) for key, value in json.loads(ending.stdout).items()}


def _digest(lock: LockFile) -> bytes:
    return Pins(lock.pins.values()).digest


def _ordered(graph: Mapping[str, set[str]]) -> dict[str, list[str]]:
    return {name: sorted(others) for name, others in graph.items()}


_NO_INDEX = ("PIP_NO_INDEX", "UV_NO_INDEX", "UV_OFFLINE")
_PIP_WITH_PYTHON = (22, 3)  # the first that works on another environment than its own


@dataclass
class PythonEnvironments:
    """One environment for each sandbox, brought from one candidate to the next.

    Each sandbox is used by one thread at a time.
    """

    installer: Installer
    options: Sequence[Option] = ()
    also: Sequence[str] = ()
    """Requirements that every candidate has too."""
    folder: Path | None = None
    declared: DeclaredNeeds | None = None
    """What looks at both sides, once they are installed."""
    writable: tuple[str, ...] | None = None
    """Where installers can write besides the environments; None: wherever you may."""
    _known: dict[Path, tuple[Pins | None, object]] = field(default_factory=dict, init=False)
    _store: PythonStore | None = field(default=None, init=False)
    _making: threading.Lock = field(default_factory=threading.Lock, init=False)

    @cached_property
    def _lines(self) -> list[str]:
        """The options, each once; a second main index is one more, not another."""
        main = next((each for each in self.options if each.name == "--index-url"), None)
        kept = (
            each._replace(name="--extra-index-url")
            if each.name == "--index-url" and each != main
            else each
            for each in self.options
        )
        return list(dict.fromkeys(each.line for each in kept))

    def provision(self, subject: Pins, sandbox: Sandbox) -> Invocation:
        """Make the environment of this sandbox hold exactly these packages, and what they need."""
        alone = any(os.environ.get(name, "0") not in ("", "0", "false") for name in _NO_INDEX)
        needs_all = alone or "--no-index" in self._lines
        given = frozenset(pin.name for pin in subject if needs_all)
        store = self._store_at(sandbox)
        site = Site(sandbox, sandbox.private / "python", given, store, self.writable)
        known = self._known.pop(site.folder, None)
        there = known is not None and known[1] == _left(site) and store.is_intact(site.environment)
        if not there or known is None or known[0] != subject:
            # What is not as it was left, by a test or by a kill, is made anew.
            self._bring(site, subject, is_new=not there)
        self._known[site.folder] = subject, _left(site)
        if self.declared is not None:
            self.declared.note(subject, site)
        return Invocation(env=_variables(site.environment), folder=self.folder)

    def _store_at(self, sandbox: Sandbox) -> PythonStore:
        """Return what all sandboxes share."""
        with self._making:
            if self._store is None:
                self._store = PythonStore(sandbox.shared / "store")
            return self._store

    def _bring(self, site: Site, subject: Pins, *, is_new: bool) -> None:
        if is_new:
            make_folder(site.folder)
            remove(site.environment)
            self.installer.make(site)
        asked, bound = (
            [pin.spec for pin in sorted(subject) if pin.role == role] for role in ("asked", "bound")
        )
        site.write(ASKED, [*self._lines, *self.also, *asked])
        site.write(BOUND, bound)
        wanted = Wanted(subject, _hashes(subject), self._lines, is_whole=not self.also)
        try:
            self.installer.install(site, wanted)
        except (Inapplicable, Killed):
            # Most are found out before anything is changed: the environment can stay.
            if site.environment.is_dir():
                self._known[site.folder] = None, _left(site)
            raise
        if site.store is not None:
            site.store.take_in(site.environment)
        wrong = difference(subject, installed(site.environment))
        if wrong and not is_new:
            self._bring(site, subject, is_new=True)
        elif wrong:
            raise Inapplicable(f"the installer did not do what was asked: {wrong}")


def python_environments(
    upgrades: Upgrades,
    *,
    python: str = "",
    installer: str = "auto",
    lines: Sequence[str] = (),
    folder: Path | None = None,
    declared: DeclaredNeeds | None = None,
    writable: tuple[str, ...] | None = None,
) -> PythonEnvironments:
    """Return environments for two sides, with the user's Python and the best installer there is.

    Where tests are confined, to these folders besides their own, so are the installers.
    The lines are those of a requirements file that hold for every candidate: ``--index-url URL``,
    ``--find-links DIR``, or what the test needs besides, ``pytest`` or ``-e .``.
    """
    options, also = read_lines(lines, Path.cwd())
    every = (*options, *upgrades.good.options, *upgrades.bad.options)
    found = find_installer(find_python(python), installer)
    if writable is not None:
        writable = (*writable, *cache_folders((*found.program, "cache", "dir")))
    return PythonEnvironments(
        found, every, also=also, folder=folder, declared=declared, writable=writable
    )


def find_python(wanted: str = "") -> str:
    """Return the full path of an interpreter: the named one, ``python3``, or ours."""
    found = shutil.which(wanted or "python3")
    path = found and answer_of([found, "-c", "import sys; print(sys.executable)"])
    if path:
        return path
    if wanted:
        raise NoInstaller(
            f"{wanted!r} is not a Python interpreter",
            hint="give the path of an interpreter, or leave it out",
        )
    return sys.executable


def find_installer(python: str, wanted: str = "auto") -> Installer:
    """Return the installer that is wanted; by itself uv if it is there, else pip."""
    if wanted != "pip":
        uv = shutil.which("uv")
        if uv:
            return Uv((uv,), python)
        if importlib.util.find_spec("uv"):
            return Uv((sys.executable, "-m", "uv"), python)
        if wanted == "uv":
            raise NoInstaller(
                "uv is not installed", hint="pip install uv; or leave --installer out"
            )
    for owner in dict.fromkeys((python, sys.executable)):
        told = answer_of([owner, "-m", "pip", "--version"]).split()  # pip 23.2.1 from …
        version = told[1].split(".")[:2] if len(told) > 1 else []
        if all(map(str.isdigit, version)) and tuple(map(int, version)) >= _PIP_WITH_PYTHON:
            return Pip((owner, "-m", "pip"), python)
    raise NoInstaller(
        f"there is neither uv nor a pip of 22.3 or later for {python!r}", hint="pip install uv"
    )


def _left(site: Site) -> object:
    """Return what has to be the same later, if an environment is to be used again."""
    return fingerprint(site.environment), site.store.losses if site.store else 0


def _hashes(subject: Pins) -> dict[str, str]:
    """Return the hashes that packages are held to; several lines of one package have none."""
    found = {pin.name: pin.sealed.removeprefix(pin.spec) for pin in subject}
    return {name: each for name, each in found.items() if each.startswith(" --hash=")}


def _variables(environment: Path) -> dict[str, str | None]:
    """Return what makes programs of an environment the first to be found; PYTHONPATH stays."""
    return {
        "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "VIRTUAL_ENV": str(environment),
        "PYTHONNOUSERSITE": "1",
        "PYTHONHOME": None,
    }
