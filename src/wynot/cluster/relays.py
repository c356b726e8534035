"""A relay on each worker of a cluster that can be used, also later ones."""

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
from wynot.cluster.relay import (
    BEAT_SECONDS,
    READ_BYTES,
    AgentRelay,
    Chunk,
    ReadyRelay,
    channel_to,
    machine,
)
from wynot.core.errors import NoCluster
from wynot.core.events import Event, Noticed
from wynot.core.system.debug_log import log_ignored
from wynot.wire.file_edits import NO_PRELOAD, Preload

Answer = TypeVar("Answer")

HUNG_SECONDS = 10.0
"""Seconds without a word after which a relay, which speaks every few seconds, counts as lost."""


class RelayLink:
    """The way to a relay, and back, for all connections to its agents.

    Connections are pairs of sockets, of which others have one end. If the relay is lost, they
    are closed, and whoever has the other ends knows. All of it is called by the event loop.
    """

    def __init__(self, ready: ReadyRelay, address: str, slots: int, lost: "_Lost") -> None:
        """Take a relay, and the worker that it is on; ``lost`` is told of its end."""
        self._actor, self._future, self.machine, self._channel = ready
        self.address = address
        self.slots = slots
        self._awaiting: set[int] = set()
        """The connections on which we have sent something last, and not an agent."""
        self._lost = lost
        self._numbers = count()
        self._lines: dict[int, asyncio.StreamWriter] = {}
        self._agents: list[set[int]] = []
        self._unsent: list[Chunk] = []
        self._has_unsent = asyncio.Event()
        self.is_lost = False
        """Whether it was given up."""
        self._tasks = {asyncio.ensure_future(each) for each in (self._send(), self._receive())}

    @property
    def agents(self) -> int:
        """How many agents there are."""
        return len(self._agents)

    @property
    def load(self) -> float:
        """How many agents there are for each slot."""
        return self.agents / self.slots

    async def preload_machine(self, preload: Preload) -> None:
        """Send the relay's machine what every run needs, unless it has that already."""
        contents = preload.contents
        programs = {each.digest: Path(path).name for path, each in preload.programs.items()}
        ask = partial(self._actor.preloaded, [*contents], programs)
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
        self._awaiting.update(readers)  # to be an agent: so nobody lets it go meanwhile
        try:
            await self._answered(self._actor.open([*readers]))
        except BaseException:
            for number in readers:
                self._forget(number)
            raise
        self._awaiting.difference_update(readers)
        for number, reader in readers.items():
            self._keep(asyncio.ensure_future(self._read(number, reader)))

    def retire_one(self) -> None:
        """End an agent that has nothing to do, if there is one; another is started elsewhere."""
        for agent in self._agents:
            if not agent & self._awaiting:
                for number in agent:
                    self._lines[number].close()
                return

    def lose(self) -> None:
        """Give the relay up, and close all connections to its agents."""
        if not self.is_lost:
            self.is_lost = True
            for line in self._lines.values():
                line.close()
            for task in self._tasks:
                task.cancel()
            self._channel.close()
            self._future.release()
            self._lost(self)

    async def close(self) -> None:
        """Have the relay end its agents."""
        try:
            await self._answered(self._actor.close())
        except Exception as error:  # noqa: BLE001 - it ends when it hears no more of us
            log_ignored(f"the relay on {self.address} cannot be closed", error)
        self.lose()

    def _keep(self, task: "asyncio.Task[None]") -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answered(self, call: Awaitable[Answer]) -> Answer:
        return await asyncio.wait_for(call, HUNG_SECONDS)

    async def _read(self, number: int, reader: asyncio.StreamReader) -> None:
        """Pass on what comes in at our end."""
        with suppress(OSError):
            while data := await reader.read(READ_BYTES):
                self._awaiting.add(number)
                self._pass_on((number, data))
        self._pass_on((number, b""))

    def _pass_on(self, chunk: Chunk) -> None:
        self._unsent.append(chunk)
        self._has_unsent.set()

    async def _send(self) -> None:
        """Pass on what has come in meanwhile, all at once; if nothing has, that we are alive."""
        try:
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._has_unsent.wait(), BEAT_SECONDS)
                self._has_unsent.clear()
                chunks, self._unsent = self._unsent, []
                await self._answered(self._channel.send(chunks))
        except Exception as error:  # noqa: BLE001 - it does not do what it should
            log_ignored(f"nothing can be sent to the relay on {self.address}", error)
            self.lose()

    async def _receive(self) -> None:
        """Take in what the relay says, for as long as it lives."""
        try:
            while True:
                for number, data in await self._answered(self._channel.receive()):
                    if data and number in self._lines:
                        self._awaiting.discard(number)
                        self._lines[number].write(data)
                    elif not data:
                        self._forget(number)
        except Exception as error:  # noqa: BLE001 - as above
            log_ignored(f"nothing comes from the relay on {self.address}", error)
            self.lose()

    def _forget(self, number: int) -> None:
        """Close a connection at our end: its agent has ended, or has closed it."""
        if number in self._lines:
            self._lines.pop(number).close()
        self._awaiting.discard(number)
        for agent in self._agents:
            agent.discard(number)
        self._agents = [agent for agent in self._agents if agent]


