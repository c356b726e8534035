"""A process that has a program's modules loaded, and is copied for each test.

It is the program itself, started with the very command line and environment of the test, but for
one folder in ``PYTHONPATH``: the hook there waits where the program would begin (see ``hook``).
A copy is adopted by wynot, so it is watched, limited and killed as any other process of a test.
"""

import array
import os
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple, Protocol

from wynot.core.ending import Ending
from wynot.machine.process_start import Child, ProcessStart
from wynot.machine.reaper import ProcessFamily, Reaper, living
from wynot.machine.run_folder import RunFolder
from wynot.machine.run_label import MARKER, RunLabel
from wynot.warm.hooked import hooked
from wynot.warm.shell_line import ShellLine
from wynot.warm.warm_plan import WarmPlan

MAX_COPYING_SECONDS = 20.0
"""Seconds that a server is given to make a copy: it is stopped, or its machine is, if it takes
longer."""

_LOOKED = "-looked"
_RECORD_SIZE = 32
_MAX_REPLY_BYTES = 1 << 20
_SHADOWED_ERROR = -1
_PEER = struct.Struct("3i")


class NotWarm(Exception):
    """A test cannot be run by a copy: it has to be started as usual."""


class ShadowedModule(NotWarm):
    """The candidate has a file that would be loaded in place of a module that was loaded."""


class WarmCommand(NamedTuple):
    """What a server is for: another command, or another environment, needs another one."""

    argv: tuple[str, ...]
    folder: str
    environ: tuple[bytes, ...]
    """Without the mark of a single run."""
    start: ProcessStart


Patience = Callable[[tuple[int, ...]], set[int]]
"""Waits until one of some descriptors can be read; returns those that can, none if it takes too
long. Raises Killed if the test was given up."""


