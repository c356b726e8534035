"""Agents on the workers of a cluster, wherever there is a slot."""

import asyncio
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from time import monotonic
from weakref import WeakKeyDictionary

from wynot.cluster.cluster_address import AskedCluster, LocalSlots
from wynot.cluster.deployed import Deployed, deploy
from wynot.cluster.jury import Jury
from wynot.cluster.loop_thread import LoopThread
from wynot.cluster.new_station import NotHere, settle
from wynot.cluster.station_link import HUNG_SECONDS, StationLink
from wynot.cluster.supplies import Supplies
from wynot.core.errors import BrokenRunner, NoCluster
from wynot.core.events import Event
from wynot.runners.agent_connection import AgentLost
from wynot.runners.agent_source import Vetting
from wynot.runners.rivals import Rivals
from wynot.runners.stock import Stock

EMPTY_SECONDS = 60.0
"""Seconds that are waited for a worker when all have gone."""
LOOK_SECONDS = 1.0
"""Seconds between two looks at which workers there are."""
SETTLING_SECONDS, CLOSING_SECONDS = 0.1, 20.0


class ClusterAgents:
    """See `wynot.runners.agent_source`: it is one of those.

    All that has to do with the cluster is done by an event loop in a thread of its own.
    """

    max_losses = 20
    """Machines may come and go all the time, whatever the tests do."""

    def __init__(self, asked: AskedCluster, *, here: bool = False, most: int | None = None) -> None:
        """Connect to a cluster, or start one; raise if that cannot be done, or it has no worker.

        With ``here``, workers on other machines are not used. No more than ``most`` slots are.
        """
        self._here = here
        self._most = most
        self.slots = 0
        """How many tests can run at once; more if workers join."""
        self.rivals = Rivals(self._connect_elsewhere)
        self._links_of: WeakKeyDictionary[socket.socket, StationLink] = WeakKeyDictionary()
        """Where the agents are that are at the other ends."""
        self._links: dict[str, StationLink] = {}
        self._unsettled: dict[str, str] = {}
        """Workers on which no station could be made, and why."""
        self.elsewhere: list[str] = []
        """Workers on other machines, if they cannot be used."""
        self._is_local = isinstance(asked, LocalSlots)
        self._jury: Jury | None = None
        self._newcomers: dict[str, StationLink] = {}
        """Workers of which it is not known yet whether they are like the others."""
        self._shunned: set[str] = set()
        """Those that are not."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """What is under way to make a station on a worker, or has failed not long ago."""
        self._supplies = Supplies()
        self._deployed: Deployed | None = None
        self._watching: asyncio.Future[None] | None = None
        self._is_changed = asyncio.Event()
        self._is_closing = False
        self._thread = LoopThread("wynot cluster")
        try:
            self._thread.do(self._start(asked))
        except BaseException:
            self.close(wait=True)
            raise

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent where there is room for one; return so many connections to it."""
        return self._thread.do(self._connect(count))

    def ship(self, stock: Stock) -> None:
        """Send something to all machines, once, in place of what was sent there before."""
        self._supplies.stock = stock

    @property
    def stock(self) -> Stock:
        """What was sent to the machines of the agents."""
        return self._supplies.stock

    def vet(self, vetting: Vetting, observe: Callable[[Event], None]) -> None:
        """Use only workers where the same comes of it as on most, also of those that come later."""
        if not self._is_local:
            self._jury = Jury(vetting, observe, lambda: self.stock)
            self._shun(self._jury.judge({each: self._way_to(each) for each in [*self._links]}))

    def wake(self) -> None:
        """Let go those who wait for a worker."""
        self._thread.loop.call_soon_threadsafe(self._end_waiting)

    def close(self, *, wait: bool) -> None:
        """End all agents, and what was started here; with wait, return when that is done."""
        if not self._thread.is_alive:
            return
        ending = self._thread.begin(self._close())
        if wait:
            with suppress(Exception):  # what cannot be closed ends when it hears no more of us
                ending.result(CLOSING_SECONDS)
            self._thread.end()

    def _connect_elsewhere(self, slow: socket.socket) -> socket.socket | None:
        """Start an agent on another worker than that of a connection, if there is one."""
        here = self._links_of.get(slow)
        others = [each for each in [*self._links.values()] if each is not here]
        if here is None or not others:
            return None
        best = min(others, key=lambda each: (each.machine == here.machine, each.load))
        with suppress(AgentLost):
            return self._thread.do(self._connect_at(best.address))
        return None

    def _way_to(self, address: str) -> Callable[[], socket.socket]:
        """Return how an agent is started on this worker, and no other."""
        return lambda: self._thread.do(self._connect_at(address))

    async def _connect_at(self, address: str) -> socket.socket:
        ours, theirs = socket.socketpair()
        try:
            await self._supplies.open(
                self._links.get(address) or self._newcomers[address], [theirs]
            )
        except Exception as error:
            ours.close()
            theirs.close()
            raise AgentLost("a worker is lost") from error
        return ours

    def _shun(self, addresses: Iterable[str]) -> None:
        """Use these workers no more."""
        for address in addresses:
            self._shunned.add(address)
            for link in (self._links.get(address), self._newcomers.get(address)):
                if link is not None:
                    self._thread.loop.call_soon_threadsafe(link.lose)

    async def _start(self, asked: AskedCluster) -> None:
        self._deployed = await deploy(asked)
        until = monotonic() + HUNG_SECONDS
        while not self._links and not self.elsewhere and monotonic() < until:
            workers = await self._deployed.slots()
            await asyncio.gather(*self._settling(workers), asyncio.sleep(SETTLING_SECONDS))
            self._count({each: workers[each] for each in self._links})
        if not self._links and self.elsewhere:
            raise NoCluster(
                f"all workers of the cluster are on other machines, as {self.elsewhere[0]!r} is, "
                "and this command makes its candidates with files and programs of this one",
                hint="start a worker on this machine, or leave --cluster out; reduce, isolate, "
                "options and batch use all machines",
            )
        if not self._links:
            address, why = next(iter(self._unsettled.items()), ("", "it is gone"))
            raise NoCluster(
                f"wynot cannot use the worker {address!r}: {why}",
                hint="is it installed there? What does the worker print?",
            )
        self._watching = asyncio.ensure_future(self._watch(self._deployed))

    async def _connect(self, count: int) -> list[socket.socket]:
        until = monotonic() + EMPTY_SECONDS
        while not self._is_closing and monotonic() < until:
            link = self._roomiest()
            if link is None:
                self._is_changed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._is_changed.wait(), until - monotonic())
                continue
            pairs = [socket.socketpair() for _ in range(count)]
            try:
                await self._supplies.open(link, [theirs for _, theirs in pairs])
            except Exception:  # noqa: BLE001 - whatever it is, that station is of no use
                link.lose()
                until = monotonic() + EMPTY_SECONDS
                for pair in pairs:
                    for each in pair:
                        each.close()
            else:
                self._links_of.update((ours, link) for ours, _ in pairs)
                return [ours for ours, _ in pairs]
        if self._is_closing:
            raise AgentLost("the cluster is no longer used")
        raise BrokenRunner(
            f"the cluster has had no worker for {EMPTY_SECONDS:.0f} seconds",
            hint="when there are some again, the same command continues",
        )

    def _roomiest(self) -> StationLink | None:
        """Return the station that has most room, with more agents than slots if it must be."""
        return min(self._links.values(), key=lambda each: each.load, default=None)

    async def _watch(self, deployed: Deployed) -> None:
        """Have a station on each worker that there is, and no more to do than each has slots."""
        while True:
            try:
                workers = await asyncio.wait_for(deployed.slots(), HUNG_SECONDS)
            except Exception:  # noqa: BLE001 - it cannot be reached now; the next time, perhaps
                await deployed.revive()
            else:
                for gone in self._links.keys() - workers.keys():
                    self._links[gone].lose()
                self._settling(workers)
                self._count({each: workers[each] for each in self._links})
                self._level()
            await asyncio.sleep(LOOK_SECONDS)

    def _count(self, workers: Mapping[str, int]) -> None:
        slots = sum(workers.values())
        self.slots = slots if self._most is None else min(slots, self._most)

    def _settling(self, workers: Mapping[str, int]) -> "list[asyncio.Task[None]]":
        """Begin to make stations on the workers that have none yet."""
        for address, slots in workers.items():
            if address not in self._links.keys() | self._tasks.keys() | self._shunned:
                self._tasks[address] = asyncio.create_task(self._settle(address, slots))
        return [*self._tasks.values()]

    async def _settle(self, address: str, slots: int) -> None:
        """Make a station on a worker; if that fails, it is tried again some time later."""
        assert self._deployed is not None  # noqa: S101 - or there would be no worker
        client, supplies = self._deployed.client, self._supplies
        try:
            settled = await settle(client, address, supplies, here=self._here)
        except NotHere:
            self.elsewhere.append(address)
            self._shunned.add(address)
            del self._tasks[address]
        except Exception as error:  # noqa: BLE001 - whatever it is, there is no station
            self._unsettled[address] = str(error) or repr(error)
            self._forget_later(address)
        else:
            await self._admit(StationLink(settled, address, slots, self._leave))
            del self._tasks[address]

    async def _admit(self, link: StationLink) -> None:
        """Let a worker be used, if it is like the others."""
        if self._jury is not None:
            self._newcomers[link.address] = link
            ways = {link.address: self._way_to(link.address)}
            self._shun(await asyncio.to_thread(self._jury.judge, ways))
            del self._newcomers[link.address]
        if link.address not in self._shunned and not link.is_lost:
            self._links[link.address] = link
            self._is_changed.set()

    def _forget_later(self, address: str) -> None:
        self._thread.loop.call_later(HUNG_SECONDS, self._tasks.pop, address, None)

    def _level(self) -> None:
        """Let agents go from where there are more than slots, if there is a free slot elsewhere."""
        links = [*self._links.values()]
        for _ in range(sum(max(0, each.slots - each.agents) for each in links)):
            fullest = max(links, key=lambda each: each.agents - each.slots)
            if fullest.agents > fullest.slots:
                fullest.retire_one()

    def _leave(self, link: StationLink) -> None:
        if self._links.get(link.address) is link:
            del self._links[link.address]

    def _end_waiting(self) -> None:
        self._is_closing = True
        self._is_changed.set()

    async def _close(self) -> None:
        self._end_waiting()
        if self._deployed is None:
            return
        if self._watching is not None:
            self._watching.cancel()
        await asyncio.gather(*(link.close() for link in [*self._links.values()]))
        await self._deployed.close()
