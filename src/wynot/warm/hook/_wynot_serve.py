"""Loads modules, and then makes a copy of the process for each message.

What a module does while it is loaded is done once only, for all copies. So it may do nothing but
make objects: one that prints, starts a thread or a process, opens a file and keeps it, or moves to
another folder is said to be unfit, and wynot starts another process without it. Threads of
OpenBLAS, which numpy brings, are no obstacle: it ends them before a process is copied, and starts
them again in the copy when it needs them.
"""

import _signal  # type: ignore[import-not-found]
import _socket
import _warnings
import builtins
import os
import resource
import sys
import time

from _wynot_end import EndKeeper  # type: ignore[import-not-found]
from _wynot_modules import HiddenModules  # type: ignore[import-not-found]
from _wynot_watch import StateWatch  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RECORD_SIZE = 32
"""Bytes of each message to wynot."""
HEAD_SIZE = 8
STREAM_COUNT, DESCRIPTOR_SIZE = 3, 4
FILE_LOCKS = 10
"""The limit by which the processes of a run are known."""
SHADOWED_ERROR = -1
LOOKED = "-looked"
"""What the name of the socket is followed by in that of the file that tells of a look."""


class _Refused(BaseException):
    """A module that is not to be loaded ahead; no program expects this."""


class _Refusing:
    """A finder of modules that are not to be loaded ahead."""

    def __init__(self, names: "set[str]") -> None:
        self._names = names

    def find_spec(self, name: str, *_others: object) -> None:
        """Refuse a module that is one of them."""
        if name in self._names:
            raise _Refused(name)


class _OutsideState:
    """What copies would share, or lack, if it changed while a module is loaded."""

    def __init__(self) -> None:
        self._threads, self._others, self._has_openblas = 1, 0, False
        self._null = os.dup(0)
        self._input, self._output = os.memfd_create("input"), os.memfd_create("output")
        os.write(self._input, b"\n")
        os.lseek(self._input, 0, os.SEEK_SET)
        for descriptor, stream in enumerate((self._input, self._output, self._output)):
            os.dup2(stream, descriptor)

    def now(self) -> "tuple[object, ...]":
        """Return it as it is."""
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        mask = os.umask(0o77)
        os.umask(mask)
        return (
            os.fstat(self._output).st_size,
            os.lseek(self._input, 0, os.SEEK_CUR),
            self._count_threads(),
            len(os.listdir("/proc/self/fd")),
            _has_children(),
            os.getcwd(),
            mask,
            _signal.getitimer(_signal.ITIMER_REAL)[0] > 0,
        )

    def _count_threads(self) -> int:
        """Count them, but for those that OpenBLAS has started as it was loaded."""
        found = len(os.listdir("/proc/self/task"))
        if found > self._threads and not self._has_openblas and _has_openblas():
            self._has_openblas, self._others = True, found - self._threads
        self._threads = found
        return found - self._others

    def close(self) -> None:
        """Give the streams back."""
        for descriptor in range(STREAM_COUNT):
            os.dup2(self._null, descriptor)
        for descriptor in (self._null, self._input, self._output):
            os.close(descriptor)


def _shared_state() -> "list[object]":
    """Return what a module can change for a program that does not import it."""
    found: "list[object]" = [sys.getrecursionlimit(), len(_warnings.filters)]
    found += [sys.excepthook, sys.displayhook, sys.unraisablehook, sys.getswitchinterval()]
    found += [len(sys.meta_path), len(sys.path_hooks), len(vars(builtins)), list(sys.path)]
    found += [_signal.getsignal(each) for each in range(1, _signal.SIGSYS + 1)]
    return [*found, dict(os.environ)]


def _shares_memory() -> bool:
    """Tell whether there is memory that all copies would write to."""
    with open("/proc/self/maps", "rb") as stream:
        return any(line.split(None, 2)[1] == b"rw-s" for line in stream)


def _has_openblas() -> bool:
    with open("/proc/self/maps", "rb") as stream:
        return b"openblas" in stream.read()


def _has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


class Loading:
    """A plan, as it is in its file, and what came of it."""

    def __init__(self, path: str) -> None:
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            lines = [line.split("\t") for line in stream.read().split("\n")]
        self._modules = [line[1:] for line in lines if line[0] == "module"]
        self._avoided = {line[1] for line in lines if line[0] == "avoid"}
        self._paths = [line[1] for line in lines if line[0] == "path"]
        self.is_inside = any(line[0] == "inside" for line in lines)
        """Whether the program looks for modules in the working folder first."""
        self.modules = {name for name, _ in self._modules}
        self.names = {name.partition(".")[0] for name in self.modules}
        self.unfit: "list[str]" = []
        self.shared: "list[str]" = []
        """Modules that change what a program has without importing them."""

    def load(self) -> None:
        """Load what is to be loaded."""
        refusing = _Refusing(self._avoided)
        sys.path[:0] = self._paths
        sys.meta_path.insert(0, refusing)
        state = _OutsideState()
        before, shared = state.now(), _shared_state()
        for name, origin in self._modules:
            is_same = _is_loaded(name, origin)
            after, now = state.now(), _shared_state()
            if not is_same or before != after:
                self.unfit.append(name)
            if shared != now:
                self.shared.append(name)
            before, shared = after, now
        state.close()
        sys.meta_path.remove(refusing)
        for path in self._paths:
            sys.path.remove(path)


