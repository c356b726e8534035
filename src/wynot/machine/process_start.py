"""The start of a process, as `subprocess.Popen` does it, without what it does beside that.

Popen encodes the environment, opens what is null, checks arguments and makes locks each time: 65 µs
of 105, for a program that needs 500 to start and end. And it holds the interpreter until the
program has begun, so that of several threads only one can start something. The C library's own
`posix_spawn` takes a working folder, a session and a last descriptor to keep since glibc 2.34, and
a call of it through ctypes lets the other threads run. Where it is missing, or something is
unusual, Popen does the work, and says what is wrong.

A process leads a session of its own, and is waited for by a descriptor: `Popen.wait` with a timeout
sleeps up to 50 ms at a time, which is longer than many a test.

Limits hold from the first instruction on: one that is set from outside after the start comes too
late on a busy machine, and the program may have taken its memory by then. Setting it on ourselves
for the time of the start would make our own threads fail, and a fork with code of ours in between
is not safe beside them. So a small program is started first, which sets the limits on itself and
then becomes the one that is wanted: ``prlimit`` of util-linux, which leaves the environment alone,
or else the shell. It takes about a millisecond, and only those who ask for such a limit pay for it.
"""

import ctypes
import errno
import os
import resource
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from wynot.core.system.lazy import lazy
from wynot.machine.reaper import HAS_PIDFD, ProcessFamily, living
from wynot.machine.run_label import FILE_LOCKS, UNTAGGED, RunLabel

if TYPE_CHECKING:
    import subprocess
else:
    subprocess = lazy("subprocess")

_KIB_BYTES = 1024
_MAX_LINE_BYTES = 256  # bytes of the first line of a script, as the kernel reads it


class Bounds(NamedTuple):
    """The limits of a program; None leaves one as it is."""

    memory: int | None = None
    """Bytes of address space."""

    def within(self) -> "Bounds":
        """Return these limits, but none beyond what the system allows to us."""
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        if self.memory is None or most == resource.RLIM_INFINITY:
            return self
        return Bounds(min(self.memory, most))


UNBOUNDED = Bounds()


def launched(argv: Sequence[str], program: bytes, bounds: Bounds) -> Sequence[str]:
    """Return the command that runs a program, found at ``program``, within bounds.

    What cannot be started is left as it is: starting it says why, and what comes in between would
    say something else, or take a file without a first line for a script.
    """
    if bounds == UNBOUNDED or not _can_start(program):
        return argv
    bounds = bounds.within()
    between = _prlimit()
    if between:
        return [between, f"--as={bounds.memory}:", "--", *argv]
    line = f"ulimit -S -v {(bounds.memory or 0) // _KIB_BYTES} 2>/dev/null"
    return ["/bin/sh", "-c", f'{line}\nexec "$@"', "sh", *argv]


@cache
def _prlimit() -> str:
    return shutil.which("prlimit", path=os.defpath) or ""


def _can_start(program: bytes) -> bool:
    """Tell whether the system starts a file: a binary, or a script whose interpreter is there."""
    first = b""
    with suppress(OSError):
        if os.access(program, os.X_OK):
            with open(program, "rb") as stream:  # noqa: PTH123 - a name in bytes
                first = stream.readline(_MAX_LINE_BYTES)
    if first.startswith(b"#!"):
        words = first[2:].split()
        return bool(words) and os.access(words[0], os.X_OK)
    return b"\0" in first


_FIRST_FREE = 3  # below are the descriptors of the three streams
_ATTRIBUTE_BYTES = 512  # bytes for the library's structures, which are at most 336 long
_SETSIGDEF, _SETSID = 0x04, 0x80  # of spawn.h
_IGNORED = (13, 25)  # SIGPIPE and SIGXFSZ, which Python ignores and a program may not expect
_MOST_READY = 32  # how many starts are kept ready
_NEEDED = ("gnu_get_libc_version", "posix_spawn_file_actions_addclosefrom_np")


