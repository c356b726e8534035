"""An agent: the process that owns a worker's folders, processes and servers.

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
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

from wynot.agent.hosted_sandbox import HostedRun, HostedSandbox
from wynot.agent.machine_store import NO_STORE, MachineStore
from wynot.machine.run_folder import RunFolder
from wynot.wire.file_edits import NO_FILES, edited
from wynot.wire.framing import (
    RECEIVED_BYTES,
    VERSION_NUMBER,
    Frame,
    FrameReader,
    FrameWriter,
    Header,
    ProtocolFault,
    field,
    framed,
    mapping,
)
from wynot.wire.messages import RunOrder, Whereabouts, ending_header, failure_header
from wynot.wire.run_request import Killed, RunRequest


class AgentLine:
    """A connection, and the sandbox that it is for."""

    def __init__(
        self, connection: socket.socket, name: str, store: MachineStore, poll: select.poll
    ) -> None:
        """Take a connection, and the poll of the agent, which flushes what could not be sent."""
        self.connection = connection
        self.name = name
        self._store = store
        self.programs: dict[str, str] = {}
        """Scripts that were sent ahead, by the words that name them: their digests."""
        self.reader = FrameReader()
        self._writer = FrameWriter(connection)
        self._poll = poll
        poll.register(connection, select.POLLIN)
        self.sandbox: HostedSandbox | None = None
        self.files = NO_FILES
        self.misplaced: BaseException | None = None
        """What went wrong when the files were put in place: told when they are needed."""
        self.order: RunOrder | None = None
        """What is to be run, or runs."""
        self._last_order: RunOrder | None = None
        self._run: HostedRun | None = None
        self._answer: tuple[Header, Sequence[bytes]] = ({}, ())
        """The answer to what was run."""
        self.is_given_up = False
        self.is_open = True
        self._last_where: Whereabouts | None = None

    def received(self) -> Iterable[Frame]:
        """Read what is there; go through the frames that are complete."""
        try:
            data = self.connection.recv(RECEIVED_BYTES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.is_open = False
            return
        self.reader.feed(data)
        while (frame := self.reader.next()) is not None:
            yield frame

    def answer(self, header: Header, *pieces: bytes) -> None:
        """Send an answer, and where the folders are now if that is new."""
        if self.sandbox is not None:
            where = Whereabouts(self.sandbox.folder, self.sandbox.private, self.sandbox.stuck)
            if where != self._last_where:
                header = {**header, "where": where.header}
                self._last_where = where
        self.send(header, *pieces)

    def send(self, header: Header, *pieces: bytes) -> None:
        """Send a frame, as far as the other end takes it now: the agent never waits for that."""
        if self.is_open:
            self._try(partial(self._writer.send, framed(header, pieces)))

    def flush(self) -> None:
        """Send more of what could not be sent at once."""
        if self._writer.has_unsent:
            self._try(self._writer.flush)

    def _try(self, write: Callable[[], object]) -> None:
        could_send = not self._writer.has_unsent
        try:
            write()
        except OSError:
            self.is_open = False
        if could_send == self._writer.has_unsent:
            events = select.POLLIN | select.POLLOUT if could_send else select.POLLIN
            self._poll.modify(self.connection, events)

    def place(self, header: Header, body: bytes) -> None:
        """Put the files in place that edits of the last ones make."""
        sandbox = self.at_rest()
        self.misplaced = None
        try:
            self.files = edited(self.files, header, body, self._store.read)
            sandbox.place(self.files)
        except ProtocolFault:
            raise
        except Exception as error:  # noqa: BLE001 - the answer tells it
            self.misplaced = error

    def at_rest(self) -> HostedSandbox:
        """Return the sandbox if nothing runs there, or is about to."""
        if self.sandbox is None or self.order is not None:
            raise ProtocolFault("a request came before its time")
        return self.sandbox

    def take(self, header: Header, body: bytes) -> None:
        """Take an order, and put the files in place that come with it."""
        if "place" in header:
            self.place(field(header, "place", dict), body)
        else:
            self.at_rest()
        self.order = self._last_order = RunOrder.of(header, self._last_order)

    def begin(self) -> None:
        """Start what is to be run, or know why it cannot be."""
        sandbox, order = self.sandbox, self.order
        assert sandbox is not None  # noqa: S101 - there is an order
        assert order is not None  # noqa: S101 - it was queued for it
        try:
            if self.is_given_up:
                self._answer = failure_header(Killed()), ()
            elif self.misplaced is not None:
                self._answer = failure_header(self.misplaced, placing=True), ()
            elif order.request.folder is None and order.folder != str(sandbox.folder):
                self._answer = {"error": "moved"}, ()
            else:
                self._run = sandbox.begin(self._on_this_machine(order.request))
        except Exception as error:  # noqa: BLE001 - the answer tells it
            self._answer = failure_header(error), ()

    def _on_this_machine(self, request: RunRequest) -> RunRequest:
        """Return a request with scripts where they are on this machine."""
        here = self.programs
        if not here:
            return request
        argv = [
            self._store.program(word, here[word]) if word in here else word for word in request.argv
        ]
        return request._replace(argv=argv)

    def see_through(self) -> None:
        """Wait until nothing runs any more."""
        if self._run is None:
            return
        try:
            ending = self._run.see_through()
            self._answer = ending_header(ending), (ending.stdout, ending.stderr)
        except Exception as error:  # noqa: BLE001 - the answer tells it
            self._answer = failure_header(error), ()

    def finish(self) -> None:
        """Clear away what was left, and answer."""
        if self._run is not None:
            try:
                self._run.clear()
            except Exception as error:  # noqa: BLE001 - the answer tells it
                self._answer = failure_header(error), ()
        header, pieces = self._answer
        if self._run is not None and "error" in header:
            header["started"] = True
        self.order, self._run, self.is_given_up = None, None, False
        self.answer(header, *pieces)


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
        if line.order is None or not line.order.request.is_quick_to_start:
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
        if line.sandbox is None:
            try:
                if self._root is None:
                    self._root = RunFolder.make(room=field(header, "room", int, 0))
                line.sandbox = HostedSandbox(self._root, line.name, self)
            except Exception as error:  # noqa: BLE001 - the answer tells it
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
        if line.sandbox is not None:
            line.sandbox.close()
        line.connection.close()
