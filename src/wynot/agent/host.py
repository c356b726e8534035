"""The process that agents are forked from, all of those of one run.

Starting an interpreter takes far longer than a fork, and forking is safe where there is one thread.
So this process does nothing else: each message on its control socket brings the connections of an
agent, which it forks. It adopts what an agent leaves that was killed, and when the socket is closed
it waits for its agents, ends what it has adopted, and sweeps the folders that are left.

    python -I -c 'import sys; sys.path.insert(0, sys.argv[1]); …main()' FOLDER FILES STORE

with the socket as standard input; FILES is how many files programs may have open, 0 if that is as
it should be; STORE is the folder of what was sent ahead, empty if there is none. Standard error is
the debug log, if there is one.
"""

import os
import resource
import signal
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from wynot.agent.machine_store import NO_STORE, MachineStore
from wynot.agent.serve import Agent
from wynot.machine import procfs
from wynot.machine.reaper import DYING_SECONDS, FIRST_PAUSE, adopt_orphans, send
from wynot.machine.run_folder import sweep

MAX_CONNECTIONS = 16
"""How many sandboxes one agent can have."""
_CLOSED_BY_OTHERS = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


def main() -> None:
    """Fork agents for as long as they are asked for."""
    agents: list[int] = []
    signal.signal(signal.SIGCHLD, lambda *_: _reap(agents))
    if files := int(sys.argv[2]):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    adopt_orphans()
    control = socket.socket(fileno=os.dup(0))
    os.dup2(1, 0)  # /dev/null, as standard output is
    store = MachineStore(Path(sys.argv[3])) if sys.argv[3] else NO_STORE
    while (connections := _next_connections(control)) is not None:
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
    _end_adopted()
    try:
        sweep()
    except Exception:  # noqa: BLE001 - the next run tries again, and says what is wrong
        traceback.print_exc()
    os._exit(0)


def _reap(agents: list[int]) -> None:
    """Take note of who has ended: agents, and what those have left that were killed."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = ended
            if status and pid in agents:
                code = os.waitstatus_to_exitcode(status)
                os.write(2, b"the agent %d has ended with %d\n" % (pid, code))


def _end_adopted() -> None:
    """End what agents have left that were killed: it may have nothing that a sweep knows it by."""
    deadline = monotonic() + DYING_SECONDS
    while (adopted := procfs.children(os.getpid())) and monotonic() < deadline:
        for pid in adopted:
            send(signal.SIGKILL, pid, os.getpid())
        sleep(FIRST_PAUSE)  # what they have started comes to us when they have died


def _next_connections(control: socket.socket) -> list[socket.socket] | None:
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
    except Exception:  # noqa: BLE001 - the status says so
        traceback.print_exc()
    finally:
        os._exit(status)
