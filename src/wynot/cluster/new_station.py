"""Makes a station on a worker of a cluster."""

import asyncio
from typing import Any

from wynot.cluster.deployed import Deployed
from wynot.cluster.station import Station, machine
from wynot.cluster.station_link import HUNG_SECONDS
from wynot.cluster.station_ways import SettledStation, way_to
from wynot.cluster.supplies import Supplies


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
