"""Programs that can write only below some folders.

Landlock restricts a thread and what it starts, not the process: so each bench has a thread that
does nothing but start programs, and has given up its rights once and for all. That costs a test
no more than handing its command line from one thread to the other.
"""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeAlias

from wynot.runners import landlock
from wynot.runners.privileges import drop_privileges
from wynot.runners.spawn import spawn

_Asked: TypeAlias = tuple[Sequence[str], str, list[bytes], tuple[int, ...]]


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


class Confined:
    """A thread that starts programs which can write only below some folders, for one bench.

    What it may not do is for good, and for all that it starts: so it cannot be the bench's own
    thread, which calls all of this but `_work`.
    """

    def __init__(self, fence: Fence) -> None:
        self.fence = fence
        self._asked: SimpleQueue[_Asked | None] = SimpleQueue()
        self._came: SimpleQueue[int | BaseException] = SimpleQueue()
        threading.Thread(target=self._work, name="wynot-confined", daemon=True).start()
        self._wait()

    def spawn(
        self, argv: Sequence[str], folder: str, environ: list[bytes], streams: tuple[int, ...]
    ) -> int:
        """Start a program; see `wynot.runners.spawn`."""
        self._asked.put((argv, folder, environ, streams))
        return self._wait()

    def close(self) -> None:
        """Let the thread end."""
        self._asked.put(None)

    def _wait(self) -> int:
        came = self._came.get()
        if isinstance(came, BaseException):
            raise came
        return came

    def _work(self) -> None:
        try:
            drop_privileges()
            landlock.restrict(self.fence.folders)
        except BaseException as error:  # noqa: BLE001 - it is told to whoever waits
            self._came.put(error)
            return
        self._came.put(0)
        while (asked := self._asked.get()) is not None:
            try:
                self._came.put(spawn(*asked))
            except BaseException as error:  # noqa: BLE001 - it is told to whoever waits
                self._came.put(error)
