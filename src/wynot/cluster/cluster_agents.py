"""Agents on the workers of a cluster, wherever there is a slot."""

import asyncio
import socket
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

from wynot.cluster.cluster_address import AskedCluster, LocalSlots
from wynot.cluster.deployed import Deployed, deploy
from wynot.cluster.jury import Jury
from wynot.cluster.station import Station, machine
from wynot.cluster.station_link import HUNG_SECONDS, StationLink
from wynot.core.errors import BrokenRunner, NoCluster
from wynot.core.events import Event
from wynot.runners.agent_connection import AgentLost
from wynot.runners.agent_source import Vetting
from wynot.runners.stock import NOTHING_STOCKED, Stock

Answer = TypeVar("Answer")

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

    def __init__(self, asked: AskedCluster, *, here: bool = False) -> None:
        """Connect to a cluster, or start one; raise if that cannot be done, or it has no worker.

        With ``here``, workers on other machines are not used.
        """
        self._here = here
        self.slots = 0
        """How many tests can run at once."""
        self._links: dict[str, StationLink] = {}
        self._unsettled: dict[str, str] = {}
        """Workers on which no station could be made, and why."""
        self._is_local = isinstance(asked, LocalSlots)
        self._jury: Jury | None = None
        self._newcomers: dict[str, StationLink] = {}
        """Workers of which it is not known yet whether they are like the others."""
        self._shunned: set[str] = set()
        """Those that are not."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """What is under way to make a station on a worker, or has failed not long ago."""
        self.stock = NOTHING_STOCKED
        """What each machine needs: it is sent before the first agent is started there."""
        self._stores: dict[str, str] = {}
        """The folders for it, by machine."""
        self._supplying: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._deployed: Deployed | None = None
        self._watching: asyncio.Future[None] | None = None
        self._is_changed = asyncio.Event()
        self._is_closing = False
        self._loop = asyncio.new_event_loop()
        # What dask does not look at any more, of workers that are lost say, is not for the user.
        self._loop.set_exception_handler(lambda *_: None)
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="wynot cluster", daemon=True
        )
        self._thread.start()
        try:
            self._wait_for(self._start(asked))
        except BaseException:
            self.close(wait=True)
            raise

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent where there is room for one; return so many connections to it."""
        return self._wait_for(self._connect(count))

    def ship(self, stock: Stock) -> None:
        """Send something to all machines, once, in place of what was sent there before."""
        self.stock = stock

    def vet(self, vetting: Vetting, observe: Callable[[Event], None]) -> None:
        """Use only workers where the same comes of it as on most, also of those that come later."""
        if not self._is_local:
            self._jury = Jury(vetting, observe, lambda: self.stock)
            self._shun(self._jury.judge({each: self._way_to(each) for each in [*self._links]}))

    def wake(self) -> None:
        """Let go those who wait for a worker."""
        self._loop.call_soon_threadsafe(self._end_waiting)

    def close(self, *, wait: bool) -> None:
        """End all agents, and what was started here; with wait, return when that is done."""
        if not self._thread.is_alive():
            return
        ending = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        if wait:
            with suppress(Exception):  # what cannot be closed ends when it hears no more of us
                ending.result(CLOSING_SECONDS)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _wait_for(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _way_to(self, address: str) -> Callable[[], socket.socket]:
        """Return how an agent is started on this worker, and no other."""
        return lambda: self._wait_for(self._connect_at(address))

    async def _connect_at(self, address: str) -> socket.socket:
        ours, theirs = socket.socketpair()
        try:
            await self._open(self._links.get(address) or self._newcomers[address], [theirs])
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
                    self._loop.call_soon_threadsafe(link.lose)

    async def _start(self, asked: AskedCluster) -> None:
        self._deployed = await deploy(asked)
        until = monotonic() + HUNG_SECONDS
        while not self._links and monotonic() < until:
            workers = await self._deployed.slots()
            self.slots = sum(workers.values())
            await asyncio.gather(*self._settling(workers), asyncio.sleep(SETTLING_SECONDS))
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
                await self._open(link, [theirs for _, theirs in pairs])
            except Exception:  # noqa: BLE001 - whatever it is, that station is of no use
                link.lose()
                until = monotonic() + EMPTY_SECONDS
                for pair in pairs:
                    for each in pair:
                        each.close()
            else:
                return [ours for ours, _ in pairs]
        if self._is_closing:
            raise AgentLost("the cluster is no longer used")
        raise BrokenRunner(
            f"the cluster has had no worker for {EMPTY_SECONDS:.0f} seconds",
            hint="when there are some again, the same command continues",
        )

    async def _open(self, link: StationLink, ends: Sequence[socket.socket]) -> None:
        """Start an agent, where there is all that it needs; a machine is sent that once."""
        async with self._supplying[link.machine]:
            await link.supply(self.stock)
        await link.open(ends)

    def _roomiest(self) -> StationLink | None:
        """Return the station that has most room, with more agents than slots if it must be."""
        return min(self._links.values(), key=lambda each: each.agents / each.slots, default=None)

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
                self._level()
            await asyncio.sleep(LOOK_SECONDS)

    def _settling(self, workers: Mapping[str, int]) -> "list[asyncio.Task[None]]":
        """Begin to make stations on the workers that have none yet."""
        for address, slots in workers.items():
            if address not in self._links.keys() | self._tasks.keys() | self._shunned:
                self._tasks[address] = asyncio.create_task(self._settle(address, slots))
        return [*self._tasks.values()]

    async def _settle(self, address: str, slots: int) -> None:
        """Make a station on a worker; if that fails, it is tried again some time later."""
        assert self._deployed is not None  # noqa: S101 - or there would be no worker
        client = self._deployed.client
        future = client.submit(Station, actor=True, pure=False, workers=[address], retries=0)
        try:
            actor = await asyncio.wait_for(future, HUNG_SECONDS)
            machine = await self._settled(actor)
        except Exception as error:  # noqa: BLE001 - whatever it is, there is no station
            self._unsettled[address] = str(error) or repr(error)
            future.release()
            self._forget_later(address)
        else:
            link = StationLink((actor, future), machine, address, slots, self._leave)
            await self._admit(link)
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

    async def _settled(self, actor: Any) -> str:
        """Make a station ready; return which machine it is on, if that can be used."""
        there: str = await asyncio.wait_for(actor.machine(), HUNG_SECONDS)
        if self._here and there != machine():
            raise OSError("it is on another machine, where this command cannot put files")
        async with self._supplying[there]:
            store = self._stores.get(there, "")
            self._stores[there] = await asyncio.wait_for(actor.settle(store), HUNG_SECONDS)
        return there

    def _forget_later(self, address: str) -> None:
        self._loop.call_later(HUNG_SECONDS, self._tasks.pop, address, None)

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
