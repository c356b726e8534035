"""How a job is given up: at once, from any thread, and never the one that comes after it."""

import threading
from collections.abc import Callable

from wynot.wire.run_request import Killed


class KillSwitch:
    """Whether what a sandbox does now was given up.

    The sandbox's own thread calls all but `kill`, which any thread may call, and which has the run
    ended that is under way, if there is one. Jobs nest: a worker's job holds several runs, and a
    run without such a job is one itself. A kill is for the outermost, which it ends as a whole.
    """

    def __init__(self, end_run: Callable[[], None]) -> None:
        self._end_run = end_run
        self._lock = threading.Lock()
        self._depth = 0
        self._job: object = None
        self.is_given_up = False
        """Whether what is done now was given up."""

    def begin(self, job: object = None) -> None:
        """Begin a job: until it is finished, a kill is for all of its runs."""
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._job = job

    def finish(self) -> bool:
        """Finish the job; tell whether it was given up."""
        with self._lock:
            was_given_up = self.is_given_up
            self._depth -= 1
            if not self._depth:
                self._job = None
                self.is_given_up = False
            return was_given_up

    def kill(self, job: object = None) -> bool:
        """Give up what is done now; if a job is named, only if it is that one.

        Tell whether there was anything to give up. It does not wait until it is gone.
        """
        with self._lock:
            if not self._depth or (job is not None and job is not self._job):
                return False
            if not self.is_given_up:
                self.is_given_up = True
                self._end_run()
            return True

    def require_on(self) -> None:
        """Raise Killed if the job was given up."""
        if self.is_given_up:
            raise Killed
