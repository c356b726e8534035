"""One process, from its start to its status.

It leads a session of its own, and is waited for by a descriptor: `Popen.wait` with a timeout sleeps
up to 50 ms at a time, which is longer than many a test. Limits are set from outside, right after
the start: doing it inside would need a fork of this whole process, or a shell in between.
"""

import os
import resource
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from wynot.runners.reaper import HAS_PIDFD
from wynot.runners.spawn import spawn

HAS_PRLIMIT = hasattr(resource, "prlimit")
_CORE_MARKS = 1 << 40


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
        self, argv: Sequence[str], folder: Path, environ: list[bytes], streams: tuple[int, ...]
    ) -> None:
        self.started = monotonic()
        self.pid = spawn(argv, str(folder), environ, streams)
        self.descriptor = os.pidfd_open(self.pid) if HAS_PIDFD else -1

    def limit(self, core: int | None, memory: int | None) -> None:
        """Bound its memory; let it write no core dump, and mark it by the bound of that."""
        if not HAS_PRLIMIT:
            return
        resource.prlimit(self.pid, resource.RLIMIT_CORE, (0, core or 0))
        if memory is not None:
            _, most = resource.prlimit(self.pid, resource.RLIMIT_AS)
            least = memory if most == resource.RLIM_INFINITY else min(memory, most)
            resource.prlimit(self.pid, resource.RLIMIT_AS, (least, least))

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


def can_mark() -> bool:
    """Tell whether processes can be marked by a limit: one that is there can only be lowered."""
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    return HAS_PRLIMIT and most == resource.RLIM_INFINITY


def mark(number: int) -> int:
    """Return the limit that marks the processes of a run."""
    return _CORE_MARKS + number
