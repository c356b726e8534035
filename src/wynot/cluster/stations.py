"""A station on each worker of a cluster that can be used, also later ones."""

import asyncio
import socket
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from wynot.cluster.deployed import SAME_VERSIONS, Deployed
from wynot.cluster.station import (
    BEAT_SECONDS,
    READ_BYTES,
    Parcel,
    SettledStation,
    Station,
    machine,
    way_to,
)
from wynot.core.errors import NoCluster
from wynot.core.events import Event, Noticed
from wynot.core.system.debug_log import log_ignored
from wynot.wire.file_edits import NOTHING_STOCKED, Stock

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


class NotHere(Exception):
    """A worker is on another machine, and only those on this one can be used."""


class OtherVersion(Exception):
    """A worker has another version of something than we do, as the message says."""


async def settle(
    deployed: Deployed, address: str, supplies: Supplies, *, here: bool
) -> SettledStation:
    """Make one, and find a way to it; raise if that cannot be done.

    With ``here`` raise NotHere if it is on another machine.
    """
    if why := await asyncio.wait_for(deployed.worker_difference(address), HUNG_SECONDS):
        raise OtherVersion(why)
    client = deployed.client
    future = client.submit(Station, actor=True, pure=False, workers=[address], retries=0)
    try:
        actor = await asyncio.wait_for(future, HUNG_SECONDS)
        there = await _machine_of(actor, here=here)
        await supplies.settle(actor, there)
        way = await asyncio.wait_for(way_to(actor, address, client.security), HUNG_SECONDS)
    except BaseException:
        future.release()
        raise
    return SettledStation(actor, future, there, way)


async def _machine_of(actor: Any, *, here: bool) -> str:
    there: str = await asyncio.wait_for(actor.machine(), HUNG_SECONDS)
    if here and there != machine():
        raise NotHere
    return there


Admission: TypeAlias = Callable[[StationLink], bool]
"""Tells whether a worker that has joined may be used; it is asked in a thread of its own."""

LOOK_SECONDS = 1.0
"""Seconds between two looks at which workers there are."""
SETTLING_SECONDS = 0.1


