"""One run at a time on one file."""

import fcntl
import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import Locked, UnsafeFolder
from wynot.core.system.beneath import open_beneath
from wynot.disk.home import leave_home, make_home
from wynot.disk.write import refused

GRACE, PAUSE = 10.0, 0.05
"""Seconds: a lock whose holder is dead is waited for, as a child of it may hold it yet."""
_MAX_DIGITS = 9
"""Digits of the number of a process: a file with more is not a lock."""


class FileLock:
    """Held until it is released or the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        patience = time.monotonic() + GRACE
        while (holder := self._take()) is not None:
            if _is_alive(holder) or time.monotonic() > patience:
                raise Locked(
                    f"another wynot is at work on this file (process {holder or 'unknown'})",
                    hint="wait for it, stop it, or give another -o OUT",
                )
            time.sleep(PAUSE)
        with suppress(OSError):  # a full disk: who holds it is only good to know
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, str(os.getpid()).encode(), 0)

    def _take(self) -> int | None:
        """Take the lock; if another has it, return that process, or 0 if it is not known."""
        try:
            make_home(self._path.parent)
            flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK
            self._handle = open_beneath(self._path.parent, self._path.name, flags)
        except OSError as error:
            raise refused(self._path, error) from error
        try:
            self._refuse_other_file()
            with suppress(OSError):
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Another may have let it go, and removed the name, between the two calls.
                if os.path.samestat(os.fstat(self._handle), self._path.lstat()):
                    return None
            holder = _holder(self._handle)
        except BaseException:
            os.close(self._handle)
            raise
        os.close(self._handle)
        return holder

    def _refuse_other_file(self) -> None:
        """Raise if the file could be another one of the user's: it would be written over."""
        seen = os.fstat(self._handle)
        if not stat.S_ISREG(seen.st_mode) or seen.st_nlink > 1:
            raise UnsafeFolder(
                f"{str(self._path)!r} is not a lock that wynot has made",
                hint="remove it, or work on a copy of the file in a folder of your own",
            )

    def release(self) -> None:
        """Release the lock."""
        # The name goes first, while the lock is held: so nobody locks a file that has no name.
        self._path.unlink(missing_ok=True)
        os.close(self._handle)
        leave_home(self._path.parent)


def holder_of(path: Path) -> int:
    """Return the process that holds a lock; 0 if none does. Who wants it need not wait."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return 0
    process = 0
    try:
        process = _holder(handle)
        # Numbers of processes come again: so a living one need not be the one that was meant.
        if _is_alive(process):
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return process
    finally:
        os.close(handle)
    return 0


def _holder(handle: int) -> int:
    """Return the process that a lock names, 0 if it names none."""
    content = os.pread(handle, _MAX_DIGITS + 1, 0)
    return int(content) if content.isdigit() and len(content) <= _MAX_DIGITS else 0


def _is_alive(process: int) -> bool:
    if not process:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True
