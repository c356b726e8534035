"""No process outlives its test, nor a wynot that was killed.

A test may start processes that leave its process group, its session and its family: GNU `timeout`
does the first, `setsid` the second, a daemon all three. So an agent declares itself a sub-reaper: a
process that loses its parent becomes a child of the agent's main thread, and nobody is lost. The
list of that thread's children is short, mostly empty, and cheap to read: that is all that a test
which leaves nothing behind has to pay.

An adopted process that the agent did not start itself is a test's, whatever it has done to hide
that. It goes with the run that ends next, unless it is known to be of another one that continues,
such as a server: by its session, if it has not begun its own, or by either part of its `RunLabel`.
All three are inherited.

Not covered: a process that another user owns, which only that user can kill (that raises
`Survivors`); and whatever a service was asked to start for the test, as `docker run` and
`systemd-run` do.

Children in the agent's own session are left alone: nobody can join a session. A status is only ever
taken from a given process.
"""

import ctypes
import os
import select
import signal
import sys
from collections.abc import Collection, Container, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import NamedTuple

from wynot.machine import procfs
from wynot.machine.run_label import RunLabel, markers, root_tag, root_tag_of
from wynot.wire.run_request import Survivors

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


HAS_PIDFD = sys.platform == "linux" and hasattr(os, "pidfd_open")

DYING_SECONDS = 10.0
"""Seconds that processes are given to die once they were killed: a disk may keep them for long."""
FIRST_PAUSE, LONGEST_PAUSE = 0.0002, 0.02
"""Seconds between two looks whether they have died: ever more."""

_PR_SET_CHILD_SUBREAPER = 36
_MAX_READINGS = 20
_LIST_BYTES = 64


class ProcessFamily(NamedTuple):
    """The processes of one run, told by what they inherit."""

    leader: int
    """The process that was started: also the number of its group and its session."""
    label: RunLabel


living: dict[int, ProcessFamily | None] = {}
"""The processes that this one has started, and not reaped yet; None: it starts no others itself."""


