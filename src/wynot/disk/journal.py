"""The journal: everything a run has paid for, in one SQLite file.

Each verdict is written when its test has ended and each accepted step when it is committed; a kill
at any moment loses the tests then running and nothing else. Since the searches are deterministic,
resuming is running again: verdicts come out of the journal until there are no more.

WAL with synchronous=NORMAL costs some 20 µs a verdict; what a power cut may take is the tail. It is
synced before the result is written, so that the journal knows whatever is in place.
"""

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wynot.core.errors import BrokenJournal
from wynot.core.files import Files
from wynot.core.system.sqlite_guard import StepLimit
from wynot.core.texts.patches import DAMAGED, patch, patched, unpacked
from wynot.core.verdict import Verdict
from wynot.disk.database import (
    ANEW_HINT,
    SCHEMA,
    SCHEMA_VERSION,
    connect,
    connect_to_read,
    move_aside,
    refuse_other_schema,
    refuse_unsound_pages,
    remove,
    remove_empty_log,
    translated,
    translated_errors,
)
from wynot.disk.rows import EXPLAIN_EPOCH, MAX_STEPS, JournalStep, StepRow, audited, file_rows
from wynot.disk.seal import SEAL_FACT, SEALED_FACTS, ForeignCases, is_sealed, seal_of

_STEPS = "SELECT number, pass, candidate, tests, seconds, size, digest FROM steps"


