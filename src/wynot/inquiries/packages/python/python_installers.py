"""The installers of Python packages.

Uv and pip first find out what a candidate needs as a whole, without a look at what is installed: so
what a candidate gets does not depend on the one before it. Then they install what is new, and
remove what is not wanted any more.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from packaging.utils import canonicalize_name

from wynot.inquiries.packages.installing import Site, refused
from wynot.inquiries.packages.lock_file import Pins
from wynot.inquiries.packages.python.python_store import PythonStore, installed
from wynot.machine.removal import remove
from wynot.wire.run_request import Killed

ASKED, BOUND, RESOLVED = "asked.txt", "bound.txt", "resolved.txt"
"""The files by which an installer is told what to do, and what it found out."""
RETRIES = ("--retries", "2")  # without any, pip does not tell that it could not connect
_EXACT = re.compile(r"[\w.-]+==[\w.+!-]+")
MISSING, CLASH = b", which is not installed", b" has requirement "  # words of pip check


@dataclass(frozen=True, slots=True)
class PythonSite(Site):
    """The place of an environment."""

    store: PythonStore | None = None
    """What packages are linked to that were installed before."""

    @property
    def environment(self) -> Path:
        """The environment itself."""
        return self.folder / "env"

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.environment / "bin" / "python")

    @contextmanager
    def altered(self) -> Iterator[None]:
        """Remove the environment if an installer is given up while it changes it."""
        try:
            yield
        except Killed:
            remove(self.environment)
            raise

    def change(self, versions: Mapping[str, str]) -> bool:
        """Bring the environment to these versions by links, if all that takes is there."""
        return self.store is not None and self.store.change(self.environment, versions)


class Wanted(NamedTuple):
    """What an installer is to bring about; the files of the site say the same."""

    pins: Pins
    hashes: Mapping[str, str]
    """What packages are held to, as options of their lines."""
    options: Sequence[str] = ()
    """Lines for the installer, such as the index to use."""
    is_whole: bool = True
    """Whether nothing else is asked for."""

    def holds(self, names: Iterable[str]) -> bool:
        """Tell whether these are packages of the candidate, and none beside it."""
        return {pin.name for pin in self.pins}.issuperset(names)

    @property
    def is_exact(self) -> bool:
        """Whether every package is asked for in one version, without anything more to it."""
        return self.is_whole and all(
            pin.role == "direct" and pin.spec == f"{pin.name}=={pin.version}" for pin in self.pins
        )


class Installer(Protocol):
    """Makes environments, and brings them to what the files of a site say."""

    @property
    def program(self) -> tuple[str, ...]:
        """How it is called."""

    def make(self, site: PythonSite) -> None:
        """Make an empty environment."""

    def install(self, site: PythonSite, wanted: Wanted) -> None:
        """Install what is asked for within bounds, and remove all else; raise if it cannot be."""


@dataclass(frozen=True, slots=True)
class Uv:
    """uv: fast enough to look at the whole for each candidate."""

    program: tuple[str, ...]
    interpreter: str

    def make(self, site: PythonSite) -> None:
        """Make an empty environment; no Python is ever downloaded for it."""
        where = str(site.environment)
        # uv takes the nearest settings above it, and above the private folder others may write.
        site.write("uv.toml", [])
        site.run(*self.program, "venv", "--no-config", "-q", "--python", self.interpreter, where)

    def install(self, site: PythonSite, wanted: Wanted) -> None:
        """Find out what is needed, and make the environment exactly that.

        The cache knows as a rule what the two sides had: asking the index again whether that still
        holds takes ten times as long. What is beside the candidate comes from the index as it is
        now, lest it depend on what was in the cache.
        """
        resolve = self._resolving(site)
        if not site.succeeds(*resolve, "--offline") or not wanted.holds(_resolved(site)):
            # An old output would be read as what is preferred.
            (site.folder / RESOLVED).unlink(missing_ok=True)
            site.run(*resolve)
        resolved = _resolved(site)
        versions = {name: line.partition("==")[2] for name, line in resolved.items()}
        if all(map(_EXACT.fullmatch, resolved.values())) and site.change(versions):
            return
        sealed = [line + wanted.hashes.get(name, "") for name, line in resolved.items()]
        site.write(RESOLVED, [*wanted.options, *sealed])
        sync = (
            *(*self.program, "pip", "sync", "-q", "--allow-empty-requirements"),
            *("--python", site.python, RESOLVED),
        )
        with site.altered():
            if not site.succeeds(*sync, "--offline"):
                site.run(*sync)

    def _resolving(self, site: PythonSite) -> tuple[str, ...]:
        (site.folder / RESOLVED).unlink(missing_ok=True)
        return (
            *(*self.program, "pip", "compile", ASKED, "-c", BOUND, "--python", site.python),
            *("--no-header", "--no-annotate", "-q", "-o", RESOLVED),
        )


@dataclass(frozen=True, slots=True)
class Pip:
    """pip of any Python, working on an environment that need not have one itself."""

    program: tuple[str, ...]
    interpreter: str

    def make(self, site: PythonSite) -> None:
        """Make an empty environment, without a pip of its own: that would take seconds."""
        where = str(site.environment)
        site.run(self.interpreter, "-I", "-m", "venv", "--without-pip", where)

    def install(self, site: PythonSite, wanted: Wanted) -> None:
        """Install what differs and look whether it fits; if more is needed, find out what."""
        if wanted.is_exact:
            lines = {pin.name: (pin.version, pin.spec) for pin in wanted.pins}
            self._change(site, lines, wanted)
            ending = site.attempt(*self._pip(site), "check")
            if not ending.status:
                return
            if CLASH in ending.stdout or MISSING not in ending.stdout:
                raise refused(ending, "pip check")
        report = site.folder / "report.json"
        site.run(
            *(*self._pip(site), "install", "--dry-run", "--ignore-installed", *RETRIES),
            *("--report", str(report), "-r", ASKED, "-c", BOUND),
        )
        self._change(site, _reported(json.loads(report.read_bytes())), wanted)

    def _change(
        self, site: PythonSite, lines: Mapping[str, tuple[str, str]], wanted: Wanted
    ) -> None:
        """Make the environment hold these versions; a place may hold something else by now."""
        versions = {name: version for name, (version, _) in lines.items()}
        if not any("://" in line for _, line in lines.values()) and site.change(versions):
            return
        there = installed(site.environment)
        gone = [name for name in there if name not in lines]
        new = {
            name: line
            for name, (version, line) in lines.items()
            if "://" in line or there.get(name) != version
        }
        with site.altered():
            self._alter(site, gone, new, wanted)

    def _alter(
        self, site: PythonSite, gone: Sequence[str], new: Mapping[str, str], wanted: Wanted
    ) -> None:
        if gone:
            site.write("gone.txt", gone)
            site.run(*self._pip(site), "uninstall", "--yes", "-r", "gone.txt")
        hashes = wanted.hashes
        sealed = [line + hashes[name] for name, line in new.items() if name in hashes]
        plain = [line for name, line in new.items() if name not in hashes]
        for lines in filter(None, (sealed, plain)):  # of a file, pip wants all hashes or none
            site.write(RESOLVED, [*wanted.options, *lines])
            site.run(*self._pip(site), "install", "--no-deps", *RETRIES, "-r", RESOLVED)

    def _pip(self, site: PythonSite) -> tuple[str, ...]:
        return (*self.program, "--python", site.python)


def _resolved(site: PythonSite) -> dict[str, str]:
    """Return the lines that uv has found, by the names of their packages."""
    lines = (site.folder / RESOLVED).read_text(encoding="utf-8").splitlines()
    return {canonicalize_name(re.split(r"==| @ |\[", line)[0].strip()): line for line in lines}


def _reported(report: dict[str, object]) -> dict[str, tuple[str, str]]:
    """Return version and line of each package that pip would install."""
    found: dict[str, tuple[str, str]] = {}
    entries = report.get("install")
    for each in entries if isinstance(entries, list) else []:
        metadata, source = each["metadata"], each["download_info"]
        name, version = canonicalize_name(metadata["name"]), metadata["version"]
        line = f"{name}=={version}"
        if each["is_direct"]:
            vcs = source.get("vcs_info")
            url = f"{vcs['vcs']}+{source['url']}@{vcs['commit_id']}" if vcs else source["url"]
            is_editable = source.get("dir_info", {}).get("editable", False)
            line = f"-e {url}" if is_editable else f"{name} @ {url}"
        found[name] = version, line
    return found
