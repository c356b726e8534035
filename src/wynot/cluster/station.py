"""A station: the actor on a worker of the cluster that has wynot's agents there, and ways to it.

There is one on each worker process. It starts an agent for each slot that is used, as wynot does on
one machine, and passes bytes to and from the agents without looking at them. So a test is never a
task of dask's, which could not be killed.

Whoever uses a station calls it every few seconds. If the calls stop, it closes the connections to
its agents, which then kill what they run and remove their folders.

A call goes through the scheduler, and takes four messages where one would do. A stream is a
connection to the worker's own port, with the same certificates, that carries nothing but parcels.
"""

import asyncio
import os
import secrets
import tempfile
import uuid
from collections import deque
from collections.abc import Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Protocol, TypeAlias

from distributed import get_worker
from distributed.comm import connect
from distributed.security import Security

from wynot.agent.machine_store import NO_STORE, MachineStore
from wynot.agents.agent_source import AgentStarter
from wynot.core.system.debug_log import log_ignored
from wynot.machine.run_folder import RunFolder

Parcel: TypeAlias = tuple[int, bytes]
"""The number of a connection, and what was said on it; nothing: it is closed."""

BEAT_SECONDS = 2.0
"""Seconds after which `take` returns even if there is nothing to be taken."""
GONE_SECONDS = 15.0
"""Seconds without a call after which the user of the station is taken to be gone."""
READ_BYTES = 1 << 20


def machine() -> str:
    """Return a name of this machine; containers that share no files with it have another one."""
    temporary = os.stat(tempfile.gettempdir())  # noqa: PTH116
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        return f"{boot.strip()} {temporary.st_dev} {temporary.st_ino}"
    return f"{uuid.getnode()} {temporary.st_dev} {temporary.st_ino}"


class Station:
    """Agents on this machine, for a wynot on another. Only the worker's event loop calls it."""

    def __init__(self) -> None:
        self._root: RunFolder | None = None
        """Where the store is, if it is this station's own."""
        self._store = NO_STORE
        self._starter: AgentStarter | None = None
        self._lines: dict[int, asyncio.StreamWriter] = {}
        self._said: deque[Parcel] = deque()
        self._is_said = asyncio.Event()
        self._heard = monotonic()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self._name = f"wynot-{secrets.token_hex(16)}"

    async def machine(self) -> str:
        """Return a name that no other machine has; it changes when the machine is rebooted."""
        return machine()

    async def settle(self, folder: str) -> str:
        """Return the folder of the store: that of another station on this machine, if it has one.

        From now on agents can be started.
        """
        self._hear()
        if not os.access(folder, os.W_OK):
            self._root = RunFolder.make()
            folder = str(self._root.folder)
        self._store = MachineStore(Path(folder))
        self._starter = AgentStarter(folder)
        return folder

    async def add(self, digest: str, at: int, piece: bytes, *, is_last: bool) -> None:
        """Take a piece of what is sent ahead."""
        self._hear()
        if self._root is not None:
            self._root.ensure()
        self._store.add(digest, at, piece, is_last=is_last)

    async def stocked(self, digests: Collection[str], programs: Mapping[str, str]) -> list[str]:
        """Return what has to be sent ahead; if it is nothing, make programs ready, by digest."""
        self._hear()
        lacking = self._store.lacking(digests)
        if not lacking:
            for digest, name in programs.items():
                self._store.make_program(digest, name)
            self._store.retain(digests)
        return lacking

    async def listen(self) -> str:
        """Accept a stream in place of calls; return the name under which it has to be asked for."""
        get_worker().handlers[self._name] = self._stream
        return self._name

    async def open(self, numbers: Sequence[int]) -> None:
        """Start an agent, with a connection for each of these numbers."""
        self._hear()
        assert self._starter is not None  # noqa: S101 - it has settled
        for number, line in zip(numbers, self._starter.connect(len(numbers)), strict=True):
            reader, self._lines[number] = await asyncio.open_connection(sock=line)
            self._begin(self._listen(number, reader))

    async def feed(self, parcels: Sequence[Parcel]) -> None:
        """Tell agents what is meant for them."""
        self._hear()
        for number, data in parcels:
            line = self._lines.get(number)
            if line is None:  # it has ended, and that was said
                continue
            if data:
                line.write(data)
            else:
                line.close()

    async def take(self) -> list[Parcel]:
        """Return what agents have said; wait for it, but not for long."""
        self._hear()
        return await self._taken()

    async def _stream(self, comm: Any) -> None:
        """Do what `feed` and `take` do over one connection, until that is closed."""
        telling = asyncio.create_task(self._tell(comm))
        try:
            while not self._is_closed:
                await self.feed(await comm.read())
        except OSError:
            pass  # it is gone; whether for good shows when nothing more is heard
        finally:
            telling.cancel()
            comm.abort()

    async def _tell(self, comm: Any) -> None:
        with suppress(OSError):
            await comm.write(self._name)
            while not self._is_closed:
                await comm.write(await self._taken())

    async def _taken(self) -> list[Parcel]:
        if not self._said:
            self._is_said.clear()
            try:
                await asyncio.wait_for(self._is_said.wait(), BEAT_SECONDS)
            except TimeoutError:
                return []
        taken = [*self._said]
        self._said.clear()
        return taken

    async def close(self) -> None:
        """Close the connections to the agents, and wait until they have ended."""
        if self._is_closed:
            return
        self._is_closed = True
        for line in self._lines.values():
            line.close()
        if self._starter is not None:
            await asyncio.to_thread(self._starter.close, wait=True)
        if self._root is not None:
            self._root.close()

    def _hear(self) -> None:
        """Take note that somebody has called."""
        if self._is_closed:
            raise RuntimeError("this station is closed")
        self._heard = monotonic()
        if not self._tasks:
            self._begin(self._watch())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self, number: int, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(READ_BYTES):
                self._say((number, data))
        except OSError:
            pass  # it is gone, like one that has ended
        finally:
            self._lines.pop(number).close()
            self._say((number, b""))

    def _say(self, parcel: Parcel) -> None:
        self._said.append(parcel)
        self._is_said.set()

    async def _watch(self) -> None:
        while not self._is_closed:
            await asyncio.sleep(BEAT_SECONDS)
            if monotonic() - self._heard > GONE_SECONDS:
                await self.close()


