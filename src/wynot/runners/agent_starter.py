"""Starts agents on this machine: one interpreter, and a fork of it for each."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from wynot.core.debug_log import log_descriptor
from wynot.core.errors import BrokenRunner
from wynot.core.events import Event
from wynot.runners.agent_source import Vetting
from wynot.runners.descriptors import usual
from wynot.runners.spawn import spawn
from wynot.runners.stock import NOTHING_STOCKED, Stock

_CODE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from wynot.runners.agent_host import main; main()"
)
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
    stock = NOTHING_STOCKED
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

    def ship(self, stock: Stock) -> None:
        """Nothing: see `stock`."""

    def vet(self, vetting: Vetting, observe: Callable[[Event], None]) -> None:
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
        argv = [sys.executable, "-I", "-c", _CODE, _PACKAGES, str(usual() or 0), self._store]
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
