"""Agents on the workers of a cluster, wherever there is a slot."""

import asyncio
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

from wynot.cluster.cluster_address import AskedCluster, LocalSlots
from wynot.cluster.deployed import Deployed, deploy
from wynot.cluster.jury import Jury
from wynot.cluster.loop_thread import LoopThread
from wynot.cluster.station_link import StationLink
from wynot.cluster.stations import Admission, Stations
from wynot.cluster.supplies import Supplies
from wynot.core.debug_log import log_ignored
from wynot.core.errors import BrokenRunner
from wynot.core.events import Event
from wynot.runners.agent_connection import AgentLost
from wynot.runners.agent_source import Vetting
from wynot.runners.stock import Stock

EMPTY_SECONDS = 60.0
"""How many seconds to wait for a worker when all have gone."""
CLOSING_SECONDS = 20.0


class ClusterAgents:
    """See `wynot.runners.agent_source`: it is one of those.

    All that has to do with the cluster is done by an event loop in a thread of its own.
    """

    max_losses = 20
    """Machines may come and go all the time, whatever the tests do."""

    def __init__(
        self,
        asked: AskedCluster,
        observe: Callable[[Event], None],
        *,
        here: bool = False,
        most: int | None = None,
    ) -> None:
        """Connect to a cluster, or start one; raise if that cannot be done, or it has no worker.

        With ``here``, workers on other machines are not used. No more than ``most`` slots are.
        """
        self._most = most
        self._is_local = isinstance(asked, LocalSlots)
        self._supplies = Supplies()
        self._deployed: Deployed | None = None
        self._is_closing = False
        self._thread = LoopThread("wynot cluster")
        try:
            self._deployed = self._thread.do(deploy(asked))
            self._stations = Stations(self._deployed, self._supplies, observe, here=here)
            self._thread.do(self._stations.start())
        except BaseException:
            self.close(wait=True)
            raise

    @property
    def slots(self) -> int:
        """How many tests can run at once; more if workers join."""
        slots = self._stations.slots
        return slots if self._most is None else min(slots, self._most)

    @property
    def elsewhere(self) -> int:
        """How many workers are on other machines, if they cannot be used."""
        return len(self._stations.elsewhere)

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
        """Use only workers that answer as most do; that goes for those that join later, too."""
        if self._is_local:
            return
        jury = Jury(vetting, observe, lambda: self.stock)

        def judge(links: Mapping[str, StationLink]) -> None:
            ways = {each: self._way_to(link) for each, link in links.items()}
            for address in jury.judge(ways):
                self._thread.loop.call_soon_threadsafe(self._stations.shun, address)

        def is_like_others(new: StationLink) -> bool:
            return not jury.judge({new.address: self._way_to(new)})

        known = dict(self._stations.links)
        judge(known)  # all at once, so that most of them decide
        now = self._thread.do(self._admit_by(is_like_others))
        judge({each: link for each, link in now.items() if known.get(each) is not link})

    def wake(self) -> None:
        """End the wait of those who wait for a worker."""
        self._thread.loop.call_soon_threadsafe(self._end_waiting)

    def close(self, *, wait: bool) -> None:
        """End all agents, and what was started here; with wait, return when that is done."""
        if not self._thread.is_alive:
            return
        ending = self._thread.begin(self._close())
        if wait:
            try:
                ending.result(CLOSING_SECONDS)
            except Exception as error:  # noqa: BLE001 - stations end when they hear no more of us
                log_ignored("the cluster cannot be closed", error)
            self._thread.end()

    async def _admit_by(self, admission: Admission) -> dict[str, StationLink]:
        """Have workers that join looked at from now on; return those that have joined before."""
        self._stations.admission = admission
        return dict(self._stations.links)

    def _way_to(self, link: StationLink) -> Callable[[], socket.socket]:
        """Return how an agent is started on this worker, and no other."""
        return lambda: self._thread.do(self._connect_at(link))

    async def _connect_at(self, link: StationLink) -> socket.socket:
        ours, theirs = socket.socketpair()
        try:
            await self._supplies.open(link, [theirs])
        except Exception as error:
            ours.close()
            theirs.close()
            raise AgentLost("a worker is lost") from error
        return ours

    async def _connect(self, count: int) -> list[socket.socket]:
        until = monotonic() + EMPTY_SECONDS
        while not self._is_closing and monotonic() < until:
            link = self._stations.roomiest()
            if link is None:
                self._stations.is_changed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stations.is_changed.wait(), until - monotonic())
                continue
            pairs = [socket.socketpair() for _ in range(count)]
            try:
                await self._supplies.open(link, [theirs for _, theirs in pairs])
            except Exception as error:  # noqa: BLE001 - that station is of no use
                log_ignored(f"no agent on {link.address}", error)
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

    def _end_waiting(self) -> None:
        self._is_closing = True
        self._stations.is_changed.set()

    async def _close(self) -> None:
        if self._deployed is None:
            return
        self._end_waiting()
        await self._stations.close()
        await self._deployed.close()
