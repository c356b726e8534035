"""The journal: the log of a run, in one SQLite file.

A run writes what it reports: events in their order, and blobs for contents and patches. Each
verdict is written when its test has ended and each accepted step when it is committed; a kill at
any moment loses the tests then running and nothing else. Resume, history, report and watch are
folds over this log. Since the searches are deterministic, resuming is running again: verdicts come
out of the journal until there are no more.

WAL with synchronous=NORMAL costs some 20 µs a verdict; what a power cut may take is the tail. It is
synced before the result is written, so that the journal knows whatever is in place.
"""

import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from wynot.core.errors import BrokenJournal
from wynot.core.events import Event
from wynot.core.files import Files
from wynot.core.foreign_text import read_json
from wynot.core.system.sqlite_guard import StepLimit
from wynot.core.texts.patches import DAMAGED, patch, patched, unpacked
from wynot.disk.database import (
    ANEW_HINT,
    SCHEMA,
    SCHEMA_VERSION,
    connect,
    connect_to_read,
    move_aside,
    refuse_other_schema,
    refuse_other_version,
    refuse_unsound_pages,
    remove,
    remove_empty_log,
    translated,
    translated_errors,
)
from wynot.disk.rows import (
    CREATED,
    FACT,
    FORGET,
    MAX_STEPS,
    ORIGINAL,
    RAN,
    STEP,
    JournalRecord,
    JournalStep,
    OriginalFile,
    StepRow,
    VerdictRow,
    files_of,
    is_time,
    original_body,
    read_event,
    read_facts,
    read_verdict,
    step_body,
    verdict_body,
)
from wynot.disk.seal import SEAL_FACT, ForeignCases, is_sealed, seal_of

EVERYTHING = "SELECT seq, at, kind, key, body FROM events ORDER BY seq"
APPEND = "INSERT INTO events(at, kind, key, body) VALUES (?, ?, ?, ?)"
PUT_BLOB = "INSERT OR IGNORE INTO blobs VALUES (?, ?)"
LAST_BEGINNING = "SELECT at, key FROM events WHERE kind = 'began' ORDER BY seq DESC LIMIT 1"
CREATION = "SELECT body FROM events WHERE kind = 'created' ORDER BY seq LIMIT 1"

_CHECK = "check "
"""How the names of facts begin that are results of checks."""
_CLOCK_OFFSET = time.time() - time.monotonic()


def wall_time() -> float:
    """Return the time in seconds since 1970; while a process runs, nobody sets it back."""
    return _CLOCK_OFFSET + time.monotonic()


class TimedEvent(NamedTuple):
    """An event, and how many seconds after the beginning of the run it took place."""

    seconds: float
    event: Event


