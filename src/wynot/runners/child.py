"""One process, from its start to its status.

It leads a session of its own, and is waited for by a descriptor: `Popen.wait` with a timeout sleeps
up to 50 ms at a time, which is longer than many a test. Whatever limits it, does so from its first
instruction on.
"""

import os
import resource
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from wynot.runners.launcher import Bounds, launched
from wynot.runners.reaper import HAS_PIDFD, ProcessFamily, living
from wynot.runners.run_label import FILE_LOCKS, UNTAGGED, RunLabel
from wynot.runners.spawn import file_of, spawn

HAS_WAITID = hasattr(os, "waitid")  # Python has it on macOS since 3.13

_starting = threading.Lock()
UNBOUNDED = Bounds()

ProcessStart: TypeAlias = Callable[[Sequence[str], str, list[bytes], tuple[int, ...]], int]
"""How a program is started: by its arguments, in a folder, with an environment and streams."""


class Child:
    """A process that was started, and is not reaped before its status is asked for."""

    __slots__ = ("_raw", "descriptor", "family", "pid", "started")

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        environ: list[bytes],
        streams: tuple[int, ...],
        label: RunLabel,
        bounds: Bounds = UNBOUNDED,
        start: ProcessStart = spawn,
    ) -> None:
        if bounds != UNBOUNDED:
            program = os.path.join(os.fsencode(folder), file_of(argv[0], environ))  # noqa: PTH118
            argv = launched(argv, program, bounds)
        self._raw: int | None = None
        rlimit_tag = label.rlimit_tag
        self.started = monotonic()
        # Limits without meaning to ourselves are our own for as long as the start takes: those that
        # are set from outside come too late if the machine is busy. They are those of the whole
        # process: what another thread of a program that uses wynot starts meanwhile has them too.
        with _starting:
            core, most = resource.getrlimit(resource.RLIMIT_CORE)
            try:
                if core:  # nobody looks at the core dumps of candidates
                    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
                if rlimit_tag is not None:
                    resource.setrlimit(FILE_LOCKS, (rlimit_tag, resource.RLIM_INFINITY))
                self.pid = start(argv, str(folder), environ, streams)
            finally:
                if rlimit_tag is not None:
                    resource.setrlimit(FILE_LOCKS, UNTAGGED)
                if core:
                    resource.setrlimit(resource.RLIMIT_CORE, (core, most))
        self.family = ProcessFamily(self.pid, label)
        living[self.pid] = self.family
        try:
            self.descriptor = os.pidfd_open(self.pid) if HAS_PIDFD else -1
        except OSError:  # too many open files: nobody could watch it
            os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            del living[self.pid]
            raise

    def has_ended(self) -> bool:
        """Tell whether it has ended, without reaping it where that can be done."""
        if HAS_WAITID:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, flags) is not None
        if self._raw is None:
            pid, raw = os.waitpid(self.pid, os.WNOHANG)
            self._raw = raw if pid else None
        return self._raw is not None

    def status(self) -> int:
        """Wait for its end, reap it, and return its exit status, -N for a signal N."""
        raw = os.waitpid(self.pid, 0)[1] if self._raw is None else self._raw
        del living[self.pid]
        self.close()
        return os.waitstatus_to_exitcode(raw)

    def close(self) -> None:
        """Close the descriptor."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
