"""A relay: the actor on a worker of the cluster that has wynot's agents there, and channels to it.

There is one on each worker process. It starts an agent for each slot that is used, as wynot does on
one machine, and passes bytes to and from the agents without looking at them. So a test is never a
task of dask's, which could not be killed.

Whoever uses a relay calls it every few seconds. If the calls stop, it closes the connections to
its agents, which then kill what they run and remove their folders.

A call goes through the scheduler, and takes four messages where one would do. A stream is a
connection to the worker's own port, with the same certificates, that carries nothing but chunks.
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

Chunk: TypeAlias = tuple[int, bytes]
"""The number of a connection, and what came on it; nothing: it is closed."""

BEAT_SECONDS = 2.0
"""Seconds after which `take` returns even if there is nothing to be taken."""
GONE_SECONDS = 15.0
"""Seconds without a call after which the user of the relay is taken to be gone."""
READ_BYTES = 1 << 20


def machine() -> str:
    """Return a name of this machine; containers that share no files with it have another one."""
    temporary = os.stat(tempfile.gettempdir())  # noqa: PTH116
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        return f"{boot.strip()} {temporary.st_dev} {temporary.st_ino}"
    return f"{uuid.getnode()} {temporary.st_dev} {temporary.st_ino}"


class AgentRelay:
    """Agents on this machine, for a wynot on another. Only the worker's event loop calls it."""

    def __init__(self) -> None:
        self._root: RunFolder | None = None
        """Where the store is, if it is this relay's own."""
        self._store = NO_STORE
        self._starter: AgentStarter | None = None
        self._lines: dict[int, asyncio.StreamWriter] = {}
        self._unsent: deque[Chunk] = deque()
        self._has_unsent = asyncio.Event()
        self._last_call = monotonic()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self._name = f"wynot-{secrets.token_hex(16)}"

    async def machine(self) -> str:
        """Return a name that no other machine has; it changes when the machine is rebooted."""
        return machine()

    async def prepare(self, folder: str) -> str:
        """Return the folder of the store: that of another relay on this machine, if it has one.

        From now on agents can be started.
        """
        self._note_call()
        if not os.access(folder, os.W_OK):
            self._root = RunFolder.make()
            folder = str(self._root.folder)
        self._store = MachineStore(Path(folder))
        self._starter = AgentStarter(folder)
        return folder

    async def add(self, digest: str, at: int, piece: bytes, *, is_last: bool) -> None:
        """Take a piece of what is sent ahead."""
        self._note_call()
        if self._root is not None:
            self._root.ensure()
        self._store.add(digest, at, piece, is_last=is_last)

    async def preloaded(self, digests: Collection[str], programs: Mapping[str, str]) -> list[str]:
        """Return what has to be sent ahead; if it is nothing, make programs ready, by digest."""
        self._note_call()
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
        self._note_call()
        assert self._starter is not None  # noqa: S101 - it has ready
        for number, line in zip(numbers, self._starter.connect(len(numbers)), strict=True):
            reader, self._lines[number] = await asyncio.open_connection(sock=line)
            self._begin(self._read(number, reader))

    async def feed(self, chunks: Sequence[Chunk]) -> None:
        """Tell agents what is meant for them."""
        self._note_call()
        for number, data in chunks:
            line = self._lines.get(number)
            if line is None:  # it has ended, and the other end was told
                continue
            if data:
                line.write(data)
            else:
                line.close()

    async def take(self) -> list[Chunk]:
        """Return what agents have sent; wait for it, but not for long."""
        self._note_call()
        return await self._next_chunks()

    async def _stream(self, comm: Any) -> None:
        """Do what `feed` and `take` do over one connection, until that is closed."""
        sending = asyncio.create_task(self._send(comm))
        try:
            while not self._is_closed:
                await self.feed(await comm.read())
        except OSError:
            pass  # it is gone; whether for good shows when nothing more is heard
        finally:
            sending.cancel()
            comm.abort()

    async def _send(self, comm: Any) -> None:
        with suppress(OSError):
            await comm.write(self._name)
            while not self._is_closed:
                await comm.write(await self._next_chunks())

    async def _next_chunks(self) -> list[Chunk]:
        if not self._unsent:
            self._has_unsent.clear()
            try:
                await asyncio.wait_for(self._has_unsent.wait(), BEAT_SECONDS)
            except TimeoutError:
                return []
        taken = [*self._unsent]
        self._unsent.clear()
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

    def _note_call(self) -> None:
        """Take note that somebody has called."""
        if self._is_closed:
            raise RuntimeError("this relay is closed")
        self._last_call = monotonic()
        if not self._tasks:
            self._begin(self._watch())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, number: int, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(READ_BYTES):
                self._queue((number, data))
        except OSError:
            pass  # it is gone, like one that has ended
        finally:
            self._lines.pop(number).close()
            self._queue((number, b""))

    def _queue(self, chunk: Chunk) -> None:
        self._unsent.append(chunk)
        self._has_unsent.set()

    async def _watch(self) -> None:
        while not self._is_closed:
            await asyncio.sleep(BEAT_SECONDS)
            if monotonic() - self._last_call > GONE_SECONDS:
                await self.close()


STREAM_SECONDS = 1.5
"""How many seconds to try to reach a worker."""


class RelayChannel(Protocol):
    """Takes chunks to a relay, and brings some back."""

    async def send(self, chunks: Sequence[Chunk]) -> None:
        """Tell agents what is meant for them; nothing: that we are there."""

    async def receive(self) -> Sequence[Chunk]:
        """Return what agents have sent; nothing: the relay is there."""

    def close(self) -> None:
        """Nothing is sent any more."""


class RelayCalls:
    """See `RelayChannel`: it works wherever there is a scheduler."""

    def __init__(self, actor: Any) -> None:
        self._actor = actor

    async def send(self, chunks: Sequence[Chunk]) -> None:
        """Call the relay."""
        await self._actor.feed(chunks)

    async def receive(self) -> Sequence[Chunk]:
        """Call the relay; it answers when there is something, or every few seconds."""
        chunks: Sequence[Chunk] = await self._actor.take()
        return chunks

    def close(self) -> None:
        """There is nothing to close."""


class RelayStream:
    """See `RelayChannel`."""

    def __init__(self, comm: Any) -> None:
        self._comm = comm

    async def send(self, chunks: Sequence[Chunk]) -> None:
        """Write them."""
        await self._comm.write(chunks)

    async def receive(self) -> Sequence[Chunk]:
        """Read some."""
        chunks: Sequence[Chunk] = await self._comm.read()
        return chunks

    def close(self) -> None:
        """Close the connection."""
        self._comm.abort()


class ReadyRelay(NamedTuple):
    """A relay that is ready."""

    actor: Any
    future: Any
    """What keeps the actor alive."""
    machine: str
    channel: RelayChannel


async def channel_to(actor: Any, address: str, security: Security) -> RelayChannel:
    """Return a stream to the relay on a worker, if that can be reached from here."""
    name = await actor.listen()
    comm = None
    try:
        async with asyncio.timeout(2 * STREAM_SECONDS):
            arguments = security.get_connection_args("client")
            comm = await connect(address, timeout=STREAM_SECONDS, **arguments)
            # Whoever listens there, only this relay knows the name.
            await comm.write({"op": name, "reply": False})
            if await comm.read() == name:
                return RelayStream(comm)
    except Exception as error:  # noqa: BLE001 - whatever it is, the scheduler knows a way
        log_ignored(f"no stream to {address}; the scheduler is used", error)
    if comm is not None:
        comm.abort()
    return RelayCalls(actor)
