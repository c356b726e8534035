"""Private node_modules: a candidate's packages, installed by npm."""

import json
import os
import re
import shutil
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import NoInstaller
from wynot.core.files import Files
from wynot.inquiries.packages import package_lock
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.decoded_text import decoded
from wynot.inquiries.packages.lock_file import Pins
from wynot.inquiries.packages.node_store import RECORD, NodeStore
from wynot.inquiries.packages.package_names import address
from wynot.inquiries.packages.sites import Site, cache_folders
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.runners.removal import make_folder, remove
from wynot.runners.sandbox import Sandbox

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
        root = package_lock.package_json(subject, self.overrides)
        site.write("package.json", [json.dumps(root, indent=2)])
        site.write("package-lock.json", [package_lock.lock_text(subject, self.kind)])
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
    own = [f"registry={address(registry, '--index-url')}"] if registry else []
    return NodeEnvironments(
        npm,
        upgrades.bad.kind,
        files=files,
        overrides=package_lock.overrides_of(map(decoded, roots)),
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
    wanted = {f"{package_lock.MODULES}{pin.name}": pin for pin in subject}
    for place, entry in packages.items():
        pin = wanted.get(place)
        if pin is None or (pin.version and entry.get("version") != pin.version):
            return f"{place} {entry.get('version')}"
        if not (folder / place).is_dir():
            return f"{place} is gone"
    return ""
