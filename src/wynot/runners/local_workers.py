"""Several tests at a time, each by an agent of its own: on this machine, if no other is named."""

import atexit
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import partial

from wynot.core.errors import TooManyOpenFiles
from wynot.runners.agent_connection import AgentLost
from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.agent_source import AgentSource, AgentStarter, allow
from wynot.runners.reaper import Survivors
from wynot.runners.sandbox import Sandbox
from wynot.runners.seats import (
    NAP_SECONDS,
    Answer,
    Job,
    Seat,
    SeatedAgent,
    Seats,
    SubmittedJob,
    Task,
)
from wynot.runners.shared_folder import SharedFolder

SHARED_BLAME = 4
"""How many times as many agents a job may cost that is not the only one of its agent."""


class LocalWorkers:
    """Jobs in threads, each with a sandbox to run commands in.

    The thread that has made it submits and closes; the threads of the seats do the jobs. What a
    lost agent was at is done again by another one.
    """

    def __init__(self, width: int, room: int = 0, agents: AgentSource | None = None) -> None:
        """Have so many agents; ``room`` are the bytes that one candidate may need."""
        self._width = width
        allow(width)
        self._agents = agents or AgentStarter()
        self._shared = SharedFolder(width * room)
        self._seat_agent = partial(SeatedAgent, self._agents, self._shared, room=width * room)
        self._workers = [self._seat_agent(each) for each in range(width)]
        self._seats = Seats(self._workers)
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

    @property
    def sandboxes(self) -> Sequence[Sandbox]:
        """The first of each worker."""
        return [each.seats[0].sandbox for each in self._workers]

    def submit(self, job: Job[Answer], *, is_short: bool = False) -> Task[Answer]:
        """Hand a job to a worker that is free, or will be; a short one may be made ready before."""
        task = Task[Answer]()
        asked = SubmittedJob(task, job, is_short)
        with self._lock:
            seat = None if self._waiting else self._seats.take(is_short=is_short)
            if seat is None:
                self._waiting.append(asked)
        if seat is not None:
            self._hand_over(seat, asked)
        return task

    def drain(self) -> None:
        """Wait until nothing is done any more; who submits calls it, and has given up all."""
        with self._left:
            while any(seat.is_taken for seat in self._seats.all):
                self._left.wait(NAP_SECONDS)

    def _grow(self) -> None:
        """Have an agent for each slot that has joined."""
        with suppress(TooManyOpenFiles):  # those that there are will do
            allow(self._agents.slots)
            with self._lock:
                while self._width < self._agents.slots:
                    self._workers.append(self._seat_agent(self._width))
                    self._seats.add()
                    self._width += 1

    def close(self, *, wait: bool) -> None:
        """Kill what runs, cancel what waits; with wait, return when all is gone."""
        with self._lock:
            self._is_closed = True
            waiting = [*self._waiting]
            self._waiting.clear()
        for asked in waiting:
            asked.task.cancel()
            asked.task.set_running_or_notify_cancel()
        threads = [seat.thread for seat in self._seats.all if seat.thread is not None]
        for seat in self._seats.all:
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

    def _hand_over(self, seat: Seat, asked: SubmittedJob) -> None:
        """Let the thread of a seat do a job."""
        seat.asked.put(asked)
        if seat.thread is None:
            seat.thread = threading.Thread(
                target=self._work, args=(seat,), name="wynot", daemon=True
            )
            seat.thread.start()

    def _work(self, seat: Seat) -> None:
        while (asked := seat.asked.get()) is not None:
            if self._has_begun(asked, seat.sandbox):
                self._do(asked, seat.sandbox)
            self._leave(seat)
        seat.sandbox.close()

    def _leave(self, seat: Seat) -> None:
        """Take the next job that this leaves room for."""
        with self._lock:
            self._seats.leave(seat)
            self._left.notify_all()
            free = None
            if self._waiting:
                free = self._seats.take(is_short=self._waiting[0].is_short)
                asked = self._waiting.popleft() if free else None
        if free is not None and asked is not None:
            self._hand_over(free, asked)

    def _has_begun(self, asked: SubmittedJob, sandbox: AgentSandbox) -> bool:
        """Begin a job, unless it was given up."""
        task = asked.task
        task.switch = sandbox.switch
        sandbox.switch.begin(task)
        if self._is_closed:
            task.cancel()
        if task.set_running_or_notify_cancel():
            return True
        sandbox.switch.finish()
        return False

    def _do(self, asked: SubmittedJob, sandbox: AgentSandbox) -> None:
        task, failure, answer = asked.task, None, None
        try:
            answer = self._done(asked.job, sandbox)
        except BaseException as error:  # noqa: BLE001 - it is the business of whoever asked
            failure = error
        task.killed = sandbox.switch.finish() and not isinstance(failure, Survivors)
        if task.killed:
            task.set_exception(CancelledError())
        elif failure is not None:
            task.set_exception(failure)
        else:
            task.set_result(answer)

    def _done(self, job: Job[Answer], sandbox: AgentSandbox) -> Answer:
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
