"""Several tests at a time on this machine, each at a bench of its own."""

import atexit
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from queue import SimpleQueue
from typing import Generic, TypeVar

from wynot.runners.bench import Bench
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


class Local(Generic[Job, Answer]):
    """Jobs in threads, each with a bench to run commands at."""

    def __init__(self, width: int, ask: Callable[[Job, Bench], Answer], room: int = 0) -> None:
        self.width = width
        self._ask = ask
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
        while (asked := self._asked.get()) is not None:
            self._do(*asked, bench)
        bench.close()
        with self._lock:
            self._at_work -= 1
            is_last = not self._at_work
        if is_last:
            self._root.close()

    def _do(self, task: Task[Answer], job: Job, bench: Bench) -> None:
        task.bench = bench
        bench.begin(task)
        if self._is_closed:
            task.cancel()
        if not task.set_running_or_notify_cancel():
            bench.finish()
            return
        try:
            answer = self._ask(job, bench)
        except BaseException as error:  # noqa: BLE001 - it is the business of whoever asked
            task.killed = bench.finish() and not isinstance(error, Survivors)
            task.set_exception(CancelledError() if task.killed else error)
        else:
            task.killed = bench.finish()
            if task.killed:
                task.set_exception(CancelledError())
            else:
                task.set_result(answer)
