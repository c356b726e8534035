"""Notices when a program looks at a state of its process that is different in a copy.

A copy has used less time and memory than a process that has loaded its modules itself, and has
another parent. Audit events and a few functions show when a program looks at such a state. Then
the ending of the copy proves nothing, and a file tells wynot so.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from types import FrameType
    from typing import Any

WATCHED_FUNCTIONS = {
    "atexit": ("_ncallbacks",),
    "gc": ("get_count", "get_freeze_count", "get_stats"),
    "os": ("getppid", "times", "wait3", "wait4"),
    "posix": ("getppid", "times", "wait3", "wait4"),
    "resource": ("getrusage",),
    "sys": ("getallocatedblocks", "_debugmallocstats"),
    "time": ("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
}
"""Functions without an audit event whose value is different in a copy."""
CLOCK_FUNCTIONS = {"time": ("clock_gettime", "clock_gettime_ns")}
RESULT_FUNCTIONS = {"gc": ("collect",)}
"""Those that programs call for another reason: only their result is different in a copy."""
LINK_FUNCTIONS = {"os": ("readlink",), "posix": ("readlink",)}
PATH_EVENTS = frozenset({"open", "os.listdir", "os.scandir", "os.chdir"})
STATE_EVENTS = frozenset({"gc.get_objects", "gc.get_referrers", "sys._current_frames"})
START_EVENTS = frozenset({"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"})
PROCESS_VIEWERS = frozenset(
    {"ps", "pstree", "pgrep", "pidof", "pmap", "lsof", "top", "fuser", "prlimit"}
)
"""Programs that show the state of other processes."""
STATE_SYMBOLS = frozenset(
    {"getppid", "getrusage", "times", "clock", "clock_gettime", "prctl", "sbrk", "syscall"}
    | {"mallinfo", "mallinfo2", "malloc_info", "malloc_stats"}
)
"""Functions of C that show the same as those above."""


def _after_call(caller: "FrameType") -> bytes:
    """Return the instruction of a frame that follows the call that it is in."""
    following = caller.f_code.co_code[caller.f_lasti + 2 :: 2]
    return following.lstrip(b"\0")[:1]  # zeros belong to the call


_dropping: "list[bytes]" = []
"""The instruction that follows a call whose result nobody uses."""


def _learn_dropping() -> None:
    _dropping.append(_after_call(sys._getframe(1)))


_learn_dropping()  # nobody uses its result


class StateWatch:
    """Watches a copy; made before modules are loaded, as they may hold on to functions."""

    def __init__(self) -> None:
        self._report, self._has_looked = "", False
        self._loaded: "Collection[str]" = ()
        self._clocks = frozenset(
            getattr(sys.modules["time"], name, None)
            for name in ("CLOCK_PROCESS_CPUTIME_ID", "CLOCK_THREAD_CPUTIME_ID")
        )
        for names, is_state in (
            (WATCHED_FUNCTIONS, lambda *_: True),
            (CLOCK_FUNCTIONS, lambda *clock: clock[:1] and clock[0] in self._clocks),
            (RESULT_FUNCTIONS, lambda *_: _after_call(sys._getframe(2)) not in _dropping),
            (LINK_FUNCTIONS, lambda *path: path[:1] and is_process_path(path[0])),
        ):
            for module, functions in names.items():
                self._wrap(sys.modules[module], functions, is_state)
        sys.addaudithook(self._hear)

    def begin(self, report: str, loaded: "Collection[str]", *, is_doubtful: bool) -> None:
        """Watch from now on; ``report`` is the file that tells wynot.

        Modules that are ``loaded`` have functions that are watched. With ``is_doubtful`` the file
        is there until the program can be trusted.
        """
        self._report, self._loaded = report, loaded
        if is_doubtful:
            self._tell(report)

    def end(self) -> None:
        """Watch no more."""
        self._has_looked = True

    def trust(self) -> None:
        """Take back that nothing is known yet of the program, unless it has looked since."""
        if not self._has_looked:
            os.unlink(self._report)

    def notice(self) -> None:
        """Tell wynot, once, that the program has looked."""
        if self._report and not self._has_looked:
            self._has_looked = True
            self._tell(self._report)

    def _tell(self, report: str) -> None:
        try:
            os.close(os.open(report, os.O_WRONLY | os.O_CREAT))
        except OSError:
            return  # the program has given up its rights: only answers that are checked show it

    def _wrap(
        self, module: object, names: "tuple[str, ...]", is_state: "Callable[..., object]"
    ) -> None:
        for name in names:
            function = getattr(module, name, None)
            if function is not None:
                setattr(module, name, _WatchedFunction(function, is_state, self.notice))

    def _hear(self, event: str, details: "tuple[Any, ...]") -> None:
        if not self._report or self._has_looked:
            return
        if event in PATH_EVENTS:
            is_seen = is_process_path(details[0])
        elif event in START_EVENTS:
            is_seen = shows_processes(details[:2])
        elif event == "ctypes.dlsym":
            is_seen = details[1] in STATE_SYMBOLS
        elif event == "import":
            is_seen = details[0] == "resource" and "resource" not in self._loaded
        else:
            is_seen = event in STATE_EVENTS
        if is_seen:
            self.notice()


class _WatchedFunction:
    """A function of C that tells when it is called; like that, it is never bound to an object."""

    def __init__(
        self,
        function: "Callable[..., Any]",
        is_state: "Callable[..., object]",
        notice: "Callable[[], None]",
    ) -> None:
        self._function = function
        self._is_state = is_state
        self._notice = notice

    def __call__(self, *arguments: "Any", **more: "Any") -> "Any":
        if self._is_state(*arguments):
            self._notice()
        return self._function(*arguments, **more)

    def __getattr__(self, name: str) -> "Any":
        return getattr(self._function, name)

    def __repr__(self) -> str:
        return repr(self._function)

    def __reduce__(self) -> str:
        return str(self._function.__name__)


def is_process_path(path: object) -> bool:
    """Tell whether a path shows the state of a process."""
    if hasattr(path, "__fspath__"):
        path = path.__fspath__()
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    if not isinstance(path, str) or not ("proc" in path or "dev/fd" in path):
        return False
    parts = os.path.abspath(path).split("/")
    if parts[1:2] != ["proc"]:
        return parts[1:3] == ["dev", "fd"]
    return len(parts) < len(("", "proc", "self")) or (
        parts[2] in {"self", "thread-self"} or parts[2].isdigit()
    )


def shows_processes(command: "tuple[object, ...]") -> bool:
    """Tell whether a command that is started may look at the process that starts it."""
    for each in command:
        words = each if isinstance(each, (list, tuple)) else [each]
        for word in words:
            text = os.fsdecode(word) if isinstance(word, (bytes, str)) else ""
            named = {os.path.basename(part) for part in text.split()}
            if "/proc/" in text or "PPID" in text or not PROCESS_VIEWERS.isdisjoint(named):
                return True
    return False
