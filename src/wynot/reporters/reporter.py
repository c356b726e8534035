r"""What a reporter is, and the two simplest: lines of JSON, and silence.

In a line of JSON ``event`` is what happened, ``time`` the seconds since the start; the other fields
are those of the event. A byte of a name that is not UTF-8 is the lone surrogate that Python has for
it, ``\udcff``, so that the name can be had back; a number that JSON has not is null.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import isfinite
from threading import RLock
from typing import Protocol, TextIO

from wynot.core import events
from wynot.core.events import Event, Noticed, ReductionEnded, ReductionStarted
from wynot.core.foreign_text import for_json, for_terminal
from wynot.core.standing import Stop
from wynot.core.system.debug_log import Observer
from wynot.document.text_width import wrap
from wynot.reporters.closing import headline, why
from wynot.reporters.outlet import Outlet


class Reporter(Protocol):
    """Is told of every event, in the order of things, and says what it likes of it.

    ``Ran`` comes from the threads of the workers, up to thousands of times a second, the other
    events from one thread: so ``handle`` may be called by several at once, and has to be quick. It
    does not raise if nobody listens any more: that is no reason to end a reduction. If it does
    raise, it is told nothing more, and that comes out at the end.
    """

    def handle(self, event: Event) -> None:
        """Take note of an event."""

    def look(self) -> None:
        """Say what is due by the clock alone; called a few times a second, by a thread of its own.

        So there are words also while nothing happens. By itself there is nothing to be said.
        """
        return

    def close(self) -> None:
        """Leave the terminal as it was found, also after an error; twice is as good as once.

        By itself nothing has to be done: every line was handed on.
        """
        return


_MAX_LINES = 12
"""A notice is a sentence or two; what is longer is somebody's output."""


def notice(noticed: Noticed, outlet: Outlet) -> list[str]:
    """Return the lines of a notice, as they fit the outlet."""
    message = noticed.message.splitlines()[:_MAX_LINES] or [""]
    indent = " " * len("wynot: ")
    inside = partial(wrap, first=indent, indent=indent, width=outlet.width)
    head, *rest = inside(f"{for_terminal(message[0])} [{for_terminal(noticed.slug)}]")
    lines = [f"{outlet.paint('yellow', 'wynot:')} {head.removeprefix(indent)}", *rest]
    for more in message[1:]:
        lines += inside(for_terminal(more))
    return lines


class Silent(Reporter):
    """Says what was noticed, and one line at the end."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._outlet = Outlet(stream or sys.stderr)
        self._started: ReductionStarted | None = None
        self._lock = RLock()

    def handle(self, event: Event) -> None:
        """Print the event if it is one of the two."""
        match event:
            case ReductionStarted():
                self._started = event
            case Noticed():
                with self._lock:
                    self._outlet.say(*notice(event, self._outlet))
            case ReductionEnded():
                line = headline(event, self._started)
                if event.stopped not in {Stop.FINISHED, Stop.ALREADY_FINISHED}:
                    line = f"{line} {why(event)}."
                with self._lock:
                    self._outlet.say(line)


_INNER = (
    *(events.CandidateJudged, events.SessionStarted, events.SessionEnded, events.Ran),
    events.GivenUp,
)
"""They come for every test or search, too many for most."""


class JsonLines(Reporter):
    """Writes events as they come, each handed on at once."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._outlet = Outlet(stream)
        self._clock = clock
        self._start = clock()
        self._lock = RLock()

    def handle(self, event: events.Event) -> None:
        """Write the event."""
        if not isinstance(event, _INNER):
            with self._lock:
                self._outlet.say(self._line(event))

    def _line(self, event: events.Event) -> str:
        seconds = round(self._clock() - self._start, 6)
        fields = {field: _plain(value) for field, value in event._asdict().items()}
        return for_json({"event": events.event_name(type(event)), "time": seconds, **fields})


def _plain(value: object) -> object:
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value


SECONDS_BETWEEN_LOOKS = 0.25
"""Seconds between two looks."""


@contextmanager
def ticking(reporter: Reporter) -> Iterator[Observer]:
    """Have the reporter look a few times a second; at the end it is closed.

    If the reporter raises, that is not the end of what is reported: it is raised afterwards.
    """
    ended = threading.Event()
    observer = Observer(reporter.handle)

    def look() -> None:
        while not ended.wait(SECONDS_BETWEEN_LOOKS):
            observer.attempt(reporter.look)

    thread = threading.Thread(target=look, name="wynot clock", daemon=True)
    thread.start()
    try:
        yield observer
    except BaseException as error:
        observer.note(error)
        raise
    finally:
        ended.set()
        try:
            thread.join()
        finally:  # a second Ctrl-C may come in between
            reporter.close()
    if observer.error is not None:
        raise observer.error
