"""Two ways to speak to a station: a stream if its worker can be reached, or calls of the actor.

A call goes through the scheduler, and takes four messages where one would do. A stream is a
connection to the worker's own port, with the same certificates, that carries nothing but parcels.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from distributed.comm import connect
from distributed.security import Security

from wynot.cluster.station import Parcel
from wynot.core.debug_log import log_ignored

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
