"""The root: the one folder in which all benches of a run have theirs.

It is in memory if there is room, is locked for as long as the run lives, and is removed by the next
run if its own could not: whoever can take the lock knows that the owner is dead. A root gets its
name only once it is locked, so nobody finds one that is not.
"""

import fcntl
import os
import secrets
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import time

from wynot.runners.reaper import hunt
from wynot.runners.removal import make_folder, remove

_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder of a random name is made in it
_LEAST_ROOM = 256 << 20
_SPARE = 4
_LOCK = "lock"
_UNFINISHED = 60.0  # seconds after which a root that never got its name is given up


class Root:
    """A private folder, and the lock that says that its owner lives."""

    def __init__(self, folder: Path) -> None:
        self.name = secrets.token_hex(8)
        self.folder = folder / f"wynot-{os.getuid()}-{self.name}"
        self._making = threading.Lock()
        self._lock = self._make()

    @classmethod
    def make(cls, *, width: int = 1, room: int = 0) -> "Root":
        """Sweep what dead runs have left, and make a root where there is room for this one."""
        sweep()
        return cls(choose(_SPARE * room * width))

    def ensure(self) -> None:
        """Make the root again if a test has removed it: it runs as the same user as we do."""
        with self._making:
            make_folder(self.folder)
            held, there = os.fstat(self._lock), self.folder / _LOCK
            if not there.exists() or not os.path.samestat(there.lstat(), held):
                remove(there)
                os.close(self._lock)
                self._lock = _locked(self.folder)

    def close(self) -> None:
        """Remove it; what cannot be removed now is left for the next run."""
        remove(self.folder)
        with self._making:
            if self._lock >= 0:
                os.close(self._lock)
                self._lock = -1

    def _make(self) -> int:
        unfinished = self.folder.with_name(f".{self.folder.name}")
        unfinished.mkdir(0o700)
        lock = _locked(unfinished)
        unfinished.rename(self.folder)
        return lock


def choose(room: int) -> Path:
    """Return the folder to make a root in: memory if that has so many bytes of room."""
    with suppress(OSError):
        seen = os.statvfs(_MEMORY)
        free = seen.f_bavail * seen.f_frsize
        runs_programs = not seen.f_flag & os.ST_NOEXEC
        if runs_programs and free >= max(room, _LEAST_ROOM) and os.access(_MEMORY, os.W_OK):
            return _MEMORY
    return Path(tempfile.gettempdir())


def sweep() -> None:
    """End the processes, and remove the folders, of runs that are dead."""
    dead = [(path, lock) for path in _roots() if (lock := _lock_of_dead(path)) is not None]
    if not dead:
        return
    try:
        hunt({path.name.rpartition("-")[2] for path, _ in dead})
        for path, _ in dead:
            remove(path)
    finally:
        for _, lock in dead:
            os.close(lock)


def _roots() -> Iterator[Path]:
    """Go through the roots that are this user's."""
    mine = f"wynot-{os.getuid()}-"
    for folder in {_MEMORY, Path(tempfile.gettempdir())}:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if not entry.name.removeprefix(".").startswith(mine):
                    continue
                seen = entry.stat(follow_symlinks=False)
                is_ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid()
                is_named = not entry.name.startswith(".")
                if is_ours and (is_named or time() - seen.st_mtime > _UNFINISHED):
                    yield Path(entry.path)


def _locked(folder: Path) -> int:
    """Make the lock of a root, and take it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    lock = os.open(folder / _LOCK, flags, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return lock


def _lock_of_dead(folder: Path) -> int | None:
    """Return the lock of a root if its owner no longer holds it.

    A root whose lock a test has removed is left alone: its owner may live.
    """
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
