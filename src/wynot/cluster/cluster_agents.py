"""Agents on the workers of a cluster, wherever there is a slot.

Workers are trusted only if a run ends there as it does here: a program that is missing, or another
version of it, would make verdicts depend on where a test happens to run.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from wynot.agents.agent_source import MachineCheck
from wynot.agents.sandbox import AgentLost, Sandbox, SharedFolder
from wynot.cluster.cluster_address import ClusterAddress, LocalSlots
from wynot.cluster.deployed import Deployed, deploy
from wynot.cluster.relays import Admission, PreloadedMachines, RelayLink, Relays
from wynot.core.errors import BrokenRunner
from wynot.core.events import Event, Noticed
from wynot.core.system.debug_log import log_ignored
from wynot.wire.file_edits import Preload

Answer = TypeVar("Answer")


class LoopThread:
    """Any thread may call it."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        # Errors that nobody awaits any more, say those of lost workers, do not concern the user.
        self.loop.set_exception_handler(
            lambda _, context: log_ignored(context["message"], context.get("exception"))
        )
        self._thread = threading.Thread(target=self.loop.run_forever, name=name, daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._thread.is_alive()

    def begin(self, work: Coroutine[Any, Any, Answer]) -> "Future[Answer]":
        """Have a coroutine run there."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def do(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Have a coroutine run there, and wait for what it returns."""
        return self.begin(work).result()

    def end(self) -> None:
        """End the thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


Connecting: TypeAlias = Callable[[], socket.socket]
"""Starts an agent on a worker, and returns a connection to it."""

MAX_RUNS = 3
"""How often a worker with a different answer is address: the test may be flaky."""


class ConsistencyCheck:
    """Runs something on each worker, and tells which are like the others. Any thread may ask."""

    def __init__(
        self, check: MachineCheck, observe: Callable[[Event], None], preload: Callable[[], Preload]
    ) -> None:
        self._preload = preload
        self._check = check
        self._observe = observe
        self._majority: list[Any] = []
        """How it ends on most workers, as soon as that is known."""

    def deviating(self, workers: Mapping[str, Connecting]) -> Sequence[str]:
        """Return the workers that are not like the others, and tell of them."""
        with ThreadPoolExecutor(len(workers) or 1) as threads:
            ran = dict(zip(workers, threads.map(self._ran, workers.values()), strict=True))
        answers = {worker: results[0] for worker, results in ran.items() if results}
        if not self._majority and answers:
            self._majority = [self._most([*answers.values()])]
        return [
            worker
            for worker, result in answers.items()
            if self._differs(result) and self._stays_different(worker, result, workers[worker])
        ]

    def _ran(self, connect: Connecting) -> list[Any]:
        """Return the answer of a worker in a list, which is empty if the worker is lost."""
        try:
            with closing(Sandbox(connect, SharedFolder(), preload=self._preload)) as sandbox:
                return [self._check.run(sandbox)]
        except AgentLost:
            return []

    def _most(self, answers: Sequence[Any]) -> Any:
        """Return the most frequent answer; if any show the failure, the most frequent of those."""
        groups: list[list[Any]] = []
        for each in answers:
            alike = [group for group in groups if self._check.is_same(group[0], each)]
            if alike:
                alike[0].append(each)
            else:
                groups.append([each])
        return max(groups, key=lambda group: (self._check.shows_failure(group[0]), len(group)))[0]

    def _differs(self, result: Any) -> bool:
        return not self._check.is_same(self._majority[0], result)

    def _stays_different(self, worker: str, result: Any, connect: Connecting) -> bool:
        for _ in range(MAX_RUNS - 1):
            again = self._ran(connect)
            if not again or not self._differs(again[0]):
                return False
            [result] = again
        there, usual = self._check.describe(result), self._check.describe(self._majority[0])
        self._observe(
            Noticed(
                "quarantined",
                f"the worker {worker!r} is not used: the test of the original ends otherwise there "
                f"({there}) than elsewhere ({usual})",
            )
        )
        return True


EMPTY_SECONDS = 60.0
"""How many seconds to wait for a worker when all have gone."""
CLOSING_SECONDS = 20.0


class ClusterAgents:
    """See `wynot.agents.agent_source`: it is one of those.

    All that has to do with the cluster is done by an event loop in a thread of its own.
    """

    max_losses = 20
    """Machines may come and go all the time, whatever the tests do."""

    def __init__(
        self,
        cluster: ClusterAddress,
        observe: Callable[[Event], None],
        *,
        here: bool = False,
        most: int | None = None,
    ) -> None:
        """Connect to a cluster, or start one; raise if that cannot be done, or it has no worker.

        With ``here``, workers on other machines are not used. No more than ``most`` slots are.
        """
        self._most = most
        self._is_local = isinstance(cluster, LocalSlots)
        self._machines = PreloadedMachines()
        self._deployed: Deployed | None = None
        self._is_closing = False
        self._thread = LoopThread("wynot cluster")
        try:
            self._deployed = self._thread.do(deploy(cluster))
            self._relays = Relays(self._deployed, self._machines, observe, here=here)
            self._thread.do(self._relays.start())
        except BaseException:
            self.close(wait=True)
            raise

    @property
    def slots(self) -> int:
        """How many tests can run at once; more if workers join."""
        slots = self._relays.slots
        return slots if self._most is None else min(slots, self._most)

    @property
    def elsewhere(self) -> int:
        """How many workers are on other machines, if they cannot be used."""
        return len(self._relays.elsewhere)

    def connect(self, count: int) -> list[socket.socket]:
        """Start an agent where there is room for one; return so many connections to it."""
        return self._thread.do(self._connect(count))

    def upload(self, preload: Preload) -> None:
        """Send something to all machines, once, in place of what was sent there before."""
        self._machines.preload = preload

    @property
    def preload(self) -> Preload:
        """What was sent to the machines of the agents."""
        return self._machines.preload

    def check_machines(self, check: MachineCheck, observe: Callable[[Event], None]) -> None:
        """Use only workers that answer as most do; that goes for those that join later, too."""
        if self._is_local:
            return
        checked = ConsistencyCheck(check, observe, lambda: self.preload)

        def exclude_others(links: Mapping[str, RelayLink]) -> None:
            ways = {each: self._way_to(link) for each, link in links.items()}
            for address in checked.deviating(ways):
                self._thread.loop.call_soon_threadsafe(self._relays.exclude, address)

        def is_like_others(new: RelayLink) -> bool:
            return not checked.deviating({new.address: self._way_to(new)})

        known = dict(self._relays.links)
        exclude_others(known)  # all at once, so that most of them decide
        now = self._thread.do(self._admit_by(is_like_others))
        exclude_others({each: link for each, link in now.items() if known.get(each) is not link})

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
            except Exception as error:  # noqa: BLE001 - relays end when they hear no more of us
                log_ignored("the cluster cannot be closed", error)
            self._thread.end()

    async def _admit_by(self, admission: Admission) -> dict[str, RelayLink]:
        """Have workers that join looked at from now on; return those that have joined before."""
        self._relays.admission = admission
        return dict(self._relays.links)

    def _way_to(self, link: RelayLink) -> Callable[[], socket.socket]:
        """Return how an agent is started on this worker, and no other."""
        return lambda: self._thread.do(self._connect_at(link))

    async def _connect_at(self, link: RelayLink) -> socket.socket:
        ours, theirs = socket.socketpair()
        try:
            await self._machines.open(link, [theirs])
        except Exception as error:
            ours.close()
            theirs.close()
            raise AgentLost("a worker is lost") from error
        return ours

    async def _connect(self, count: int) -> list[socket.socket]:
        until = monotonic() + EMPTY_SECONDS
        while not self._is_closing and monotonic() < until:
            link = self._relays.least_loaded()
            if link is None:
                self._relays.is_changed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._relays.is_changed.wait(), until - monotonic())
                continue
            pairs = [socket.socketpair() for _ in range(count)]
            try:
                await self._machines.open(link, [theirs for _, theirs in pairs])
            except Exception as error:  # noqa: BLE001 - that relay is of no use
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
        self._relays.is_changed.set()

    async def _close(self) -> None:
        if self._deployed is None:
            return
        self._end_waiting()
        await self._relays.close()
        await self._deployed.close()
