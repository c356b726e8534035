"""The seats of some agents: which of them are free, and for what."""

import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from heapq import heapify, heappop, heappush
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeAlias, TypeVar

from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.agent_source import AgentSource
from wynot.runners.kill_switch import KillSwitch
from wynot.runners.sandbox import Sandbox
from wynot.runners.shared_folder import SharedFolder

Answer = TypeVar("Answer")

NAP_SECONDS = 0.2
"""Seconds that a wait for a task takes at most: a signal that comes just before it blocks is seen
only when it wakes."""


class Task(Future[Answer]):
    """The answer to a job; cancelling it kills what the job runs."""

    switch: KillSwitch | None = None
    killed = False
    asked: threading.Event | None = None
    """What it waits for once all is ready, if it is to wait."""

    @property
    def waits(self) -> bool:
        """Whether it has not run anything that counts, since nobody has asked for it."""
        return self.asked is not None and not self.asked.is_set()

    def ask(self) -> None:
        """Let it run: its answer is what is needed next."""
        if self.asked is not None:
            self.asked.set()

    def cancel(self) -> bool:
        """Give the job up: at once if it waits, by killing it if it runs.

        A job that runs is done, and its place free, only when nothing of it is left.
        """
        if super().cancel():
            return True
        # Set before it began to run: so it is there if it runs, and is for another if it ended.
        if self.switch is not None and self.switch.kill(self):
            self.killed = True
        return self.killed

    def cancelled(self) -> bool:
        """Tell whether it was given up."""
        return self.killed or super().cancelled()


AGENT_SEATS = 2
"""How many sandboxes an agent has: in the second a short test is made ready while one runs."""


Job: TypeAlias = Callable[[Sandbox], Answer]
"""Whatever is done in a sandbox, and comes to an answer."""


class SubmittedJob(NamedTuple):
    """A job that somebody waits for."""

    task: Task[Any]
    job: Job[Any]
    is_short: bool = False


class Seat:
    """A sandbox of an agent, and the thread that works in it."""

    def __init__(self, sandbox: AgentSandbox) -> None:
        self.sandbox = sandbox
        self.is_taken = False
        self.asked: SimpleQueue[SubmittedJob | None] = SimpleQueue()
        self.thread: threading.Thread | None = None


class SeatedAgent:
    """An agent, started when it is needed, and its seats."""

    def __init__(self, agents: AgentSource, shared: SharedFolder, number: int, room: int) -> None:
        self._agents = agents
        self._lock = threading.Lock()
        self._free: dict[int, socket.socket] = {}
        make = partial(
            AgentSandbox, shared=shared, worker=number, room=room, stock=lambda: agents.stock
        )
        self.seats = [Seat(make(partial(self._connect, each))) for each in range(AGENT_SEATS)]

    def free_seats(self) -> list[Seat]:
        """Return those that nobody has taken."""
        return [each for each in self.seats if not each.is_taken]

    @property
    def is_used_once(self) -> bool:
        """Whether all seats but one are free."""
        return len(self.free_seats()) == AGENT_SEATS - 1

    def close(self) -> None:
        """Close the connections that nobody has taken."""
        for each in self._free.values():
            each.close()

    def _connect(self, seat: int) -> socket.socket:
        """Return the connection of a seat: to a new agent if it has had that of this one."""
        with self._lock:
            if seat not in self._free:
                self.close()
                self._free = dict(enumerate(self._agents.connect(AGENT_SEATS)))
            return self._free.pop(seat)


class Seats:
    """All seats of all agents. Its owner sees to it that one thread at a time calls it.

    The first agents are taken first: those that are never needed are never started. Which ones are
    free is looked up in heaps of numbers, where what is no longer so is passed over.
    """

    def __init__(self, agents: Sequence[SeatedAgent]) -> None:
        self._agents = agents
        self._idle = list(range(len(agents)))
        self._busy: list[int] = []
        heapify(self._idle)

    def add(self) -> None:
        """Take note that there is one agent more."""
        heappush(self._idle, len(self._agents) - 1)

    @property
    def all(self) -> list[Seat]:
        """Each of them."""
        return [seat for agent in self._agents for seat in agent.seats]

    def take(self, *, is_short: bool) -> Seat | None:
        """Take a seat of an agent that has nothing to do, or for a short job of any other."""
        seat = self._found(self._idle, lambda free: free == AGENT_SEATS)
        if seat is None and is_short:
            seat = self._found(self._busy, bool)
        if seat is not None:
            seat.is_taken = True
            self._note(seat.sandbox.worker)
        return seat

    def leave(self, seat: Seat) -> None:
        """Give a seat back."""
        seat.is_taken = False
        self._note(seat.sandbox.worker)

    def _note(self, number: int) -> None:
        free = len(self._agents[number].free_seats())
        if free:
            heappush(self._idle if free == AGENT_SEATS else self._busy, number)

    def _found(self, heap: list[int], will_do: Callable[[int], bool]) -> Seat | None:
        while heap:
            free = self._agents[heappop(heap)].free_seats()
            if will_do(len(free)):
                return free[0]
        return None
