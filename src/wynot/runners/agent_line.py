"""One connection of an agent: what is asked on it, where that is done, and what is answered."""

import select
import socket
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from wynot.runners.agent_messages import (
    RunOrder,
    Whereabouts,
    ending_header,
    failure_header,
)
from wynot.runners.agent_protocol import (
    RECEIVED_BYTES,
    Frame,
    FrameReader,
    FrameWriter,
    Header,
    ProtocolFault,
    field,
    framed,
)
from wynot.runners.bench import Bench, BenchRun
from wynot.runners.file_edits import NO_FILES, edited
from wynot.runners.kill_switch import Killed
from wynot.runners.machine_store import MachineStore


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
        self.bench: Bench | None = None
        self.files = NO_FILES
        self.misplaced: BaseException | None = None
        """What went wrong when the files were put in place: told when they are needed."""
        self.order: RunOrder | None = None
        """What is to be run, or runs."""
        self._last_order: RunOrder | None = None
        self._run: BenchRun | None = None
        self._said: tuple[Header, Sequence[bytes]] = ({}, ())
        """The answer to what was run."""
        self.is_given_up = False
        self.is_open = True
        self._told: Whereabouts | None = None

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
        if self.bench is not None:
            where = Whereabouts(self.bench.folder, self.bench.private, self.bench.stuck)
            if where != self._told:
                header = {**header, "where": where.header}
                self._told = where
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
        bench = self.at_rest()
        self.misplaced = None
        try:
            self.files = edited(self.files, header, body, self._store)
            bench.place(self.files)
        except ProtocolFault:
            raise
        except Exception as error:  # noqa: BLE001 - it is told to whoever has asked
            self.misplaced = error

    def at_rest(self) -> Bench:
        """Return the bench if nothing runs there, or is about to."""
        if self.bench is None or self.order is not None:
            raise ProtocolFault("something is asked before its time")
        return self.bench

    def take(self, header: Header, body: bytes) -> None:
        """Take an order, and put the files in place that come with it."""
        if "place" in header:
            self.place(field(header, "place", dict), body)
        else:
            self.at_rest()
        self.order = self._last_order = RunOrder.of(header, self._last_order)

    def begin(self) -> None:
        """Start what is to be run, or know why it cannot be."""
        bench, order = self.bench, self.order
        assert bench is not None  # noqa: S101 - there is an order
        assert order is not None  # noqa: S101 - it was queued for it
        try:
            if self.is_given_up:
                self._said = failure_header(Killed()), ()
            elif self.misplaced is not None:
                self._said = failure_header(self.misplaced, placing=True), ()
            elif not order.is_elsewhere and order.folder != str(bench.folder):
                self._said = {"error": "moved"}, ()
            else:
                self._run = _begun(bench, order._replace(argv=self._argv(order)))
        except Exception as error:  # noqa: BLE001 - it is told to whoever has asked
            self._said = failure_header(error), ()

    def _argv(self, order: RunOrder) -> Sequence[str]:
        """Return a command as it is on this machine."""
        if not self.programs:
            return order.argv
        here = self.programs
        return [
            self._store.program(word, here[word]) if word in here else word for word in order.argv
        ]

    def see_through(self) -> None:
        """Wait until nothing runs any more."""
        if self._run is None:
            return
        try:
            ending = self._run.see_through()
            self._said = ending_header(ending), (ending.stdout, ending.stderr)
        except Exception as error:  # noqa: BLE001 - it is told to whoever has asked
            self._said = failure_header(error), ()

    def finish(self) -> None:
        """Clear away what was left, and answer."""
        if self._run is not None:
            try:
                self._run.clear()
            except Exception as error:  # noqa: BLE001 - it is told to whoever has asked
                self._said = failure_header(error), ()
        header, pieces = self._said
        if self._run is not None and "error" in header:
            header["started"] = True
        self.order, self._run, self.is_given_up = None, None, False
        self.answer(header, *pieces)


def _begun(bench: Bench, order: RunOrder) -> BenchRun:
    """Begin what is ordered; a server is asked when it is waited for."""
    if order.question is not None:
        ask = partial(bench.ask, order.argv, order.question, limits=order.limits, env=order.env)
        return BenchRun(partial(ask, fresh=order.is_fresh), lambda: None)
    return bench.begin(
        order.argv,
        limits=order.limits,
        stdin=order.stdin,
        capture=order.capture,
        env=order.env,
        elsewhere=Path(order.folder) if order.is_elsewhere else None,
    )
