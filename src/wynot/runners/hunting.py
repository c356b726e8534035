"""Ends what a wynot has left that was itself killed: nobody is its parent any more."""

import os
import signal
from collections.abc import Collection
from contextlib import suppress
from time import monotonic, sleep

from wynot.runners import procfs
from wynot.runners.reaper import DYING_SECONDS, FIRST_PAUSE, HAS_PIDFD, LONGEST_PAUSE, Survivors
from wynot.runners.run_label import markers, root_tag, root_tag_of


def hunt(roots: Collection[str]) -> None:
    """End the processes of runs that are dead themselves, given the names of their roots."""
    if not HAS_PIDFD:
        return
    left = _Left(roots)
    deadline, pause = monotonic() + DYING_SECONDS, FIRST_PAUSE
    while found := [pid for pid in procfs.everyone() if pid in left]:
        if monotonic() > deadline:
            named = procfs.named(found)
            raise Survivors(f"processes of an earlier run cannot be ended: {named}")
        for each in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
                left.send(each, pid)
        sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


class _Left:
    """Knows the processes that runs of some roots have left."""

    def __init__(self, roots: Collection[str]) -> None:
        self._prefixes = tuple(f"{root}.".encode() for root in roots)
        self._tags = set(map(root_tag, roots))

    def __contains__(self, pid: int) -> bool:
        if pid == os.getpid():
            return False
        if any(marker.startswith(self._prefixes) for marker in markers(procfs.environ(pid))):
            return True
        if root_tag_of(procfs.file_locks(pid)) not in self._tags:
            return False
        # It has cleared its environment, or has ended and nobody has asked how. One of another
        # user only that user can end.
        seen = procfs.stat(pid)
        return seen is not None and not seen.is_dead and procfs.is_ours(pid)

    def send(self, number: int, pid: int) -> None:
        """Signal a process if it is one of them."""
        with suppress(OSError):
            descriptor = os.pidfd_open(pid)
            try:
                if pid in self:
                    signal.pidfd_send_signal(descriptor, number)
            finally:
                os.close(descriptor)
