"""A journal as another process writes it: what is new in it since the last look.

Each look opens the file for reading, and closes it again: the run that writes never waits for it.
A draft is not looked at: it is about to be renamed, and a reader would be in the way of that.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from wynot.core.errors import NoSuchFile, WynotError
from wynot.core.files import Files
from wynot.core.foreign_text import read_json
from wynot.disk.chronicle import (
    BEGAN_FACT,
    ENDED_FACT,
    STANDING_FACT,
    PassSpan,
    RunSpan,
    pass_span,
    run_span,
)
from wynot.disk.database import (
    JournalReader,
    connect_to_read,
    found_tables,
    refuse_other_schema,
    refuse_unsound_pages,
    remove_empty_log,
    translated_errors,
)
from wynot.disk.file_lock import holder_of
from wynot.disk.journal import Journal
from wynot.disk.rows import StepRow, read_step
from wynot.disk.seal import is_sealed

STEP = "number, pass, candidate, tests, seconds, size, digest, x''"
"""The columns of a step, but for what it changes: that is not looked at."""
TESTS, PASSES = (", ".join(kind._fields) for kind in (RunSpan, PassSpan))
MAX_FAILURES = 4
"""Looks that may fail one after the other, if nobody is at work: a run that ends is in the way of a
few."""
READ_ROWS = 200_000
"""Rows that are read at a time: more come with the next look."""


class JournalNews(NamedTuple):
    """What was new at a look."""

    process: int
    """The process that is at work; 0 if none is."""
    began: Mapping[str, object]
    standing: object
    ended: Mapping[str, object]
    """How it ended, as the run has told; empty if it has not."""
    state: str
    steps: Sequence[StepRow]
    tests: Sequence[RunSpan]
    passes: Sequence[PassSpan]


class JournalFollower:
    """Looks into one journal again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen = {"steps": 0, "test_spans": 0, "pass_spans": 0}
        """The last row of each table that was read."""
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
        seen = dict(self._seen)
        try:
            with translated_errors(self.path):
                reader = connect_to_read(self.path)
            with closing(reader.connection), translated_errors(self.path, reader.limit):
                news = self._read(reader, process)
        except WynotError:
            self._seen = seen  # nobody gets what was read until then: it is new the next time, too
            self._failures += 1
            if process or self._failures < MAX_FAILURES:
                return None
            raise
        finally:
            remove_empty_log(self.path)
        self._failures = 0
        return news

    @property
    def original(self) -> int:
        """How many bytes there were at first; 0 if that cannot be read now."""
        with suppress(WynotError), self._opened() as journal:
            return journal.original().size
        return 0

    def case(self) -> Mapping[str, bytes]:
        """Return the best case so far; if that cannot be read now, what it was before."""
        number = self._seen["steps"]
        if self._shown is None or self._shown[0] != number:
            with suppress(WynotError), self._opened() as journal:
                self._shown = number, journal.restore(number)
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
        refuse_other_schema(connection, self.path)
        facts = dict(connection.execute("SELECT name, value FROM facts"))
        if process and BEGAN_FACT not in facts:
            return None
        if is_sealed({name: str(value) for name, value in facts.items()}):
            reader.lift_limits()
        elif not self._is_sound:
            refuse_unsound_pages(connection, self.path)
            self._is_sound = True
        return JournalNews(
            process,
            _mapping(facts.get(BEGAN_FACT)),
            read_json(facts.get(STANDING_FACT)),
            _mapping(facts.get(ENDED_FACT)),
            str(facts.get("state", "")),
            [step.row for step in map(read_step, self._rows(connection, "steps", STEP)) if step],
            [*filter(None, map(run_span, self._rows(connection, "test_spans", TESTS)))],
            [*filter(None, map(pass_span, self._rows(connection, "pass_spans", PASSES)))],
        )

    def _rows(self, connection: sqlite3.Connection, table: str, columns: str) -> list[Any]:
        """Return the rows of a table that are new."""
        if table not in found_tables(connection):  # of a version that had none
            return []
        rows = connection.execute(
            f"SELECT rowid, {columns} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT ?",  # noqa: S608 - names are ours
            (self._seen[table], READ_ROWS),
        ).fetchall()
        if rows:
            self._seen[table] = rows[-1][0]
        return [row[1:] for row in rows]


def _mapping(fact: object) -> Mapping[str, object]:
    found = read_json(fact)
    return found if isinstance(found, dict) else {}
