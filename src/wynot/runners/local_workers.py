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
from wynot.runners.agent_source import AgentSource
from wynot.runners.agent_starter import AgentStarter
from wynot.runners.descriptors import allow
from wynot.runners.errand import Answer, Errand, Job
from wynot.runners.errands import Errands, waited_for
from wynot.runners.reaper import Survivors
from wynot.runners.sandbox import Sandbox
from wynot.runners.seats import Seat, SeatedAgent, Seats, SubmittedJob
from wynot.runners.shared_folder import SharedFolder
from wynot.runners.task import NAP_SECONDS, Task

SHARED_BLAME = 4
"""How many times as many agents a job may cost that is not the only one of its agent."""


class LocalWorkers:
    """Jobs in threads, each with a sandbox to run commands in.

    The thread that has made it submits and closes. Jobs are done by the threads of the seats, but
    errands by whoever submits them, while he attends. What a lost agent was at is done again by
    another one.
    """

    def __init__(self, width: int, room: int = 0, agents: AgentSource | None = None) -> None:
        """Have so many agents; ``room`` are the bytes that one candidate may need."""
        self.width = width
        allow(width)
        self._agents = agents or AgentStarter()
        self._shared = SharedFolder(width * room)
        self._seat_agent = partial(SeatedAgent, self._agents, self._shared, room=width * room)
        self._workers = [self._seat_agent(each) for each in range(width)]
        self._seats = Seats(self._workers)
        self._errands = Errands()
        self._waiting: deque[SubmittedJob] = deque()
        self._is_closed = False
        self._lock = threading.Lock()
        atexit.register(self.close, wait=True)  # the threads are daemons, their tests must not be

    @property
    def sandboxes(self) -> Sequence[Sandbox]:
        """The first of each worker."""
        return [each.seats[0].sandbox for each in self._workers]

    def submit(
        self, job: Job[Answer], *, is_short: bool = False, errand: Errand[Answer] | None = None
    ) -> Task[Answer]:
        """Hand a job to a worker that is free, or will be; a short one may be made ready before.

        One that is an errand is done while somebody attends; any other may be waited for at once.
        """
        task = Task[Answer]()
        asked = SubmittedJob(task, job, is_short, errand)
        if errand is None:
            self._hand_over_errands()
        with self._lock:
            seat = None if self._waiting else self._seats.take(is_short=is_short)
            if seat is None:
                self._waiting.append(asked)
        if seat is not None:
            self._seat_at(seat, asked, attends=True)
        return task

    def attend(self, seconds: float) -> None:
        """Wait until a task may be done, but no longer than that; who submits calls it."""
        self._grow()
        for seat, asked in self._errands.take_slow():
            self._hand_over(seat, asked._replace(job=waited_for(asked)))
        for seat, asked, outcome in self._errands.ended(seconds):
            errand = asked.errand
            assert errand is not None  # noqa: S101 - as all that are here
            rest = errand.rest(outcome)
            if rest is not None:
                self._hand_over(seat, asked._replace(job=rest))
                continue
            failure, answer = None, None
            try:
                answer = errand.conclude(outcome, seat.sandbox)
            except Exception as error:  # noqa: BLE001 - it is the business of whoever asked
                failure = error
            was_given_up = seat.sandbox.switch.finish()
            self._leave(seat, attends=True)
            _settle(asked.task, failure, was_given_up=was_given_up, answer=answer)

    def drain(self) -> None:
        """Wait until nothing is done any more; who submits calls it, and has given up all."""
        while any(seat.is_taken for seat in self._seats.all):
            self.attend(NAP_SECONDS)

    def _grow(self) -> None:
        """Have an agent for each slot that has joined; the search sees that there are more."""
        if self._agents.slots <= self.width:
            return
        with suppress(TooManyOpenFiles):  # those that there are will do
            allow(self._agents.slots)
            with self._lock:
                while self.width < self._agents.slots:
                    self._workers.append(self._seat_agent(self.width))
                    self._seats.add()
                    self.width += 1

    def close(self, *, wait: bool) -> None:
        """Kill what runs, cancel what waits; with wait, return when all is gone."""
        with self._lock:
            self._is_closed = True
            waiting = [*self._waiting]
            self._waiting.clear()
        for asked in waiting:
            asked.task.cancel()
            asked.task.set_running_or_notify_cancel()
        self._hand_over_errands()
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
            self._errands.close()
            atexit.unregister(self.close)

    def _seat_at(self, seat: Seat, asked: SubmittedJob, *, attends: bool) -> None:
        """Have a job done at a seat: right here if it is an errand, and we are who attends."""
        if asked.errand is None or not attends or not seat.sandbox.is_ready:
            return self._hand_over(seat, asked)
        if not self._has_begun(asked, seat.sandbox):
            return self._leave(seat, attends=True)
        try:
            self._errands.begin(seat, asked)
        except AgentLost:
            self._hand_over(seat, asked)
        except Exception as error:  # noqa: BLE001 - it is the business of whoever asked
            was_given_up = seat.sandbox.switch.finish()
            self._leave(seat, attends=True)
            _settle(asked.task, error, was_given_up=was_given_up)
        return None

    def _hand_over(self, seat: Seat, asked: SubmittedJob) -> None:
        """Let the thread of a seat do a job, or what is left of it."""
        seat.asked.put(asked)
        if seat.thread is None:
            seat.thread = threading.Thread(
                target=self._work, args=(seat,), name="wynot", daemon=True
            )
            seat.thread.start()

    def _hand_over_errands(self) -> None:
        """Let threads wait for what is under way: nobody attends to it any more."""
        for seat, asked in self._errands.take_all():
            self._hand_over(seat, asked._replace(job=waited_for(asked)))

    def _work(self, seat: Seat) -> None:
        while (asked := seat.asked.get()) is not None:
            if asked.task.running() or self._has_begun(asked, seat.sandbox):
                self._do(asked, seat.sandbox)
            self._leave(seat, attends=False)
            self._errands.wake()
        seat.sandbox.close()

    def _leave(self, seat: Seat, *, attends: bool) -> None:
        """Take the next job that this leaves room for."""
        with self._lock:
            self._seats.leave(seat)
            free = None
            if self._waiting:
                free = self._seats.take(is_short=self._waiting[0].is_short)
                asked = self._waiting.popleft() if free else None
        if free is not None and asked is not None:
            self._seat_at(free, asked, attends=attends)

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
        try:
            answer = self._done(asked.job, sandbox)
        except BaseException as error:  # noqa: BLE001 - it is the business of whoever asked
            _settle(asked.task, error, was_given_up=sandbox.switch.finish())
        else:
            _settle(asked.task, None, was_given_up=sandbox.switch.finish(), answer=answer)

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


def _settle(
    task: Task[Answer],
    error: BaseException | None,
    *,
    was_given_up: bool,
    answer: Answer | None = None,
) -> None:
    """Let whoever waits for a task know what came of it."""
    task.killed = was_given_up and not isinstance(error, Survivors)
    if task.killed:
        task.set_exception(CancelledError())
    elif error is not None:
        task.set_exception(error)
    else:
        task.set_result(answer)  # type: ignore[arg-type] # an answer may itself be None
