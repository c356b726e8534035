"""Writes down which modules a program loads, when each is ready, and which look around for files.

A module that looks into the working folder while it is loaded may be another one for each
candidate, and what it puts into the folder for temporary files is gone with the first test. So such
a module has to be loaded each time. So has one that keeps the time, the number of its process or
its use of memory while it is loaded, seeds a generator that all modules share, or writes a file.
"""

import atexit
import os
import sys

from _wynot_watch import WATCHED_FUNCTIONS, is_process_path  # type: ignore[import-not-found]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

FIRST_DESCRIPTOR = 300
"""Programs get low ones as they would without us."""
LOOKING = frozenset({"open", "os.listdir", "os.scandir", "os.mkdir", "os.chdir", "sqlite3.connect"})
KEPT_FUNCTIONS = {
    "time": ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns"),
    "os": ("getpid",),
}
"""Functions whose value is another one for each start, besides those that a copy is watched for."""
REFRESHED_MODULES = frozenset({"logging", "tempfile"})
"""Modules that keep such a value, and have another one in a copy."""
KEPT_METHODS = frozenset({"now", "utcnow", "today"})
"""Methods, of ``datetime``, of the same kind."""


class ModuleRecord:
    """Hears of imports and open files by the interpreter's audit events."""

    def __init__(self, path: str) -> None:
        folders = (os.getcwd(), os.environ.get("TMPDIR", "/nowhere"))
        self._folders = tuple(folder + "/" for folder in folders)
        self._pending: "dict[str, None]" = {}
        self._noted: "set[str]" = set()
        self._modules = sys.modules
        self._depth = 0
        """How many modules are being loaded, by the code that is running."""
        self._functions = frozenset(
            getattr(self._modules[module], name, None)
            for names in (KEPT_FUNCTIONS, WATCHED_FUNCTIONS)
            for module, each in names.items()
            for name in each
            if module in self._modules
        )
        target = os.open(path, os.O_WRONLY | os.O_APPEND)
        self._descriptor = FIRST_DESCRIPTOR
        os.dup2(target, self._descriptor, inheritable=False)
        os.close(target)

    def hear(self, event: str, details: "tuple[object, ...]") -> None:
        """Take note of an event."""
        if event == "import":
            self._settle()
            name = str(details[0])
            if name not in self._noted:
                self._pending[name] = None
            if not self._depth and sys.getprofile() is None:
                sys.setprofile(self._follow)
        elif event in LOOKING and (
            self._is_inside(details[0]) or is_process_path(details[0]) or _writes(event, details)
        ):
            self._looks(sys._getframe().f_back)

    def _follow(self, frame: "FrameType", event: str, called: "Any") -> None:
        """Look at the functions of C that are called while a module is loaded, and no longer."""
        if event == "c_call":
            if self._is_kept(called) and frame.f_globals.get("__name__") not in REFRESHED_MODULES:
                self._looks(frame)
            return
        code = frame.f_code
        if event not in {"call", "return"} or code.co_filename == __file__:
            return
        if code.co_name == "<module>":
            self._depth = max(0, self._depth + (1 if event == "call" else -1))
        if not self._depth and not _is_importing(frame):
            sys.setprofile(None)

    def _is_kept(self, function: "Any") -> bool:
        """Tell whether a function has a value that a module may keep, and a new start has not."""
        try:
            if function in self._functions:
                return True
        except TypeError:  # a method of something that has no hash
            return False
        name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
        if name == "seed":
            shared = vars(self._modules.get("random", sys)).get("_inst")
            return owner is not None and owner is shared
        return name in KEPT_METHODS and getattr(owner, "__module__", "") == "datetime"

    def end(self) -> None:
        """Write down what is left."""
        self._settle()

    def _settle(self) -> None:
        """Write down the modules that are ready by now, those first that others need.

        Some never will be, as they could not be loaded. Others that are not there yet are being
        made, in one go, as those in C are.
        """
        for name in [each for each in reversed(self._pending) if self._is_ready(each)]:
            del self._pending[name]
            self._noted.add(name)
            origin = getattr(self._modules[name].__spec__, "origin", None)
            if isinstance(origin, str):
                self._write("module", name, origin)

    def _is_ready(self, name: str) -> bool:
        spec = getattr(self._modules.get(name), "__spec__", None)
        return spec is not None and not getattr(spec, "_initializing", False)

    def _is_inside(self, where: object) -> bool:
        if isinstance(where, bytes):
            where = os.fsdecode(where)
        if not isinstance(where, str):
            return where is None
        return not where.startswith("/") or (where + "/").startswith(self._folders)

    def _looks(self, frame: "FrameType | None") -> None:
        """Write down which modules are being loaded while a file is looked for."""
        if frame is not None and "importlib" in frame.f_code.co_filename:
            return  # it is one that has a module
        if frame is not None and _finds_temporary_folder(frame):
            return  # it is that of the test, and of each of its copies
        while frame is not None:
            name = frame.f_globals.get("__name__")
            if frame.f_code.co_name == "<module>" and isinstance(name, str) and name != "__main__":
                self._write("looks", name)
            frame = frame.f_back

    def _write(self, *fields: str) -> None:
        try:
            line = "\t".join(fields) + "\n"
            os.write(self._descriptor, line.encode("utf-8", "surrogateescape"))
        except (OSError, ValueError):
            return  # the program has closed it, or the name of a module is none


def _is_importing(frame: "FrameType | None") -> bool:
    """Tell whether some code runs because a module is looked for."""
    while frame is not None and "importlib" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None


def _finds_temporary_folder(frame: "FrameType") -> bool:
    """Tell whether ``tempfile`` tries which folder it can write to, with a file that is gone."""
    name, where = frame.f_code.co_name, frame.f_globals.get("__name__")
    return where == "tempfile" and name == "_get_default_tempdir"


def _writes(event: str, details: "tuple[Any, ...]") -> bool:
    """Tell whether a file is opened for writing."""
    flags = details[2] if event == "open" else 0
    return isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR) != 0


def main(path: str, _plan: str, _before: "set[str]") -> None:
    """Begin to write, to a file that is there."""
    record = ModuleRecord(path)
    atexit.register(record.end)
    sys.addaudithook(record.hear)
