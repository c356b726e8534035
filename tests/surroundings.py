"""The surroundings of every test: the same, whoever runs them and wherever.

Programs look at far more variables than one thinks of: pytest cuts its lines at the width of the
terminal, but not in a CI job; git reads its settings from six places; Python has thirty switches.
A test for which one of them matters sets it itself.
"""

import os
import re
import signal
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from multiprocessing.util import Finalize
from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import SETTINGS
from wynot.machine.removal import remove

_IN_THE_WAY = (
    *("CI", "BUILD_NUMBER", "GITHUB_*", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "SOURCE_DATE_EPOCH"),
    *("COLUMNS", "LINES", "TERM", "*COLOR*", "TTY_*"),
    *("LANG", "LANGUAGE", "LC_*", "TZ", "POSIXLY_CORRECT", "BASH_ENV", "ENV", "CDPATH", "SHELL"),
    *("GIT_*", "PYTHON*", "PYTEST_*", "VIRTUAL_ENV", "XDG_*", "SUDO_*", "WYNOT_*"),
    *("PIP_NO_INDEX", "UV_NO_INDEX", "UV_OFFLINE", "NODE_OPTIONS", "npm_*", "NPM_CONFIG_*"),
    *("*SAN_OPTIONS", "RUST_BACKTRACE", "GREP_*", "TAR_OPTIONS", "GZIP", "MALLOC_*"),
)
"""Variables that change what programs do or say, as patterns."""

_NEEDED = ("PYTHONHOME", "PYTHONPATH", "PYTEST_CURRENT_TEST", "GIT_EXEC_PATH")
"""Those among them without which programs, or pytest itself, may not even start."""

_SET = {"LC_ALL": "C.UTF-8", "TZ": "UTC", **SETTINGS}

_MASK = 0o022

# As in a terminal, also for whoever says nohup or runs the tests in the background: wynot leaves a
# signal that is ignored alone, and Ctrl-C would not reach the programs of the tests.
_SIGNALS = (
    (signal.SIGHUP, signal.SIG_DFL),
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGQUIT, signal.SIG_DFL),
)


_TEMPORARY = re.compile(r"[\w/.+-]{1,40}", re.ASCII)
"""Tests write paths into scripts as they are; and a socket's has at most 108 bytes."""


LAST = -200
"""multiprocessing removes its own folder with a priority of -100."""


class PrivateFolders:
    """The folders that no other test process shares: for temporary files, state, caches, settings.

    The process that starts the others makes one folder, in which each of these has its own.
    wynot's run folders are among the temporary files, so no process sweeps those of another.
    """

    def __init__(self, worker: str) -> None:
        if worker:
            self.folder = Path(tempfile.gettempdir()) / worker
            self.folder.mkdir()
        else:
            _leave_odd_temporary_folder()
            self.folder = Path(tempfile.mkdtemp(prefix="wynot-tests-"))
            # It goes with those in it, after what multiprocessing removes as a process ends.
            Finalize(None, remove, args=(self.folder,), exitpriority=LAST)
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.folder)
        self.home = self.folder / "home"
        self.home.mkdir()


def _leave_odd_temporary_folder() -> None:
    """Take the usual folder for temporary files if the user's has an odd or a long name."""
    if not _TEMPORARY.fullmatch(tempfile.gettempdir()):
        os.environ.pop("TMPDIR", None)
        tempfile.tempdir = None


@contextmanager
def usual_surroundings(home: Path) -> Iterator[None]:
    """Let whatever may differ from one machine to the next make no difference meanwhile."""
    for number, usual in _SIGNALS:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)
    before = os.umask(_MASK)
    with pytest.MonkeyPatch.context() as patch:
        for name in in_the_way(os.environ):
            patch.delenv(name)
        for name, value in _SET.items():
            patch.setenv(name, value)
        patch.setenv("HOME", str(home))
        yield
    os.umask(before)


def in_the_way(names: Iterable[str]) -> list[str]:
    """Return those of the variables that tests had better not see."""
    return [name for name in names if _is_one(name, _IN_THE_WAY) and not _is_one(name, _NEEDED)]


def _is_one(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
