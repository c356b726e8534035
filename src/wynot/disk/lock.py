"""One run at a time on one file."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import Locked
from wynot.disk.write import refused


class Lock:
    """Held until it is released or the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise refused(path, error) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._handle, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(self._handle)
            raise Locked(
                f"another wynot is at work on this file (process {holder})",
                hint="wait for it, stop it, or give another -o OUT",
            ) from error
        self._path = path
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Let others in."""
        # The name goes first, while the lock is held: so nobody locks a file that has no name.
        self._path.unlink(missing_ok=True)
        os.close(self._handle)
        with suppress(OSError):  # there is a journal
            self._path.parent.rmdir()
