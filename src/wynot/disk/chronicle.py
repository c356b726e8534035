"""When each pass and each test of a run took place: what a page shows, and nothing depends on.

It goes to the journal in a few writes a second, also while a test takes long, for those who watch;
a kill takes the last half second of it, and no answer. Threads that tell of events only collect
them: a thread of its own writes, so that nobody waits for the disk, and no error of it gets to a
test. What could not be written is tried again with the next write. A journal of a version that had
no timeline is given its tables when they are needed.
"""

import json
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from wynot.core.errors import WynotError
from wynot.core.events import (
    Event,
    GivenUp,
    Noticed,
    PassEnded,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
)
from wynot.core.standing import Standing
from wynot.disk.database import TIMELINE_TABLES
from wynot.disk.journal import Journal
from wynot.disk.rows import is_time

WRITE_SECONDS = 0.5
EMPTY_TIMELINE = (
    # A run that goes on goes through its passes again, in a moment.
    "DELETE FROM test_spans; DELETE FROM pass_spans;"
    "DELETE FROM facts WHERE name IN ('began', 'standing', 'ended')"
)
BEGAN_FACT, STANDING_FACT, ENDED_FACT = "began", "standing", "ended"
"""What the journal calls how the run began, where it stood lately, and how it ended."""
PUT_FACT = "INSERT OR REPLACE INTO facts VALUES (?, ?)"
MAX_WORKERS = 1 << 16
"""No run has as many."""
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
        self._writing = threading.Lock()
        """Held while something is written; those who only collect do not wait for it."""
        self._journal: Journal | None = None
        self._tests: list[RunSpan] = []
        self._passes: list[PassSpan] = []
        self._open: PassStarted | None = None
        self._opened = 0.0
        self._count = 0
        self._standing = Standing()
        self._facts: dict[str, str] = {}
        self._later: threading.Timer | None = None
        """Writes what has come since the last write."""
        self._has_tables = self._has_failed = False

    def begin(self, journal: Journal) -> None:
        """Write to a journal from now on."""
        with self._lock:
            self._journal = journal
        self.write()

    def handle(self, event: Event) -> None:
        """Take note of an event, if it is one that has a place in time, and hand it on."""
        with self._lock:
            self._standing.fold(event)
            self._note(event, self._clock() - self._began)
            if self._later is None and self._journal is not None:
                self._later = threading.Timer(WRITE_SECONDS, self.write)
                self._later.daemon = True
                self._later.start()
        if isinstance(event, ReductionEnded):
            self.write()
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
                fact = {**event._asdict(), "options": {}, "at": time.time() - now}
                self._facts[BEGAN_FACT] = json.dumps(fact)
            case ReductionEnded():
                self._facts[ENDED_FACT] = json.dumps(event._asdict())

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
                journal, tests, passes = self._journal, self._tests, self._passes
                if journal is None:
                    return
                facts = self._facts | {STANDING_FACT: self._standing_now()}
                self._tests, self._passes, self._facts = [], [], {}
            try:
                self._insert(journal, tests, passes, facts)
            except WynotError as error:
                with self._lock:
                    self._tests, self._passes = tests + self._tests, passes + self._passes
                    self._facts = facts | self._facts
                is_first, self._has_failed = not self._has_failed, True
                problem = f"{error.message}; the timeline may have gaps"
            else:
                return
        if is_first:
            self._observe(Noticed("timeline", problem))

    def _standing_now(self) -> str:
        now = round(self._clock() - self._began, 3)
        return json.dumps({"time": now, **self._standing.row()})

    def _insert(
        self,
        journal: Journal,
        tests: list[RunSpan],
        passes: list[PassSpan],
        facts: dict[str, str],
    ) -> None:
        with journal.writing() as connection:
            connection.execute("BEGIN")
            try:
                if not self._has_tables:
                    for statement in f"{TIMELINE_TABLES};{EMPTY_TIMELINE}".split(";"):
                        connection.execute(statement)
                connection.executemany("INSERT INTO test_spans VALUES (?, ?, ?, ?)", tests)
                connection.executemany(
                    "INSERT INTO pass_spans VALUES (?, ?, ?, ?, ?, ?, ?)", passes
                )
                connection.executemany(PUT_FACT, list(facts.items()))
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
        self._has_tables = True


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
        case (
            int() | float() as ended,
            int() | float() as seconds,
            int(worker),
            str(what),
        ) if is_time(ended) and is_time(seconds) and 0 <= worker < MAX_WORKERS:
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
        ) if is_time(began) and is_time(ended) and min(number, loop, tests, size) >= 0:
            return PassSpan(number, name, loop, float(began), float(ended), tests, size)
    return None
