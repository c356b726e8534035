"""When each pass and each test of a run took place: what a page shows, and nothing depends on.

It goes to the journal in a few writes a second, also while a test takes long, for those who watch;
a kill takes the last half second of it, and no answer. A journal of a version that had none is
given its tables when they are needed.
"""

import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from wynot.core.errors import WynotError
from wynot.core.events import (
    Event,
    GivenUp,
    PassEnded,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
)
from wynot.core.standing import Standing
from wynot.disk.journal import Journal

WRITE_SECONDS = 0.5
SCHEMA = """
CREATE TABLE IF NOT EXISTS test_spans (ended REAL, seconds REAL, worker INTEGER, what TEXT);
CREATE TABLE IF NOT EXISTS pass_spans (number INTEGER, name TEXT, loop INTEGER, began REAL,
                                       ended REAL, tests INTEGER, size INTEGER);
-- A run that goes on goes through its passes again, in a moment.
DELETE FROM test_spans;
DELETE FROM pass_spans;
DELETE FROM facts WHERE name IN ('began', 'standing', 'ended');
"""
BEGAN_FACT, STANDING_FACT, ENDED_FACT = "began", "standing", "ended"
"""What the journal calls how the run began, where it stood lately, and how it ended."""
PUT_FACT = "INSERT OR REPLACE INTO facts VALUES (?, ?)"
GIVEN_UP = "given up"
"""What became of a test that was a bet, if not its verdict."""


class RunSpan(NamedTuple):
    """A test that was run, and when it ended."""

    ended: float
    seconds: float
    worker: int
    what: str


class PassSpan(NamedTuple):
    """A pass, once through."""

    number: int
    name: str
    loop: int
    began: float
    ended: float
    tests: int
    size: int
    """Bytes of the case at its end."""


class Chronicle:
    """Hands events on, and writes down when what took place. Any thread may call it."""

    def __init__(
        self,
        observe: Callable[[Event], None],
        began: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._observe = observe
        self._clock = clock
        self._began = began
        self._lock = threading.Lock()
        self._journal: Journal | None = None
        self._tests: list[RunSpan] = []
        self._passes: list[PassSpan] = []
        self._open: PassStarted | None = None
        self._opened = self._wrote = 0.0
        self._count = 0
        self._standing = Standing()
        self._later: threading.Timer | None = None
        """Writes what came after the last write, if nothing comes that would."""
        self._is_closed = False

    def begin(self, journal: Journal) -> None:
        """Write to a journal from now on."""
        with self._lock:
            self._journal = journal
            with journal.writing() as connection:
                connection.executescript(SCHEMA)

    def handle(self, event: Event) -> None:
        """Take note of an event, if it is one that has a place in time, and hand it on."""
        with self._lock:
            self._standing.fold(event)
            self._note(event, self._clock() - self._began)
        self._observe(event)

    def _note(self, event: Event, now: float) -> None:
        match event:
            case Ran():
                span = RunSpan(now, event.seconds, event.worker, event.verdict.value)
                self._tests.append(span)
            case GivenUp():
                self._tests.append(RunSpan(now, event.seconds, event.worker, GIVEN_UP))
            case PassStarted():
                self._open, self._opened = event, now
            case PassEnded() if self._open is not None:
                self._count += 1
                began, loop = self._opened, self._open.loop
                self._passes.append(
                    PassSpan(self._count, event.name, loop, began, now, event.tests, event.size)
                )
            case ReductionStarted():
                told = {**event._asdict(), "options": {}, "at": time.time() - now}
                self._put(BEGAN_FACT, told)
            case ReductionEnded():
                with suppress(WynotError):
                    self._put(ENDED_FACT, event._asdict())
        if now - self._wrote >= WRITE_SECONDS:
            self._write(now)
        elif self._later is None and self._journal is not None and not self._is_closed:
            self._later = threading.Timer(WRITE_SECONDS, self._write_later)
            self._later.daemon = True
            self._later.start()

    def close(self) -> None:
        """Write down what is left; on a full disk nothing: no result depends on it."""
        with self._lock, suppress(WynotError):
            self._is_closed = True
            if self._later is not None:
                self._later.cancel()
            self._write(self._clock() - self._began)

    def _write_later(self) -> None:
        with self._lock, suppress(WynotError):  # the next event will have it raised
            self._later = None
            if not self._is_closed:
                self._write(self._clock() - self._began)

    def _put(self, name: str, value: dict[str, object]) -> None:
        if self._journal is not None:
            self._journal.note(name, json.dumps(value))

    def _write(self, now: float) -> None:
        if self._journal is None:
            return
        self._wrote = now
        standing = json.dumps({"time": round(now, 3), **self._standing.row()})
        with self._journal.writing() as connection:
            connection.execute("BEGIN")
            try:
                connection.executemany("INSERT INTO test_spans VALUES (?, ?, ?, ?)", self._tests)
                rows = self._passes
                connection.executemany("INSERT INTO pass_spans VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
                connection.execute(PUT_FACT, (STANDING_FACT, standing))
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        self._tests, self._passes = [], []


def spans_of(journal: Journal) -> tuple[list[RunSpan], list[PassSpan]]:
    """Return what a journal has of this, of the last time that the run was begun."""
    tables = {name for (name,) in journal.read("SELECT name FROM sqlite_master")}
    if not {"test_spans", "pass_spans"} <= tables:
        return [], []
    tests = journal.read("SELECT ended, seconds, worker, what FROM test_spans")
    passes = journal.read("SELECT number, name, loop, began, ended, tests, size FROM pass_spans")
    return [*filter(None, map(run_span, tests))], [*filter(None, map(pass_span, passes))]


def run_span(row: Sequence[object]) -> RunSpan | None:
    """Return a row, None if it cannot be one: SQLite takes any value for any column."""
    match row:
        case (int() | float() as ended, int() | float() as seconds, int(worker), str(what)):
            return RunSpan(float(ended), float(seconds), worker, what)
    return None


def pass_span(row: Sequence[object]) -> PassSpan | None:
    """Return a row, None if it cannot be one."""
    match row:
        case (
            int(number),
            str(name),
            int(loop),
            int() | float() as began,
            int() | float() as ended,
            int(tests),
            int(size),
        ):
            return PassSpan(number, name, loop, float(began), float(ended), tests, size)
    return None
