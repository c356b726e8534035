"""Agents, as tests look at them: their processes, and some in threads of the test's own process."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from wynot.agent.hosted_sandbox import HostedSandbox
from wynot.agent.serve import Agent
from wynot.agents.sandbox import Sandbox, SharedFolder
from wynot.core.ending import Ending
from wynot.machine import procfs
from wynot.machine.run_folder import RunFolder
from wynot.wire.run_request import RunRequest


def hosts(of: int | None = None) -> list[int]:
    """Return the processes that a process (this one) has its agents forked from."""
    return [pid for pid in procfs.children(of or os.getpid()) if _is_agent(pid)]


def agents(of: int | None = None) -> list[int]:
    """Return the agents of a process, which is this one if none is named."""
    return [pid for host in hosts(of) for pid in procfs.children(host) if _is_agent(pid)]


def left_by_tests(of: int | None = None) -> list[int]:
    """Return the processes that tests have left to the agents of a process, ended ones too."""
    of_agents = [pid for agent in agents(of) for pid in procfs.children(agent)]
    adopted = [pid for host in hosts(of) for pid in procfs.children(host) if not _is_agent(pid)]
    return of_agents + adopted


def _is_agent(pid: int) -> bool:
    with suppress(OSError):
        return b"wynot.agent.host" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


class LoneHostedSandbox(HostedSandbox):
    """A bench in this very process, with a root of its own."""

    def __init__(self, root: RunFolder | None = None) -> None:
        self._root = root or RunFolder.make()
        super().__init__(self._root, "0", Agent([]))

    def run(self, request: RunRequest) -> Ending:
        """Run a command to its end, and clear away after it."""
        run = self.begin(request)
        try:
            return run.see_through()
        finally:
            run.clear()

    def close(self) -> None:
        """Let all of it go."""
        super().close()
        self._root.close()


@contextmanager
def agent_in_thread(connections: int = 1) -> Iterator[list[Sandbox]]:
    """Return the sandboxes of an agent in a thread of this process: it can be tampered with."""
    pairs = [socket.socketpair() for _ in range(connections)]
    thread = threading.Thread(target=Agent([their for _, their in pairs]).serve)
    thread.start()
    shared = SharedFolder()
    sandboxes = [Sandbox(partial(iter([our]).__next__), shared) for our, _ in pairs]
    try:
        yield sandboxes
    finally:
        for (our, _), sandbox in zip(pairs, sandboxes, strict=True):
            sandbox.close()
            our.close()
        shared.close()
        thread.join(300)