class Journal:
    """The log of a run; one writer, which may be any thread.

    A journal that this user has not begun is read within limits, and never written to.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, limit: StepLimit | None = None
    ) -> None:
        self.path = path
        self.is_own = False
        """Whether this user has begun it."""
        self._record = JournalRecord()
        self._connection = connection
        self._limit = limit
        """How much may be read of it; None: as much as there is."""
        self._is_read_only = limit is not None
        self._lock = threading.Lock()
        self._original = self._last = Files({})

    @classmethod
    def create(cls, path: Path, original: Files, facts: Mapping[str, str]) -> "Journal":
        """Begin a journal."""
        remove(path)
        with translated_errors(path):
            journal = cls(path, connect(path))
        known = {"version": str(SCHEMA_VERSION), "original": original.digest.hex(), **facts}
        if SEAL_FACT not in known:  # of a damaged journal, the seal that it had is kept
            known[SEAL_FACT] = seal_of(known)
        blobs = {name: zlib.compress(each, 1) for name, each in original.contents.items()}
        files = [
            *(
                OriginalFile(name, original.modes.get(name), None, blob_digest(blob))
                for name, blob in blobs.items()
            ),
            *(OriginalFile(name, None, link, b"") for name, link in original.links.items()),
        ]
        rows = [
            (CREATED, None, json.dumps(known)),
            *((ORIGINAL, file.blob or None, original_body(file)) for file in files),
        ]
        # All at once: a journal that is cut short here is none.
        with journal.writing_at_once() as connection:
            for statement in SCHEMA.split(";"):
                connection.execute(statement)
            connection.executemany(APPEND, [(wall_time(), *row) for row in rows])
            connection.executemany(PUT_BLOB, [(blob_digest(blob), blob) for blob in blobs.values()])
        journal._original = journal._last = original
        journal._record.facts = known
        journal.is_own = is_sealed(known)
        return journal

    @classmethod
    def open(cls, path: Path, *, only_reads: bool = False) -> "Journal | None":
        """Open a journal, perhaps beside one who writes; None if there is none. Raise on damage.

        One that is not the user's own is opened for reading, whatever it is to be used for.
        """
        if not os.path.lexists(path):
            return None
        with translated_errors(path):
            reader = connect_to_read(path)
        journal = cls(path, reader.connection, reader.limit)
        try:
            with translated_errors(path, reader.limit):
                facts = facts_at_creation(reader.connection, path)
            journal.is_own = is_sealed(facts)
            if journal.is_own:
                reader.lift_limits()
                journal._limit = None
            journal._read_all()
            if journal.is_own and not only_reads:
                journal._begin_to_write()
        except BaseException:
            journal._connection.close()
            raise
        return journal

    def _begin_to_write(self) -> None:
        with translated_errors(self.path):
            self._connection.close()
            self._connection = connect(self.path)
        self._is_read_only = False

    def _read_all(self) -> None:
        """Read the log and the original; raise if anything is not as it was written."""
        record, flaw = self._record, ""
        with translated_errors(self.path, self._limit):
            refuse_unsound_pages(self._connection, self.path)
            for row in self._connection.execute(EVERYTHING):
                if not record.fold(row):
                    flaw = f"event {row[0]} is not what it should be"
        if not flaw:
            unpack = ForeignCases().unpacked if self._limit else unpacked
            blobs = {each.blob for each in record.original if each.link is None}
            try:
                contents = {each: unpack(self._blob(each)) for each in blobs}
            except DAMAGED as error:
                raise self._damaged(f"the original cannot be read ({error})") from error
            self._original = self._last = files_of(record.original, contents)
            if self.fact("original") != self._original.digest.hex():
                flaw = "the original is not what it was"
        if flaw:
            raise self._damaged(flaw)
        # The steps will come again, from the first on.
        self.restore(record.last)

    def _damaged(self, flaw: str) -> BrokenJournal:
        return BrokenJournal(f"the journal {str(self.path)!r} is damaged: {flaw}", hint=ANEW_HINT)

    def _blob(self, digest: bytes) -> bytes:
        """Return a blob, empty if there is none: what is made of it will not have its digest."""
        rows = self._read("SELECT bytes FROM blobs WHERE digest = ?", digest)
        return rows[0][0] if rows and isinstance(rows[0][0], bytes) else b""

    def fact(self, name: str) -> str:
        """Return a fact about the run, empty if it is not known."""
        return self._record.facts.get(name, "")

    def note(self, name: str, value: str) -> None:
        """Write down a fact about the run."""
        self._append(FACT, name, value)
        self._record.facts[name] = value

    def note_synced(self, name: str, value: str) -> None:
        """Write down a fact, and wait until the disk holds it and everything before it."""
        with self.writing() as connection:
            connection.execute("PRAGMA synchronous=FULL")
        try:
            self.note(name, value)
        finally:
            with self.writing() as connection:
                connection.execute("PRAGMA synchronous=NORMAL")

    def original(self) -> Files:
        """Return what the run started from."""
        return self._original

    # Verdicts.

    def verdicts(self) -> Iterator[VerdictRow]:
        """Yield all verdicts, in the order in which they were given."""
        rows = self._read("SELECT key, body FROM events WHERE kind = ? ORDER BY seq", RAN)
        for key, body in rows:
            if (verdict := read_verdict(key, body)) is not None:
                yield verdict

    def tested(self) -> set[bytes]:
        """Return the digests of all cases that have a verdict."""
        rows = self._read("SELECT DISTINCT key FROM events WHERE kind = ?", RAN)
        return {digest for (digest,) in rows}

    def count(self) -> int:
        """Return how many verdicts there are."""
        return self._record.verdicts

    def keep_verdict(self, verdict: VerdictRow) -> None:
        """Write down a verdict that the test gave."""
        row = (wall_time(), RAN, verdict.digest, verdict_body(verdict))
        try:  # the quick way: it is done for every test
            with self._lock:
                self._connection.execute(APPEND, row)
                self._record.verdicts += 1
        except sqlite3.Error as error:
            raise translated(self.path, error) from error

    @property
    def checks(self) -> Sequence[str]:
        """The names of the checks that were made."""
        return [name[len(_CHECK) :] for name in self._record.facts if name.startswith(_CHECK)]

    def check(self, name: str) -> object:
        """Return the result of a check, None if it was not made."""
        return read_json(self.fact(f"{_CHECK}{name}"))

    def keep_check(self, name: str, result: object) -> None:
        """Write down the result of a check."""
        self.note(f"{_CHECK}{name}", json.dumps(result))

    # Steps.

    def keep_step(self, row: StepRow, files: Files) -> bool:
        """Write down an accepted step, as what it changes in the one before; tell if it is new.

        A resumed run comes to the same steps again, and those stay as they were. If it comes to
        another, say because a test took too long this time, what followed is void. A step that was
        lost with a damaged journal is filled in, and is not new if later ones are known.
        """
        there = self._record.steps.get(row.number)
        is_same = there is not None and there.row.digest == row.digest
        if not is_same:
            blob = patch(self._last, files)
            step = JournalStep(row, blob_digest(blob))
            with self.writing_at_once() as connection:
                connection.execute(PUT_BLOB, (step.patch, blob))
                body = step_body(step)
                connection.execute(APPEND, (wall_time(), STEP, row.digest, body))
            self._record.accept(step)
        self._last = files
        return not is_same and self._record.last == row.number

    def forget_after(self, number: int) -> None:
        """Let the steps after one not count any more."""
        if self._record.last > number:
            self._append(FORGET, None, str(number))
            self._record.forget_after(number)

    def steps(self) -> list[StepRow]:
        """Return the accepted steps."""
        return [step.row for _, step in sorted(self._record.steps.items())]

    def last_step(self) -> StepRow | None:
        """Return the last accepted step, None if there is none."""
        last = self._record.steps.get(self._record.last)
        return last.row if last else None

    def restore(self, number: int) -> Files:
        """Return the files as they were after a step, or raise; 0 is the original."""
        files, wanted = self._original, self._original.digest
        for files, wanted in self.states(number):  # noqa: B007 - the last one counts
            pass
        if files.digest != wanted:
            raise self._damaged(f"step {number} is not what it was")
        return files

    def states(self, number: int = MAX_STEPS) -> Iterator[tuple[Files, bytes]]:
        """Return the files after each step up to a number, and the digest they should have."""
        files = self._original
        build = ForeignCases().patched if self._limit else patched
        try:
            for step, change in self.patches(number):
                files = build(files, change, self._original)
                yield files, step.digest
        except DAMAGED as error:
            raise self._damaged(f"step {number} cannot be read ({error})") from error

    def patches(self, number: int = MAX_STEPS) -> Iterator[tuple[StepRow, bytes]]:
        """Yield each step up to a number, and what it changes in the one before."""
        for _, (row, blob) in sorted(self._record.steps.items()):
            if row.number <= number:
                yield row, self._blob(blob)

    # What a run has reported.

    def events(self) -> list[TimedEvent]:
        """Return the events since the run was last begun."""
        began = began_at(self._read(LAST_BEGINNING))
        since = "SELECT at, kind, key, body FROM events WHERE at >= ? ORDER BY seq"
        return [*timed_events(self._read(since, began), began)]

    def fill(self, rows: Iterable[Sequence[object]], blobs: Mapping[bytes, bytes]) -> None:
        """Write down what was read from another journal."""
        with self.writing_at_once() as connection:
            connection.executemany(APPEND, rows)
            connection.executemany(PUT_BLOB, blobs.items())
        for row in self._read(EVERYTHING):
            self._record.fold(row)

    def move(self, path: Path) -> "Journal":
        """Go on under another name; what has that name already is kept aside."""
        if path == self.path:
            return self
        with self.writing() as connection:
            # What is still in the log beside it would be left behind.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            move_aside(path)
            self.path.rename(path)
            self.path, self._connection = path, connect(path)
        return self

    def discard(self) -> None:
        """Remove it: the test was no good, and will be another."""
        self._connection.close()
        remove(self.path)

    def close(self) -> None:
        """Close it; what was written is there in one file."""
        if not self._is_read_only:
            with suppress(sqlite3.Error):  # a full disk: the log beside it is as good
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()
        if self._is_read_only:
            remove_empty_log(self.path)

    def _read(self, question: str, *values: object) -> list[Any]:
        """Return what the journal holds; raise an error of ours if it cannot be read."""
        with self._lock, translated_errors(self.path, self._limit):
            return self._connection.execute(question, values).fetchall()

    def _append(self, kind: str, key: object, body: str) -> None:
        """Write down an event."""
        with self.writing() as connection:
            connection.execute(APPEND, (wall_time(), kind, key, body))

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Let one thread write; errors are raised as ours."""
        with self._lock, translated_errors(self.path):
            yield self._connection

    @contextmanager
    def writing_at_once(self) -> Iterator[sqlite3.Connection]:
        """Let one thread write, all or nothing."""
        with self.writing() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


def blob_digest(blob: bytes) -> bytes:
    """Return what a blob is known by."""
    return sha256(blob).digest()


def facts_at_creation(connection: sqlite3.Connection, path: Path) -> dict[str, str]:
    """Return what a run was begun with; raise if its journal is of another kind or version."""
    refuse_other_schema(connection, path)
    rows = connection.execute(CREATION).fetchall()
    facts = read_facts(rows[0][0]) if rows else {}
    refuse_other_version(facts.get("version", ""), path)
    return facts


def began_at(rows: Sequence[Sequence[object]], process: int = 0) -> float:
    """Return when a run was last begun, in seconds since 1970; 0 if that is not known.

    With the number of a process, it has to be the one that has begun it.
    """
    match rows:
        case [[int() | float() as at, key]] if at >= 0 and process in {0, key}:
            return float(at)
    return 0.0


def timed_events(rows: Iterable[Sequence[object]], began: float) -> Iterator[TimedEvent]:
    """Yield the events of those rows of a log that make sense."""
    for at, kind, key, body in rows:
        if isinstance(kind, str) and isinstance(at, int | float) and is_time(at - began):
            event = read_event(kind, key, body)
            if event is not None:
                yield TimedEvent(at - began, event)
