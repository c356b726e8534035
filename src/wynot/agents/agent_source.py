"""Where agents come from: forks of one interpreter on this machine, or other machines."""

import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from wynot.agents.sandbox import Sandbox
from wynot.core.errors import BrokenRunner, TooManyOpenFiles
from wynot.core.events import Event
from wynot.core.system.debug_log import log_descriptor
from wynot.machine.process_start import spawn
from wynot.wire.file_edits import NO_PRELOAD, Preload

_EACH, _BESIDE = 2, 64
"""What a worker takes, a connection for each of its sandboxes, and what else there is."""
_soft_limit: int | None = None


def allow(width: int) -> None:
    """Raise our own limit so that so many tests can run at a time, or say that they cannot."""
    global _soft_limit  # noqa: PLW0603 - as the limit, it is one for the whole process
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _EACH * width + _BESIDE
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        most = max((hard - _BESIDE) // _EACH, 1)
        raise TooManyOpenFiles(
            f"{width} tests at a time need {needed:,} open files, and the limit is {hard:,}",
            hint=f"-j {most}, or a higher limit: ulimit -n {needed}",
        )
    _soft_limit = soft if _soft_limit is None else _soft_limit
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def soft_limit() -> int | None:
    """Return the limit that programs are to have, None if it is the one that we have.

    Some close every descriptor there could be when they start, others take only small ones.
    """
    return _soft_limit


class MachineCheck(Protocol):
    """Finds out whether machines are alike: something is run on each, and the answers compared."""

    def run(self, sandbox: Sandbox) -> Any:
        """Return what comes of it; raise AgentLost if it is not known."""

    def shows_failure(self, result: Any) -> bool:
        """Tell whether that is what was hoped for."""

    def is_same(self, one: Any, other: Any) -> bool:
        """Tell whether two answers are the same."""

    def describe(self, result: Any) -> str:
        """Describe a result in one line."""


class AgentSource(Protocol):
    """Starts agents for those who want some. Any thread may ask."""

    @property
    def max_losses(self) -> int:
        """How many agents a job may cost before that is held to be its own doing."""

    @property
    def slots(self) -> int:
        """How many tests can run at once; that may become more. 0: as many as one likes."""

    @property
    def preload(self) -> Preload:
        """What was sent to the machines of the agents."""

    def upload(self, preload: Preload) -> None:
        """Send something to all machines, once, in place of what was sent there before."""

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent; return so many connections to it."""

    def check_machines(self, check: MachineCheck, observe: Callable[[Event], None]) -> None:
        """Use only machines that are alike from now on, and say which are not, and why."""

    def wake(self) -> None:
        """Let agents go on, and those who wait for one: all is about to be closed."""

    def close(self, *, wait: bool) -> None:
        """Let it go as soon as its agents have; with wait, return when all of that is done."""


_CODE = "import sys; sys.path.insert(0, sys.argv[1]); from wynot.agent.host import main; main()"
_PACKAGES = str(Path(__file__).parent.parent.parent)


class AgentStarter:
    """The process that agents are forked from, as those see it who want some. Any thread may ask.

    It is started at once, so that it is ready when the first agent is wanted; and again if somebody
    has killed it. It has a session of its own: what is typed at a terminal is not meant for it.
    What it has to say of agents that end otherwise than they should goes to the debug log.
    """

    max_losses = 3
    """A test that costs more agents than that has killed them."""

    slots = 0
    """As many as one likes."""
    """There is nowhere else."""
    preload = NO_PRELOAD
    """All that they need is here."""

    def __init__(self, store: str = "") -> None:
        """Take the folder of what was sent ahead, if this is another machine than wynot's."""
        self._store = store
        self._lock = threading.Lock()
        self._pids: list[int] = []
        self._control = self._start()

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent; return so many connections to it.

        One that was given up since it is stopped goes on, sees that, and ends.
        """
        self.wake()
        pairs = [socket.socketpair() for _ in range(count)]
        theirs = [their.fileno() for _, their in pairs]
        with self._lock:
            try:
                socket.send_fds(self._control, [b"+"], theirs)
            except OSError:  # it is gone
                self._control.close()
                self._control = self._start()
                socket.send_fds(self._control, [b"+"], theirs)
        for _, their in pairs:
            their.close()
        return [our for our, _ in pairs]

    def upload(self, preload: Preload) -> None:
        """No-op: agents on this machine need nothing."""

    def check_machines(self, check: MachineCheck, observe: Callable[[Event], None]) -> None:
        """There is one machine only, which is like itself."""

    def wake(self) -> None:
        """Let it and its agents go on if somebody has stopped them: who is stopped cannot end."""
        with self._lock:
            for pid in self._pids:  # all of them are in the group of the first
                with suppress(OSError):
                    os.killpg(pid, signal.SIGCONT)

    def close(self, *, wait: bool) -> None:
        """Let it go as soon as its agents have; with wait, return when all of that is done."""
        with self._lock:
            self._control.close()
            while wait and self._pids:
                with suppress(ChildProcessError):
                    os.waitpid(self._pids.pop(), 0)

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        log = log_descriptor()
        errors = null if log is None else log
        argv = [sys.executable, "-I", "-c", _CODE, _PACKAGES, str(soft_limit() or 0), self._store]
        environ = [b"%s=%s" % each for each in os.environb.items()]
        try:
            self._pids.append(spawn(argv, ".", environ, (theirs.fileno(), null, errors)))
        except OSError as error:
            ours.close()
            raise BrokenRunner(
                f"an agent cannot be started with {sys.executable!r}: {error.strerror}",
                hint="it is the Python that runs wynot: is it still there?",
            ) from error
        finally:
            os.close(null)
            theirs.close()
        return ours


@dataclass(frozen=True, slots=True)
class LentAgents:
    """See `wynot.agents.agent_source`: it is one of those. Whoever lends them closes them."""

    source: AgentSource

    @property
    def max_losses(self) -> int:
        """How many agents a job may cost before that is held to be its own doing."""
        return self.source.max_losses

    @property
    def slots(self) -> int:
        """How many tests can run at once; that may become more."""
        return self.source.slots

    @property
    def preload(self) -> Preload:
        """What was sent to the machines of the agents."""
        return self.source.preload

    def upload(self, preload: Preload) -> None:
        """Send something to all machines, once, in place of what was sent there before."""
        self.source.upload(preload)

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent; return so many connections to it."""
        return self.source.connect(count)

    def check_machines(self, check: MachineCheck, observe: Callable[[Event], None]) -> None:
        """Use only machines that are alike from now on, and say which are not, and why."""
        self.source.check_machines(check, observe)

    def wake(self) -> None:
        """No-op: another job may wait for agents."""

    def close(self, *, wait: bool) -> None:
        """No-op: agents end when their connections do, and others will be wanted."""
