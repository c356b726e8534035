"""Private environments: a candidate's packages, installed for real."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from wynot.circumstances.packages.circumstances import Pins, Upgrades
from wynot.circumstances.packages.installed import difference, fingerprint, installed
from wynot.circumstances.packages.installers import ASKED, BOUND, Installer, Pip, Uv, Wanted
from wynot.circumstances.packages.locked import Option
from wynot.circumstances.packages.requirements import read_lines
from wynot.circumstances.packages.sites import Site
from wynot.core.errors import NoInstaller
from wynot.oracle.placing import Given, Inapplicable
from wynot.runners.bench import Bench
from wynot.runners.removal import make_folder, remove

TIMEOUT = 600.0
"""Seconds that an installer may take: some packages are built."""
_LONG_ENOUGH = 60  # seconds for a Python to tell where it is
_NO_INDEX = ("PIP_NO_INDEX", "UV_NO_INDEX", "UV_OFFLINE")
_PIP_WITH_PYTHON = (22, 3)  # the first that works on another environment than its own


class PythonEnvironments:
    """One environment for each bench, brought from one candidate to the next."""

    def __init__(
        self,
        installer: Installer,
        options: Iterable[Option] = (),
        *,
        also: Sequence[str] = (),
        folder: Path | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        """Take the installer, options for it, and requirements that every candidate has too."""
        self._installer = installer
        self._options = [option.line for option in _one_index(options)]
        alone = any(os.environ.get(name, "0") not in ("", "0", "false") for name in _NO_INDEX)
        self._has_no_index = alone or "--no-index" in self._options
        self._also = list(also)
        self._folder = folder
        self._timeout = timeout
        self._known: dict[Path, tuple[Pins | None, object]] = {}

    def place(self, subject: Pins, bench: Bench) -> Given:
        """Make the environment of this bench hold exactly these packages, and what they need."""
        given = frozenset(pin.name for pin in subject) if self._has_no_index else frozenset()
        site = Site(bench, bench.private / "python", self._timeout, given)
        known = self._known.pop(site.folder, None)
        there = known is not None and known[1] == fingerprint(site.environment)
        if not there or known is None or known[0] != subject:
            # What is not as it was left, by a test or by a kill, is made anew.
            self._bring(site, subject, is_new=not there)
        self._known[site.folder] = subject, fingerprint(site.environment)
        return Given(env=_variables(site.environment), folder=self._folder)

    def _bring(self, site: Site, subject: Pins, *, is_new: bool) -> None:
        if is_new:
            remove(site.environment)
            make_folder(site.folder)
            self._installer.make(site)
        self._write(site, subject)
        wanted = Wanted(subject, _hashes(subject), self._options, is_whole=not self._also)
        try:
            self._installer.install(site, wanted)
        except Inapplicable:
            # Most are found out before anything is changed: the environment can stay.
            self._known[site.folder] = None, fingerprint(site.environment)
            raise
        wrong = difference(subject, installed(site.environment))
        if wrong and not is_new:
            self._bring(site, subject, is_new=True)
        elif wrong:
            raise Inapplicable(f"the installer did something else: {wrong}")

    def _write(self, site: Site, subject: Pins) -> None:
        ordered = sorted(subject)
        asked = [pin.spec for pin in ordered if pin.role == "asked"]
        bound = [pin.spec for pin in ordered if pin.role == "bound"]
        site.write(ASKED, [*self._options, *self._also, *asked])
        site.write(BOUND, bound)


def python_environments(
    upgrades: Upgrades,
    *,
    python: str = "",
    installer: str = "auto",
    lines: Sequence[str] = (),
    folder: Path | None = None,
    timeout: float = TIMEOUT,
) -> PythonEnvironments:
    """Return environments for two sides, with the user's Python and the best installer there is.

    The lines are those of a requirements file that hold for every candidate: ``--index-url URL``,
    ``--find-links DIR``, or what the test needs besides, ``pytest`` or ``-e .``.
    """
    options, also = read_lines(lines, Path.cwd())
    every = (*options, *upgrades.good.options, *upgrades.bad.options)
    found = find_installer(find_python(python), installer)
    return PythonEnvironments(found, every, also=also, folder=folder, timeout=timeout)


def find_python(wanted: str = "") -> str:
    """Return the full path of an interpreter: the named one, ``python3``, or ours."""
    found = shutil.which(wanted or "python3")
    path = found and _asked([found, "-c", "import sys; print(sys.executable)"])
    if path:
        return path
    if wanted:
        raise NoInstaller(
            f"{wanted!r} is no Python", hint="give the path of an interpreter, or leave it out"
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
            raise NoInstaller("there is no uv", hint="pip install uv; or leave --installer out")
    for owner in dict.fromkeys((python, sys.executable)):
        told = _asked([owner, "-m", "pip", "--version"]).split()  # pip 23.2.1 from …
        version = told[1].split(".")[:2] if len(told) > 1 else []
        if all(map(str.isdigit, version)) and tuple(map(int, version)) >= _PIP_WITH_PYTHON:
            return Pip((owner, "-m", "pip"), python)
    raise NoInstaller(
        f"there is neither uv nor a pip of 22.3 or later for {python!r}", hint="pip install uv"
    )


def _asked(argv: Sequence[str]) -> str:
    """Return what a program prints, empty if it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - the user's own Python
            argv, capture_output=True, text=True, timeout=_LONG_ENOUGH, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _one_index(options: Iterable[Option]) -> list[Option]:
    """Return options without repetition; a second main index is one more, not another."""
    kept: dict[Option, None] = {}
    for option in options:
        known = [each for each in kept if each.name == "--index-url"]
        if option.name == "--index-url" and known and option not in kept:
            kept[Option("--extra-index-url", option.value)] = None
        else:
            kept[option] = None
    return list(kept)


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
