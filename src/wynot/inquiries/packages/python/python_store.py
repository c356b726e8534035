"""Installed packages of Python, and those that are kept to be linked to (`stored_files`)."""

import csv
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from packaging.utils import canonicalize_name, canonicalize_version

from wynot.inquiries.packages.lock_file import Pin
from wynot.inquiries.packages.stored_files import StoredFile, are_at, put
from wynot.machine.removal import make_folder, remove

_RECORD = re.compile(r"(?P<name>.+?)-(?P<version>[^-]+)(?:-py\d.*)?\.(?:dist|egg)-info")
"""An ``.egg-info`` also names the Python, and perhaps the platform, that it was built for.

`importlib.metadata` reads 107 packages in 155 ms, as it opens each; their names alone take 1 ms.
"""


class InstalledPackage(NamedTuple):
    """A package in an environment, by the folder that records it."""

    name: str
    version: str
    record: Path

    @property
    def key(self) -> tuple[str, str]:
        """The same for all records of one version."""
        return self.name, canonicalize_version(self.version)


def installed(folder: Path) -> dict[str, str]:
    """Return the version of each package, read from the ``.dist-info`` folders."""
    return {each.name: each.version for each in packages_in(folder)}


def fingerprint(folder: Path) -> object:
    """Return what changes if someone else installs or removes anything there."""
    records = (each.record for each in packages_in(folder))
    return sorted((each.name, each.lstat().st_mtime_ns) for each in records)


def packages_in(folder: Path) -> list[InstalledPackage]:
    """Return what is installed in an environment."""
    return [
        InstalledPackage(canonicalize_name(found["name"]), found["version"], record)
        for record in folder.glob("lib/python*/site-packages/*-info")
        if (found := _RECORD.fullmatch(record.name))
    ]


def difference(pins: Iterable[Pin], there: dict[str, str]) -> str:
    """Say the first thing that is not as the pins want it, empty if all is.

    A package that only some systems need may be missing; none may be there in another version.
    """
    for pin in sorted(pins):
        found = there.get(pin.name)
        if found and pin.version and _plain(found) not in map(_plain, pin.version.split(" or ")):
            return f"{pin.name} is there in {found}, not in {pin.version}"
        if found is None and pin.role == "direct" and pin.version and " ; " not in pin.spec:
            return f"{pin.name} {pin.version} is not there"
    return ""


def _plain(version: str) -> str:
    """Return a version so that equal ones look equal: 1.0 and 1.0.0, 1.0-1 and 1.0.post1.

    2.1+cpu is a 2.1. What PEP 440 does not know, such as 2004d, stays as it is, but that a record
    has ``_`` for ``-``.
    """
    return canonicalize_version(version.partition("+")[0].lower().replace("_", "-"))


_SCRIPTS = "bin"
_OWN = ("direct_url.json", "RECORD")
"""What tells that it comes from a place that may change; and what is in a package."""


@dataclass(frozen=True, slots=True)
class StoredDistribution:
    """One version of a package; paths are those below an environment."""

    folder: Path
    environment: bytes
    """Where it was installed: scripts name the interpreter that is there."""
    files: tuple[StoredFile, ...]
    scripts: tuple[StoredFile, ...]

    @property
    def paths(self) -> list[str]:
        """All that it consists of."""
        return [each.path for each in (*self.files, *self.scripts)]

    def put(self, environment: Path, *, by_link: bool) -> None:
        """Install it."""
        for path in self.paths:
            (environment / path).parent.mkdir(parents=True, exist_ok=True)
        for each in self.files:
            put(self.folder / each.path, environment / each.path, by_link=by_link)
        for each in self.scripts:
            put(self.folder / each.path, environment / each.path, by_link=False)
            text = (environment / each.path).read_bytes()
            moved = text.replace(self.environment, os.fsencode(environment))
            (environment / each.path).write_bytes(moved)

    def take_out(self, environment: Path) -> None:
        """Remove it, with what Python has compiled of it, and folders that are empty then."""
        for path in self.paths:
            (environment / path).unlink(missing_ok=True)
        folders = {parent for path in self.paths for parent in PurePosixPath(path).parents}
        for folder in sorted(folders, key=lambda each: -len(each.parts)):
            remove(environment / folder / "__pycache__")
            with suppress(OSError):  # others have something there
                (environment / folder).rmdir()


