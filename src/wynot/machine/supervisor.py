"""Sees a program through: from its start until none of its processes is left."""

import select
from time import monotonic
from typing import Protocol

from wynot.core.ending import Ending, LimitHit
from wynot.machine.capture import DiskUsage, Footprint, Streams
from wynot.machine.process_start import Child
from wynot.machine.reaper import HAS_PIDFD, ProcessFamily, Reaper
from wynot.wire.run_request import Limits

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


class Interrupter(Protocol):
    """What else is to be looked at while a program runs."""

    @property
    def poll(self) -> "select.poll":
        """Has the descriptors that say so when there is something to look at."""

    def look(self) -> None:
        """Look at it; raise Killed if the program that runs was given up."""


class Supervisor:
    """Waits for the end of a program, and looks now and then whether it keeps to its limits.

    One for each sandbox. Two things wake it: the end of the program, and an interrupter.
    """

    def __init__(self, interrupter: Interrupter) -> None:
        self._interrupter = interrupter
        self._reaper = Reaper()

    def see_through(
        self,
        child: Child,
        family: ProcessFamily,
        limits: Limits,
        streams: Streams,
        written: Footprint,
    ) -> Ending:
        """Return how a program ended, of its own or by a limit; raise Killed if it was given up.

        Whatever it was, nothing of it runs any more.
        """
        has_ended = False
        try:
            limit = self.watch(child, family, limits, streams, written)
            has_ended = not limit
            seconds = monotonic() - child.started
        finally:
            status = self.end(child, family, has_ended=has_ended)
        return Ending(status, seconds, limit, *streams.read())

    def wait_for(self, descriptors: tuple[int, ...], *, seconds: float) -> set[int]:
        """Return which of some descriptors can be read by then; raise Killed if given up."""
        poll, end = self._interrupter.poll, monotonic() + seconds
        for each in descriptors:
            poll.register(each, select.POLLIN)
        try:
            while (left := end - monotonic()) > 0:
                ready = {descriptor for descriptor, _ in poll.poll(left * 1000)}
                if not ready.issubset(descriptors):
                    self._interrupter.look()
                if found := ready.intersection(descriptors):
                    return found
        finally:
            for each in descriptors:
                poll.unregister(each)
        return set()

    def close(self) -> None:
        """Close the descriptors."""
        self._reaper.close()

    def watch(
        self,
        awaited: Awaited,
        family: ProcessFamily,
        limits: Limits,
        streams: Streams,
        written: Footprint,
    ) -> LimitHit:
        """Wait for it; return the limit that was run into before, and raise if given up."""
        deadline = awaited.started + limits.timeout
        pause, looks = _PAUSES[0], 0
        usage: DiskUsage | None = None
        if HAS_PIDFD:
            self._interrupter.poll.register(awaited.descriptor, select.POLLIN)
        try:
            while (now := monotonic()) < deadline:
                if self._waited(awaited, min(pause, deadline - now)):
                    return ""
                before = monotonic()
                is_talkative = streams.cut()
                processes = self._reaper.processes(family)
                if len(processes) > limits.processes:
                    return "processes"
                usage = usage or DiskUsage(written, limits.disk, streams.standard)
                if usage.is_exceeded(processes):
                    return "disk"
                looks += 1
                cost = monotonic() - before
                pause = max(_PAUSES[min(looks, len(_PAUSES) - 1)], _LOOKING_SHARE * cost)
                if is_talkative:
                    pause = _SHORT_PAUSE
        finally:
            if HAS_PIDFD:
                self._interrupter.poll.unregister(awaited.descriptor)
        return "timeout"

    def _waited(self, awaited: Awaited, seconds: float) -> bool:
        """Wait for so long at most; tell whether it is there, raise Killed if it was given up."""
        poll, end = self._interrupter.poll, monotonic() + seconds
        has_ended = False
        while not has_ended and seconds > 0:
            pause = seconds if HAS_PIDFD else min(_POLLING_PAUSE, seconds)
            ready = poll.poll(pause * 1000)
            if HAS_PIDFD:
                has_ended = any(descriptor == awaited.descriptor for descriptor, _ in ready)
            else:
                has_ended = awaited.has_ended()
            if len(ready) > (has_ended and HAS_PIDFD):
                self._interrupter.look()
            seconds = end - monotonic()
        return has_ended

    def end(self, child: Child, family: ProcessFamily, *, has_ended: bool) -> int:
        """End whatever is left of a run, and return the status of its first process."""
        try:
            if not has_ended or not self._reaper.is_over(family):
                self._reaper.end(family)
            return child.status()
        finally:
            child.close()