_Lost = Callable[[RelayLink], None]


class PreloadedMachines:
    """All of it is called by the event loop, but for the preload, which any thread may replace."""

    def __init__(self) -> None:
        self.preload = NO_PRELOAD
        """What each machine needs."""
        self._stores: dict[str, str] = {}
        """The folders for it, by machine."""
        self._busy: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def prepare(self, relay: Any, machine: str) -> None:
        """Make a relay ready: all of one machine have the same store."""
        async with self._busy[machine]:
            store = self._stores.get(machine, "")
            self._stores[machine] = await asyncio.wait_for(relay.prepare(store), HUNG_SECONDS)

    async def open(self, link: RelayLink, ends: Sequence[socket.socket]) -> None:
        """Start an agent, where there is all that it needs."""
        async with self._busy[link.machine]:
            await link.preload_machine(self.preload)
        await link.open(ends)


class NotHere(Exception):
    """A worker is on another machine, and only those on this one can be used."""


class OtherVersion(Exception):
    """A worker has another version of something than we do, as the message says."""


async def prepare(
    deployed: Deployed, address: str, machines: PreloadedMachines, *, here: bool
) -> ReadyRelay:
    """Make one, and find a channel to it; raise if that cannot be done.

    With ``here`` raise NotHere if it is on another machine.
    """
    if why := await asyncio.wait_for(deployed.worker_difference(address), HUNG_SECONDS):
        raise OtherVersion(why)
    client = deployed.client
    future = client.submit(AgentRelay, actor=True, pure=False, workers=[address], retries=0)
    try:
        actor = await asyncio.wait_for(future, HUNG_SECONDS)
        there = await _machine_of(actor, here=here)
        await machines.prepare(actor, there)
        channel = await asyncio.wait_for(channel_to(actor, address, client.security), HUNG_SECONDS)
    except BaseException:
        future.release()
        raise
    return ReadyRelay(actor, future, there, channel)


async def _machine_of(actor: Any, *, here: bool) -> str:
    there: str = await asyncio.wait_for(actor.machine(), HUNG_SECONDS)
    if here and there != machine():
        raise NotHere
    return there


Admission: TypeAlias = Callable[[RelayLink], bool]
"""Tells whether a worker that has joined may be used; it is asked in a thread of its own."""

LOOK_SECONDS = 1.0
"""Seconds between two looks at which workers there are."""
PREPARING_SECONDS = 0.1


