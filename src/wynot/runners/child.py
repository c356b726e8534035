"""One process, from its start to its status.

It leads a session of its own, and is waited for by a descriptor: `Popen.wait` with a timeout sleeps
up to 50 ms at a time, which is longer than many a test. Limits are set from outside, right after
the start: doing it inside would need a fork of this whole process, or a shell in between.
"""

import os
import resource
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from wynot.runners.reaper import HAS_PIDFD
from wynot.runners.spawn import spawn

HAS_PRLIMIT = hasattr(resource, "prlimit")

_FILE_LOCKS = 10  # RLIMIT_LOCKS of Linux: kept and inherited, but without any meaning since 2.4
_FIRST_MARK = 1 << 40
_UNMARKED = resource.getrlimit(_FILE_LOCKS) if HAS_PRLIMIT else (0, 0)
_CAN_MARK = HAS_PRLIMIT and _UNMARKED[1] == resource.RLIM_INFINITY
_starting = threading.Lock()


class Limits(NamedTuple):
    """What a run may take."""

    timeout: float = 300.0
    """Seconds."""
    memory: int | None = None
    """Bytes of address space of each process."""
    output: int = 8 << 20
    """Bytes kept of each captured stream: half of them its beginning, half its end."""
    disk: int = 1 << 30
    """Bytes in its folders at once."""
    processes: int = 1000
    """Processes at once."""


class Killed(Exception):
    """A run was given up by ``kill()``."""


class Child:
    """A process that was started, and is not reaped before its status is asked for."""

    __slots__ = ("descriptor", "pid", "started")

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        environ: list[bytes],
        streams: tuple[int, ...],
        mark: int | None = None,
    ) -> None:
        self.started = monotonic()
        if mark is None:
            self.pid = spawn(argv, str(folder), environ, streams)
        else:
            # The limit is our own for as long as the start takes: one that is set from outside
            # comes too late if the machine is busy.
            with _starting:
                resource.setrlimit(_FILE_LOCKS, (mark, resource.RLIM_INFINITY))
                try:
                    self.pid = spawn(argv, str(folder), environ, streams)
                finally:
                    resource.setrlimit(_FILE_LOCKS, _UNMARKED)
        try:
            self.descriptor = os.pidfd_open(self.pid) if HAS_PIDFD else -1
        except OSError:  # too many open files: nobody could watch it
            os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            raise

    def limit(self, memory: int | None) -> None:
        """Bound its memory, and let it write no core dumps."""
        if not HAS_PRLIMIT:
            return
        self._lower(resource.RLIMIT_CORE, 0)
        if memory is not None:
            self._lower(resource.RLIMIT_AS, memory)

    def _lower(self, which: int, value: int) -> None:
        while True:
            _, most = resource.prlimit(self.pid, which)
            least = value if most == resource.RLIM_INFINITY else min(value, most)
            try:
                resource.prlimit(self.pid, which, (least, most))
            except PermissionError:
                # It has just lowered its own limit, as ``ulimit -c 0`` does: that one is as good.
                if resource.prlimit(self.pid, which)[1] != most:
                    continue
                raise
            return

    def has_ended(self) -> bool:
        """Tell whether it has ended, without reaping it."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.pid, flags) is not None

    def status(self) -> int:
        """Wait for its end, reap it, and return its exit status, -N for a signal N."""
        _, raw = os.waitpid(self.pid, 0)
        self.close()
        return os.waitstatus_to_exitcode(raw)

    def close(self) -> None:
        """Let the descriptor go."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def mark_of(number: int) -> int | None:
    """Return the limit that marks the processes of a run, None if there cannot be one.

    It has no effect, and everything that is started under it inherits it.
    """
    return _FIRST_MARK + number if _CAN_MARK else None
