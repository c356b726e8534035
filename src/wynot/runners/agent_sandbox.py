"""A sandbox as jobs see it: what is done in it is done by an agent.

Files are sent with the command that needs them, as edits of those that were sent last: so that a
test takes one message each way.
"""

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from wynot.core.ending import Ending
from wynot.core.system.debug_log import log_ignored
from wynot.core.system.folder_files import FolderFiles
from wynot.runners.agent_connection import AgentConnection, AgentLost, lost
from wynot.runners.agent_messages import RunOrder, Whereabouts, ending_of, failure_of
from wynot.runners.agent_protocol import (
    VERSION_NUMBER,
    Frame,
    Header,
    ProtocolFault,
    field,
    framed,
)
from wynot.runners.agent_source import AgentStarter
from wynot.runners.file_edits import NO_FILES, edits
from wynot.runners.kill_switch import KillSwitch
from wynot.runners.machine_store import NOTHING_STOCKED, Stock
from wynot.runners.shared_folder import SharedFolder
from wynot.wire.run_request import RunRequest


class AgentSandbox:
    """One connection to an agent. See `wynot.runners.sandbox`: it is one of those.

    If the agent is lost, that is raised, and the next one to ask has a new agent, with new folders.
    """

    def __init__(
        self,
        connect: Callable[[], socket.socket],
        shared: SharedFolder,
        *,
        worker: int = 0,
        room: int = 0,
        stock: Callable[[], Stock] = lambda: NOTHING_STOCKED,
    ) -> None:
        """Take how a connection is made, and the bytes of room that all candidates may need."""
        self.worker = worker
        self.switch = KillSwitch(self._end_run)
        self._connect = connect
        self._shared = shared
        self._room = room
        self._shipped = stock  # returns what was sent ahead to where agents are
        self._stock = NOTHING_STOCKED
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
        """The folder inside of it that confined tests can write."""
        return self._known.folder.parent

    @property
    def shared(self) -> Path:
        """A folder for what all sandboxes of a run use."""
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
        """Have the folder hold exactly these files when the next command runs."""
        self._wanted = files

    def run(self, request: RunRequest) -> Ending:
        """Run a command, and return when none of its processes is left."""
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
            self._stock = self._shipped()
            self._send(framed(_hello(self._room, self._stock)))
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
        said: Header = {"do": "run", "number": self._number, "again": True}
        if self._last_order is None or order[1:] != self._last_order[1:]:
            said = order.header
        self._last_order = order
        pieces: Sequence[bytes] = ()
        if self._wanted is not None:
            said["place"], pieces = edits(self._held, self._wanted, self._stock.files)
            self._held, self._wanted = self._wanted, None
        self._send(framed(said, pieces), is_run=True)

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


def _hello(room: int, stock: Stock) -> Header:
    """Return what an agent is told first."""
    said: Header = {"do": "hello", "version": VERSION_NUMBER, "room": room}
    if stock.programs:
        said["programs"] = {path: each.digest for path, each in stock.programs.items()}
    return said


class LoneSandbox(AgentSandbox):
    """For the thread that has made it. When it is closed, all of it is gone."""

    def __init__(self) -> None:
        self._starter = AgentStarter()
        super().__init__(lambda: self._starter.connect(1)[0], SharedFolder())

    def close(self) -> None:
        """Let the agent go, and wait for its end."""
        super().close()
        self._shared.close()
        self._starter.close(wait=True)