STREAM_SECONDS = 1.5
"""How many seconds to try to reach a worker."""


class StationWay(Protocol):
    """Takes parcels there, and brings some back."""

    async def tell(self, parcels: Sequence[Parcel]) -> None:
        """Tell agents what is meant for them; nothing: that we are there."""

    async def hear(self) -> Sequence[Parcel]:
        """Return what agents have said; nothing: that the station is there."""

    def close(self) -> None:
        """Nothing is sent any more."""


class StationCalls:
    """See `StationWay`: it works wherever there is a scheduler."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    async def tell(self, parcels: Sequence[Parcel]) -> None:
        """Call the station."""
        await self._actor.feed(parcels)

    async def hear(self) -> Sequence[Parcel]:
        """Call the station; it answers when there is something, or every few seconds."""
        said: Sequence[Parcel] = await self._actor.take()
        return said

    def close(self) -> None:
        """There is nothing to close."""


class StationStream:
    """See `StationWay`."""

    def __init__(self, comm: Any) -> None:
        self._comm = comm

    async def tell(self, parcels: Sequence[Parcel]) -> None:
        """Write them."""
        await self._comm.write(parcels)

    async def hear(self) -> Sequence[Parcel]:
        """Read some."""
        said: Sequence[Parcel] = await self._comm.read()
        return said

    def close(self) -> None:
        """Close the connection."""
        self._comm.abort()


class SettledStation(NamedTuple):
    """A station that is ready."""

    actor: Any
    future: Any
    """What keeps the actor alive."""
    machine: str
    way: StationWay


async def way_to(actor: Any, address: str, security: Security) -> StationWay:
    """Return a stream to the station on a worker, if that can be reached from here."""
    name = await actor.listen()
    comm = None
    try:
        async with asyncio.timeout(2 * STREAM_SECONDS):
            arguments = security.get_connection_args("client")
            comm = await connect(address, timeout=STREAM_SECONDS, **arguments)
            # Whoever listens there, only this station knows the name.
            await comm.write({"op": name, "reply": False})
            if await comm.read() == name:
                return StationStream(comm)
    except Exception as error:  # noqa: BLE001 - whatever it is, the scheduler knows a way
        log_ignored(f"no stream to {address}; the scheduler is used", error)
    if comm is not None:
        comm.abort()
    return StationCalls(actor)
