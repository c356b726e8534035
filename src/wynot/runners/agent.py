"""An agent: the process that owns a worker's folders, processes, limits and kills.

It is spoken to over some connections, each of which is a sandbox; docs/design/agent.md says how. Of
all of them one command runs at a time: what comes for another meanwhile is taken in and put in
place, so that it can begin as soon as the first has ended. An answer that the other end does not
take at once is sent bit by bit: an agent that waited until it is taken could not read, and the
other end may be about to write. A connection that closes takes with it what is done for it; the
last one takes the agent.
"""

import select
import socket
from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from wynot.runners.agent_line import AgentLine
from wynot.runners.agent_messages import failure_header
from wynot.runners.agent_protocol import VERSION_NUMBER, Header, ProtocolFault, field, mapping
from wynot.runners.bench import Bench
from wynot.runners.file_edits import NO_STORE
from wynot.runners.kill_switch import Killed
from wynot.runners.machine_store import MachineStore
from wynot.runners.workdir import RunFolder


class Agent:
    """Serves some connections, until all of them are closed. All of it is one thread's."""

    def __init__(
        self, connections: Iterable[socket.socket], store: MachineStore = NO_STORE
    ) -> None:
        self.poll = select.poll()
        self._lines = {
            each.fileno(): AgentLine(each, str(number), store, self.poll)
            for number, each in enumerate(connections)
        }
        self._waiting: deque[AgentLine] = deque()
        self._running: AgentLine | None = None
        self._ended: AgentLine | None = None
        """Where nothing runs any more, but where that was not said yet."""
        self._root: RunFolder | None = None

    def serve(self) -> None:
        """Do what is asked for."""
        try:
            while self._lines:
                while self._waiting:
                    self._run(self._waiting.popleft())
                self._finish_ended()
                if self._lines:
                    self._take_in()
        finally:
            if self._root is not None:
                self._root.close()

    def look(self) -> None:
        """Take in what has come; raise Killed if what runs was given up."""
        self._take_in(milliseconds=0)
        if self._running is not None and (self._running.is_given_up or not self._running.is_open):
            raise Killed

    def _run(self, line: AgentLine) -> None:
        """Run what a sandbox is to run; what is left to do for the one before is done meanwhile."""
        if line.order is None or not line.order.is_quick_to_start:
            self._finish_ended()
        self._running = line
        try:
            line.begin()
            self._finish_ended()
            line.see_through()
        finally:
            self._running, self._ended = None, line

    def _finish_ended(self) -> None:
        """Clear away after what has ended, and say how it did."""
        line, self._ended = self._ended, None
        if line is not None:
            line.finish()
            if not line.is_open:
                self._close(line)

    def _take_in(self, milliseconds: int | None = None) -> None:
        for descriptor, _ in self.poll.poll(milliseconds):
            line = self._lines.get(descriptor)
            if line is None:  # the program that runs
                continue
            line.flush()
            try:
                for header, body in line.received():
                    self._do(line, header, body)
            except ProtocolFault as fault:
                line.answer(failure_header(fault))
                line.is_open = False
            if not line.is_open:
                self._close(line)

    def _do(self, line: AgentLine, header: Header, body: bytes) -> None:
        what = header.get("do")
        if what == "place":
            line.place(header, body)
        elif what == "run":
            line.take(header, body)
            self._waiting.append(line)
        elif what == "kill":
            # One that comes too late is for nobody.
            if line.order is not None and line.order.number == header.get("number"):
                line.is_given_up = True
                if line is not self._running:
                    self._waiting.remove(line)
                    line.begin()
                    line.finish()
        elif what == "beat":
            line.send({"beat": True})
        elif what == "hello":
            self._greet(line, header)
        else:
            raise ProtocolFault(f"{what!r:.100} is not known")

    def _greet(self, line: AgentLine, header: Header) -> None:
        """Make a sandbox ready, or say why that cannot be done."""
        if field(header, "version", int) != VERSION_NUMBER:
            raise ProtocolFault(f"this agent speaks version {VERSION_NUMBER} only")
        if "programs" in header:
            line.programs = mapping(header, "programs", str)
        if line.bench is None:
            try:
                if self._root is None:
                    self._root = RunFolder.make(room=field(header, "room", int, 0))
                line.bench = Bench(self._root, line.name, self)
            except Exception as error:  # noqa: BLE001 - it is told to whoever has asked
                line.answer(failure_header(error, placing=True))
                return
        line.answer({"version": VERSION_NUMBER})

    def _close(self, line: AgentLine) -> None:
        """Let a sandbox go; one where something runs goes when that has ended."""
        if line.connection.fileno() in self._lines:
            self.poll.unregister(line.connection)
            del self._lines[line.connection.fileno()]
        if line is self._running:
            return
        with suppress(ValueError):
            self._waiting.remove(line)
        if line.bench is not None:
            line.bench.close()
        line.connection.close()
