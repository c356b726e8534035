"""The unpacked packages of a run, from which candidates are put together by hard links.

npm unpacks each package once, for the first candidate that has it: as a rule one of the two sides.
All others get links to the same files, which takes less time and no room. npm's own cache is never
linked to. A test that writes into a package would still write into other candidates: so files are
looked at before they are linked to, and once one has changed, packages are copied.
"""

import json
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from wynot.inquiries.packages.lock_file import Pin, Pins
from wynot.inquiries.packages.package_lock import MODULES
from wynot.inquiries.packages.stored_files import StoredFile, are_at, put
from wynot.runners.removal import make_folder, remove

RECORD = ".package-lock.json"
"""Where npm notes in ``node_modules`` what it has installed."""
_INNER = "node_modules"
_BIN = ".bin"


@dataclass(frozen=True, slots=True)
class StoredPackage:
    """A package on its own, without those that are inside of it."""

    folder: Path
    entry: Mapping[str, Any]
    """What npm has noted of it."""
    files: tuple[StoredFile, ...]
    folders: tuple[str, ...]

    @property
    def is_built(self) -> bool:
        """Whether it has scripts, which change it where it is installed."""
        return self.entry.get("hasInstallScript") is True

    def is_at(self, place: Path) -> bool:
        """Tell whether all its files are at a place as they were taken in."""
        return are_at(self.files, place)

    def put(self, place: Path, *, by_link: bool) -> None:
        """Make a folder of it."""
        place.mkdir(parents=True)
        for inner in self.folders:
            (place / inner).mkdir()
        for each in self.files:
            by_link = by_link and not self.is_built
            put(self.folder / each.path, place / each.path, by_link=by_link)


@dataclass(slots=True)
class NodeStore:
    """What is kept of packages, for all sandboxes of a run."""

    folder: Path
    _kept: dict[str, StoredPackage] = field(default_factory=dict)
    _left_out: set[str] = field(default_factory=set)
    """What npm does not install on this system."""
    _number: int = 0
    _by_link: bool = True
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take_in(self, modules: Path, subject: Pins) -> None:
        """Keep the packages that npm has just installed, before any test can change them."""
        noted = _noted(modules)
        with self._lock:
            make_folder(self.folder)
            for pin in subject:
                key, entry = _key(pin), noted.get(f"{MODULES}{pin.name}")
                if key in self._kept:
                    continue
                if entry is not None:
                    self._kept[key] = self._stored(modules / pin.name, entry)
                elif _is_optional(pin):
                    self._left_out.add(key)

    def lay_out(self, modules: Path, subject: Pins) -> bool:
        """Fill a folder with these packages; tell whether all of them are here."""
        with self._lock:
            self._drop_changed()
            places = self._places(subject)
            if places is None:
                return False
            remove(modules)
            make_folder(modules)
            for name, package in places.items():
                package.put(modules / name, by_link=self._by_link)
            if not _link_programs(modules, places):
                remove(modules)
                return False
            packages = {f"{MODULES}{name}": dict(each.entry) for name, each in places.items()}
            (modules / RECORD).write_text(json.dumps({"lockfileVersion": 3, "packages": packages}))
            return True

    def needs_building(self, subject: Pins) -> bool:
        """Tell whether packages have scripts that are run when they are installed."""
        found = (self._kept.get(_key(pin)) for pin in subject)
        return any(each is not None and each.is_built for each in found)

    def has(self, subject: Pins) -> bool:
        """Tell whether all of these packages are here."""
        with self._lock:
            return self._places(subject) is not None

    def matches(self, modules: Path, subject: Pins) -> bool:
        """Tell whether these packages are still in a folder as they were put there."""
        with self._lock:
            places = self._places(subject)
        return places is not None and all(
            package.is_built or package.is_at(modules / name) for name, package in places.items()
        )

    def _places(self, subject: Pins) -> dict[str, StoredPackage] | None:
        """Return what is to be put where, outer packages first; None if something is not here."""
        places = {}
        for pin in sorted(subject, key=lambda pin: pin.name):
            key = _key(pin)
            if key in self._left_out:
                continue
            package = self._kept.get(key)
            if package is None or package.entry.get("inBundle"):
                return None
            places[pin.name] = package
        return places

    def _drop_changed(self) -> None:
        """Forget what a test has written to; from now on there are no links that it could use."""
        for key, each in list(self._kept.items()):
            if not each.is_at(each.folder):
                remove(self._kept.pop(key).folder)
                self._by_link = False

    def _stored(self, source: Path, entry: Mapping[str, Any]) -> StoredPackage:
        self._number += 1
        target = self.folder / str(self._number)
        target.mkdir()
        by_link = self._by_link and entry.get("hasInstallScript") is not True
        files, folders = [], []
        for path, inner in _below(source):
            if path.is_dir() and not path.is_symlink():
                folders.append(inner)
                (target / inner).mkdir()
            else:
                files.append(StoredFile.taken(path, target, inner, by_link=by_link))
        return StoredPackage(target, entry, tuple(files), tuple(folders))


def _below(source: Path) -> Iterator[tuple[Path, str]]:
    """Yield all that is in a package but the packages inside of it, folders first."""
    waiting = [""]
    while waiting:
        above = waiting.pop()
        for entry in os.scandir(source / above):
            inner = f"{above}/{entry.name}" if above else entry.name
            if inner == _INNER:
                continue
            yield Path(entry.path), inner
            if entry.is_dir(follow_symlinks=False):
                waiting.append(inner)


def _noted(modules: Path) -> Mapping[str, Any]:
    record = modules / RECORD
    found = json.loads(record.read_bytes()) if record.is_file() else {}
    packages = found.get("packages", {})
    return packages if isinstance(packages, dict) else {}


def _key(pin: Pin) -> str:
    """Return what is the same for a package wherever it is put."""
    entry = json.loads(pin.sealed)
    name = entry.get("name") or pin.name.rpartition(MODULES)[2]
    known_by = [entry.get(each) for each in ("version", "resolved", "integrity", "inBundle")]
    return json.dumps([name, pin.spec, *known_by])


def _is_optional(pin: Pin) -> bool:
    entry = json.loads(pin.sealed)
    return any(entry.get(each) is True for each in ("optional", "devOptional"))


def _link_programs(modules: Path, places: Mapping[str, StoredPackage]) -> bool:
    """Make the links to programs as npm does; tell whether it is clear which there are."""
    for name, package in places.items():
        programs = package.entry.get("bin", {})
        if not isinstance(programs, dict):
            return False
        outer, _, own = f"/{name}".rpartition(f"/{MODULES}")
        folder = modules / outer.lstrip("/") / _INNER if outer else modules
        own = own.lstrip("/")
        for program, inner in programs.items():
            path = PurePosixPath(inner) if isinstance(inner, str) else PurePosixPath("/")
            link = folder / _BIN / program
            if (
                path.is_absolute()
                or ".." in (*path.parts, program)
                or PurePosixPath(program).name != program
                or os.path.lexists(link)
            ):
                return False
            if (folder / own / path).is_file():
                link.parent.mkdir(exist_ok=True)
                link.symlink_to(PurePosixPath("..", own, path))
    return True
