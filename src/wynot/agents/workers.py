"""Several tests at a time, each by an agent of its own: on this machine, if no other is named."""

import atexit
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from heapq import heapify, heappop, heappush
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeAlias, TypeVar

from wynot.agents.agent_source import AgentSource, AgentStarter, allow
from wynot.agents.kill_switch import KillSwitch
from wynot.agents.sandbox import AgentLost, Sandbox, SharedFolder
from wynot.core.errors import TooManyOpenFiles
from wynot.wire.run_request import Survivors

Answer = TypeVar("Answer")

NAP_SECONDS = 0.2
"""Seconds that a wait for a task takes at most: a signal that comes just before it blocks is seen
only when it wakes."""


class Task(Future[Answer]):
    """The answer to a job; cancelling it kills what the job runs."""

    switch: KillSwitch | None = None
    killed = False
    go_ahead: threading.Event | None = None
    """What it waits for once all is ready, if it is to wait."""

    @property
    def waits(self) -> bool:
        """Whether it has not run anything that counts, since nobody has asked for it."""
        return self.go_ahead is not None and not self.go_ahead.is_set()

    def ask(self) -> None:
        """Let it run: its answer is what is needed next."""
        if self.go_ahead is not None:
            self.go_ahead.set()

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


LANES_PER_AGENT = 2
"""How many sandboxes an agent has: in the second a short test is made ready while one runs."""


Job: TypeAlias = Callable[[Sandbox], Answer]
"""Whatever is done in a sandbox, and comes to an answer."""


class SubmittedJob(NamedTuple):
    """A job that somebody waits for."""

    task: Task[Any]
    job: Job[Any]
    is_short: bool = False


