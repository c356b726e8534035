"""A relay as it is seen from here, with one that is made up at the other end."""

import asyncio
import socket
from collections.abc import Sequence

import clusters  # noqa: F401 - skips all of it where dask is not installed
from wynot.cluster.relay import Chunk, ReadyRelay
from wynot.cluster.relays import RelayLink


class MadeUpRelay:
    """Does what a test says, in place of an actor, its future and the way to it."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()
        self.may_open = asyncio.Event()
        self.said: asyncio.Queue[list[Chunk]] = asyncio.Queue()

    async def open(self, _numbers: Sequence[int]) -> None:
        self.is_asked.set()
        await self.may_open.wait()

    async def send(self, _chunks: Sequence[Chunk]) -> None:
        """Nothing is done with it."""

    async def receive(self) -> Sequence[Chunk]:
        return await self.said.get()

    def release(self) -> None:
        """There is no future."""

    def close(self) -> None:
        """There is no way."""

    def link(self) -> RelayLink:
        settled = ReadyRelay(self, self, "here", self)
        return RelayLink(settled, "tcp://a:1", 1, lambda _: None)


def test_an_agent_that_is_being_started_is_not_let_go() -> None:
    async def run() -> None:
        relay = MadeUpRelay()
        link = relay.link()
        ours, theirs = socket.socketpair()
        ours.settimeout(0)
        opening = asyncio.ensure_future(link.open([theirs]))
        await relay.is_asked.wait()
        link.retire_one()
        relay.may_open.set()
        await opening
        assert link.agents == 1
        link.retire_one()
        assert await asyncio.get_running_loop().sock_recv(ours, 1) == b""
        link.lose()
        ours.close()

    asyncio.run(run())


def test_an_agent_that_ends_before_it_is_said_to_be_there_is_no_loss_of_the_station() -> None:
    async def run() -> None:
        relay = MadeUpRelay()
        link = relay.link()
        ours, theirs = socket.socketpair()
        ours.settimeout(0)
        opening = asyncio.ensure_future(link.open([theirs]))
        await relay.is_asked.wait()
        relay.said.put_nowait([(0, b""), (0, b"late")])
        assert await asyncio.get_running_loop().sock_recv(ours, 1) == b""
        relay.may_open.set()
        await opening
        assert (link.agents, link.is_lost) == (0, False)
        link.lose()
        ours.close()

    asyncio.run(run())
