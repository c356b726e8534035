"""Private node_modules: a candidate's packages, put together from a store that npm filled.

npm unpacks each package once, for the first candidate that has it: as a rule one of the two sides.
All others get links to the same files, which takes less time and no room. npm's own cache is never
linked to. A test that writes into a package would still write into other candidates: so files are
looked at before they are linked to, and once one has changed, packages are copied.
"""

import json
import os
import re
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from wynot.agents.sandbox import Sandbox
from wynot.core.errors import NoInstaller
from wynot.core.files import Files
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.installing import Site, cache_folders
from wynot.inquiries.packages.lock_file import Pin, Pins, decoded
from wynot.inquiries.packages.npm import npm_lock
from wynot.inquiries.packages.npm.npm_lock import MODULES
from wynot.inquiries.packages.package_names import address_form
from wynot.inquiries.packages.stored_files import StoredFile, are_at, put
from wynot.machine.removal import make_folder, remove
from wynot.oracle.provisioner import Inapplicable, Invocation

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


_LINK = "node_modules"
_HARMLESS_SETTING = re.compile(
    r"(?:@[^\s:=]+:)?registry|//[^\s=]+:(?:_auth|_authToken|_password|username|email)"
    r"|legacy-peer-deps|strict-peer-deps|install-strategy|engine-strict|(?:omit|include)(?:\[\])?"
    r"|os|cpu|libc",
    re.ASCII,
)
"""The settings of a project's .npmrc that count: where packages come from, and which ones."""
_QUIET = ("--no-audit", "--no-fund", "--no-progress", "--color=false", "--prefer-offline")


@dataclass(slots=True)
class NodeEnvironments:
    """One folder for each sandbox with a candidate's node_modules.

    Node looks for packages beside the program that asks for them, and in no other place if that is
    a module (``import``). So the user's files are put into the sandbox's folder, with a link to the
    candidate's packages beside them; without files only NODE_PATH leads there.
    """

    npm: str
    kind: str
    """The kind of lock file."""
    files: Files | None = None
    overrides: Mapping[str, object] = field(default_factory=dict)
    settings: str = ""
    """The project's own settings of npm, as far as they are harmless."""
    writable: tuple[str, ...] | None = None
    """Where npm can write besides these folders; None: wherever you may."""
    _known: dict[Path, Pins] = field(default_factory=dict, init=False)
    _store: NodeStore | None = field(default=None, init=False)
    _making: threading.Lock = field(default_factory=threading.Lock, init=False)

    def provision(self, subject: Pins, sandbox: Sandbox) -> Invocation:
        """Make the node_modules of this sandbox hold exactly these packages."""
        site = Site(sandbox, sandbox.private / "node", writable=self.writable)
        known = self._known.pop(site.folder, None)
        if known != subject or not self._store_at(sandbox).matches(site.folder / _LINK, subject):
            # What is not as it was left, by a test or by a kill, is made anew.
            self._bring(site, subject)
        self._known[site.folder] = subject
        modules = site.folder / _LINK
        if self.files is not None:
            files = self.files
            links = {**files.links, _LINK: str(modules)}
            sandbox.place(Files(files.contents, files.modes, links))
        path = f"{modules / '.bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return Invocation(env={"PATH": path, "NODE_PATH": str(modules)})

    def _bring(self, site: Site, subject: Pins) -> None:
        make_folder(site.folder)
        root = npm_lock.package_json(subject, self.overrides)
        site.write("package.json", [json.dumps(root, indent=2)])
        site.write("package-lock.json", [npm_lock.lock_text(subject, self.kind)])
        remove(site.folder / ".npmrc")
        if self.settings:
            site.write(".npmrc", [self.settings])
        self._install(site, subject)
        wrong = _difference(site.folder, subject)
        if wrong:
            raise Inapplicable(f"npm did not do what was asked: {wrong}")

    def _install(self, site: Site, subject: Pins) -> None:
        """Let npm say whether the packages fit, and link them; what is not there yet it unpacks."""
        store, modules = self._store_at(site.sandbox), site.folder / _LINK
        install = (self.npm, "ci", *_QUIET, "--ignore-scripts")
        if store.has(subject):
            site.run(*install, "--dry-run")
        if not store.lay_out(modules, subject):
            site.run(*install)
            make_folder(modules)  # npm makes none if there is nothing to install
            store.take_in(modules, subject)
        if store.needs_building(subject):
            site.run(self.npm, "rebuild", *_QUIET)

    def _store_at(self, sandbox: Sandbox) -> NodeStore:
        """Return what all sandboxes share."""
        with self._making:
            if self._store is None:
                self._store = NodeStore(sandbox.shared / "store")
            return self._store


def node_environments(
    upgrades: Upgrades,
    *,
    files: Files | None = None,
    registry: str = "",
    writable: tuple[str, ...] | None = None,
) -> NodeEnvironments:
    """Return folders for two sides; overrides and settings are taken from beside the lock files.

    Where tests are confined, to these folders besides their own, so is npm.
    """
    npm = shutil.which("npm")
    if not npm:
        raise NoInstaller("there is no program 'npm'", hint="install Node.js with npm")
    roots = _beside(upgrades, "package.json")
    # Not on the command line: there anybody could read a password that is in it.
    if writable is not None:
        writable = (*writable, *cache_folders((npm, "config", "get", "cache")))
    own = [f"registry={address_form(registry, '--index-url')}"] if registry else []
    return NodeEnvironments(
        npm,
        upgrades.bad.kind,
        files=files,
        overrides=npm_lock.overrides_of(map(decoded, roots)),
        settings="\n".join([*project_settings(upgrades).kept, *own]),
        writable=writable,
    )


class ProjectSettings(NamedTuple):
    """The lines of a project's .npmrc that count, and the names of the settings that do not."""

    kept: Sequence[str]
    ignored: Sequence[str]


def project_settings(upgrades: Upgrades) -> ProjectSettings:
    """Return the settings of npm that are beside the lock files.

    They may be a stranger's, and npm has settings that name programs and folders to write to, or
    that drop a protection: `git`, `script-shell`, `node-options`, `cache`, `strict-ssl`.
    """
    kept, ignored = [], dict[str, None]()
    for path in _beside(upgrades, ".npmrc")[:1]:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        for line in map(str.strip, re.split(r"[\r\n]+", text)):
            name = line.partition("=")[0].strip()
            if _HARMLESS_SETTING.fullmatch(name):
                kept.append(line)
            elif name and not name.startswith(("#", ";", "[")):
                ignored[name] = None
    return ProjectSettings(kept, tuple(ignored))


def _beside(upgrades: Upgrades, name: str) -> list[Path]:
    """Return the files of a name that are beside the lock files, the bad one's first."""
    folders = (upgrades.bad.path.parent, upgrades.good.path.parent)
    return [folder / name for folder in folders if (folder / name).is_file()]


def _difference(folder: Path, subject: Pins) -> str:
    """Say the first package that is not as the candidate has it, by npm's own record.

    What nothing needs is not installed, and what is for another system neither.
    """
    record = folder / _LINK / RECORD
    if not record.is_file():
        return "" if not subject else "there is no record of it"
    packages = json.loads(record.read_bytes()).get("packages", {})
    wanted = {f"{npm_lock.MODULES}{pin.name}": pin for pin in subject}
    for place, entry in packages.items():
        pin = wanted.get(place)
        if pin is None or (pin.version and entry.get("version") != pin.version):
            return f"{place} {entry.get('version')}"
        if not (folder / place).is_dir():
            return f"{place} is gone"
    return ""
