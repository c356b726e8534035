"""One run at a time on one file."""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import Locked
from wynot.disk.home import leave_home, make_home
from wynot.disk.write import refused

GRACE, PAUSE = 10.0, 0.05
"""Seconds: a lock whose holder is dead is waited for, as a child of it may hold it yet."""


class FileLock:
    """Held until it is released or the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        self._path = path
        patience = time.monotonic() + GRACE
        while not self._taken():
            holder = self._holder()
            if _is_alive(holder) or time.monotonic() > patience:
                raise Locked(
                    f"another wynot is at work on this file (process {holder or 'unknown'})",
                    hint="wait for it, stop it, or give another -o OUT",
                )
            time.sleep(PAUSE)
        with suppress(OSError):  # a full disk: who holds it is only good to know
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, str(os.getpid()).encode(), 0)

    def _taken(self) -> bool:
        try:
            make_home(self._path.parent)
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise refused(self._path, error) from error
        with suppress(OSError):
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another may have let it go, and removed the name, between the two calls.
            if os.path.samestat(os.fstat(self._handle), os.stat(self._path)):  # noqa: PTH116
                return True
        os.close(self._handle)
        return False

    def _holder(self) -> int:
        with suppress(OSError, ValueError):
            return int(self._path.read_text())
        return 0

    def release(self) -> None:
        """Release the lock."""
        # The name goes first, while the lock is held: so nobody locks a file that has no name.
        self._path.unlink(missing_ok=True)
        os.close(self._handle)
        leave_home(self._path.parent)


def holder_of(path: Path) -> int:
    """Return the process that holds a lock; 0 if none does. Who wants it need not wait."""
    try:
        process = int(path.read_text())
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return 0
    try:
        # Numbers of processes come again: so a living one need not be the one that was meant.
        if _is_alive(process):
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return process
    finally:
        os.close(handle)
    return 0


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
