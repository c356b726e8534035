"""The process that agents are forked from, all of those of one run.

Starting an interpreter takes far longer than a fork, and forking is safe where there is one thread.
So this process does nothing else: each message on its control socket brings the connections of an
agent, which it forks. It adopts what an agent leaves that was killed, and when the socket is closed
it waits for its agents, and sweeps what those have left that did not end by themselves.

    python -I -c 'import sys; sys.path.insert(0, sys.argv[1]); …main()' FOLDER FILES STORE

with the socket as standard input; FILES is how many files programs may have open, 0 if that is as
it should be; STORE is the folder of what was sent ahead, empty if there is none.
"""

import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from wynot.runners.agent import Agent
from wynot.runners.file_edits import NO_STORE
from wynot.runners.machine_store import MachineStore
from wynot.runners.reaper import adopt_orphans
from wynot.runners.workdir import sweep

MAX_CONNECTIONS = 16
"""How many sandboxes one agent can have."""
_CLOSED_BY_OTHERS = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


def main() -> None:
    """Fork agents for as long as they are asked for."""
    signal.signal(signal.SIGCHLD, _reap)
    if files := int(sys.argv[2]):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    adopt_orphans()
    control = socket.socket(fileno=os.dup(0))
    os.dup2(1, 0)  # /dev/null, as standard output is
    store = MachineStore(Path(sys.argv[3])) if sys.argv[3] else NO_STORE
    agents: list[int] = []
    while (connections := _asked(control)) is not None:
        pid = os.fork()
        if pid == 0:
            control.close()
            _serve(connections, store)
        agents.append(pid)
        for each in connections:
            each.close()
    for pid in agents:
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    with suppress(Exception):  # the next run tries again, and says what is wrong
        sweep()
    os._exit(0)


def _reap(_number: int, _frame: object) -> None:
    """Take note of who has ended: agents, and what those have left that were killed."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _asked(control: socket.socket) -> list[socket.socket] | None:
    """Wait for the connections of the next agent; None: there will be no other."""
    try:
        note, descriptors, _, _ = socket.recv_fds(control, 1, MAX_CONNECTIONS, _CLOSED_BY_OTHERS)
    except OSError:
        return None
    return [socket.socket(fileno=each) for each in descriptors] if note else None


def _serve(connections: list[socket.socket], store: MachineStore) -> None:
    """Be an agent."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        Agent(connections, store).serve()
        status = 0
    finally:
        os._exit(status)
