"""Agents on the workers of a cluster, wherever there is a slot."""

import asyncio
import socket
import threading
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar

from distributed import Client

from wynot.cluster.cluster_address import AskedCluster
from wynot.cluster.deployed import Deployed, deploy
from wynot.cluster.station import Station
from wynot.cluster.station_link import HUNG_SECONDS, StationLink
from wynot.core.errors import BrokenRunner, NoCluster
from wynot.runners.agent_sandbox import AgentLost

Answer = TypeVar("Answer")

EMPTY_SECONDS = 60.0
"""Seconds that are waited for a worker when all have gone."""
LOOK_SECONDS = 1.0
"""Seconds between two looks at which workers there are."""
CLOSING_SECONDS = 20.0


class ClusterAgents:
    """See `wynot.runners.agent_source`: it is one of those.

    All that has to do with the cluster is done by an event loop in a thread of its own.
    """

    max_losses = 20
    """Machines may come and go all the time, whatever the tests do."""

    def __init__(self, asked: AskedCluster) -> None:
        """Connect to a cluster, or start one; raise if that cannot be done, or it has no worker."""
        self.slots = 0
        """How many tests can run at once."""
        self._links: dict[str, StationLink] = {}
        self._unsettled: dict[str, str] = {}
        """Workers on which no station could be made, and why."""
        self._deployed: Deployed | None = None
        self._watching: asyncio.Future[None] | None = None
        self._is_changed = asyncio.Event()
        self._is_closing = False
        self._loop = asyncio.new_event_loop()
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

    async def _start(self, asked: AskedCluster) -> None:
        self._deployed = await deploy(asked)
        workers = await self._deployed.slots()
        self.slots = sum(workers.values())
        await self._settle_all(self._deployed.client, workers)
        if not self._links:
            address, why = next(iter(self._unsettled.items()), ("", "it is gone"))
            raise NoCluster(
                f"wynot cannot be started on the worker {address!r}: {why}",
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
                await link.open([theirs for _, theirs in pairs])
            except Exception:  # noqa: BLE001 - whatever it is, that station is of no use
                link.lose()
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

    def _roomiest(self) -> StationLink | None:
        """Return the station that has most room, with more agents than slots if it must be."""
        return min(self._links.values(), key=lambda each: each.agents / each.slots, default=None)

    async def _watch(self, deployed: Deployed) -> None:
        """Have a station on each worker that there is."""
        while True:
            with suppress(Exception):  # it cannot be reached now; the next time, perhaps
                workers = await asyncio.wait_for(deployed.slots(), HUNG_SECONDS)
                new = workers.keys() - self._links.keys()
                await asyncio.gather(
                    *(self._settle(deployed.client, each, workers[each]) for each in new)
                )
            await asyncio.sleep(LOOK_SECONDS)

    async def _settle_all(self, client: Client, workers: Mapping[str, int]) -> None:
        """Make a station on each worker that has none yet."""
        new = [each for each in workers.items() if each[0] not in self._links]
        await asyncio.gather(*(self._settle(client, *each) for each in new))

    async def _settle(self, client: Client, address: str, slots: int) -> None:
        """Make a station on a worker."""
        future = client.submit(Station, actor=True, pure=False, workers=[address], retries=0)
        try:
            actor = await asyncio.wait_for(future, HUNG_SECONDS)
        except Exception as error:  # noqa: BLE001 - it may be gone; if not, it is tried again
            self._unsettled[address] = repr(error)
            future.release()
            return
        self._links[address] = StationLink(actor, address, slots, self._leave)
        self._is_changed.set()

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
