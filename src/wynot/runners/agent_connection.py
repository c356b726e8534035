"""A connection to an agent, and whether there is still somebody at the other end.

Who is killed closes its connections. But an agent may also be stopped, or on a machine that is gone
without a word: so one that has not answered for long is asked for a sign of life, which it gives
whatever runs there.
"""

import socket
import struct
import threading
from time import monotonic

from wynot.core.errors import BrokenRunner
from wynot.runners.agent_protocol import RECEIVED_BYTES, Frame, FrameReader, framed

BEAT_SECONDS = 5.0
"""Seconds after which an agent that has not answered is asked for a sign of life."""
LIFELESS_SECONDS = 30.0
"""Seconds without any after which it is given up: a busy machine, or a full disk, may keep it."""

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
        self._sending = threading.Lock()
        self._life: float | None = None
        """When it was last heard, or asked to run something; None: it need not answer soon."""
        self._asked: float | None = None
        """When it was asked for a sign of life that it has not given."""
        for option, seconds in (
            (socket.SO_RCVTIMEO, BEAT_SECONDS),
            (socket.SO_SNDTIMEO, LIFELESS_SECONDS),
        ):
            whole = int(seconds)
            time = _TIME.pack(whole, int((seconds - whole) * 1e6))
            connection.setsockopt(socket.SOL_SOCKET, option, time)

    @property
    def socket(self) -> socket.socket:
        """What it is made of."""
        return self._socket

    @property
    def descriptor(self) -> int:
        """Can be read when there is something to be heard."""
        return self._socket.fileno()

    def send(self, frame: bytes, *, is_run: bool = False) -> None:
        """Send a frame; raise AgentLost if nobody takes it."""
        if is_run:
            self._life = monotonic()
        try:
            with self._sending:
                self._socket.sendall(frame)
        except OSError as error:
            raise lost() from error

    def received(self, *, wait: bool) -> Frame | None:
        """Return the next frame, None if it is not complete; raise AgentLost if none will come.

        With ``wait`` it takes a while before it is None.
        """
        if (frame := self._reader.next()) is None:
            try:
                data = self._socket.recv(RECEIVED_BYTES, 0 if wait else socket.MSG_DONTWAIT)
            except BlockingIOError:
                self.require_life()
                return None
            except OSError as error:
                raise lost() from error
            if not data:
                raise lost()
            if self._asked is not None:
                self._asked, self._life = None, monotonic()
            self._reader.feed(data)
            if (frame := self._reader.next()) is None:
                return None
        return None if "beat" in frame[0] else frame

    def require_life(self) -> None:
        """Ask for a sign of life if it is time; raise AgentLost if there was none for too long."""
        now = monotonic()
        if self._life is None or now - self._life < BEAT_SECONDS:
            return
        if self._asked is None:
            self._asked = now
            self.send(_BEAT)
        elif now - self._asked > LIFELESS_SECONDS:
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
