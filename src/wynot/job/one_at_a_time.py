"""One test at a time, while the candidates that may come next are put in place already.

Tests that share a folder cannot run side by side. But what takes long may be to put a candidate in
place: to install its packages. So there are more sandboxes than tests run: in each of them a
candidate is made ready, and waits there until its question is asked. If it never is, the job is
given up, and nobody has noticed anything of it.
"""

import threading
from typing import Generic, TypeVar

from wynot.oracle.provisioner import Invocation, Provisioner
from wynot.runners.sandbox import Sandbox

Subject = TypeVar("Subject")

LOOK_SECONDS = 0.02
"""Seconds after which one that waits looks whether it was given up."""


class OneAtATime(Generic[Subject]):
    """Puts candidates in place, and has each wait there for its turn."""

    def __init__(self, provisioner: Provisioner[Subject]) -> None:
        self._provisioner = provisioner
        self._turn = threading.Lock()
        self._holder: Sandbox | None = None
        self._asked: dict[Sandbox, threading.Event] = {}

    def enter(self, sandbox: Sandbox, asked: threading.Event | None) -> None:
        """Begin a job in a sandbox: it has to wait until its question is asked, if it is ever."""
        if asked is not None:
            self._asked[sandbox] = asked

    def leave(self, sandbox: Sandbox) -> None:
        """End the job: it is the turn of another one."""
        self._asked.pop(sandbox, None)
        if self._holder is sandbox:
            self._holder = None
            self._turn.release()

    def provision(self, subject: Subject, sandbox: Sandbox) -> Invocation:
        """Put a candidate in place; return when its test may run."""
        invocation = self._provisioner.provision(subject, sandbox)
        if self._holder is sandbox:
            return invocation
        asked = self._asked.get(sandbox)
        while asked is not None and not asked.wait(LOOK_SECONDS):
            sandbox.switch.require_on()
        while not self._turn.acquire(timeout=LOOK_SECONDS):
            sandbox.switch.require_on()
        self._holder = sandbox
        # Other tests have run since then: what they have done to it is mended.
        return self._provisioner.provision(subject, sandbox)
