"""Several tests at a time on this machine, each in a sandbox of its own."""

import atexit
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias, TypeVar

from wynot.core.verdict import Verdict
from wynot.runners.deferred import Deferred
from wynot.runners.descriptors import allow
from wynot.runners.reaper import Survivors
from wynot.runners.sandbox import Sandbox
from wynot.runners.task import Task
from wynot.runners.workdir import RunFolder

Answer = TypeVar("Answer")
Job: TypeAlias = Callable[[Sandbox], Answer]
"""Whatever is done in a sandbox, and comes to an answer."""


class LocalWorkers:
    """Jobs in threads, each with a sandbox to run commands in.

    The thread that has made it submits and closes; jobs are done by the threads of the workers, one
    for each sandbox.
    """

    def __init__(self, width: int, room: int = 0) -> None:
        """Have so many sandboxes; ``room`` are the bytes that one candidate may need."""
        self.width = width
        allow(width)
        self._root = RunFolder.make(width=width, room=room)
        deferred = [Deferred[Any]() for _ in range(width)]
        self.sandboxes: Sequence[Sandbox] = [
            Sandbox(self._root, str(number), each) for number, each in enumerate(deferred)
        ]
        self._asked: SimpleQueue[tuple[Task[Any], Job[Any]] | None] = SimpleQueue()
        self._at_work = width
        self._is_closed = False
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._work, args=each, name="wynot", daemon=True)
            for each in zip(self.sandboxes, deferred, strict=True)
        ]
        for thread in self._threads:
            thread.start()
        atexit.register(self.close, wait=True)  # the threads are daemons, their tests must not be

    def submit(self, job: Job[Answer]) -> Task[Answer]:
        """Hand a job to a sandbox that is free, or will be."""
        task = Task[Answer]()
        self._asked.put((task, job))
        return task

    def close(self, *, wait: bool) -> None:
        """Kill what runs, cancel what waits; with wait, return when all is gone."""
        self._is_closed = True
        for sandbox in self.sandboxes:
            sandbox.switch.kill()
        for _ in self._threads:
            self._asked.put(None)
        if wait:
            for thread in self._threads:
                thread.join()
            atexit.unregister(self.close)

    def _work(self, sandbox: Sandbox, deferred: Deferred[Any]) -> None:
        """Do what is asked in one sandbox; the last one to leave removes the root."""
        while (asked := self._next(deferred)) is not None:
            self._do(*asked, sandbox, deferred)
        deferred.tell()
        sandbox.close()
        with self._lock:
            self._at_work -= 1
            is_last = not self._at_work
        if is_last:
            self._root.close()

    def _next(self, deferred: Deferred[Any]) -> tuple[Task[Any], Job[Any]] | None:
        """Return the next job; before it waits for one, tell what is known."""
        with suppress(Empty):
            return self._asked.get_nowait()
        deferred.tell()
        return self._asked.get()

    def _do(
        self, task: Task[Answer], job: Job[Answer], sandbox: Sandbox, deferred: Deferred[Answer]
    ) -> None:
        task.switch = sandbox.switch
        sandbox.switch.begin(task)
        if self._is_closed:
            task.cancel()
        if not task.set_running_or_notify_cancel():
            sandbox.switch.finish()
            return
        try:
            answer = job(sandbox)
        except BaseException as error:  # noqa: BLE001 - it is the business of whoever asked
            task.killed = sandbox.switch.finish() and not isinstance(error, Survivors)
            task.set_exception(CancelledError() if task.killed else error)
            return
        task.killed = sandbox.switch.finish()
        if task.killed:
            task.set_exception(CancelledError())
            return
        # A search mostly goes on as it would have without a candidate that is not interesting: as
        # long as there is enough to do, nobody has to hear of it at once.
        is_no = isinstance(answer, Verdict) and answer is not Verdict.INTERESTING
        deferred.put(task, answer, urgent=not is_no or self._asked.qsize() < self.width)
