"""Which workers can be trusted: those where a run ends as it does on most.

A program that is missing, or another version of it, would make verdicts depend on where a test
happens to run.
"""

import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeAlias

from wynot.core.events import Event, Noticed
from wynot.runners.agent_connection import AgentLost
from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.agent_source import Vetting
from wynot.runners.shared_folder import SharedFolder
from wynot.runners.stock import Stock

Connecting: TypeAlias = Callable[[], socket.socket]
"""Starts an agent on a worker, and returns a connection to it."""

MAX_RUNS = 3
"""How often a worker with a different answer is asked: the test may be flaky."""


class Jury:
    """Runs something on each worker, and tells which are like the others. Any thread may ask."""

    def __init__(
        self, vetting: Vetting, observe: Callable[[Event], None], stock: Callable[[], Stock]
    ) -> None:
        self._stock = stock
        self._vetting = vetting
        self._observe = observe
        self._usual: list[Any] = []
        """How it ends on most workers, as soon as that is known."""

    def judge(self, workers: Mapping[str, Connecting]) -> Sequence[str]:
        """Return the workers that are not like the others, and tell of them."""
        with ThreadPoolExecutor(len(workers) or 1) as threads:
            ran = dict(zip(workers, threads.map(self._ran, workers.values()), strict=True))
        answers = {worker: said[0] for worker, said in ran.items() if said}
        if not self._usual and answers:
            self._usual = [self._most([*answers.values()])]
        return [
            worker
            for worker, said in answers.items()
            if self._differs(said) and self._stays_different(worker, said, workers[worker])
        ]

    def _ran(self, connect: Connecting) -> list[Any]:
        """Return the answer of a worker in a list, which is empty if the worker is lost."""
        try:
            with closing(AgentSandbox(connect, SharedFolder(), stock=self._stock)) as sandbox:
                return [self._vetting.run(sandbox)]
        except AgentLost:
            return []

    def _most(self, answers: Sequence[Any]) -> Any:
        """Return the most frequent answer; if any show the failure, the most frequent of those."""
        groups: list[list[Any]] = []
        for each in answers:
            alike = [group for group in groups if self._vetting.same(group[0], each)]
            if alike:
                alike[0].append(each)
            else:
                groups.append([each])
        return max(groups, key=lambda group: (self._vetting.shows(group[0]), len(group)))[0]

    def _differs(self, said: Any) -> bool:
        return not self._vetting.same(self._usual[0], said)

    def _stays_different(self, worker: str, said: Any, connect: Connecting) -> bool:
        for _ in range(MAX_RUNS - 1):
            again = self._ran(connect)
            if not again or not self._differs(again[0]):
                return False
            [said] = again
        there, usual = self._vetting.words(said), self._vetting.words(self._usual[0])
        self._observe(
            Noticed(
                "quarantined",
                f"the worker {worker!r} is not used: the test of the original ends otherwise there "
                f"({there}) than elsewhere ({usual})",
            )
        )
        return True