class Journal:
    """What a run writes down; one writer, which may be any thread.

    A journal that this user has not begun is read within limits, and never written to.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, limit: StepLimit | None = None
    ) -> None:
        self.path = path
        self.is_own = False
        """Whether this user has begun it."""
        self._sealed: dict[str, str] = {}
        """The facts that the seal covers. They are not looked up again: the index of a table that
        somebody has changed can lead to other rows."""
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
            with journal.writing() as connection:
                # All at once: a journal that is cut short here is none.
                connection.execute("BEGIN")
                for statement in SCHEMA.split(";"):
                    connection.execute(statement)
                named = {"version": str(SCHEMA_VERSION), "original": original.digest.hex(), **facts}
                if SEAL_FACT not in named:  # of a damaged journal, the seal that it had is kept
                    named[SEAL_FACT] = seal_of(named)
                rows = list(named.items())
                connection.executemany("INSERT INTO facts VALUES (?, ?)", rows)
                connection.executemany(
                    "INSERT INTO files VALUES (?, ?, ?, ?)",
                    file_rows(original),
                )
                connection.execute("COMMIT")
        journal._original = journal._last = original
        journal._know_own(named)
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
                refuse_other_schema(reader.connection, path)
                facts = reader.connection.execute("SELECT name, value FROM facts").fetchall()
            journal._know_own({name: str(value) for name, value in facts})
            if journal.is_own:
                reader.lift_limits()
                journal._limit = None
            journal._refuse_damage()
            if journal.is_own and not only_reads:
                journal._begin_to_write()
        except BaseException:
            journal._connection.close()
            raise
        return journal

    def _know_own(self, facts: Mapping[str, str]) -> None:
        self.is_own = is_sealed(facts)
        self._sealed = {name: facts.get(name, "") for name in SEALED_FACTS}

    def _begin_to_write(self) -> None:
        with translated_errors(self.path):
            self._connection.close()
            self._connection = connect(self.path)
        self._is_read_only = False

    def _refuse_damage(self) -> None:
        """Raise if anything is not as it was written, and read the original."""
        with translated_errors(self.path, self._limit):
            refuse_unsound_pages(self._connection, self.path)
            unpack = ForeignCases().unpacked if self._limit else unpacked
            original, flaw = audited(self._connection, unpack)
        if not flaw and self.fact("original") != original.digest.hex():
            flaw = "the original is not what it was"
        if flaw:
            raise self._damaged(flaw)
        # The steps will come again, from the first on.
        self._original = self._last = original
        if last := self.last_step():
            self.restore(last.number)

    def _damaged(self, what: str) -> BrokenJournal:
        return BrokenJournal(f"the journal {str(self.path)!r} is damaged: {what}", hint=ANEW_HINT)

    def fact(self, name: str) -> str:
        """Return a fact about the run, empty if it is not known."""
        if name in self._sealed:
            return self._sealed[name]
        rows = self.read("SELECT value FROM facts WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def note(self, name: str, value: str) -> None:
        """Write down a fact about the run."""
        with self.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def note_synced(self, name: str, value: str) -> None:
        """Write down a fact, and wait until the disk holds it and everything before it."""
        with self.writing() as connection:
            connection.execute("PRAGMA synchronous=FULL")
            try:
                connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
            finally:
                connection.execute("PRAGMA synchronous=NORMAL")

    def original(self) -> Files:
        """Return what the run started from."""
        return self._original

    # Verdicts.

    def verdicts(self, epoch: int) -> dict[bytes, Verdict]:
        """Return all verdicts of an epoch."""
        rows = self.read("SELECT digest, verdict FROM verdicts WHERE epoch = ?", epoch)
        return {digest: Verdict(verdict) for digest, verdict in rows}

    def endings(self, epoch: int, beginning: str) -> list[tuple[bytes, str]]:
        """Return the digests of an epoch whose tests ended in words that begin like this."""
        rows = self.read(
            "SELECT digest, how FROM verdicts WHERE epoch = ? AND substr(how, 1, ?) = ?",
            epoch,
            len(beginning),
            beginning,
        )
        return [(digest, how) for digest, how in rows]

    def count(self) -> int:
        """Return how many verdicts there are."""
        return int(self.read("SELECT count(*) FROM verdicts")[0][0])

    def keep_verdict(
        self, epoch: int, digest: bytes, verdict: Verdict, how: str, seconds: float
    ) -> None:
        """Write down a verdict that the test gave."""
        row = (epoch, digest, verdict.value, how, round(seconds, 4))
        try:  # the quick way: it is done for every test
            with self._lock:
                self._connection.execute("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise translated(self.path, error) from error

    def figures(self) -> list[tuple[Verdict, str, int, float]]:
        """Return each way in which tests of the reduction ended, how many, and how long."""
        asked = "SELECT verdict, how, count(*), sum(seconds) FROM verdicts WHERE epoch < ?"
        rows = self.read(f"{asked} GROUP BY 1, 2", EXPLAIN_EPOCH)
        return [(Verdict(verdict), how, count, seconds) for verdict, how, count, seconds in rows]

    def check(self, name: str) -> object:
        """Return what a check came to, None if it was not made."""
        rows = self.read("SELECT said FROM checks WHERE name = ?", name)
        return json.loads(rows[0][0]) if rows else None

    def keep_check(self, name: str, said: object) -> None:
        """Write down what a check came to."""
        with self.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO checks VALUES (?, ?)", (name, json.dumps(said))
            )

    # Steps.

    def keep_step(self, row: StepRow, files: Files) -> bool:
        """Write down an accepted step, as what it changes in the one before; tell if it is new.

        A resumed run comes to the same steps again, and those stay as they were. If it comes to
        another, say because a test took too long this time, what followed is void. A step that was
        lost with a damaged journal is filled in, and is not new if later ones are known.
        """
        with self.writing() as connection:
            there = connection.execute(
                "SELECT digest FROM steps WHERE number = ?", (row.number,)
            ).fetchone()
            is_same = there == (row.digest,)
            if there and not is_same:
                connection.execute("DELETE FROM steps WHERE number > ?", (row.number,))
            if not is_same:
                connection.execute(
                    "INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (*row, patch(self._last, files)),
                )
            later = connection.execute(
                "SELECT 1 FROM steps WHERE number > ? LIMIT 1", (row.number,)
            ).fetchone()
        self._last = files
        return not is_same and later is None

    def forget_after(self, number: int) -> None:
        """Remove steps that come after the last one."""
        with self.writing() as connection:
            connection.execute("DELETE FROM steps WHERE number > ?", (number,))

    def steps(self) -> list[StepRow]:
        """Return the accepted steps."""
        return [StepRow(*row) for row in self.read(f"{_STEPS} ORDER BY number")]

    def last_step(self) -> StepRow | None:
        """Return the last accepted step, None if there is none."""
        rows = self.read(f"{_STEPS} ORDER BY number DESC LIMIT 1")
        return StepRow(*rows[0]) if rows else None

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
        rows = self.read(
            "SELECT digest, patch FROM steps WHERE number <= ? ORDER BY number", number
        )
        try:
            for wanted, change in rows:
                files = build(files, change, self._original)
                yield files, wanted
        except DAMAGED as error:
            raise self._damaged(f"step {number} cannot be read ({error})") from error

    def fill(
        self,
        verdicts: Iterable[tuple[int, bytes, str, str, float]],
        checks: Mapping[str, object],
        steps: Iterable[JournalStep],
    ) -> None:
        """Write down what was read from another journal."""
        with self.writing() as connection:
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?)", verdicts)
            rows = [(name, json.dumps(said)) for name, said in checks.items()]
            connection.executemany("INSERT INTO checks VALUES (?, ?)", rows)
            connection.executemany(
                "INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(*step.row, step.patch) for step in steps],
            )
            connection.execute("COMMIT")

    def move(self, path: Path) -> "Journal":
        """Go on under another name; what has that name already is kept aside."""
        if path == self.path:
            return self
        with translated_errors(path):
            # What is still in the log beside it would be left behind.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
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

    def read(self, question: str, *values: object) -> list[Any]:
        """Return what the journal holds; whatever is wrong with it is said in our words."""
        with self._lock, translated_errors(self.path, self._limit):
            return self._connection.execute(question, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Let one thread write; what goes wrong is said in our words."""
        with self._lock, translated_errors(self.path):
            yield self._connection
