"""Several tests at a time on this machine, each at a bench of its own."""

import atexit
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from wynot.runners.bench import Bench
from wynot.runners.descriptors import allow
from wynot.runners.reaper import Survivors
from wynot.runners.workdir import Root

Job = TypeVar("Job")
Answer = TypeVar("Answer")


class Task(Future[Answer]):
    """The answer to a job; cancelling it kills what the job runs."""

    bench: Bench | None = None
    killed = False

    def cancel(self) -> bool:
        """Give the job up: at once if it waits, by killing it if it runs.

        A job that runs is done, and its place free, only when nothing of it is left.
        """
        if super().cancel():
            return True
        # Set before it began to run: so it is there if it runs, and is no longer at it if it ended.
        if self.bench is not None and self.bench.kill(self):
            self.killed = True
        return self.killed

    def cancelled(self) -> bool:
        """Tell whether it was given up."""
        return self.killed or super().cancelled()


def _tell(done: "list[tuple[Task[Answer], Answer]]") -> None:
    """Let answers be known."""
    while done:
        task, answer = done.pop(0)
        task.set_result(answer)


def _nothing(_job: object, _answer: object) -> None:
    """Do nothing."""


def _never(_answer: object) -> bool:
    """Say no."""
    return False


class Local(Generic[Job, Answer]):
    """Jobs in threads, each with a bench to run commands at."""

    def __init__(
        self,
        width: int,
        ask: Callable[[Job, Bench], Answer],
        room: int = 0,
        settle: Callable[[Job, Answer], None] = _nothing,
        can_wait: Callable[[Answer], bool] = _never,
    ) -> None:
        """Take what does a job at a bench, and what is done with its answer before it is known.

        ``room`` are the bytes that one candidate may need. An answer that ``can_wait`` is told
        together with others, as long as there is enough to do without whoever waits for it: each
        time that one thread wakes another costs a good part of a short test.
        """
        self.width = width
        self._ask = ask
        self._settle = settle
        self._can_wait = can_wait
        allow(width)
        self._root = Root.make(width=width, room=room)
        self.benches: Sequence[Bench] = [Bench(self._root, str(each)) for each in range(width)]
        self._asked: SimpleQueue[tuple[Task[Answer], Job] | None] = SimpleQueue()
        self._at_work = width
        self._is_closed = False
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._work, args=(bench,), name="wynot", daemon=True)
            for bench in self.benches
        ]
        for thread in self._threads:
            thread.start()
        atexit.register(self.close, wait=True)  # the threads are daemons, their tests must not be

    def submit(self, job: Job) -> Future[Answer]:
        """Hand a job to a bench that is free, or will be."""
        task = Task[Answer]()
        self._asked.put((task, job))
        return task

    def close(self, *, wait: bool) -> None:
        """Kill what runs, cancel what waits; with wait, return when all is gone."""
        self._is_closed = True
        for bench in self.benches:
            bench.kill()
        for _ in self._threads:
            self._asked.put(None)
        if wait:
            for thread in self._threads:
                thread.join()
            atexit.unregister(self.close)

    def _work(self, bench: Bench) -> None:
        """Do what is asked at one bench; the last one to leave removes the root."""
        done: list[tuple[Task[Answer], Answer]] = []
        while (asked := self._next(done)) is not None:
            self._do(*asked, bench, done)
        bench.close()
        with self._lock:
            self._at_work -= 1
            is_last = not self._at_work
        if is_last:
            self._root.close()

    def _next(self, done: list[tuple[Task[Answer], Answer]]) -> tuple[Task[Answer], Job] | None:
        """Return the next job; before it waits for one, tell what is done."""
        with suppress(Empty):
            return self._asked.get_nowait()
        _tell(done)
        return self._asked.get()

    def _do(
        self, task: Task[Answer], job: Job, bench: Bench, done: list[tuple[Task[Answer], Answer]]
    ) -> None:
        task.bench = bench
        bench.begin(task)
        if self._is_closed:
            task.cancel()
        if not task.set_running_or_notify_cancel():
            bench.finish()
            return
        try:
            answer = self._ask(job, bench)
            self._settle(job, answer)
            may_wait = self._can_wait(answer)
        except BaseException as error:  # noqa: BLE001 - it is the business of whoever asked
            task.killed = bench.finish() and not isinstance(error, Survivors)
            task.set_exception(CancelledError() if task.killed else error)
            return
        task.killed = bench.finish()
        if task.killed:
            task.set_exception(CancelledError())
            return
        done.append((task, answer))
        # Whoever waits for it would now compete with the start of the next test for the
        # interpreter: so it is told when that runs, which is soon.
        bench.meanwhile = partial(_tell, done)
        bench.can_wait = may_wait and self._asked.qsize() >= self.width
