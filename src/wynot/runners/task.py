"""A job of a worker, as those see it who wait for its answer."""

import threading
from concurrent.futures import Future
from typing import TypeVar

from wynot.runners.kill_switch import KillSwitch

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
