"""Several tests at a time, each by an agent of its own: on this machine, if no other is named."""

import atexit
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeAlias, TypeVar

from wynot.runners.agent_sandbox import AgentLost, AgentSandbox
from wynot.runners.agent_source import AgentSource
from wynot.runners.agent_starter import AgentStarter
from wynot.runners.descriptors import allow
from wynot.runners.reaper import Survivors
from wynot.runners.sandbox import Sandbox
from wynot.runners.shared_folder import SharedFolder
from wynot.runners.task import Task

Answer = TypeVar("Answer")
Job: TypeAlias = Callable[[Sandbox], Answer]
"""Whatever is done in a sandbox, and comes to an answer."""

AGENT_SEATS = 2
"""How many sandboxes an agent has: in the second a short test is made ready while one runs."""


class _Asked(NamedTuple):
    task: Task[Any]
    job: Job[Any]
    is_short: bool


class _Worker:
    """An agent, started when it is needed, and its seats."""

    def __init__(self, agents: AgentSource, shared: SharedFolder, number: int, room: int) -> None:
        self._agents = agents
        self._lock = threading.Lock()
        self._free: dict[int, socket.socket] = {}
        self.seats = [
            _Seat(AgentSandbox(partial(self._connect, each), shared, worker=number, room=room))
            for each in range(AGENT_SEATS)
        ]

    def seat_for(self, *, is_short: bool) -> "_Seat | None":
        """Return a seat where a job can be done now, or soon if it is a short one."""
        free = [each for each in self.seats if not each.is_taken]
        return free[0] if len(free) == AGENT_SEATS or (free and is_short) else None

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


class _Seat:
    """A sandbox of an agent, and the thread that works in it."""

    def __init__(self, sandbox: AgentSandbox) -> None:
        self.sandbox = sandbox
        self.is_taken = False
        self.asked: SimpleQueue[_Asked | None] = SimpleQueue()
        self.thread: threading.Thread | None = None


class LocalWorkers:
    """Jobs in threads, each with a sandbox to run commands in.

    The thread that has made it submits and closes; jobs are done by the threads of the seats. What
    a lost agent was at is done again by another one.
    """

    def __init__(self, width: int, room: int = 0, agents: AgentSource | None = None) -> None:
        """Have so many agents; ``room`` are the bytes that one candidate may need."""
        self.width = width
        allow(width)
        self._agents = agents or AgentStarter()
        self._shared = SharedFolder(width * room)
        self._workers = [
            _Worker(self._agents, self._shared, each, width * room) for each in range(width)
        ]
        self._waiting: deque[_Asked] = deque()
        self._is_closed = False
        self._lock = threading.Lock()
        atexit.register(self.close, wait=True)  # the threads are daemons, their tests must not be

    @property
    def sandboxes(self) -> Sequence[Sandbox]:
        """The first of each worker."""
        return [each.seats[0].sandbox for each in self._workers]

    def submit(self, job: Job[Answer], *, is_short: bool = False) -> Task[Answer]:
        """Hand a job to a worker that is free, or will be; a short one may be made ready before."""
        task = Task[Answer]()
        asked = _Asked(task, job, is_short)
        with self._lock:
            seat = None if self._waiting else self._seat(is_short=is_short)
            if seat is None:
                self._waiting.append(asked)
            else:
                self._seat_at(seat, asked)
        return task

    def close(self, *, wait: bool) -> None:
        """Kill what runs, cancel what waits; with wait, return when all is gone."""
        with self._lock:
            self._is_closed = True
            waiting = [*self._waiting]
            self._waiting.clear()
        for asked in waiting:
            asked.task.cancel()
            asked.task.set_running_or_notify_cancel()
        seats = [seat for worker in self._workers for seat in worker.seats]
        threads = [seat.thread for seat in seats if seat.thread is not None]
        for seat in seats:
            seat.sandbox.switch.kill()
            seat.asked.put(None)
        self._agents.wake()
        if wait:
            for thread in threads:
                thread.join()
        for worker in self._workers:
            worker.close()
        self._agents.close(wait=wait)
        self._shared.close()
        if wait:
            atexit.unregister(self.close)

    def _seat(self, *, is_short: bool) -> _Seat | None:
        """Return a seat for a job: with an agent that has nothing to do, if there is one."""
        found = [worker.seat_for(is_short=False) for worker in self._workers]
        if is_short and not any(found):
            found = [worker.seat_for(is_short=True) for worker in self._workers]
        return next((seat for seat in found if seat is not None), None)

    def _seat_at(self, seat: _Seat, asked: _Asked) -> None:
        seat.is_taken = True
        seat.asked.put(asked)
        if seat.thread is None:
            seat.thread = threading.Thread(
                target=self._work, args=(seat,), name="wynot", daemon=True
            )
            seat.thread.start()

    def _work(self, seat: _Seat) -> None:
        while (asked := seat.asked.get()) is not None:
            self._do(asked.task, asked.job, seat.sandbox)
            self._leave(seat)
        seat.sandbox.close()

    def _leave(self, seat: _Seat) -> None:
        """Take the next job that this leaves room for."""
        with self._lock:
            seat.is_taken = False
            if self._waiting:
                free = self._seat(is_short=self._waiting[0].is_short)
                if free is not None:
                    self._seat_at(free, self._waiting.popleft())

    def _do(self, task: Task[Answer], job: Job[Answer], sandbox: AgentSandbox) -> None:
        task.switch = sandbox.switch
        sandbox.switch.begin(task)
        if self._is_closed:
            task.cancel()
        if not task.set_running_or_notify_cancel():
            sandbox.switch.finish()
            return
        try:
            answer = self._done(job, sandbox)
        except BaseException as error:  # noqa: BLE001 - it is the business of whoever asked
            task.killed = sandbox.switch.finish() and not isinstance(error, Survivors)
            task.set_exception(CancelledError() if task.killed else error)
            return
        task.killed = sandbox.switch.finish()
        if task.killed:
            task.set_exception(CancelledError())
        else:
            task.set_result(answer)

    def _done(self, job: Job[Answer], sandbox: AgentSandbox) -> Answer:
        """Do a job; again with another agent if that was lost, for it is hardly the job's fault."""
        for _ in range(self._agents.max_losses):
            try:
                return job(sandbox)
            except AgentLost:
                sandbox.switch.require_on()
        raise AgentLost(
            f"the agent that runs a test has ended {self._agents.max_losses} times in a row",
            hint="does the test kill it? Is memory short? The same command again continues",
        )
