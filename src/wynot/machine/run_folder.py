"""The root: the one folder in which all sandboxes of a run have theirs.

It is in memory if there is room, unless ``TMPDIR`` names another place. It is locked for as long as
the run lives, and is removed by the next run of the same user in the same place if its own could
not: whoever gets the lock knows that the owner is dead. The folder itself is locked, and not a file
in it, which a test could remove, and which would be gone before the rest if the owner is killed
while it removes it.

A root gets its name only once it is locked, so nobody finds one that is not. Before that it has a
hidden name, under which another run may remove it if it seems to be old: the owner finds out when
it locks the folder or renames it, and makes another one.
"""

import fcntl
import os
import re
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time

from wynot.machine.reaper import hunt
from wynot.machine.removal import remove, unmount

_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder of a random name is made in it
_LEAST_ROOM = 256 << 20
_SPARE_FACTOR = 4
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWN_MODE = 0o700
_UNFINISHED_SECONDS = 60.0  # seconds after which a root that never got its name is given up


class RunFolder:
    """A private folder, and the lock that says that its owner lives. Any thread may call it."""

    def __init__(self, folder: Path) -> None:
        self.name = os.urandom(8).hex()
        # Without links, as the system names what is mounted there.
        self.folder = folder.resolve() / f"{_ours()}{self.name}"
        self._making = threading.Lock()
        self._lock = self._make()
        self._spare: RunFolder | None = None

    @classmethod
    def make(cls, *, width: int = 1, room: int = 0) -> "RunFolder":
        """Sweep what dead runs have left, and make a root where there is room for this one."""
        sweep()
        folder = choose(_SPARE_FACTOR * room * width)
        try:
            return cls(folder)
        except OSError:
            # Whoever is confined is refused what the permissions allow.
            other = _places()[-1]
            if other == folder:
                raise
            return cls(other)

    def ensure(self) -> None:
        """Make the root again if a test has removed it: it runs as the same user as we do."""
        with self._making:
            with suppress(OSError):
                there = self.folder.lstat()
                if os.path.samestat(there, os.fstat(self._lock)):
                    if stat.S_IMODE(there.st_mode) != _OWN_MODE:
                        self.folder.chmod(_OWN_MODE)
                    return
            _remove_root(self.folder)
            os.close(self._lock)
            self._lock = self._make()

    def spare(self) -> "RunFolder | None":
        """Return a root on another file system, for when this one is full; None if there is none.

        It goes with this one.
        """
        with self._making:
            if self._spare is None:
                folder = _temporary()
                if folder.stat().st_dev == os.fstat(self._lock).st_dev:
                    return None
                self._spare = RunFolder(folder)
            return self._spare

    def close(self) -> None:
        """Remove it; what cannot be removed now is left for the next run."""
        _remove_root(self.folder)
        with self._making:
            if self._spare is not None:
                self._spare.close()
            if self._lock >= 0:
                os.close(self._lock)
                self._lock = -1

    def _make(self) -> int:
        while True:
            unfinished = self.folder.with_name(f".{_ours()}{os.urandom(8).hex()}")
            unfinished.mkdir(_OWN_MODE)
            with suppress(BlockingIOError, FileNotFoundError):  # another run took it for a dead one
                return self._made_of(unfinished)

    def _made_of(self, unfinished: Path) -> int:
        """Lock a folder, and give it the name of this root; return the lock."""
        lock = os.open(unfinished, _FOLDER)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise
            except OSError:  # some network file systems lock no folders: then nobody can
                pass
            unfinished.rename(self.folder)
        except BaseException:
            remove(unfinished)
            os.close(lock)
            raise
        return lock


def choose(room: int) -> Path:
    """Return the folder to make a root in: memory if that has so many bytes of room."""
    memory, *_ = places = _places()
    with suppress(OSError):
        seen = os.statvfs(memory)
        free = seen.f_bavail * seen.f_frsize
        runs_programs = not seen.f_flag & os.ST_NOEXEC
        if runs_programs and free >= max(room, _LEAST_ROOM) and os.access(memory, os.W_OK):
            return memory
    return places[-1]


def _places() -> list[Path]:
    """Return where roots may be: what is beneath other folders is other runs' business."""
    temporary = _temporary()
    return [temporary] if os.environ.get("TMPDIR") else [_MEMORY, temporary]


def _temporary() -> Path:
    """Return the folder for temporary files.

    Python finds it by writing a file into it; an agent that cleans up is to write nothing there.
    """
    named = os.environ.get("TMPDIR", "")
    if os.path.isdir(named) and os.access(named, os.W_OK | os.X_OK):  # noqa: PTH112 - may be empty
        return Path(named).absolute()
    return Path(tempfile.gettempdir())


def _ours() -> str:
    """Return how the names of this user's roots on this machine begin.

    Machines may share a folder for temporary files, and its locks may hold on one machine only.
    """
    machine = sha256(os.uname().nodename.encode()).hexdigest()[:8]
    return f"wynot-{os.getuid()}-{machine}-"


def sweep() -> None:
    """End the processes, and remove the folders, of runs that are dead."""
    dead = [(path, lock) for path in _roots() if (lock := _lock_of_dead(path)) is not None]
    if not dead:
        return
    try:
        hunt({path.name.rpartition("-")[2] for path, _ in dead})
        for path, _ in dead:
            _remove_root(path)
    finally:
        for _, lock in dead:
            os.close(lock)


def _remove_root(folder: Path) -> None:
    """Remove a root, unless something is mounted in it that cannot be unmounted."""
    if not unmount(folder):
        remove(folder)


def _roots() -> Iterator[Path]:
    """Go through the roots that are this user's, and of runs on this machine."""
    mine = re.compile(rf"\.?{_ours()}[0-9a-f]{{16}}")
    for folder in _places():
        with suppress(OSError), os.scandir(folder.resolve()) as entries:
            for entry in entries:
                if not mine.fullmatch(entry.name):
                    continue
                seen = entry.stat(follow_symlinks=False)
                is_ours = stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid()
                is_named = not entry.name.startswith(".")
                if is_ours and (is_named or time() - seen.st_mtime > _UNFINISHED_SECONDS):
                    yield Path(entry.path)


def _lock_of_dead(folder: Path) -> int | None:
    """Return the lock of a root if its owner no longer holds it."""
    try:
        lock = os.open(folder, _FOLDER)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
