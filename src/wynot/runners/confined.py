"""Programs that can write only below some folders.

Landlock restricts a thread and what it starts, not the process: so each sandbox has a thread that
does nothing but start programs, and has given up its rights once and for all. That costs a test
no more than handing its command line from one thread to the other.
"""

import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from wynot.runners import landlock
from wynot.runners.spawn import spawn


class Fence(NamedTuple):
    """Where programs can write."""

    folders: tuple[str, ...]
    identities: tuple[tuple[int, int], ...]
    """A folder that was removed and made again is another one."""

    @classmethod
    def of(cls, folders: Sequence[str | Path]) -> "Fence":
        """Look at the folders as they are now."""
        seen = [os.stat(folder) for folder in folders]  # noqa: PTH116 - strings or paths
        return cls(tuple(map(str, folders)), tuple((each.st_dev, each.st_ino) for each in seen))


class _Start:
    """A program to be started, and what came of it."""

    def __init__(self, *asked: Any) -> None:
        self._asked = asked
        self._lock = threading.Lock()
        self._is_given_up = False
        self._came: SimpleQueue[int | BaseException] = SimpleQueue()
        self._pid = 0

    def do(self) -> None:
        """Start it."""
        try:
            pid = spawn(*self._asked)
        except BaseException as error:  # noqa: BLE001 - it is told to whoever waits
            self._came.put(error)
            return
        with self._lock:
            self._pid = pid
            if self._is_given_up:
                self._end()
        self._came.put(pid)

    def wait(self) -> int:
        """Return its number, or raise; if that is by Ctrl-C, nobody would look after it."""
        try:
            came = self._came.get()
        except BaseException:
            with self._lock:
                self._is_given_up = True
                if self._pid:
                    self._end()
            raise
        if isinstance(came, BaseException):
            raise came
        return came

    def _end(self) -> None:
        os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


class Confined:
    """A thread that starts programs which can write only below some folders, for one sandbox.

    What it may not do is for good, and for all that it starts: so it cannot be the sandbox's own
    thread, which calls all of this but `_work`.
    """

    def __init__(self, fence: Fence) -> None:
        self.fence = fence
        self._asked: SimpleQueue[_Start | None] = SimpleQueue()
        began: SimpleQueue[BaseException | None] = SimpleQueue()
        threading.Thread(
            target=self._work, args=(began,), name="wynot-confined", daemon=True
        ).start()
        if (error := began.get()) is not None:
            raise error

    def spawn(
        self, argv: Sequence[str], folder: str, environ: list[bytes], streams: tuple[int, ...]
    ) -> int:
        """Start a program; see `wynot.runners.spawn`."""
        start = _Start(argv, folder, environ, streams)
        self._asked.put(start)
        return start.wait()

    def close(self) -> None:
        """Let the thread end."""
        self._asked.put(None)

    def _work(self, began: "SimpleQueue[BaseException | None]") -> None:
        try:
            landlock.restrict(self.fence.folders)
        except BaseException as error:  # noqa: BLE001 - it is told to whoever waits
            began.put(error)
            return
        began.put(None)
        while (start := self._asked.get()) is not None:
            start.do()
