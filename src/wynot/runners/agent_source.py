"""Where agents come from: this machine, or others."""

import socket
from typing import Protocol


class AgentSource(Protocol):
    """Starts agents for those who want some. Any thread may ask."""

    @property
    def max_losses(self) -> int:
        """How many agents a job may cost before that is held to be its own doing."""

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent; return so many connections to it."""

    def wake(self) -> None:
        """Let agents go on, and those who wait for one: all is about to be closed."""

    def close(self, *, wait: bool) -> None:
        """Let it go as soon as its agents have; with wait, return when all of that is done."""
