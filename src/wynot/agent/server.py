"""A program that stays, and answers for one candidate after another.

It reads a line for each on its standard input, ``ID QUESTION``, and answers with a line ``ID
STATUS``. No two IDs are alike, and nobody can guess one: so whatever else is printed, by the
program or by a library that it uses, is output of the candidate and never taken for an answer.

What a server has kept of earlier candidates must not decide a later one. So an end of a server that
has answered before is not believed, since an earlier candidate may have caused it: a new one is
asked the same.
"""

import os
import re
import select
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from wynot.core.ending import Ending, LimitHit
from wynot.machine.capture import Footprint, Stream, Streams
from wynot.machine.process_start import Child
from wynot.machine.reaper import HAS_PIDFD, ProcessFamily
from wynot.machine.supervisor import Supervisor
from wynot.wire.run_request import SERVER_START_SECONDS, Limits, RunRequest

LONGEST_STATUS = 64
"""Bytes of an answer after its ID."""
_READY = re.compile(rb"\n(ready)[ \t\r]{0,%d}\n" % LONGEST_STATUS)
_ANSWER = rb"%%s([^\n]{0,%d}\n|[^\n]{%d})" % (LONGEST_STATUS - 1, LONGEST_STATUS)
_STATUS = re.compile(rb"[ \t]+(-?[0-9]{1,3})[ \t\r]*\n")
_ID_BYTES = 8
_HELD_BYTES = LONGEST_STATUS + 2 * _ID_BYTES
"""How long the beginning of such a line can be, at the end of what has come so far."""
_PIECE_BYTES, _MOST_PIECES = 1 << 16, 16
"""What is read at once, and how often if it does not end: a pipe holds no more than that."""
_LOWEST, _HIGHEST = -64, 255


class Served(NamedTuple):
    """What a server was started for: another one has to be started if any of it changes."""

    argv: tuple[str, ...]
    env: tuple[tuple[str, str | None], ...]
    folder: str
    identity: tuple[int, int]
    """A folder that was removed and made again is another one."""
    memory: int | None
    writable: tuple[str, ...] | None

    @classmethod
    def of(cls, request: RunRequest, folder: Path) -> "Served":
        """Look at the folder as it is now."""
        seen = folder.stat()
        variables = tuple(sorted((request.env or {}).items()))
        where = (str(folder), (seen.st_dev, seen.st_ino))
        limits = request.limits
        return cls(tuple(request.argv), variables, *where, limits.memory, limits.writable)


class AwaitedLine:
    """What comes from a server, up to the one line that is waited for; the rest is output."""

    def __init__(self, wanted: bytes | re.Pattern[bytes], output: Stream) -> None:
        self._wanted = re.compile(wanted)
        self._output = output
        self._held = b"\n"
        self._is_first = True
        self.found: bytes | None = None

    def feed(self, piece: bytes) -> bool:
        """Take what has come; tell whether the line is there."""
        text = self._held + piece
        match = self._wanted.search(text)
        if match is None:
            self._write(text[:-_HELD_BYTES])
            self._held = text[-_HELD_BYTES:]
            return False
        self._write(text[: match.start()])
        self._held = b""
        self.found = match[1]
        return True

    def flush(self) -> None:
        """Give the rest to the output: the line does not come any more."""
        self._write(self._held)
        self._held = b""

    def _write(self, text: bytes) -> None:
        if text and self._is_first:  # it began with a line end of ours
            self._is_first, text = False, text[1:]
        while text:
            text = text[os.write(self._output.descriptor, text) :]


def pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    """Return two pipes: the ends that a server has, and ours."""
    reading, asking = os.pipe()
    try:
        hearing, answering = os.pipe()
    except OSError:
        os.close(reading)
        os.close(asking)
        raise
    return (reading, answering), (asking, hearing)