class WarmServer:
    """One such process, of one sandbox, whose thread calls it."""

    def __init__(self, command: WarmCommand, label: RunLabel, plan: Path, socket_path: str) -> None:
        """Start it with the modules of a plan."""
        self.command = command
        self._label = label
        self._listener = socket.socket(socket.AF_UNIX)
        self._connection: socket.socket | None = None
        self._report = b""
        self._path = socket_path
        _bind(self._listener, socket_path)
        self._listener.listen(1)
        mark = b"%s=%s" % (MARKER.encode(), label.marker)
        environ = hooked([mark, *command.environ], f"serve {socket_path}", str(plan))
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._child = Child(
                command.argv,
                Path(command.folder),
                environ,
                (null, null, null),
                label,
                start=command.start,
            )
        except OSError:
            self._forget_path()
            raise
        finally:
            os.close(null)
        living[self.pid] = None  # what has its marks, and is not the server itself, is of a copy

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._child.pid

    def unfit(self, wait: Patience) -> list[str]:
        """Wait until it is ready; return the modules that it must not load, if there are any.

        A wait that was given up can be taken up again.
        """
        if self._connection is None:
            self._require(wait, self._listener.fileno())
            connection, _ = self._listener.accept()
            self._forget_path()
            connection.settimeout(MAX_COPYING_SECONDS)
            peer = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size)
            self._connection = connection
            if _PEER.unpack(peer)[0] != self.pid:
                raise NotWarm("the program is started by another process")
        while not self._report.endswith(b"\n\n"):
            self._require(wait, self._connection.fileno())
            piece = self._connection.recv(_MAX_REPLY_BYTES)
            self._report += piece
            if not piece or len(self._report) > _MAX_REPLY_BYTES:
                raise NotWarm("it has ended")
        return self._report.decode("utf-8", "surrogateescape").split()

    def copy(
        self, label: RunLabel, mark: bytes, streams: tuple[int, ...], memory: int | None
    ) -> int:
        """Make a copy for a run, with its mark and streams; return the number of the process.

        Raise NotWarm if there cannot be one, and OSError if it has no folder.
        """
        connection = self._connection
        if connection is None:
            raise NotWarm("it is not ready")
        body = b"\0".join(
            (
                os.fsencode(self.command.folder),
                mark,
                b"%d" % (label.rlimit_tag or 0),
                b"%d" % (memory or 0),
            )
        )
        passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", streams))]
        try:
            connection.sendmsg([b"%08d" % len(body) + body], passed)
            reply = _reply(connection)
        except OSError as error:
            self._end(label)
            raise NotWarm(str(error)) from error
        except NotWarm:
            self._end(label)
            raise
        pid, number = map(int, reply.split())
        if not number:
            return pid
        os.waitpid(pid, 0)
        if number == _SHADOWED_ERROR:
            raise ShadowedModule("a file of the candidate has the name of a module")
        raise OSError(number, os.strerror(number), self.command.folder)

    def has_looked(self) -> bool:
        """Tell whether the last copy has looked at what is different in a copy; forget it."""
        report = self._path + _LOOKED
        try:
            os.unlink(report)  # noqa: PTH108 - a name in a string
        except FileNotFoundError:
            return False
        return True

    def close(self) -> None:
        """End it, and whatever it has started while it loaded modules."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._forget_path()
        self._end(self._label)
        self._child.status()

    def _require(self, wait: Patience, descriptor: int) -> None:
        """Wait for something to read; raise if the process has ended, or takes too long."""
        if descriptor not in wait((descriptor, self._child.descriptor)):
            raise NotWarm("it has ended, or takes too long")

    def _end(self, label: RunLabel) -> None:
        """End the processes of a run, be it this one or a copy that was not told of."""
        reaper = Reaper()
        try:
            reaper.end(ProcessFamily(self.pid, label))
        finally:
            reaper.close()

    def _forget_path(self) -> None:
        self._listener.close()
        with suppress(OSError):
            os.unlink(self._path)  # noqa: PTH108 - a name in a string


def _bind(listener: socket.socket, path: str) -> None:
    """Bind a socket to a path; one that is too long for the system is reached by its folder.

    The name of a socket has at most 107 bytes: a TMPDIR of 60 takes up the rest.
    """
    try:
        listener.bind(path)
    except OSError as error:
        if error.errno is not None:  # only Python's own check of the length has no number
            raise
        folder, name = os.path.split(path)
        handle = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            listener.bind(f"/proc/self/fd/{handle}/{name}")
        finally:
            os.close(handle)


def _reply(connection: socket.socket) -> bytes:
    reply = connection.recv(_RECORD_SIZE, socket.MSG_WAITALL)
    if len(reply) < _RECORD_SIZE:
        raise NotWarm("it has ended")
    return reply.rstrip()


MAX_STARTS = 8
"""How often a server is started, before all tests are started as usual: it ends again and again, or
the commands differ."""
MAX_ROUNDS = 6
"""How often modules turn out to be unfit, before that is given up."""


class CopyFolders(Protocol):
    """The folders of the sandbox; they change if the disk is full."""

    scratch: Path
    root: RunFolder


class WarmCopies:
    """Runs tests by copies, where that can be done; its sandbox's thread calls it."""

    def __init__(self, place: CopyFolders, wait: Patience) -> None:
        self._place = place
        self._wait = wait
        self._server: WarmServer | None = None
        self._starts = 0
        self._line: ShellLine | None = None
        self._plan: Path | None = None
        self.began = 0.0
        """When the last copy was asked for, by the monotonic clock: making it counts."""

    def started(
        self,
        plan: Path,
        command: WarmCommand,
        mark: bytes,
        label: RunLabel,
        streams: tuple[int, ...],
        memory: int | None,
    ) -> int | None:
        """Return the number of a copy that runs a command; None if it is to be started as usual."""
        if label.rlimit_tag is None:
            return None
        if plan != self._plan:
            self._plan, self._line = plan, _line_of(plan)
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            if self._line is not None:
                argv = self._line.argv(command.argv)
                if argv is None:
                    return None
                command = command._replace(argv=tuple(argv))
                outputs = (null, *streams[1:])
                streams = (streams[0], *(outputs[each] for each in self._line.streams))
            server = self._ready(plan, command)
            self.began = monotonic()
            return server.copy(label, mark.partition(b"=")[2], streams, memory)
        except ShadowedModule:
            return None
        except NotWarm:
            self.close()
            return None
        finally:
            os.close(null)

    def seen(self, ending: Ending) -> Ending:
        """Return how a copy ended, as it is seen from outside of the script that it is run for."""
        status = ending.status if self._line is None else self._line.status(ending.status)
        has_looked = self._server is not None and self._server.has_looked()
        return ending._replace(status=status, is_warm=True, is_doubtful=has_looked)

    def close(self) -> None:
        """End the server."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    def _ready(self, plan: Path, command: WarmCommand) -> WarmServer:
        if self._server is not None and self._server.command != command:
            self.close()
        for _ in range(MAX_ROUNDS):
            if self._server is None:
                self._server = self._start(plan, command)
            unfit = self._server.unfit(self._wait)
            if not unfit:
                return self._server
            self.close()
            with suppress(OSError):
                WarmPlan.read(plan).without(unfit).write(plan)
        raise NotWarm("there are modules that cannot be loaded ahead")

    def _start(self, plan: Path, command: WarmCommand) -> WarmServer:
        self._starts += 1
        if self._starts > MAX_STARTS:
            raise NotWarm("too many servers were started")
        path = str(self._place.scratch / f"tmp-{os.urandom(6).hex()}")
        try:
            return WarmServer(command, RunLabel.of_next(self._place.root.name), plan, path)
        except OSError as error:
            raise NotWarm(str(error)) from error


def _line_of(plan: Path) -> ShellLine | None:
    """Return what is run in place of a script, by a plan."""
    with suppress(OSError, ValueError):
        return WarmPlan.read(plan).line
    return None