def _is_loaded(name: str, origin: str) -> bool:
    """Load a module; tell whether it is from where it was."""
    try:
        __import__(name)
    except BaseException:
        return False
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return getattr(spec, "origin", None) == origin


def _received(connection: "_socket.socket") -> "tuple[list[bytes], list[int]]":
    """Return the fields of a message, and the streams that came with it; end with wynot."""
    space = _socket.CMSG_SPACE(STREAM_COUNT * DESCRIPTOR_SIZE)
    head, passed, _, _ = connection.recvmsg(HEAD_SIZE, space)
    if len(head) < HEAD_SIZE:
        os._exit(0)
    data = b"".join(each for _, _, each in passed)
    streams = [
        int.from_bytes(data[at : at + DESCRIPTOR_SIZE], sys.byteorder)
        for at in range(0, len(data), DESCRIPTOR_SIZE)
    ]
    body = connection.recv(int(head), _socket.MSG_WAITALL)
    return body.split(b"\0"), streams


def _copied(connection: "_socket.socket") -> "tuple[list[bytes], list[int]] | None":
    """Make a copy, which waits for a message; return that in the copy, and nothing here.

    It is made before it is needed, while the test before it runs: to copy the memory of a large
    program takes longer than many a test.
    """
    # this process ── fork ──▶ middle ── fork ──▶ copy
    #      │ waitpid             │ reads a pipe     │ waits for a message of the agent
    #      │                     │ ◀───── "1" ──────┤ has it (if there is none: the pipe closes)
    #      │ ◀────── exit 0 ─────┘                  │ now a child of the agent, which adopts orphans
    #      └ makes the next copy                    └ becomes the process of the test
    child = os.fork()
    if child:
        if os.waitpid(child, 0)[1]:
            os._exit(0)  # there will be no other message
        return None
    middle = os.getpid()
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        os._exit(0 if os.read(reading, 1) else 1)
    os.close(reading)
    message = _received(connection)
    os.write(writing, b"1")
    os.close(writing)
    while os.getppid() == middle:
        os.sched_yield()
    return message


def _become(fields: "list[bytes]", streams: "list[int]", loading: Loading) -> int:
    """Become the process of a test: session, limits, streams, folder and mark; return an error."""
    folder, mark, tag, memory = fields
    try:
        os.setsid()
        resource.setrlimit(FILE_LOCKS, (int(tag), resource.RLIM_INFINITY))
        if int(memory):
            most = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (int(memory), most))
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environb[b"WYNOT_TEST"] = mark
        if loading.is_inside:
            there = {name.partition(".")[0] for name in os.listdir(".")}
            return SHADOWED_ERROR if there & loading.names else 0
    except OSError as error:
        return error.errno or SHADOWED_ERROR
    return 0


def _reseed(modules: "dict[str, Any]") -> None:
    """Give a generator that was seeded when it was loaded another state, as a new start would.

    That of ``random`` sees to it itself. What ``logging`` counts from is the start of the program.
    """
    numbers, logging = map(modules.get, ("numpy.random", "logging"))
    if numbers is not None:
        numbers.seed()
    if logging is not None:
        is_whole = isinstance(logging._startTime, int)
        logging._startTime = time.time_ns() if is_whole else time.time()


def _connected(path: str) -> "_socket.socket":
    """Connect to wynot; a path that is too long for a socket's name is reached by its folder."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError as error:
        if error.errno is not None:
            raise
        folder, _, name = path.rpartition("/")
        handle = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        connection.connect(f"/proc/self/fd/{handle}/{name}")
        os.close(handle)
    return connection


def main(path: str, plan: str, before: "set[str]") -> None:
    """Load modules, say so, and make copies: they return from here, with what was there before."""
    watch, hidden, loading = StateWatch(), HiddenModules(), Loading(plan)
    hidden.learn()
    keeper = EndKeeper(watch.end)
    ours = set(sys.modules) - before - loading.modules
    loading.load()
    if _shares_memory():
        os._exit(0)
    keeper.begin()  # before there is a socket: from Python 3.13 on, that has a finalizer
    connection = _connected(path)
    report = "\n".join(loading.unfit) + "\n\n"
    connection.sendall(report.encode("utf-8", "surrogateescape"))
    if loading.unfit:
        os._exit(0)
    modules = hidden.hide(before, ours)
    keeper.keep(modules)
    copied = None
    while copied is None:
        copied = _copied(connection)
    fields, streams = copied
    error = _become(fields, streams, loading)
    connection.sendall((b"%d %d" % (os.getpid(), error)).ljust(RECORD_SIZE))
    connection.close()
    if error:
        os._exit(1)
    _reseed(modules)
    watch.begin(path + LOOKED, modules, is_doubtful=bool(loading.shared))
    hidden.expect(loading.shared, watch.trust)
