"""A station as it is seen from here: connections to its agents, as if they were on this machine."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import TypeVar

from wynot.cluster.station import BEAT_SECONDS, READ_BYTES, Parcel
from wynot.cluster.station_ways import SettledStation
from wynot.core.debug_log import log_ignored
from wynot.runners.stock import Stock

Answer = TypeVar("Answer")

HUNG_SECONDS = 10.0
"""Seconds without a word after which a station, which speaks every few seconds, counts as lost."""


class StationLink:
    """The way to a station, and back, for all connections to its agents.

    Connections are pairs of sockets, of which others have one end. If the station is lost, they
    are closed, and whoever has the other ends knows. All of it is called by the event loop.
    """

    def __init__(self, settled: SettledStation, address: str, slots: int, lost: "_Lost") -> None:
        """Take a station, and the worker that it is on; ``lost`` is told of its end."""
        self._actor, self._future, self.machine, self._way = settled
        self.address = address
        self.slots = slots
        self._asked: set[int] = set()
        """The connections on which we have said something last, and not an agent."""
        self._lost = lost
        self._numbers = count()
        self._lines: dict[int, asyncio.StreamWriter] = {}
        self._agents: list[set[int]] = []
        self._to_tell: list[Parcel] = []
        self._is_anything = asyncio.Event()
        self.is_lost = False
        """Whether it was given up."""
        self._tasks = {asyncio.ensure_future(each) for each in (self._tell(), self._be_told())}

    @property
    def agents(self) -> int:
        """How many agents there are."""
        return len(self._agents)

    @property
    def load(self) -> float:
        """How many agents there are for each slot."""
        return self.agents / self.slots

    async def supply(self, stock: Stock) -> None:
        """Send the station's machine what every run needs, unless it has that already."""
        contents = stock.contents
        programs = {each.digest: Path(path).name for path, each in stock.programs.items()}
        ask = partial(self._actor.stocked, [*contents], programs)
        for digest in await self._answered(ask()):
            content = contents[digest]
            for at in range(0, len(content) or 1, READ_BYTES):
                piece, is_last = content[at : at + READ_BYTES], at + READ_BYTES >= len(content)
                await self._answered(self._actor.add(digest, at, piece, is_last=is_last))
        await self._answered(ask())

    async def open(self, ends: Sequence[socket.socket]) -> None:
        """Have an agent started, and these ends of connections connected to it."""
        readers: dict[int, asyncio.StreamReader] = {}
        for end in ends:
            number = next(self._numbers)
            readers[number], self._lines[number] = await asyncio.open_connection(sock=end)
        self._agents.append(set(readers))
        self._asked.update(readers)  # to be an agent: so nobody lets it go meanwhile
        try:
            await self._answered(self._actor.open([*readers]))
        except BaseException:
            for number in readers:
                self._forget(number)
            raise
        self._asked.difference_update(readers)
        for number, reader in readers.items():
            self._keep(asyncio.ensure_future(self._read(number, reader)))

    def retire_one(self) -> None:
        """End an agent that has nothing to do, if there is one; another is started elsewhere."""
        for agent in self._agents:
            if not agent & self._asked:
                for number in agent:
                    self._lines[number].close()
                return

    def lose(self) -> None:
        """Give the station up, and close all connections to its agents."""
        if not self.is_lost:
            self.is_lost = True
            for line in self._lines.values():
                line.close()
            for task in self._tasks:
                task.cancel()
            self._way.close()
            self._future.release()
            self._lost(self)

    async def close(self) -> None:
        """Have the station end its agents."""
        try:
            await self._answered(self._actor.close())
        except Exception as error:  # noqa: BLE001 - it ends when it hears no more of us
            log_ignored(f"the station on {self.address} cannot be closed", error)
        self.lose()

    def _keep(self, task: "asyncio.Task[None]") -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answered(self, call: Awaitable[Answer]) -> Answer:
        return await asyncio.wait_for(call, HUNG_SECONDS)

    async def _read(self, number: int, reader: asyncio.StreamReader) -> None:
        """Pass on what is said at our end."""
        with suppress(OSError):
            while data := await reader.read(READ_BYTES):
                self._asked.add(number)
                self._pass_on((number, data))
        self._pass_on((number, b""))

    def _pass_on(self, parcel: Parcel) -> None:
        self._to_tell.append(parcel)
        self._is_anything.set()

    async def _tell(self) -> None:
        """Pass on what has come in meanwhile, all at once; if nothing has, that we are alive."""
        try:
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._is_anything.wait(), BEAT_SECONDS)
                self._is_anything.clear()
                parcels, self._to_tell = self._to_tell, []
                await self._answered(self._way.tell(parcels))
        except Exception as error:  # noqa: BLE001 - it does not do what it should
            log_ignored(f"nothing can be sent to the station on {self.address}", error)
            self.lose()

    async def _be_told(self) -> None:
        """Take in what the station says, for as long as it lives."""
        try:
            while True:
                for number, data in await self._answered(self._way.hear()):
                    if data and number in self._lines:
                        self._asked.discard(number)
                        self._lines[number].write(data)
                    elif not data:
                        self._forget(number)
        except Exception as error:  # noqa: BLE001 - as above
            log_ignored(f"nothing is heard of the station on {self.address}", error)
            self.lose()

    def _forget(self, number: int) -> None:
        """Close a connection at our end: its agent has ended, or has closed it."""
        if number in self._lines:
            self._lines.pop(number).close()
        self._asked.discard(number)
        for agent in self._agents:
            agent.discard(number)
        self._agents = [agent for agent in self._agents if agent]


_Lost = Callable[[StationLink], None]
