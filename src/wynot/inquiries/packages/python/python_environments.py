"""Private environments: a candidate's packages, installed for real, with what they need.

The two sides are installed before anything else is asked. What is in their environments then tells,
for any kind of file, which upgrade needs which other one (`declared_needs`).
"""

import importlib.util
import os
import shutil
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from wynot.agents.sandbox import Sandbox
from wynot.core.errors import NoInstaller
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.installing import answer_of, cache_folders
from wynot.inquiries.packages.lock_file import Option, Pins
from wynot.inquiries.packages.python.declared_needs import DeclaredNeeds
from wynot.inquiries.packages.python.python_installers import (
    ASKED,
    BOUND,
    Installer,
    Pip,
    PythonSite,
    Uv,
    Wanted,
)
from wynot.inquiries.packages.python.python_store import (
    PythonStore,
    difference,
    fingerprint,
    installed,
)
from wynot.inquiries.packages.python.requirements import read_lines
from wynot.machine.removal import make_folder, remove
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.wire.run_request import Killed

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
        site = PythonSite(sandbox, sandbox.private / "python", given, self.writable, store)
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

    def _bring(self, site: PythonSite, subject: Pins, *, is_new: bool) -> None:
        if is_new:
            make_folder(site.folder)
            remove(site.environment)
            self.installer.make(site)
        direct, bound = (
            [pin.spec for pin in sorted(subject) if pin.role == role]
            for role in ("direct", "bound")
        )
        site.write(ASKED, [*self._lines, *self.also, *direct])
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
        reply = answer_of([owner, "-m", "pip", "--version"]).split()  # pip 23.2.1 from …
        version = reply[1].split(".")[:2] if len(reply) > 1 else []
        if all(map(str.isdigit, version)) and tuple(map(int, version)) >= _PIP_WITH_PYTHON:
            return Pip((owner, "-m", "pip"), python)
    raise NoInstaller(
        f"there is neither uv nor a pip of 22.3 or later for {python!r}", hint="pip install uv"
    )


def _left(site: PythonSite) -> object:
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
