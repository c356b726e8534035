"""A sandbox: a worker's private place, where candidates are put and commands run on them.

What is done in it is done by an agent, over a connection. Files are sent with the command that
needs them, as edits of those that were sent last: so a test takes one message each way. After a run
nothing of it is left: no process, no temporary file; its files go with the next candidate.

An agent that is killed closes its connections. But it may also be stopped, or on a machine that is
gone without a word: so one that has not answered for long is asked for a sign of life, which it
gives whatever runs there. Neither end ever waits to write: the agent has several connections, and
the thread that gives up a run here has no time to wait.
"""

import select
import socket
import struct
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from wynot.agents.kill_switch import KillSwitch
from wynot.core.ending import Ending
from wynot.core.errors import BrokenRunner
from wynot.core.system.debug_log import log_ignored
from wynot.core.system.folder_files import FolderFiles
from wynot.machine.run_folder import RunFolder
from wynot.wire.file_edits import NO_FILES, NO_PRELOAD, Preload, edits
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
)
from wynot.wire.messages import RunOrder, Whereabouts, ending_of, failure_of
from wynot.wire.run_request import RunRequest

BEAT_SECONDS = 5.0
"""Seconds after which an agent that has not answered is asked for a sign of life."""
LIFELESS_SECONDS = 30.0
"""Seconds without any after which it is given up: a busy machine, or a full disk, may keep it."""
WAIT_SECONDS = 0.5
"""Seconds that a wait for an answer takes at most: another thread may leave something unsent."""

_TIME = struct.Struct("ll")
_BEAT = framed({"do": "beat"})


class AgentLost(BrokenRunner):
    """An agent has ended before it has answered, or does not answer at all."""

    slug = "broken-runner"


class AgentConnection:
    """What the sandbox's thread sends and receives; any thread may send something, too."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._reader = FrameReader()
        self._writer = FrameWriter(connection)
        self._sending = threading.Lock()
        self._life: float | None = None
        """When it was last heard, or asked to run something; None: it need not answer soon."""
        self._beat_sent: float | None = None
        """When it was asked for a sign of life that it has not given."""
        time = _TIME.pack(0, int(WAIT_SECONDS * 1e6))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, time)

    def send(self, frame: bytes, *, is_run: bool = False) -> None:
        """Send a frame; `received` sends the rest. Raise AgentLost if the agent has ended."""
        if is_run:
            self._life = monotonic()
        try:
            with self._sending:
                self._writer.send(frame)
        except OSError as error:
            raise lost() from error

    def _flush(self) -> None:
        """Send more of what could not be sent, once something can be sent or received."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        poll.poll(WAIT_SECONDS * 1000)
        try:
            with self._sending:
                has_sent = self._writer.flush()
        except OSError as error:
            raise lost() from error
        if has_sent and self._life is not None:
            self._life = monotonic()

    def received(self) -> Frame:
        """Return the next frame; raise AgentLost if none will come."""
        while (frame := self._reader.next()) is None or "beat" in frame[0]:
            if frame is not None:
                continue
            is_sending = self._writer.has_unsent
            if is_sending:
                self._flush()
            try:
                data = self._socket.recv(RECEIVED_BYTES, socket.MSG_DONTWAIT if is_sending else 0)
            except BlockingIOError:
                self._require_life()
                continue
            except OSError as error:
                raise lost() from error
            if not data:
                raise lost()
            if self._beat_sent is not None:
                self._beat_sent, self._life = None, monotonic()
            self._reader.feed(data)
        return frame

    def _require_life(self) -> None:
        """Ask for a sign of life if it is time; raise AgentLost if there was none for too long."""
        now = monotonic()
        if self._life is None or now - self._life < BEAT_SECONDS:
            return
        if self._beat_sent is None:
            self._beat_sent = now
            self.send(_BEAT)
        elif now - max(self._beat_sent, self._life) > LIFELESS_SECONDS:
            raise AgentLost(
                f"the agent that runs the tests has not answered for {now - self._life:.0f} s",
                hint="was it stopped, or is its machine gone? The same command again continues",
            )

    def close(self) -> None:
        """Let the agent go: it ends what it does for us."""
        self._socket.close()