def spawn(argv: Sequence[str], folder: str, environ: list[bytes], streams: tuple[int, ...]) -> int:
    """Start a program in a session of its own; return its number, raise OSError if it cannot be.

    The environment is a list of ``NAME=value``, the streams are three descriptors.
    """
    program = file_of(argv[0], environ)
    pid = 0
    if not program and not _has_entry(argv[0], environ):
        # Popen reports EACCES if a single folder of PATH is not ours to read, as after `su`.
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), argv[0])
    if _LIBRARY is not None and program and min(streams) >= _FIRST_FREE:
        sys.audit("subprocess.Popen", argv[0], argv, folder, environ)
        pid = _LIBRARY.spawn(program, argv, folder, environ, streams)
    return pid or _by_popen(argv, folder, environ, streams)


class _FileActions:
    """What is done in a new process before the program begins: its streams and its folder."""

    def __init__(self, quick: ctypes.PyDLL, folder: str, streams: tuple[int, ...]) -> None:
        self.actions = ctypes.create_string_buffer(_ATTRIBUTE_BYTES)
        self._destroy = quick.posix_spawn_file_actions_destroy
        quick.posix_spawn_file_actions_init(self.actions)
        for number, stream in enumerate(streams):
            quick.posix_spawn_file_actions_adddup2(self.actions, stream, number)
        quick.posix_spawn_file_actions_addchdir_np(self.actions, os.fsencode(folder))
        quick.posix_spawn_file_actions_addclosefrom_np(self.actions, _FIRST_FREE)

    def __del__(self) -> None:
        self._destroy(self.actions)


class _Library:
    """The functions of the C library that are needed; ``quick`` ones keep the interpreter.

    A test is mostly started as the one before: what was made ready for that is used again.
    """

    def __init__(self, library: ctypes.CDLL, quick: ctypes.PyDLL) -> None:
        self._spawn = library.posix_spawn
        self._quick: Any = quick
        self._attributes = ctypes.create_string_buffer(_ATTRIBUTE_BYTES)
        signals = ctypes.create_string_buffer(_ATTRIBUTE_BYTES)
        quick.sigemptyset(signals)
        for number in _IGNORED:
            quick.sigaddset(signals, number)
        quick.posix_spawnattr_init(self._attributes)
        quick.posix_spawnattr_setsigdefault(self._attributes, signals)
        flags = ctypes.c_short(_SETSIGDEF | _SETSID)
        quick.posix_spawnattr_setflags(self._attributes, flags)
        self._actions = lru_cache(_MOST_READY)(partial(_FileActions, quick))
        self._words = lru_cache(_MOST_READY)(_words)

    def spawn(
        self,
        program: bytes,
        argv: Sequence[str],
        folder: str,
        environ: list[bytes],
        streams: tuple[int, ...],
    ) -> int:
        """Return the number of the process, 0 if it could not be started."""
        pid = ctypes.c_int()
        # Ours as long as it is used: another thread's start may put it out of the cache meanwhile.
        file_actions = self._actions(folder, streams)
        error = self._spawn(
            ctypes.byref(pid),
            program,
            file_actions.actions,
            self._attributes,
            self._words(tuple(argv)),
            _list_of(environ),
        )
        return 0 if error else pid.value


def _words(argv: tuple[str, ...]) -> "ctypes.Array[ctypes.c_char_p]":
    return _list_of([os.fsencode(each) for each in argv])


def _list_of(lines: Sequence[bytes]) -> "ctypes.Array[ctypes.c_char_p]":
    """Return texts as the library takes them."""
    return (ctypes.c_char_p * (len(lines) + 1))(*lines, None)


def _library() -> _Library | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    has_all = all(hasattr(library, name) for name in _NEEDED)
    return _Library(library, ctypes.PyDLL(None)) if has_all else None


_LIBRARY = _library()


