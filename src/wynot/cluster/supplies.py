"""What is sent ahead to machines, before agents are started there: to each of them once."""

import asyncio
import socket
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from wynot.cluster.station_link import HUNG_SECONDS, StationLink
from wynot.runners.stock import NOTHING_STOCKED


class Supplies:
    """All of it is called by the event loop, but for the stock, which any thread may replace."""

    def __init__(self) -> None:
        self.stock = NOTHING_STOCKED
        """What each machine needs."""
        self._stores: dict[str, str] = {}
        """The folders for it, by machine."""
        self._busy: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def settle(self, station: Any, machine: str) -> None:
        """Make a station ready: all of one machine have the same store."""
        async with self._busy[machine]:
            store = self._stores.get(machine, "")
            self._stores[machine] = await asyncio.wait_for(station.settle(store), HUNG_SECONDS)

    async def open(self, link: StationLink, ends: Sequence[socket.socket]) -> None:
        """Start an agent, where there is all that it needs."""
        async with self._busy[link.machine]:
            await link.supply(self.stock)
        await link.open(ends)