def lost() -> AgentLost:
    """Return what is raised if an agent has ended."""
    return AgentLost(
        "the agent that runs the tests has ended",
        hint="was it killed, or is there too little memory? The same command again continues",
    )


class SharedFolder:
    """Made when it is first asked for. Any thread may ask."""

    def __init__(self, room: int = 0) -> None:
        """Take the bytes that the run may need: it is then where those of the sandboxes are."""
        self._room = room
        self._lock = threading.Lock()
        self._root: RunFolder | None = None

    @property
    def path(self) -> Path:
        """Where it is."""
        with self._lock:
            if self._root is None:
                self._root = RunFolder.make(room=self._room)
            return self._root.folder

    def close(self) -> None:
        """Remove it."""
        with self._lock:
            if self._root is not None:
                self._root.close()
                self._root = None


class Sandbox:
    """A folder for a candidate, a folder for temporary files, and one process tree at a time.

    One thread works in a sandbox; any thread may give up the job that is done here, by its switch.
    If the agent is lost, that is raised, and the next request has a new agent, with new folders.
    """

    def __init__(
        self,
        connect: Callable[[], socket.socket],
        shared: SharedFolder,
        *,
        worker: int = 0,
        room: int = 0,
        preload: Callable[[], Preload] = lambda: NO_PRELOAD,
    ) -> None:
        """Take how a connection is made, and the bytes of room that all candidates may need."""
        self.worker = worker
        self.switch = KillSwitch(self._end_run)
        self._connect = connect
        self._shared = shared
        self._room = room
        self._find_preload = preload  # returns what was sent ahead to where agents are
        self._preload = NO_PRELOAD
        """What the present agent can be expected to have."""
        self._connection: AgentConnection | None = None
        self._where: Whereabouts | None = None
        self._held: FolderFiles = NO_FILES
        self._last_order: RunOrder | None = None
        self._wanted: FolderFiles | None = None
        self._number = 0
        self._is_asked = False
        """Whether something is run, and has not been answered."""
        self._note_start: Callable[[], None] | None = None
        """Counts what is run, if that is to be counted."""

    @property
    def private(self) -> Path:
        """A folder of wynot's own, for what stays from one candidate to the next."""
        return self._known.private

    @property
    def scratch(self) -> Path:
        """The folder inside of it that confined tests can write, and that holds `folder`.

        What they leave in it may be anything: a link, a FIFO, a file without end.
        """
        return self._known.folder.parent

    @property
    def shared(self) -> Path:
        """A folder for what all sandboxes of a run use; what is in the others may be lost."""
        return self._shared.path

    @property
    def stuck(self) -> Path | None:
        """Something that a test has left and that cannot be removed, if there is any."""
        return self._known.stuck

    @property
    def folder(self) -> Path:
        """Where the test runs: it holds the files of the candidate, and nothing else."""
        return self._known.folder

    def place(self, files: FolderFiles) -> None:
        """Have the folder hold exactly these files when the next command runs.

        What is wrong with them, or with the disk, is raised there.
        """
        self._wanted = files

    def run(self, request: RunRequest) -> Ending:
        """Run a command, and return when none of its processes is left.

        Raise Killed if it was given up, OSError if there is no such program, or if it is none. The
        answer of a server is returned as if it was how a program ended; see `wynot.agent.server`.
        """
        self.switch.begin()
        try:
            known = self._known
            if (ending := self._ran(request)) is None:
                # It was full, or could not be emptied: what names it is to name the new one.
                before, now = str(known.folder), str(self._known.folder)
                argv = [word.replace(before, now) for word in request.argv]
                question = request.question and request.question.replace(before, now)
                ending = self._ran(request._replace(argv=argv, question=question))
            self.switch.require_on()
        finally:
            self.switch.finish()
        if ending is None:
            raise ProtocolFault("an agent that moves its folder twice")
        return ending

    def close(self) -> None:
        """Let the agent go: it ends what runs, and removes the folders."""
        self._disconnect()

    @property
    def _known(self) -> Whereabouts:
        if self._where is None:
            self._preload = self._find_preload()
            self._send(framed(_hello(self._room, self._preload)))
            self._answer()
            if self._where is None:
                raise ProtocolFault("an agent that does not say where its folders are")
        return self._where

    def _ran(self, request: RunRequest) -> Ending | None:
        """Run it; None if the folder is no longer where it was."""
        self._send_run(request)
        header, body = self._answer()
        return None if header.get("error") == "moved" else ending_of(header, body)

    def _send_run(self, request: RunRequest) -> None:
        """Have a command run on the files that are to be in place."""
        self.switch.require_on()  # from here on all of it is sent
        self._note_start = request.limits.note_start
        self._number += 1
        order = RunOrder(self._number, str(self._known.folder), request)
        header: Header = {"do": "run", "number": self._number, "again": True}
        if self._last_order is None or order[1:] != self._last_order[1:]:
            header = order.header
        self._last_order = order
        pieces: Sequence[bytes] = ()
        if self._wanted is not None:
            header["place"], pieces = edits(self._held, self._wanted, self._preload.files)
            self._held, self._wanted = self._wanted, None
        self._send(framed(header, pieces), is_run=True)

    def _send(self, frame: bytes, *, is_run: bool = False) -> None:
        if self._connection is None:
            self._connection = AgentConnection(self._connect())
        try:
            self._connection.send(frame, is_run=is_run)
            self._is_asked = is_run
            if is_run and self.switch.is_given_up:  # in between, when there was nothing to kill
                self._end_run()
        except BaseException as error:  # it is lost, or Ctrl-C: who knows how much of it was sent
            self._lose(error)
            raise

    def _answer(self) -> Frame:
        """Wait for the answer; raise what it says went wrong."""
        if self._connection is None:
            raise lost()
        try:
            header, body = self._connection.received()
        except BaseException as error:  # it is lost, or Ctrl-C: its answer is not heard any more
            self._lose(error)
            raise
        self._end_order(has_started="error" not in header or "started" in header)
        if "where" in header:
            self._where = Whereabouts.of(field(header, "where", dict))
        if header.get("error") == "lacking":  # it was there, and something has removed it
            lacking = AgentLost("an agent lacks what was sent ahead")
            self._lose(lacking)
            raise lacking
        if "error" in header and header["error"] != "moved":
            raise failure_of(header)
        return header, body

    def _lose(self, error: BaseException) -> None:
        """Go on without the agent; whoever asks is told of the error, but may cope with it."""
        log_ignored(f"the agent of worker {self.worker} is lost", error)
        self._disconnect()

    def _disconnect(self) -> None:
        """Begin anew with another agent, if there is anything to do yet; it holds nothing."""
        connection, self._connection, self._where = self._connection, None, None
        self._held, self._last_order = NO_FILES, None
        self._end_order(has_started=True)  # as far as is known
        if connection is not None:
            connection.close()

    def _end_order(self, *, has_started: bool) -> None:
        """Take note that what was run, if anything was, is answered, or will not be."""
        if self._is_asked and has_started and self._note_start is not None:
            self._note_start()
        self._is_asked = False

    def _end_run(self) -> None:
        """Have the agent end what it runs for us, if it does."""
        connection = self._connection
        if self._is_asked and connection is not None:
            with suppress(AgentLost):
                connection.send(framed({"do": "kill", "number": self._number}))


def _hello(room: int, preload: Preload) -> Header:
    """Return what an agent is told first."""
    header: Header = {"do": "hello", "version": VERSION_NUMBER, "room": room}
    if preload.programs:
        header["programs"] = {path: each.digest for path, each in preload.programs.items()}
    return header
