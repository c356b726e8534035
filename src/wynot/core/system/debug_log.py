"""Observers only watch: their errors, and others that wynot copes with, go to a log.

Without the option nothing is written. The records are those of the logger ``wynot``, at the level
DEBUG, so that a program that uses wynot can see them, too.
"""

import logging
import os
import platform
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias, TypeVar, TypeVarTuple

from wynot.core.errors import BrokenObserver, InvalidOption
from wynot.core.events import Event
from wynot.core.foreign_text import legible

HEADER = b"# debug log of wynot\n"
"""The first line of each log: nothing is added to a file that begins otherwise."""
_FORMAT = "%(asctime)s %(process)d %(threadName)s: %(message)s"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_logger = logging.getLogger("wynot")


class _LegibleFormatter(logging.Formatter):
    """What errors quote may be anything, and a log is looked at in a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return legible(super().format(record))


class _LogHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to the log; that it cannot, say since the disk is full, must not end a run."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - it is so called
        """Lose the record: there is no better place for it."""


def log_ignored(what: str, error: BaseException | None = None) -> None:
    """Log something that is coped with, and the error that is the reason for it."""
    _logger.debug("%s", what, exc_info=error)


def log_descriptor() -> int | None:
    """Return where other processes of wynot can write to the log, if there is one."""
    handlers = (each for each in _logger.handlers if isinstance(each, _LogHandler))
    return next((each.stream.fileno() for each in handlers), None)


@contextmanager
def debug_log(path: str) -> Iterator[None]:
    """Keep a log in a file for a while; without a path there is none."""
    if not path:
        yield
        return
    with open(_opened(path), "a", encoding="utf-8") as stream:
        handler, level = _LogHandler(stream), _logger.level
        handler.setFormatter(_LegibleFormatter(_FORMAT))
        _logger.addHandler(handler)
        _logger.setLevel(logging.DEBUG)
        try:
            _logger.debug("Python %s on %s", platform.python_version(), platform.platform())
            yield
        finally:
            _logger.removeHandler(handler)
            _logger.setLevel(level)


def _opened(path: str) -> int:
    """Open a log for the user's eyes only; never another file, nor what a link leads to."""
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
    except OSError as error:
        raise InvalidOption(
            f"cannot write {path!r}: {error.strerror}",
            option="debug",
            hint="give the name of a new file; a link is not followed",
        ) from error
    is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
    begin = os.pread(descriptor, len(HEADER), 0) if is_file else b""
    if not is_file or begin not in {b"", HEADER}:
        os.close(descriptor)
        raise InvalidOption(
            f"{path!r} exists and is not a debug log", option="debug", hint="give another name"
        )
    if not begin:
        os.write(descriptor, HEADER)
    return descriptor


Observe: TypeAlias = Callable[[Event], None]
Args = TypeVarTuple("Args")
Result = TypeVar("Result")


class Observer:
    """Tells somebody what happens, until that raises for the first time.

    Any thread may call it: workers tell what they have run. Ctrl-C goes through, wherever it comes.
    """

    def __init__(self, observe: Observe) -> None:
        self._observe = observe
        self.error: Exception | None = None
        """What it has raised, to be handed on once the result of the run is safe."""

    def handle(self, event: Event) -> None:
        """Tell of an event."""
        self.attempt(self._observe, event)

    def attempt(self, call: Callable[[*Args], None], *args: *Args) -> None:
        """Let the observer do something, unless it has raised before."""
        if self.error is None:
            try:
                call(*args)
            except Exception as error:  # noqa: BLE001 - handed on at the end
                self.error = error

    def note(self, error: BaseException) -> None:
        """Say with another error that the observer raised too: that may be all that is shown."""
        if self.error is not None:
            error.add_note(f"before that, the observer raised {self.error!r}")


def observed(observe: Observe, run: Callable[[Observe], Result]) -> Result:
    """Return what a run returns that is observed; raise BrokenObserver with it if that went wrong.

    If the run raises too, that is what is raised, with a note.
    """
    observer = Observer(observe)
    try:
        result = run(observer.handle)
    except BaseException as error:
        observer.note(error)
        raise
    if observer.error is not None:
        raise BrokenObserver(
            f"the observer raised {observer.error!r}, and was told nothing more",
            hint="the run continued without it: its result is in .result",
            result=result,
        ) from observer.error
    return result
