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
from typing import NamedTuple

from wynot.runners.child import Child, ProcessStart
from wynot.runners.reaper import ProcessFamily, Reaper, living
from wynot.runners.run_label import MARKER, RunLabel
from wynot.runners.warm.hooked import hooked

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
        self._said = b""
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
        while not self._said.endswith(b"\n\n"):
            self._require(wait, self._connection.fileno())
            piece = self._connection.recv(_MAX_REPLY_BYTES)
            self._said += piece
            if not piece or len(self._said) > _MAX_REPLY_BYTES:
                raise NotWarm("it has ended")
        return self._said.decode("utf-8", "surrogateescape").split()

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
            said = _reply(connection)
        except OSError as error:
            self._end(label)
            raise NotWarm(str(error)) from error
        except NotWarm:
            self._end(label)
            raise
        pid, number = map(int, said.split())
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
    said = connection.recv(_RECORD_SIZE, socket.MSG_WAITALL)
    if len(said) < _RECORD_SIZE:
        raise NotWarm("it has ended")
    return said.rstrip()
