"""A site: where the packages of a sandbox are, and how installers are run for it."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from wynot.core.ending import Ending
from wynot.inquiries.packages.python_store import PythonStore
from wynot.inquiries.packages.refusals import refused
from wynot.runners.child import Limits
from wynot.runners.kill_switch import Killed
from wynot.runners.removal import put_file, remove
from wynot.runners.sandbox import Sandbox

QUIET: Mapping[str, str | None] = {
    "UV_PYTHON_DOWNLOADS": "never",
    "UV_LINK_MODE": "copy",  # a test that writes into a package must not write into uv's cache
    "UV_NO_PROGRESS": "1",
    "UV_SYSTEM_PYTHON": None,
    "UV_PYTHON": None,
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_REQUIRE_VIRTUALENV": None,
    "PIP_USER": None,
    "PIP_TARGET": None,
    "PIP_PREFIX": None,
    "NO_COLOR": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
    "VIRTUAL_ENV": None,
    "PYTHONHOME": None,
    "PYTHONPATH": None,
}
"""What installers are told besides the user's own settings of them: to ask and to draw nothing."""

_ANSWER_TIMEOUT = 60.0  # seconds for an installer to tell where its cache is
_INSTALL_TIMEOUT = 600.0  # seconds: some packages are built
_DISK_BYTES = 64 << 30  # builds are large, and made in a folder that is watched


@dataclass(frozen=True, slots=True)
class Site:
    """The place of an environment in a sandbox, and how programs are run for it."""

    sandbox: Sandbox
    folder: Path
    given: frozenset[str] = frozenset()
    """Packages that the user has to have at hand, since no index may be asked."""
    store: PythonStore | None = None
    """What packages are linked to that were installed before."""
    writable: tuple[str, ...] | None = None
    """Where installers can write besides this place, as their caches; None: wherever you may."""

    @property
    def environment(self) -> Path:
        """The environment itself."""
        return self.folder / "env"

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.environment / "bin" / "python")

    def run(self, *argv: str) -> None:
        """Run an installer; raise what its failure means."""
        ending = self.attempt(*argv)
        if ending.status or ending.limit:
            raise refused(ending, _called(argv), self.given)

    def succeeds(self, *argv: str) -> bool:
        """Run an installer that may fail; tell whether it has not."""
        ending = self.attempt(*argv)
        return not ending.status and not ending.limit

    def attempt(self, *argv: str) -> Ending:
        """Run an installer; return how it ended."""
        limits = Limits(timeout=_INSTALL_TIMEOUT, disk=_DISK_BYTES)
        if self.writable is not None:
            limits = limits._replace(writable=(str(self.folder), *self.writable))
        with self.sandbox.elsewhere(self.folder):
            return self.sandbox.run(argv, limits=limits, capture=True, env=QUIET)

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

    def write(self, name: str, lines: Sequence[str]) -> None:
        """Write a file for an installer; it may hold passwords of indexes."""
        content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        put_file(self.folder / name, content)


def answer_of(argv: Sequence[str]) -> str:
    """Return what a program of the user's prints, empty if it fails.

    It does not run in the project, whose settings and modules may be a stranger's: there,
    ``python -m pip`` would run a ``pip.py``.
    """
    program, *words = argv
    try:
        done = subprocess.run(  # noqa: S603 - an interpreter, or an installer
            [os.path.abspath(program) if os.sep in program else program, *words],  # noqa: PTH100
            cwd=os.sep,
            capture_output=True,
            text=True,
            timeout=_ANSWER_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def cache_folders(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the cache of an installer, which a command prints, if it has one: it is made."""
    folder = Path(answer_of(argv))
    if not folder.is_absolute():
        return ()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # it has none, then
        return ()
    return (str(folder),)


def _called(argv: Sequence[str]) -> str:
    """Return how the program is called, by the words of its command that say what it does."""
    told = {"uv", "pip", "npm", "venv", "compile", "sync", "install", "uninstall", "ci"}
    words = [name for each in argv if (name := Path(each).name) in told]
    return " ".join(dict.fromkeys(words)) or Path(argv[0]).name