class Server:
    """A process that answers, in one sandbox, whose thread calls it."""

    def __init__(
        self,
        served: Served,
        child: Child,
        family: ProcessFamily,
        pipes: tuple[int, int],
        streams: tuple[Stream, Stream],
    ) -> None:
        """Take over a process: what it reads and writes by, and what it prints goes to."""
        self.served = served
        self.started = child.started
        self._child, self._family = child, family
        self._questions, self._answers = pipes
        self._output, self._errors = streams
        self._streams = Streams(-1, None, streams)
        self._is_open = True
        os.set_blocking(self._questions, False)
        os.set_blocking(self._answers, False)
        self._epoll = select.epoll() if HAS_PIDFD else None
        if self._epoll is not None:
            self._epoll.register(child.descriptor, select.EPOLLIN)
            self._epoll.register(self._answers, select.EPOLLIN)

    @property
    def descriptor(self) -> int:
        """Can be read as soon as it has sent something, or ended."""
        return self._epoll.fileno() if self._epoll is not None else -1

    def has_ended(self) -> bool:
        """Tell whether it has sent something, or ended."""
        has_output = self._is_open and bool(select.select([self._answers], [], [], 0)[0])
        return has_output or self._child.has_ended()

    def wait_until_ready(
        self, supervisor: Supervisor, limits: Limits, written: Footprint
    ) -> Ending | None:
        """Return how it ended, if it did before it was ready."""
        limits = limits._replace(timeout=max(SERVER_START_SECONDS, limits.timeout))
        line = AwaitedLine(_READY, self._output)
        self._read(line, supervisor, limits, written)
        return None if line.found is not None else self._over(supervisor, "start")

    def ask(self, request: RunRequest, supervisor: Supervisor, written: Footprint) -> Ending:
        """Return the answer as if it was how a program ended; its own end is one, too."""
        self._forget()
        self.started = monotonic()
        name = os.urandom(_ID_BYTES).hex()
        line = AwaitedLine(_ANSWER % name.encode(), self._output)
        with suppress(BlockingIOError, BrokenPipeError):  # it shows in what comes back
            os.write(self._questions, f"{name} {request.question}\n".encode())
        limit = self._read(line, supervisor, request.limits, written)
        if line.found is None:
            return self._over(supervisor, limit)
        status = _status(line.found)
        if status is None:
            return self._over(supervisor, "answer")
        seconds = monotonic() - self.started
        return Ending(status, seconds, "", *self._streams.read())

    @property
    def is_over(self) -> bool:
        """Whether it has ended, be it that nobody has taken note yet."""
        return self._questions < 0 or self._child.has_ended()

    def end(self, supervisor: Supervisor) -> int:
        """End it if it still runs, with all that it has started; return its status."""
        if self._questions < 0:
            return 0
        try:
            return supervisor.end(self._child, self._family, has_ended=self._child.has_ended())
        finally:
            if self._epoll is not None:
                self._epoll.close()
            self._streams.close()
            os.close(self._questions)
            os.close(self._answers)
            self._questions = self._answers = -1

    def _over(self, supervisor: Supervisor, limit: LimitHit) -> Ending:
        seconds = monotonic() - self.started
        output = self._streams.read()
        return Ending(self.end(supervisor), seconds, limit, *output)

    def _read(
        self, line: AwaitedLine, supervisor: Supervisor, limits: Limits, written: Footprint
    ) -> LimitHit:
        """Read until the line is there, or it has ended; return the limit that it ran into."""
        has_ended = False
        limit: LimitHit = ""
        while not has_ended and not limit:
            limit = supervisor.watch(self, self._family, limits, self._streams, written)
            has_ended = self._child.has_ended()  # before it is read: then nothing more comes
            for piece in self._pieces(_MOST_PIECES if has_ended else 1):
                if line.feed(piece):
                    return ""
                self._streams.cut()
        line.flush()
        return limit

    def _pieces(self, most: int) -> Iterator[bytes]:
        """Yield what there is to read, but not for ever."""
        while most and (piece := self._piece()):
            yield piece
            most -= 1

    def _piece(self) -> bytes:
        """Return what there is to read, nothing if there is nothing now."""
        try:
            piece = os.read(self._answers, _PIECE_BYTES) if self._is_open else b""
        except BlockingIOError:
            return b""
        if not piece and self._is_open:
            self._is_open = False
            if self._epoll is not None:
                self._epoll.unregister(self._answers)
        return piece

    def _forget(self) -> None:
        """Drop what was printed since the last answer: it belongs to no candidate."""
        for _ in self._pieces(_MOST_PIECES):
            pass
        self._output.clear()
        self._errors.clear()


def _status(answer: bytes) -> int | None:
    """Return the status of an answer: -N for a signal N, None if it makes no sense."""
    match = _STATUS.fullmatch(answer)
    status = int(match[1]) if match else None
    return status if status is not None and _LOWEST <= status <= _HIGHEST else None


class Service:
    """At most one server at a time. The thread of the sandbox calls it."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._server: Server | None = None

    def ask(
        self,
        request: RunRequest,
        served: Served,
        start: Callable[[Served], Server],
        written: Footprint,
    ) -> Ending:
        """Return what a server says: one that was asked nothing before, if that is required."""
        server = self._server
        is_unfit = server is None or server.served != served or server.is_over
        if server is None or is_unfit or request.needs_new_server:
            return self._ask_new(request, served, start, written)
        ending = self._answer_of(server, request, written)
        if server.is_over and ending.limit in {"", "answer"}:
            return self._ask_new(request, served, start, written)
        return ending

    def close(self) -> None:
        """End the server."""
        server, self._server = self._server, None
        if server is not None:
            server.end(self._supervisor)

    def _ask_new(
        self,
        request: RunRequest,
        served: Served,
        start: Callable[[Served], Server],
        written: Footprint,
    ) -> Ending:
        self.close()
        server = self._server = start(served)
        try:
            not_ready = server.wait_until_ready(self._supervisor, request.limits, written)
        except BaseException:
            self.close()
            raise
        return not_ready or self._answer_of(server, request, written)

    def _answer_of(self, server: Server, request: RunRequest, written: Footprint) -> Ending:
        try:
            return server.ask(request, self._supervisor, written)
        except BaseException:  # it was given up: what it says next would be about this candidate
            self.close()
            raise
