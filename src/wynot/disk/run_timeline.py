"""The events of a run that a page and those who watch show, and nothing depends on.

They go to the journal in a few writes a second, also while a test takes long; a kill takes the last
half second of them, and no verdict. Threads that report events only collect them: a thread of its
own writes, so that nobody waits for the disk, and no error of it gets to a test. What could not be
written is tried again with the next write.
"""

import json
import os
import threading
from collections.abc import Callable, Iterable
from typing import NamedTuple

from wynot.core.errors import WynotError
from wynot.core.events import (
    Doing,
    Event,
    GivenUp,
    Noticed,
    PassEnded,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
    event_name,
)
from wynot.core.standing import RunStatus
from wynot.disk.journal import APPEND, Journal, TimedEvent, wall_time
from wynot.disk.rows import EVENTS, STATUS, event_body

WRITE_SECONDS = 0.5
MAX_WORKERS = 1 << 16
"""No run has as many."""
GIVEN_UP = "given up"
"""What became of a test that was a bet, if not its verdict."""


class Timeline:
    """Hands events on, and writes them down. Any thread may call it."""

    def __init__(
        self, observe: Callable[[Event], None], clock: Callable[[], float] = wall_time
    ) -> None:
        self._observe = observe
        self._clock = clock
        self._began = clock()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        """Held while something is written; those who only collect do not wait for it."""
        self._journal: Journal | None = None
        self._events: list[tuple[float, Event]] = []
        self._doing = ""
        self._status = RunStatus()
        self._status_number = 0
        """The event with the last status: it goes when there is a new one."""
        self._later: threading.Timer | None = None
        """Writes what has come since the last write."""
        self._has_failed = False

    def begin(self, journal: Journal) -> None:
        """Write to a journal from now on."""
        with self._lock:
            self._journal = journal
        self.write()

    def handle(self, event: Event) -> None:
        """Take note of an event, and hand it on."""
        with self._lock:
            self._status.fold(event)
            if self._doing and self._status.doing is None:
                self._doing = ""
                self._events.append((self._clock(), Doing("")))
            if self._is_written(event):
                # A run is known by when it was begun, not by when its test was found to be good.
                is_first = isinstance(event, ReductionStarted)
                self._events.append((self._began if is_first else self._clock(), event))
            if self._later is None and self._journal is not None:
                self._later = threading.Timer(WRITE_SECONDS, self.write)
                self._later.daemon = True
                self._later.start()
        if isinstance(event, ReductionEnded):
            self.write()
        self._observe(event)

    def _is_written(self, event: Event) -> bool:
        if isinstance(event, Doing):  # how much of it is done is told often
            is_new, self._doing = event.what != self._doing, event.what
            return is_new
        return event_name(type(event)) in EVENTS

    def close(self) -> None:
        """Write down the rest; from now on nothing is written."""
        self.write()
        with self._writing, self._lock:
            self._journal = None

    def write(self) -> None:
        """Write down what has come since the last write; the first failure is noticed."""
        with self._writing:
            with self._lock:
                if self._later is not None:
                    self._later.cancel()
                    self._later = None
                journal, events, status = self._journal, self._events, self._status.row()
                if journal is None:
                    return
                self._events = []
            try:
                self._insert(journal, events, json.dumps(status))
            except WynotError as error:
                with self._lock:
                    self._events = events + self._events
                is_first, self._has_failed = not self._has_failed, True
                problem = f"{error.message}; the timeline may have gaps"
            else:
                return
        if is_first:
            self._observe(Noticed("timeline", problem))

    def _insert(self, journal: Journal, events: list[tuple[float, Event]], status: str) -> None:
        rows = [
            (
                at,
                event_name(type(event)),
                os.getpid() if isinstance(event, ReductionStarted) else None,
                event_body(event),
            )
            for at, event in events
        ]
        with journal.writing_at_once() as connection:
            connection.executemany(APPEND, rows)
            # The new one first: else it would get the number of the old one.
            written = connection.execute(APPEND, (self._clock(), STATUS, None, status))
            connection.execute("DELETE FROM events WHERE seq = ?", (self._status_number,))
        self._status_number = written.lastrowid or 0


class RunSpan(NamedTuple):
    """A test that was run, and when it ended."""

    ended: float
    seconds: float
    worker: int
    what: str


class PassSpan(NamedTuple):
    """A pass, once through."""

    name: str
    loop: int
    began: float
    ended: float
    tests: int
    size: int
    """Bytes of the case at its end."""


def spans_of(events: Iterable[TimedEvent]) -> tuple[list[RunSpan], list[PassSpan]]:
    """Return when each test and each pass took place."""
    tests: list[RunSpan] = []
    passes: list[PassSpan] = []
    loop, began = 0, 0.0
    for now, event in events:
        match event:
            case Ran() if event.worker < MAX_WORKERS:
                tests.append(RunSpan(now, event.seconds, event.worker, event.verdict.value))
            case GivenUp() if event.worker < MAX_WORKERS:
                tests.append(RunSpan(now, event.seconds, event.worker, GIVEN_UP))
            case PassStarted():
                loop, began = event.loop, now
            case PassEnded():
                passes.append(PassSpan(event.name, loop, began, now, event.tests, event.size))
    return tests, passes