class Stations:
    """Only the event loop calls it, except to look at `links`, `slots` and `elsewhere`."""

    def __init__(
        self,
        deployed: Deployed,
        supplies: Supplies,
        observe: Callable[[Event], None],
        *,
        here: bool,
    ) -> None:
        """Take a cluster; with ``here``, workers on other machines are not used."""
        self._deployed = deployed
        self._supplies = supplies
        self._observe = observe
        self._here = here
        self.links: dict[str, StationLink] = {}
        """The stations that can be used, by the addresses of their workers."""
        self.elsewhere: list[str] = []
        """Workers on other machines, if they cannot be used."""
        self.admission: Admission | None = None
        """If there is one, workers that join are used only if it says so."""
        self.is_changed = asyncio.Event()
        """Set when a worker has joined."""
        self._shunned: set[str] = set()
        """Workers that are never used."""
        self._unsettled: dict[str, str] = {}
        """Workers on which no station could be made, and why."""
        self._other_versions: dict[str, str] = {}
        """Workers that have another version of something, and of what."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """What is under way to make a station on a worker, or has failed not long ago."""
        self._watching: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """Make stations on the workers that there are; raise if none of them can be used."""
        until = monotonic() + HUNG_SECONDS
        while not self.links and not self.elsewhere and monotonic() < until:
            workers = await self._deployed.slots()
            await asyncio.gather(*self._settling(workers), asyncio.sleep(SETTLING_SECONDS))
            for address, why in self._other_versions.items():
                raise NoCluster(f"the worker {address!r} has {why}", hint=SAME_VERSIONS)
        self._require_links()
        for address, why in self._unsettled.items():
            self._observe(Noticed("unusable", f"the worker {address!r} is not used: {why}"))
        self._watching = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """End all agents."""
        if self._watching is not None:
            self._watching.cancel()
        await asyncio.gather(*(link.close() for link in [*self.links.values()]))

    @property
    def slots(self) -> int:
        """How many tests can run at once."""
        return sum(link.slots for link in [*self.links.values()])

    def roomiest(self) -> StationLink | None:
        """Return the station that has most room, with more agents than slots if it must be."""
        return min(self.links.values(), key=lambda each: each.load, default=None)

    def shun(self, address: str) -> None:
        """Use a worker no more."""
        self._shunned.add(address)
        if address in self.links:
            self.links[address].lose()

    def _require_links(self) -> None:
        if self.links:
            return
        if self.elsewhere:
            raise NoCluster(
                f"all workers of the cluster are on other machines, as {self.elsewhere[0]!r} is, "
                "and this command makes its candidates with files and programs of this one",
                hint="start a worker on this machine, or leave --cluster out; reduce, isolate, "
                "options and batch use all machines",
            )
        for address, why in self._unsettled.items():
            raise NoCluster(
                f"wynot cannot use the worker {address!r}: {why}",
                hint="is wynot installed there? What does the worker print?",
            )
        raise NoCluster(
            "the workers of the cluster have gone", hint="what do they print, and the scheduler?"
        )

    async def _watch(self) -> None:
        """Keep a station on each worker, and the agents where there are slots for them."""
        while True:
            try:
                workers = await self._deployed.slots()
            except Exception as error:  # noqa: BLE001 - the next time, perhaps
                log_ignored("the scheduler cannot be reached", error)
                await self._deployed.revive()
            else:
                for gone in self.links.keys() - workers.keys():
                    self.links[gone].lose()
                self._settling(workers)
                self._level()
            await asyncio.sleep(LOOK_SECONDS)

    def _settling(self, workers: Mapping[str, int]) -> "list[asyncio.Task[None]]":
        """Begin to make stations on the workers that have none yet."""
        for address, slots in workers.items():
            if address not in self.links.keys() | self._tasks.keys() | self._shunned:
                self._tasks[address] = asyncio.create_task(self._settle(address, slots))
        return [*self._tasks.values()]

    async def _settle(self, address: str, slots: int) -> None:
        """Make a station on a worker; if that fails, it is tried again some time later."""
        try:
            settled = await settle(self._deployed, address, self._supplies, here=self._here)
            await self._admit(StationLink(settled, address, slots, self._leave))
        except NotHere:
            self._shunned.add(address)
            self.elsewhere.append(address)
        except OtherVersion as error:
            self._shunned.add(address)
            self._other_versions[address] = str(error)
            if self._watching is not None:  # at the start it is an error
                message = f"the worker {address!r} is not used: it has {error}"
                self._observe(Noticed("quarantined", message))
        except Exception as error:  # noqa: BLE001 - whatever it is, there is no station
            is_silent = isinstance(error, TimeoutError)
            why = f"it does not answer within {HUNG_SECONDS:.0f} s" if is_silent else str(error)
            self._unsettled[address] = why or repr(error)
            log_ignored(f"no station on {address}", error)
            asyncio.get_running_loop().call_later(HUNG_SECONDS, self._tasks.pop, address, None)
            return
        del self._tasks[address]

    async def _admit(self, link: StationLink) -> None:
        """Let a worker be used, if it is like the others."""
        try:
            is_admitted = not self.admission or await asyncio.to_thread(self.admission, link)
        except BaseException:
            link.lose()
            raise
        if not is_admitted:
            self._shunned.add(link.address)
            link.lose()
        if not link.is_lost:
            self.links[link.address] = link
            self.is_changed.set()

    def _level(self) -> None:
        """End idle agents of workers that have more than slots while slots are free elsewhere."""
        links = [*self.links.values()]
        for _ in range(sum(max(0, each.slots - each.agents) for each in links)):
            fullest = max(links, key=lambda each: each.agents - each.slots)
            if fullest.agents > fullest.slots:
                fullest.retire_one()

    def _leave(self, link: StationLink) -> None:
        if self.links.get(link.address) is link:
            del self.links[link.address]