def _by_popen(
    argv: Sequence[str], folder: str, environ: list[bytes], streams: tuple[int, ...]
) -> int:
    stdin, stdout, stderr = streams
    process = subprocess.Popen(
        argv,
        cwd=folder,
        env=dict(line.split(b"=", 1) for line in environ),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )
    process.returncode = 0  # it is waited for by others
    return process.pid


def file_of(program: str, environ: Sequence[bytes]) -> bytes:
    """Return the file that a program is, empty if there is none that can be run."""
    name = os.fsencode(program)
    return name if b"/" in name else _file_in(_path(environ), name)


def _has_entry(program: str, environ: Sequence[bytes]) -> bool:
    """Tell whether a folder of PATH has an entry of this name, perhaps one that cannot be run."""
    return any(map(os.path.lexists, _candidates(_path(environ), os.fsencode(program))))


def _path(environ: Sequence[bytes]) -> bytes:
    lines = (line for line in environ if line.startswith(b"PATH="))
    return next(lines, b"PATH=" + os.defpath.encode())[5:]


@lru_cache
def _file_in(path: bytes, name: bytes) -> bytes:
    files = _candidates(path, name)
    return next((file for file in files if os.access(file, os.X_OK)), b"")


def _candidates(path: bytes, name: bytes) -> Iterator[bytes]:
    return (os.path.join(folder, name) for folder in path.split(b":") if folder)  # noqa: PTH118 - bytes


HAS_WAITID = hasattr(os, "waitid")  # Python has it on macOS since 3.13

_starting = threading.Lock()

ProcessStart: TypeAlias = Callable[[Sequence[str], str, list[bytes], tuple[int, ...]], int]
"""How a program is started: by its arguments, in a folder, with an environment and streams."""


class Child:
    """A process that was started, and is not reaped before its status is asked for."""

    __slots__ = ("_raw", "descriptor", "family", "pid", "started")

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        environ: list[bytes],
        streams: tuple[int, ...],
        label: RunLabel,
        bounds: Bounds = UNBOUNDED,
        start: ProcessStart = spawn,
    ) -> None:
        if bounds != UNBOUNDED:
            program = os.path.join(os.fsencode(folder), file_of(argv[0], environ))  # noqa: PTH118
            argv = launched(argv, program, bounds)
        self._raw: int | None = None
        rlimit_tag = label.rlimit_tag
        self.started = monotonic()
        # Limits without meaning to ourselves are our own for as long as the start takes: those that
        # are set from outside come too late if the machine is busy. They are those of the whole
        # process: what another thread of a program that uses wynot starts meanwhile has them too.
        with _starting:
            core, most = resource.getrlimit(resource.RLIMIT_CORE)
            try:
                if core:  # nobody looks at the core dumps of candidates
                    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
                if rlimit_tag is not None:
                    resource.setrlimit(FILE_LOCKS, (rlimit_tag, resource.RLIM_INFINITY))
                self.pid = start(argv, str(folder), environ, streams)
            finally:
                if rlimit_tag is not None:
                    resource.setrlimit(FILE_LOCKS, UNTAGGED)
                if core:
                    resource.setrlimit(resource.RLIMIT_CORE, (core, most))
        self.family = ProcessFamily(self.pid, label)
        living[self.pid] = self.family
        try:
            self.descriptor = os.pidfd_open(self.pid) if HAS_PIDFD else -1
        except OSError:  # too many open files: nobody could watch it
            os.killpg(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            del living[self.pid]
            raise

    def has_ended(self) -> bool:
        """Tell whether it has ended, without reaping it where that can be done."""
        if HAS_WAITID:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, flags) is not None
        if self._raw is None:
            pid, raw = os.waitpid(self.pid, os.WNOHANG)
            self._raw = raw if pid else None
        return self._raw is not None

    def status(self) -> int:
        """Wait for its end, reap it, and return its exit status, -N for a signal N."""
        raw = os.waitpid(self.pid, 0)[1] if self._raw is None else self._raw
        del living[self.pid]
        self.close()
        return os.waitstatus_to_exitcode(raw)

    def close(self) -> None:
        """Close the descriptor."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1