class Lane:
    """A sandbox of an agent, and the thread that works in it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.is_taken = False
        self.jobs: SimpleQueue[SubmittedJob | None] = SimpleQueue()
        self.thread: threading.Thread | None = None


class AgentLanes:
    """An agent, started when it is needed, and its lanes."""

    def __init__(self, agents: AgentSource, shared: SharedFolder, number: int, room: int) -> None:
        self._agents = agents
        self._lock = threading.Lock()
        self._free: dict[int, socket.socket] = {}
        make = partial(
            Sandbox, shared=shared, worker=number, room=room, preload=lambda: agents.preload
        )
        self.lanes = [Lane(make(partial(self._connect, each))) for each in range(LANES_PER_AGENT)]

    def free_lanes(self) -> list[Lane]:
        """Return those that nobody has taken."""
        return [each for each in self.lanes if not each.is_taken]

    @property
    def is_used_once(self) -> bool:
        """Whether all lanes but one are free."""
        return len(self.free_lanes()) == LANES_PER_AGENT - 1

    def close(self) -> None:
        """Close the connections that nobody has taken."""
        for each in self._free.values():
            each.close()

    def _connect(self, lane: int) -> socket.socket:
        """Return the connection of a lane: to a new agent if it has had that of this one."""
        with self._lock:
            if lane not in self._free:
                self.close()
                self._free = dict(enumerate(self._agents.connect(LANES_PER_AGENT)))
            return self._free.pop(lane)


class LanePool:
    """All lanes of all agents. Its owner sees to it that one thread at a time calls it.

    The first agents are taken first: those that are never needed are never started. Which ones are
    free is looked up in heaps of numbers, where what is no longer so is passed over.
    """

    def __init__(self, agents: Sequence[AgentLanes]) -> None:
        self._agents = agents
        self._idle = list(range(len(agents)))
        self._busy: list[int] = []
        heapify(self._idle)

    def add(self) -> None:
        """Take note that there is one agent more."""
        heappush(self._idle, len(self._agents) - 1)

    @property
    def all(self) -> list[Lane]:
        """Each of them."""
        return [lane for agent in self._agents for lane in agent.lanes]

    def take(self, *, is_short: bool) -> Lane | None:
        """Take a lane of an agent that has nothing to do, or for a short job of any other."""
        lane = self._found(self._idle, lambda free: free == LANES_PER_AGENT)
        if lane is None and is_short:
            lane = self._found(self._busy, bool)
        if lane is not None:
            lane.is_taken = True
            self._note(lane.sandbox.worker)
        return lane

    def leave(self, lane: Lane) -> None:
        """Give a lane back."""
        lane.is_taken = False
        self._note(lane.sandbox.worker)

    def _note(self, number: int) -> None:
        free = len(self._agents[number].free_lanes())
        if free:
            heappush(self._idle if free == LANES_PER_AGENT else self._busy, number)

    def _found(self, heap: list[int], will_do: Callable[[int], bool]) -> Lane | None:
        while heap:
            free = self._agents[heappop(heap)].free_lanes()
            if will_do(len(free)):
                return free[0]
        return None


SHARED_BLAME = 4
"""How many times as many agents a job may cost that is not the only one of its agent."""


class LocalWorkers:
    """Jobs in threads, each with a sandbox to run commands in.

    The thread that has made it submits and closes; the threads of the lanes do the jobs. What a
    lost agent was at is done again by another one.
    """

    # Who owns a lane. `LanePool` is called under the lock, so a lane has one owner at a time:
    #
    #            submit: take              jobs.put                job ends, or is killed
    #     free ───────────────▶ submitter ──────────▶ lane's thread ──────────────┐
    #      ▲                        ▲                                             │ _leave: leave
    #      │ nothing waits          │ a job waits: take the lane, or another one  ▼
    #      └────────────────────────┴──────────────────────────────────── the same thread
    #
    # Only the lane's thread uses its sandbox. Any thread may kill the job there by its switch, and
    # names the task: so a kill that comes too late does not meet the next job.

    def __init__(self, width: int, room: int = 0, agents: AgentSource | None = None) -> None:
        """Have so many agents; ``room`` are the bytes that one candidate may need."""
        self._width = width
        allow(width)
        self._agents = agents or AgentStarter()
        self._shared = SharedFolder(width * room)
        self._make_agent = partial(AgentLanes, self._agents, self._shared, room=width * room)
        self._workers = [self._make_agent(each) for each in range(width)]
        self._lanes = LanePool(self._workers)
        self._waiting: deque[SubmittedJob] = deque()
        self._is_closed = False
        self._lock = threading.Lock()
        self._left = threading.Condition(self._lock)
        atexit.register(self.close, wait=True)  # the threads are daemons, their tests must not be

    @property
    def width(self) -> int:
        """How many jobs are done at once: more when slots have joined; who submits reads it."""
        if self._agents.slots > self._width:
            self._grow()
        return self._width

    def submit(self, job: Job[Answer], *, is_short: bool = False) -> Task[Answer]:
        """Hand a job to a worker that is free, or will be; a short one may be made ready before."""
        task = Task[Answer]()
        submitted = SubmittedJob(task, job, is_short)
        with self._lock:
            lane = None if self._waiting else self._lanes.take(is_short=is_short)
            if lane is None:
                self._waiting.append(submitted)
        if lane is not None:
            self._hand_over(lane, submitted)
        return task

    def drain(self) -> None:
        """Wait until nothing is done any more; who submits calls it, and has given up all."""
        with self._left:
            while any(lane.is_taken for lane in self._lanes.all):
                self._left.wait(NAP_SECONDS)

    def _grow(self) -> None:
        """Have an agent for each slot that has joined."""
        with suppress(TooManyOpenFiles):  # those that there are will do
            allow(self._agents.slots)
            with self._lock:
                while self._width < self._agents.slots:
                    self._workers.append(self._make_agent(self._width))
                    self._lanes.add()
                    self._width += 1

    def close(self, *, wait: bool) -> None:
        """Kill what runs, cancel what waits; with wait, return when all is gone."""
        with self._lock:
            self._is_closed = True
            waiting = [*self._waiting]
            self._waiting.clear()
        for submitted in waiting:
            submitted.task.cancel()
            submitted.task.set_running_or_notify_cancel()
        threads = [lane.thread for lane in self._lanes.all if lane.thread is not None]
        for lane in self._lanes.all:
            lane.sandbox.switch.kill()
            lane.jobs.put(None)
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

    def _hand_over(self, lane: Lane, submitted: SubmittedJob) -> None:
        """Let the thread of a lane do a job."""
        lane.jobs.put(submitted)
        if lane.thread is None:
            lane.thread = threading.Thread(
                target=self._work, args=(lane,), name="wynot", daemon=True
            )
            lane.thread.start()

    def _work(self, lane: Lane) -> None:
        while (submitted := lane.jobs.get()) is not None:
            if self._has_begun(submitted, lane.sandbox):
                self._do(submitted, lane.sandbox)
            self._leave(lane)
        lane.sandbox.close()

    def _leave(self, lane: Lane) -> None:
        """Take the next job that this leaves room for."""
        with self._lock:
            self._lanes.leave(lane)
            self._left.notify_all()
            free = None
            if self._waiting:
                free = self._lanes.take(is_short=self._waiting[0].is_short)
                submitted = self._waiting.popleft() if free else None
        if free is not None and submitted is not None:
            self._hand_over(free, submitted)

    def _has_begun(self, submitted: SubmittedJob, sandbox: Sandbox) -> bool:
        """Begin a job, unless it was given up."""
        task = submitted.task
        task.switch = sandbox.switch
        sandbox.switch.begin(task)
        if self._is_closed:
            task.cancel()
        if task.set_running_or_notify_cancel():
            return True
        sandbox.switch.finish()
        return False

    def _do(self, submitted: SubmittedJob, sandbox: Sandbox) -> None:
        task, failure, answer = submitted.task, None, None
        try:
            answer = self._done(submitted.job, sandbox)
        except BaseException as error:  # noqa: BLE001 - it is the business of whoever submitted
            failure = error
        task.killed = sandbox.switch.finish() and not isinstance(failure, Survivors)
        if task.killed:
            task.set_exception(CancelledError())
        elif failure is not None:
            task.set_exception(failure)
        else:
            task.set_result(answer)

    def _done(self, job: Job[Answer], sandbox: Sandbox) -> Answer:
        """Do a job; again with another agent if that was lost, for it is hardly the job's fault."""
        losses = 0
        while True:
            try:
                return job(sandbox)
            except AgentLost as error:
                sandbox.switch.require_on()
                losses += 1
                is_alone = self._workers[sandbox.worker].is_used_once
                most = self._agents.max_losses * (1 if is_alone else SHARED_BLAME)
                if losses >= most:
                    raise AgentLost(
                        f"the agent that runs a test has ended {losses} times in a row",
                        hint="does the test kill it? Is memory short? The same command again "
                        "continues",
                    ) from error


class LoneSandbox(Sandbox):
    """For the thread that has made it. When it is closed, all of it is gone."""

    def __init__(self) -> None:
        self._starter = AgentStarter()
        super().__init__(lambda: self._starter.connect(1)[0], SharedFolder())

    def close(self) -> None:
        """Let the agent go, and wait for its end."""
        super().close()
        self._shared.close()
        self._starter.close(wait=True)
