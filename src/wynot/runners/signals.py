"""Signals to processes, such that each reaches the one that is meant, and how soon it dies."""

import os
import select
import signal
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress

from wynot.runners import procfs

MOST_SECONDS = 0.02
"""Seconds that a process which was killed is waited for, before others are looked for."""


@contextmanager
def haste() -> Iterator[None]:
    """Go before all others, if we may: those who multiply leave little time to who hunts them."""
    policy, parameter = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, policy, parameter)


def send(number: int, pid: int, parent: int, but_not: Container[int] = ()) -> procfs.Stat | None:
    """Signal a process if it lives and is still its parent's child: numbers are used again."""
    with suppress(ProcessLookupError, PermissionError):
        descriptor = os.pidfd_open(pid)
        try:
            # Looked at only now that the descriptor holds on to it.
            seen = procfs.stat(pid)
            if seen is None or seen.is_dead or seen.parent != parent:
                return None
            if number and pid not in but_not:
                signal.pidfd_send_signal(descriptor, number)
        finally:
            os.close(descriptor)
        return seen
    return None


def send_group(number: int, leader: int) -> None:
    """Signal a leader's group. The leader is not reaped before: so the number is still its own."""
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return


def has_died(pid: int) -> bool:
    """Wait a little for a process that was killed; tell whether it has died."""
    with suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            return bool(poll.poll(MOST_SECONDS * 1000))
        finally:
            os.close(descriptor)
    return False
