"""A journal as another process writes it: what is new in it since the last look.

Each look opens the file for reading, and closes it again: the run that writes never waits for it.
A draft is not looked at: it is about to be renamed, and a reader would be in the way of that.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from wynot.core.errors import NoSuchFile, WynotError
from wynot.core.files import Files
from wynot.disk.database import (
    JournalReader,
    connect_to_read,
    refuse_unsound_pages,
    remove_empty_log,
    translated_errors,
)
from wynot.disk.file_lock import holder_of
from wynot.disk.journal import (
    LAST_BEGINNING,
    Journal,
    TimedEvent,
    began_at,
    facts_at_creation,
    timed_events,
)
from wynot.disk.rows import EVENTS, FACT, RAN, STATUS, STEP, read_event, read_step
from wynot.disk.seal import is_sealed

MAX_FAILURES = 4
"""Looks that may fail one after the other, if nobody is at work: a run that ends is in the way of a
few."""
MAX_EVENTS = 200_000
"""Events that are read at a time: more come with the next look."""

_SHOWN = ", ".join(f"'{kind}'" for kind in (*EVENTS, RAN, STATUS))
_NEWS = f"""
SELECT seq, at, kind, key, body FROM events
WHERE seq > ? AND (at >= ? AND kind IN ({_SHOWN}) OR kind = 'step'
                   OR kind = 'fact' AND key = 'state')
ORDER BY seq LIMIT {MAX_EVENTS}
"""  # noqa: S608 - of our own words


class JournalNews(NamedTuple):
    """What was new at a look."""

    process: int
    """The process that is at work; 0 if none is."""
    began: float
    """When the run was begun, in seconds since 1970; 0 if it has not written that down."""
    state: str
    events: Sequence[TimedEvent]
    """In the order of their times."""


class JournalFollower:
    """Looks into one journal again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = 0
        """The last event that was read."""
        self._began = 0.0
        self._state = ""
        self._step = 0
        """The last step that was read."""
        self._shown: tuple[int, Files] | None = None
        self._failures = 0
        self._is_sound = False
        """Whether no page of a stranger's journal leads back to itself."""

    @property
    def process(self) -> int:
        """The process that is at work on the file; 0 if none is."""
        return holder_of(self.path.with_suffix(".lock"))

    @property
    def is_checking(self) -> bool:
        """Whether a run is under way that is yet to find out whether its test is any good."""
        return self.process > 0 and self.path.with_suffix(".draft").exists()

    def news(self) -> JournalNews | None:
        """Return what is new; None if that cannot be read now, as it may be a moment later.

        Nor can it before the run under way has written down how it began: steps may be there first.
        Raises if it cannot be read again and again, and no process is at work on it.
        """
        process = self.process  # before the rest: what it has written at its end is read then
        try:
            with translated_errors(self.path):
                reader = connect_to_read(self.path)
            with closing(reader.connection), translated_errors(self.path, reader.limit):
                news = self._read(reader, process)
        except WynotError:
            self._failures += 1
            if process or self._failures < MAX_FAILURES:
                return None
            raise
        finally:
            remove_empty_log(self.path)
        self._failures = 0
        return news

    def case(self) -> Mapping[str, bytes]:
        """Return the best case so far; if that cannot be read now, what it was before."""
        if self._shown is None or self._shown[0] != self._step:
            with suppress(WynotError), self._opened() as journal:
                self._shown = self._step, journal.restore(self._step)
        return self._shown[1].contents if self._shown else {}

    @contextmanager
    def _opened(self) -> Iterator[Journal]:
        journal = Journal.open(self.path, only_reads=True)
        if journal is None:
            raise NoSuchFile(f"there is no journal {str(self.path)!r}", hint="it has gone")
        try:
            with closing(journal):
                yield journal
        finally:
            remove_empty_log(self.path)

    def _read(self, reader: JournalReader, process: int) -> JournalNews | None:
        connection = reader.connection
        facts = facts_at_creation(connection, self.path)
        if is_sealed(facts):
            reader.lift_limits()
        elif not self._is_sound:
            refuse_unsound_pages(connection, self.path)
            self._is_sound = True
        began = self._began or began_at(connection.execute(LAST_BEGINNING).fetchall(), process)
        if process and not began:
            return None
        self._began = began
        self._state = self._state or facts.get("state", "")
        rows = connection.execute(_NEWS, (self._seen, began)).fetchall()
        if rows:
            self._seen = rows[-1][0]
        events = sorted(self._events(rows), key=lambda each: each.seconds)
        return JournalNews(process, began, self._state, events)

    def _events(self, rows: Sequence[Sequence[object]]) -> Iterator[TimedEvent]:
        """Yield events; a step is as long after the beginning as when it was found first."""
        for _, at, kind, key, body in rows:
            step = read_step(key, body) if kind == STEP else None
            if kind == FACT:
                self._state = str(body)
            if step is None:
                yield from timed_events([(at, kind, key, body)], self._began)
            elif (event := read_event(STEP, key, body)) is not None:
                self._step = step.row.number
                yield TimedEvent(step.row.seconds, event)
