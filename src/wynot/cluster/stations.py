"""A station on each worker of a cluster that can be used, also on those that come later."""

import asyncio
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TypeAlias

from wynot.cluster.deployed import Deployed
from wynot.cluster.new_station import NotHere, OtherVersion, settle
from wynot.cluster.station_link import HUNG_SECONDS, StationLink
from wynot.cluster.supplies import Supplies
from wynot.cluster.versions import SAME_VERSIONS
from wynot.core.debug_log import log_ignored
from wynot.core.errors import NoCluster
from wynot.core.events import Event, Noticed

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
