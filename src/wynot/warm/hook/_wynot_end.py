"""How a copy ends: as the program does, but for what nobody can see.

To take apart all that is loaded writes to most pages of memory, each of which has to be copied for
that: it takes longer than many a program. So what was loaded ahead stays as it is, and if it is
known how the program ends, the process does as soon as all is done that a program can have a part
in: functions for the end, finalizers, output, and what libraries in C do at last.
"""

import _weakref
import atexit
import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Finish = Callable[[int], object]

STAYING = frozenset({"sys", "builtins", "atexit"})
LAST_NAME = "_wynot_last"
NO_SCRIPT = frozenset({"", "-", "-c", "-m"})
"""What ``sys.argv`` begins with if the program is not a file."""


class EndKeeper:
    """Keeps modules from being taken apart; made first of all, so that it is asked last."""

    def __init__(self, unwatch: "Callable[[], None]") -> None:
        """``unwatch`` is called before we ourselves look at what there is."""
        self._unwatch = unwatch
        self._kept: "list[object]" = []
        self._kept.append(self._kept)  # it holds on to itself
        self._names: "set[str]" = set()
        self._early: "list[_weakref.ref[object]]" = []
        self._main = vars(sys.modules["__main__"])
        self._is_script = sys.argv[0] not in NO_SCRIPT
        self._finish = _finish()
        atexit.register(self._keep)

    def begin(self) -> None:
        """Keep all that is loaded now; some of it may want to know when it ends."""
        gc.collect()
        found = [each for each in _finalized() if type(each).__module__ != "_io"]
        try:
            self._early = [_weakref.ref(each) for each in found]
        except TypeError:  # one of them could not be let go by the program: all is as usual
            return
        self._names = set(sys.modules) - STAYING - {"__main__"}
        del found
        gc.freeze()

    def keep(self, kept: object) -> None:
        """Never let something go."""
        self._kept.append(kept)

    def _keep(self) -> None:
        """Take the modules away; put one there that is taken apart after all that are left."""
        if not self._names:
            return
        modules = sys.modules
        kept: "list[object]" = [modules.pop(name) for name in list(modules) if name in self._names]
        self._kept.append(kept)
        status = self._status() if self._is_script and _has_flushed() else None
        last = type(sys)(LAST_NAME)
        vars(last)[LAST_NAME] = _LastObject(self, kept, status)
        self._kept.append(last)
        others = dict(modules)
        modules.clear()
        modules[LAST_NAME] = last
        modules.update(others)

    def _status(self) -> "int | None":
        """Return how a script ends; None if that cannot be known.

        The interpreter takes these names away when a script has come to its end, or has failed and
        that was printed; but not if it was left by SystemExit.
        """
        loader = type(self._main.get("__loader__")).__name__
        if "__file__" in self._main or "__cached__" in self._main or "FileLoader" not in loader:
            return None
        failed = getattr(sys, "last_type", None)
        if failed is None:
            return 0
        trace = getattr(sys, "last_traceback", None)
        if trace is None:
            return None
        frame = trace.tb_frame
        if frame.f_globals is not self._main or frame.f_back is not None:
            return None
        # Nothing was done there after it had failed, and it was not interrupted.
        is_last = frame.f_lasti == trace.tb_lasti
        return 1 if is_last and issubclass(failed, Exception) else None


class _LastObject:
    """Is taken apart when all else is that was not there before the program began."""

    def __init__(self, keeper: EndKeeper, kept: "list[object]", status: "int | None") -> None:
        self._kept = kept
        self._early = keeper._early
        self._status = status
        self._finish = keeper._finish
        self._unwatch = keeper._unwatch

    def __del__(self) -> None:
        self._unwatch()
        # What is left is held by modules that stay: it hears of the end, but stays, too. What
        # ``sys`` holds comes later.
        later = set(map(id, vars(sys).values()))
        found = [*_finalized(), *(each() for each in self._early)]
        left = [each for each in found if each is not None and id(each) not in later]
        self._kept.extend(left)
        for each in left:
            _finalize(each)
        if self._status is not None and self._finish is not None and _has_flushed():
            self._finish(self._status)


def _finish() -> "Finish | None":
    """Return the function of C that ends a process, with all that libraries do then."""
    try:
        found: "Finish | None" = __import__("ctypes").PyDLL(None).exit
    except (ImportError, OSError, AttributeError):
        found = None
    return found


def _finalized() -> "list[object]":
    """Return the objects, but for our own, that do something when they are taken apart."""
    objects = gc.get_objects()
    types = {each for each in set(map(type, objects)) if hasattr(each, "__del__")} - {_LastObject}
    found = [each for each in objects if type(each) in types] if types else []
    return [each for each in found if type(each).__module__ != "_io" or not _is_closed(each)]


def _is_closed(stream: "Any") -> bool:
    try:
        return bool(stream.closed)
    except (AttributeError, ValueError):  # it was never open
        return True


def _finalize(finalized: "Any") -> None:
    """Let an object do what it does at last; what goes wrong is told as usual."""
    finalizer = type(finalized).__del__
    try:
        finalizer(finalized)
    except BaseException as error:
        trace = error.__traceback__
        trace = trace and trace.tb_next  # without ourselves
        sys.unraisablehook(_told_type()((type(error), error, trace, None, finalizer)))


class _FailingObject:
    def __del__(self) -> None:
        raise ValueError


def _told_type() -> "Any":
    """Return the type of what is told of a finalizer that fails: it has no name."""
    types: "list[Any]" = []
    usual, sys.unraisablehook = sys.unraisablehook, lambda error: types.append(type(error))
    _FailingObject()
    sys.unraisablehook = usual
    return types[0]


def _has_flushed() -> bool:
    """Write what waits to be written; tell whether that is all, and nothing went wrong."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        if type(stream).__module__ != "_io":
            return False
        try:
            if not stream.closed:
                stream.flush()
        except (OSError, ValueError):
            return False
    return True
