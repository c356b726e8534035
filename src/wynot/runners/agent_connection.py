"""A connection to an agent, and whether there is still somebody at the other end.

Who is killed closes its connections. But an agent may also be stopped, or on a machine that is gone
without a word: so one that has not answered for long is asked for a sign of life, which it gives
whatever runs there.

Neither end ever waits to write: the agent has several connections, and whoever gives a run up here
has no time to wait.
"""

import select
import socket
import struct
import threading
from time import monotonic

from wynot.core.errors import BrokenRunner
from wynot.runners.agent_protocol import (
    RECEIVED_BYTES,
    Frame,
    FrameReader,
    FrameWriter,
    framed,
)

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
        self._asked: float | None = None
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
            if self._asked is not None:
                self._asked, self._life = None, monotonic()
            self._reader.feed(data)
        return frame

    def _require_life(self) -> None:
        """Ask for a sign of life if it is time; raise AgentLost if there was none for too long."""
        now = monotonic()
        if self._life is None or now - self._life < BEAT_SECONDS:
            return
        if self._asked is None:
            self._asked = now
            self.send(_BEAT)
        elif now - max(self._asked, self._life) > LIFELESS_SECONDS:
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
