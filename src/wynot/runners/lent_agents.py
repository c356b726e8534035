"""Agents of a cluster that several jobs use, one after the other: none of them closes it."""

import socket
from collections.abc import Callable
from dataclasses import dataclass

from wynot.core.events import Event
from wynot.runners.agent_source import AgentSource, Vetting
from wynot.runners.stock import Stock


@dataclass(frozen=True, slots=True)
class LentAgents:
    """See `wynot.runners.agent_source`: it is one of those. Whoever lends them closes them."""

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
    def stock(self) -> Stock:
        """What was sent to the machines of the agents."""
        return self.source.stock

    def ship(self, stock: Stock) -> None:
        """Send something to all machines, once, in place of what was sent there before."""
        self.source.ship(stock)

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent; return so many connections to it."""
        return self.source.connect(count)

    def vet(self, vetting: Vetting, observe: Callable[[Event], None]) -> None:
        """Use only machines that are alike from now on, and say which are not, and why."""
        self.source.vet(vetting, observe)

    def wake(self) -> None:
        """Nothing: another job may wait for agents."""

    def close(self, *, wait: bool) -> None:
        """Nothing: agents end when their connections do, and others will be wanted."""
