"""Errands under way: one thread begins them, and waits for all of them at once."""

import select
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

from wynot.core.ending import Ending
from wynot.runners.agent_connection import AgentLost
from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.errand import Errand, Job
from wynot.runners.racing_sandbox import RacingSandbox
from wynot.runners.sandbox import Sandbox
from wynot.runners.seats import Seat, SubmittedJob

LOOK_SECONDS = 1.0
"""Seconds between two looks at which of them take long."""


class Errands:
    """What its owner's thread has begun; other threads only wake it."""

    def __init__(self) -> None:
        self._under_way: dict[int, tuple[Seat, SubmittedJob]] = {}
        self._looked = 0.0
        self._poll = select.poll()
        self._ours, self._theirs = socket.socketpair()
        for each in (self._ours, self._theirs):
            each.settimeout(0)
        self._poll.register(self._ours, select.POLLIN)

    def begin(self, seat: Seat, asked: SubmittedJob) -> None:
        """Begin an errand at a seat; raise what keeps it from being begun."""
        assert asked.errand is not None  # noqa: S101 - who calls it has looked
        asked.errand.begin(seat.sandbox)
        descriptor = seat.sandbox.descriptor
        self._under_way[descriptor] = seat, asked
        self._poll.register(descriptor, seat.sandbox.events)

    def ended(self, seconds: float) -> Iterator[tuple[Seat, SubmittedJob, Ending | Exception]]:
        """Wait so long at most, until some have ended or somebody wakes us; go through those.

        That a large candidate or a long output is on its way does not end the wait.
        """
        end = monotonic() + seconds
        is_waiting = True
        while is_waiting and (ready := self._ready(end - monotonic())):
            for descriptor, _ in ready:
                if descriptor == self._ours.fileno():
                    is_waiting = False
                    with suppress(BlockingIOError):
                        self._ours.recv(1 << 12)
                    continue
                seat, asked = self._under_way[descriptor]
                outcome: Ending | Exception | None
                try:
                    outcome = seat.sandbox.ended()
                except Exception as error:  # noqa: BLE001 - it is what came of it
                    outcome = error
                if outcome is not None:
                    is_waiting = False
                    self._forget(descriptor)
                    yield seat, asked, outcome
            if monotonic() > end:
                return
        if is_waiting:
            yield from self._lifeless()

    def _ready(self, seconds: float) -> list[tuple[int, int]]:
        for descriptor, (seat, _) in self._under_way.items():
            self._poll.modify(descriptor, seat.sandbox.events)
        return self._poll.poll(max(0.0, seconds) * 1000)

    def _lifeless(self) -> Iterator[tuple[Seat, SubmittedJob, Exception]]:
        """Go through those whose agents give no sign of life."""
        for descriptor, (seat, asked) in list(self._under_way.items()):
            try:
                seat.sandbox.require_life()
            except AgentLost as error:
                self._forget(descriptor)
                yield seat, asked, error

    def take_slow(self) -> list[tuple[Seat, SubmittedJob]]:
        """Return those that take suspiciously long: a thread waits for them from now on."""
        if monotonic() - self._looked < LOOK_SECONDS:
            return []
        self._looked = monotonic()
        slow = {
            descriptor: (seat, asked)
            for descriptor, (seat, asked) in self._under_way.items()
            if isinstance(seat.sandbox, RacingSandbox) and seat.sandbox.is_slow
        }
        for descriptor in slow:
            self._forget(descriptor)
        return [*slow.values()]

    def take_all(self) -> list[tuple[Seat, SubmittedJob]]:
        """Return all that are under way: somebody else waits for them from now on."""
        taken = list(self._under_way.items())
        for descriptor, _ in taken:
            self._forget(descriptor)
        return [each for _, each in taken]

    def wake(self) -> None:
        """End the wait of whoever waits; any thread may do that."""
        with suppress(BlockingIOError):  # it is awake, or will be
            self._theirs.send(b"\0")

    def close(self) -> None:
        """Close the descriptors."""
        self._ours.close()
        self._theirs.close()

    def _forget(self, descriptor: int) -> None:
        del self._under_way[descriptor]
        self._poll.unregister(descriptor)


def waited_for(asked: SubmittedJob) -> Job[Any]:
    """Return the job of waiting for an errand that was begun, and of all that is left to do."""
    assert asked.errand is not None  # noqa: S101 - it was begun as one
    return partial(_waited, asked.errand, asked.job)


def _waited(errand: Errand[Any], whole: Job[Any], sandbox: Sandbox) -> Any:
    assert isinstance(sandbox, AgentSandbox)  # noqa: S101 - as the one that it was begun in
    if not sandbox.is_asked:  # that was done before, and the agent was lost
        return whole(sandbox)
    outcome: Ending | Exception | None = None
    try:
        while outcome is None:
            outcome = sandbox.ended(wait=True)
    except Exception as error:  # noqa: BLE001 - it is what came of it
        outcome = error
    rest = errand.rest(outcome)
    return errand.conclude(outcome, sandbox) if rest is None else rest(sandbox)