class Reaper:
    """Finds and ends what a test has started. One for each sandbox: it holds a descriptor."""

    def __init__(self) -> None:
        self._self = os.getpid()
        self._session = os.getsid(0)
        self._adopted = -1
        adopt_orphans()
        if HAS_PIDFD and procfs.HAS_CHILDREN_LISTS:
            path = f"/proc/self/task/{self._self}/children"
            self._adopted = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def close(self) -> None:
        """Close the descriptor."""
        if self._adopted >= 0:
            os.close(self._adopted)
            self._adopted = -1

    def is_over(self, family: ProcessFamily) -> bool:
        """Tell whether a leader that has ended was certainly the last; else kill its group.

        Who is left became a child of our main thread before the leader was seen to have ended: if
        that has no children but those that we started, nobody is left.
        """
        if self._has_adopted_nobody(family):
            return True
        send_group(signal.SIGKILL, family.leader)
        return not HAS_PIDFD

    def processes(self, family: ProcessFamily) -> Collection[int]:
        """Return the processes of a run as they are now, none where that cannot be told."""
        if not HAS_PIDFD:
            return ()
        return (family.leader,) if self._is_alone(family) else self._found(family)[0]

    def end(self, family: ProcessFamily) -> None:
        """Kill all of them, and return when none is left but the leader, ended but not reaped.

        They are stopped first: what is stopped starts no other, and still counts against whatever
        bounds the number of processes, so that even those who multiply faster than they are found
        come to an end.
        """
        if not HAS_PIDFD:
            return send_group(signal.SIGKILL, family.leader)
        send_group(signal.SIGSTOP, family.leader)  # all that are in the group at one stroke
        if self._is_alone(family):
            send_group(signal.SIGKILL, family.leader)
            # One that was being born just now is ours as soon as the leader has died.
            if has_died(family.leader) and self.is_over(family):
                return None
        deadline, pause = monotonic() + DYING_SECONDS, FIRST_PAUSE
        with haste():
            while True:
                living, has_changed = self._frozen(family, deadline)
                if not living and not has_changed:
                    return None
                # Youngest first: while its parent is there, a process is certainly itself.
                for pid, parent in reversed(living.items()):
                    send(signal.SIGKILL, pid, parent)
                send_group(signal.SIGKILL, family.leader)
                if living and monotonic() > deadline:
                    raise Survivors(f"processes of a test cannot be ended: {procfs.named(living)}")
                sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _is_alone(self, family: ProcessFamily) -> bool:
        """Tell whether a leader that runs has no children, and nobody was adopted, as is usual."""
        return self._has_adopted_nobody(family) and not procfs.children(family.leader)

    def _has_adopted_nobody(self, family: ProcessFamily) -> bool:
        """Tell whether our main thread has no children but those that we started."""
        if self._adopted < 0:
            return False
        listed = os.pread(self._adopted, _LIST_BYTES, 0)
        if not listed or listed == b"%d " % family.leader:
            return True
        is_whole = len(listed) < _LIST_BYTES
        return is_whole and living.keys() >= {*map(int, listed.split())}

    def _frozen(self, family: ProcessFamily, deadline: float) -> tuple[dict[int, int], bool]:
        """Stop them, and those that they have started meanwhile, until there are no others."""
        found: dict[int, int] = {}
        while True:
            before = set(found)
            has_changed = self._found(family, found, signal.SIGSTOP)[1]
            if found.keys() <= before or monotonic() > deadline:
                return found, has_changed

    def _found(
        self, family: ProcessFamily, found: dict[int, int] | None = None, number: int = 0
    ) -> tuple[dict[int, int], bool]:
        """Add who lives to those found before, and signal the new ones; tell if any has died.

        Each comes with its parent, elders first. It is signalled before its children are asked
        for, so that who was stopped cannot have more of them afterwards (but for one that is just
        being born: therefore all are asked again). Who dies gives its children away: as long as
        one is found dead, others may have been missed. The dead are reaped.
        """
        found = {} if found is None else found
        has_died = False
        # The leader is not reaped, so that its death is news only if it lived just now.
        before = procfs.stat(family.leader)
        was_dead = before is None or before.is_dead
        line = [(pid, self._self) for pid in (family.leader, *self._strays(family))]
        met = set()
        for pid, parent in line:  # it grows as it is gone through
            if pid in met:
                continue
            met.add(pid)
            if send(number, pid, parent, but_not=found) is None:
                found.pop(pid, None)
                has_died |= pid != family.leader or not was_dead
                if pid != family.leader and parent == self._self:
                    _reap(pid)
                continue
            found[pid] = parent
            line.extend((child, pid) for child in procfs.children(pid))
        for pid in found.keys() - met:
            del found[pid]
        return found, has_died

    def _strays(self, family: ProcessFamily) -> list[int]:
        """Return the adopted processes that are of this family."""
        return [pid for pid in self._all_adopted() if self._is_of(pid, family)]

    def _all_adopted(self) -> list[int]:
        """Return all children of the main thread.

        A list that is read while one of its members is reaped may lack the next one: therefore
        it is read until it is the same twice. An empty one is certain.
        """
        if self._adopted < 0:
            return procfs.children(self._self) if HAS_PIDFD else []
        before = now = b""
        for _ in range(_MAX_READINGS):
            before, now = now, procfs.read_all(self._adopted)
            if before == now:
                break
        return [int(pid) for pid in now.split()]

    def _is_of(self, pid: int, family: ProcessFamily) -> bool:
        seen = procfs.stat(pid)
        if pid in living or seen is None or seen.session == self._session:
            return False
        others = [each for each in living.values() if each and each != family]
        if not others or seen.is_dead:
            return True  # nobody but us can reap the dead
        tag, marked = procfs.file_locks(pid), markers(_settled_environ(pid))

        def has_it(one: ProcessFamily) -> bool:
            marker, one_tag = one.label
            return seen.session == one.leader or tag == one_tag or marker in marked

        return has_it(family) or not any(map(has_it, others))


def adopt_orphans() -> None:
    """Become the parent of all descendants that lose theirs."""
    if HAS_PIDFD:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _settled_environ(pid: int) -> bytes:
    """Return an environment; a process that just becomes another program has none for a moment."""
    for _ in range(_MAX_READINGS):
        if environ := procfs.environ(pid):
            return environ
        sleep(FIRST_PAUSE)
    return b""


def _reap(pid: int) -> None:
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


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