class Relays:
    """Only the event loop calls it, except to look at `links`, `slots` and `elsewhere`."""

    def __init__(
        self,
        deployed: Deployed,
        machines: PreloadedMachines,
        observe: Callable[[Event], None],
        *,
        here: bool,
    ) -> None:
        """Take a cluster; with ``here``, workers on other machines are not used."""
        self._deployed = deployed
        self._machines = machines
        self._observe = observe
        self._here = here
        self.links: dict[str, RelayLink] = {}
        """The relays that can be used, by the addresses of their workers."""
        self.elsewhere: list[str] = []
        """Workers on other machines, if they cannot be used."""
        self.admission: Admission | None = None
        """If there is one, workers that join are used only if it says so."""
        self.is_changed = asyncio.Event()
        """Set when a worker has joined."""
        self._excluded: set[str] = set()
        """Workers that are never used."""
        self._unusable: dict[str, str] = {}
        """Workers on which no relay could be made, and why."""
        self._other_versions: dict[str, str] = {}
        """Workers that have another version of something, and of what."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """What is under way to make a relay on a worker, or has failed not long ago."""
        self._watching: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """Make relays on the workers that there are; raise if none of them can be used."""
        until = monotonic() + HUNG_SECONDS
        while not self.links and not self.elsewhere and monotonic() < until:
            workers = await self._deployed.slots()
            await asyncio.gather(*self._preparing(workers), asyncio.sleep(PREPARING_SECONDS))
            for address, why in self._other_versions.items():
                raise NoCluster(f"the worker {address!r} has {why}", hint=SAME_VERSIONS)
        self._require_links()
        for address, why in self._unusable.items():
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

    def least_loaded(self) -> RelayLink | None:
        """Return the relay with the smallest load, though it may have more agents than slots."""
        return min(self.links.values(), key=lambda each: each.load, default=None)

    def exclude(self, address: str) -> None:
        """Use a worker no more."""
        self._excluded.add(address)
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
        for address, why in self._unusable.items():
            raise NoCluster(
                f"wynot cannot use the worker {address!r}: {why}",
                hint="is wynot installed there? What does the worker print?",
            )
        raise NoCluster(
            "the workers of the cluster have gone", hint="what do they print, and the scheduler?"
        )

    async def _watch(self) -> None:
        """Keep a relay on each worker, and the agents where there are slots for them."""
        while True:
            try:
                workers = await self._deployed.slots()
            except Exception as error:  # noqa: BLE001 - the next time, perhaps
                log_ignored("the scheduler cannot be reached", error)
                await self._deployed.revive()
            else:
                for gone in self.links.keys() - workers.keys():
                    self.links[gone].lose()
                self._preparing(workers)
                self._level()
            await asyncio.sleep(LOOK_SECONDS)

    def _preparing(self, workers: Mapping[str, int]) -> "list[asyncio.Task[None]]":
        """Begin to make relays on the workers that have none yet."""
        for address, slots in workers.items():
            if address not in self.links.keys() | self._tasks.keys() | self._excluded:
                self._tasks[address] = asyncio.create_task(self._prepare(address, slots))
        return [*self._tasks.values()]

    async def _prepare(self, address: str, slots: int) -> None:
        """Make a relay on a worker; if that fails, it is tried again some time later."""
        try:
            ready = await prepare(self._deployed, address, self._machines, here=self._here)
            await self._admit(RelayLink(ready, address, slots, self._leave))
        except NotHere:
            self._excluded.add(address)
            self.elsewhere.append(address)
        except OtherVersion as error:
            self._excluded.add(address)
            self._other_versions[address] = str(error)
            if self._watching is not None:  # at the start it is an error
                message = f"the worker {address!r} is not used: it has {error}"
                self._observe(Noticed("quarantined", message))
        except Exception as error:  # noqa: BLE001 - whatever it is, there is no relay
            is_silent = isinstance(error, TimeoutError)
            why = f"it does not answer within {HUNG_SECONDS:.0f} s" if is_silent else str(error)
            self._unusable[address] = why or repr(error)
            log_ignored(f"no relay on {address}", error)
            asyncio.get_running_loop().call_later(HUNG_SECONDS, self._tasks.pop, address, None)
            return
        del self._tasks[address]

    async def _admit(self, link: RelayLink) -> None:
        """Let a worker be used, if it is like the others."""
        try:
            is_admitted = not self.admission or await asyncio.to_thread(self.admission, link)
        except BaseException:
            link.lose()
            raise
        if not is_admitted:
            self._excluded.add(link.address)
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

    def _leave(self, link: RelayLink) -> None:
        if self.links.get(link.address) is link:
            del self.links[link.address]
