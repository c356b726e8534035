"""Where agents come from: this machine, or others."""

import socket
from collections.abc import Callable
from typing import Any, Protocol

from wynot.core.events import Event
from wynot.runners.sandbox import Sandbox
from wynot.runners.stock import Stock


class Vetting(Protocol):
    """Finds out whether machines are alike: something is run on each, and the answers compared."""

    def run(self, sandbox: Sandbox) -> Any:
        """Return what comes of it; raise AgentLost if it is not known."""

    def shows(self, said: Any) -> bool:
        """Tell whether that is what was hoped for."""

    def same(self, one: Any, other: Any) -> bool:
        """Tell whether two answers are the same."""

    def words(self, said: Any) -> str:
        """Return an answer in a few words."""


class AgentSource(Protocol):
    """Starts agents for those who want some. Any thread may ask."""

    @property
    def max_losses(self) -> int:
        """How many agents a job may cost before that is held to be its own doing."""

    @property
    def slots(self) -> int:
        """How many tests can run at once; that may become more. 0: as many as one likes."""

    @property
    def stock(self) -> Stock:
        """What was sent to the machines of the agents."""

    def ship(self, stock: Stock) -> None:
        """Send something to all machines, once, in place of what was sent there before."""

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent; return so many connections to it."""

    def vet(self, vetting: Vetting, observe: Callable[[Event], None]) -> None:
        """Use only machines that are alike from now on, and say which are not, and why."""

    def wake(self) -> None:
        """Let agents go on, and those who wait for one: all is about to be closed."""

    def close(self, *, wait: bool) -> None:
        """Let it go as soon as its agents have; with wait, return when all of that is done."""