@dataclass(slots=True)
class PythonStore:
    """What is kept of packages, for all sandboxes of a run."""

    folder: Path
    losses: int = 0
    """How often it was found that tests had written into packages: older environments may have
    links to those."""
    _kept: dict[tuple[str, str], StoredDistribution] = field(default_factory=dict)
    _by_link: bool = True
    _numbers: Iterator[int] = field(default_factory=count)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take_in(self, environment: Path) -> None:
        """Keep the packages that have just been installed, before any test can change them."""
        with self._lock:
            make_folder(self.folder)
            owned: set[str] = set()
            for package in packages_in(environment):
                paths = _recorded(environment, package.record)
                # What two packages have is of one of them, and which is not known.
                if package.key not in self._kept and paths and owned.isdisjoint(paths):
                    self._kept[package.key] = self._stored(environment, paths)
                owned.update(paths)

    def change(self, environment: Path, wanted: Mapping[str, str]) -> bool:
        """Bring an environment to these versions; tell whether all that takes is here."""
        with self._lock:
            self._drop_changed()
            there = {package.key for package in packages_in(environment)}
            keys = {(name, canonicalize_version(version)) for name, version in wanted.items()}
            old = [self._kept.get(key) for key in there - keys]
            new = [self._kept.get(key) for key in keys - there]
            if None in old or None in new:
                return False
            for each in filter(None, old):
                each.take_out(environment)
            coming = [path for each in filter(None, new) for path in each.paths]
            if len(coming) != len(set(coming)) or any(
                os.path.lexists(environment / path) for path in coming
            ):
                return False
            for each in filter(None, new):
                each.put(environment, by_link=self._by_link)
            return True

    def is_intact(self, environment: Path) -> bool:
        """Tell whether nobody has changed what is installed."""
        found = (self._kept.get(package.key) for package in packages_in(environment))
        return all(each is None or are_at(each.files, environment) for each in found)

    def _drop_changed(self) -> None:
        """Forget what a test has written to; from now on there are no links that it could use."""
        for key, each in list(self._kept.items()):
            if not are_at((*each.files, *each.scripts), each.folder):
                remove(self._kept.pop(key).folder)
                self._by_link = False
                self.losses += 1

    def _stored(self, environment: Path, paths: list[str]) -> StoredDistribution:
        target = self.folder / str(next(self._numbers))
        files: list[StoredFile] = []
        scripts: list[StoredFile] = []
        for path in paths:
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            is_script = PurePosixPath(path).parts[0] == _SCRIPTS
            by_link = self._by_link and not is_script
            kept = StoredFile.taken(environment / path, target, path, by_link=by_link)
            (scripts if is_script else files).append(kept)
        return StoredDistribution(target, os.fsencode(environment), tuple(files), tuple(scripts))


def _recorded(environment: Path, info: Path) -> list[str]:
    """Return the files of a package, as its record has them; none if they may be elsewhere.

    `importlib.metadata` has them, too, but fails on an empty line.
    """
    own, record = (info / each for each in _OWN)
    if own.exists() or not record.is_file():
        return []
    paths = []
    with record.open(encoding="utf-8", newline="") as lines:
        for line in csv.reader(lines):
            path = os.path.normpath(info.parent / line[0]) if line else ""
            inner = os.path.relpath(path, environment) if path else ".."
            if inner.startswith(".."):
                return []
            if not inner.endswith(".pyc") and os.path.lexists(path):
                paths.append(inner)
    return list(dict.fromkeys(paths))
