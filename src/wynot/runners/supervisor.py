"""Sees a program through: from its start until none of its processes is left."""

import select
from collections.abc import Iterable
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from wynot.core.ending import Ending, LimitHit
from wynot.runners.capture import Streams
from wynot.runners.child import Child, Limits
from wynot.runners.deferred import Deferred
from wynot.runners.kill_switch import KillSwitch
from wynot.runners.reaper import HAS_PIDFD, ProcessFamily, Reaper
from wynot.runners.usage import bytes_in

_PAUSES = (0.05, 0.1, 0.25)
"""Seconds between two looks at a running test: most tests end before the first one."""
_SHORT_PAUSE = 0.01
"""The same while a test prints more than is kept."""
_LOOKING_SHARE = 20
"""Looking takes at most one in so many parts of the time."""
_POLLING_PAUSE = 0.005
"""Without a descriptor for a process its end is asked for as often as this."""


class Awaited(Protocol):
    """What is waited for: the end of a process, or word from one."""

    @property
    def started(self) -> float:
        """When it began, by the monotonic clock."""

    @property
    def descriptor(self) -> int:
        """Can be read as soon as it is there; -1 where there are no descriptors of processes."""

    def has_ended(self) -> bool:
        """Tell whether it is there."""


class Supervisor:
    """Waits for the end of a program, and looks now and then whether it keeps to its limits.

    One for each sandbox, whose thread calls it, and sleeps here while a program runs. Two things
    wake it: the end of the program, and a kill.
    """

    def __init__(self, switch: KillSwitch, deferred: Deferred[Any]) -> None:
        self._switch = switch
        self._deferred = deferred
        self._reaper = Reaper()
        self._poll = select.poll()
        self._poll.register(switch.woken, select.POLLIN)

    def see_through(
        self,
        child: Child,
        family: ProcessFamily,
        limits: Limits,
        streams: Streams,
        folders: Iterable[Path],
    ) -> Ending:
        """Return how a program ended, of its own or by a limit; raise Killed if it was given up.

        Whatever it was, nothing of it runs any more. What is in the folders counts as its own.
        """
        has_ended = False
        try:
            limit = self.watch(child, family, limits, streams, folders)
            has_ended = not limit
            seconds = monotonic() - child.started
        finally:
            status = self.end(child, family, has_ended=has_ended)
        return Ending(status, seconds, limit, *streams.read())

    def wait_for(self, descriptors: tuple[int, ...], *, seconds: float) -> set[int]:
        """Return which of some descriptors can be read by then; raise Killed if given up."""
        poll = select.poll()
        for each in (*descriptors, self._switch.woken):
            poll.register(each, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll(seconds * 1000)}
        self._switch.require_on()
        return ready

    def close(self) -> None:
        """Close the descriptors."""
        self._reaper.close()

    def watch(
        self,
        awaited: Awaited,
        family: ProcessFamily,
        limits: Limits,
        streams: Streams,
        folders: Iterable[Path],
    ) -> LimitHit:
        """Wait for it; return the limit that was run into before, and raise if given up."""
        self._deferred.program_runs()
        deadline = awaited.started + limits.timeout
        pause, looks = _PAUSES[0], 0
        if HAS_PIDFD:
            self._poll.register(awaited.descriptor, select.POLLIN)
        try:
            while (now := monotonic()) < deadline:
                if self._waited(awaited, min(pause, deadline - now)):
                    return ""
                self._deferred.tell()  # it is no short one
                before = monotonic()
                is_talkative = streams.cut()
                if bytes_in(folders, limits.disk) > limits.disk:
                    return "disk"
                if self._reaper.count(family) > limits.processes:
                    return "processes"
                looks += 1
                cost = monotonic() - before
                pause = max(_PAUSES[min(looks, len(_PAUSES) - 1)], _LOOKING_SHARE * cost)
                if is_talkative:
                    pause = _SHORT_PAUSE
        finally:
            if HAS_PIDFD:
                self._poll.unregister(awaited.descriptor)
        return "timeout"

    def _waited(self, awaited: Awaited, seconds: float) -> bool:
        """Wait for so long at most; tell whether it is there, raise Killed if it was given up."""
        if HAS_PIDFD:
            ready = bool(self._poll.poll(seconds * 1000))
        else:
            end = monotonic() + seconds
            while not (
                ready := bool(self._poll.poll(_POLLING_PAUSE * 1000)) or awaited.has_ended()
            ):
                if monotonic() > end:
                    break
        self._switch.require_on()
        return ready

    def end(self, child: Child, family: ProcessFamily, *, has_ended: bool) -> int:
        """End whatever is left of a run, and return the status of its first process."""
        try:
            if not has_ended or not self._reaper.is_over(family):
                self._reaper.end(family)
            return child.status()
        finally:
            child.close()
