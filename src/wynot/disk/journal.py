"""The journal: everything a run has paid for, in one SQLite file.

Each verdict is written when its test has ended and each accepted step when it is committed; a kill
at any moment loses the tests then running and nothing else. Since the searches are deterministic,
resuming is running again: verdicts come out of the journal until there are no more.

WAL with synchronous=NORMAL costs some 20 µs a verdict; what a power cut may take is the tail.
"""

import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from wynot.core.errors import BrokenJournal, NoSpace, ReadOnly, WynotError
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.home import leave_home, make_home

VERSION = 1

ANEW = "--fresh begins a new one; the old one is kept beside it"

SCHEMA = """
-- No index on digests: they are read once, all of them, when a run is resumed.
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB);
CREATE TABLE files (path BLOB PRIMARY KEY, content BLOB, mode INTEGER, link BLOB);
CREATE TABLE verdicts (epoch INTEGER, digest BLOB, verdict TEXT, how TEXT, seconds REAL);
CREATE TABLE checks (name TEXT PRIMARY KEY, said TEXT);
CREATE TABLE steps (number INTEGER PRIMARY KEY, pass TEXT, candidate TEXT, tests INTEGER,
                    seconds REAL, size INTEGER, digest BLOB, patch BLOB);
"""


class StepRow(NamedTuple):
    """An accepted step."""

    number: int
    pass_name: str
    candidate: str
    tests: int
    seconds: float
    size: int
    digest: bytes


class Journal:
    """What a run writes down; one writer, which may be any thread."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.Lock()
        self._last: Files | None = None

    @classmethod
    def create(cls, path: Path, original: Files, facts: Mapping[str, str]) -> "Journal":
        """Begin a journal."""
        remove(path)
        with _told(path):
            journal = cls(path, _connect(path))
            with journal._writing() as connection:
                # All at once: a journal that is cut short here is none.
                connection.execute("BEGIN")
                for statement in SCHEMA.split(";"):
                    connection.execute(statement)
                rows = [("version", str(VERSION)), *facts.items()]
                connection.executemany("INSERT INTO facts VALUES (?, ?)", rows)
                connection.executemany(
                    "INSERT INTO files VALUES (?, ?, ?, ?)",
                    [
                        (
                            os.fsencode(name),
                            zlib.compress(content, 1),
                            original.modes.get(name),
                            None,
                        )
                        for name, content in original.contents.items()
                    ]
                    + [
                        (os.fsencode(name), None, None, os.fsencode(to))
                        for name, to in original.links.items()
                    ],
                )
                connection.execute("COMMIT")
        journal._last = original
        return journal

    @classmethod
    def open(cls, path: Path) -> "Journal | None":
        """Open a journal; None if there is none."""
        if not path.exists():
            return None
        with _told(path):
            journal = cls(path, _connect(path))
        try:
            journal._refuse_strangers()
            journal._last = journal.original()  # the steps will come again, from the first on
        except WynotError:
            journal._connection.close()
            raise
        return journal

    def _refuse_strangers(self) -> None:
        """Raise if this is no journal, or not one that can be read."""
        if not self._read("SELECT name FROM sqlite_master"):
            raise BrokenJournal(f"{str(self.path)!r} cannot be used: it is empty", hint=ANEW)
        version = self.fact("version")
        if version != str(VERSION):
            raise BrokenJournal(
                f"{str(self.path)!r} is of version {version}, not {VERSION}", hint=ANEW
            )

    def fact(self, name: str) -> str:
        """Return a fact about the run, empty if it is not known."""
        rows = self._read("SELECT value FROM facts WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def note(self, name: str, value: str) -> None:
        """Write down a fact about the run."""
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def original(self) -> Files:
        """Return what the run started from."""
        contents, modes, links = {}, {}, {}
        for raw, content, mode, link in self._read(
            "SELECT path, content, mode, link FROM files ORDER BY rowid"
        ):
            path = os.fsdecode(raw)
            if link is not None:
                links[path] = os.fsdecode(link)
                continue
            contents[path] = zlib.decompress(content)
            if mode is not None:
                modes[path] = mode
        return Files(contents, modes, links)

    # Verdicts.

    def verdicts(self, epoch: int) -> dict[bytes, Verdict]:
        """Return all verdicts of an epoch."""
        rows = self._read("SELECT digest, verdict FROM verdicts WHERE epoch = ?", epoch)
        return {digest: Verdict(verdict) for digest, verdict in rows}

    def endings(self, epoch: int, beginning: str) -> list[tuple[bytes, str]]:
        """Return the digests of an epoch whose tests ended in words that begin like this."""
        rows = self._read(
            "SELECT digest, how FROM verdicts WHERE epoch = ? AND substr(how, 1, ?) = ?",
            epoch,
            len(beginning),
            beginning,
        )
        return [(digest, how) for digest, how in rows]

    def count(self) -> int:
        """Return how many verdicts there are."""
        return int(self._read("SELECT count(*) FROM verdicts")[0][0])

    def keep_verdict(
        self, epoch: int, digest: bytes, verdict: Verdict, how: str, seconds: float
    ) -> None:
        """Write down a verdict that the test gave."""
        row = (epoch, digest, verdict.value, how, round(seconds, 4))
        try:  # the quick way: it is done for every test
            with self._lock:
                self._connection.execute("INSERT INTO verdicts VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise _translated(self.path, error) from error

    def check(self, name: str) -> object:
        """Return what a check came to, None if it was not made."""
        rows = self._read("SELECT said FROM checks WHERE name = ?", name)
        return json.loads(rows[0][0]) if rows else None

    def keep_check(self, name: str, said: object) -> None:
        """Write down what a check came to."""
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO checks VALUES (?, ?)", (name, json.dumps(said))
            )

    # Steps.

    def keep_step(self, row: StepRow, files: Files) -> bool:
        """Write down an accepted step, as what it changes in the one before; tell if it is new.

        A resumed run comes to the same steps again, and those stay as they were. If it comes to
        another, say because a test took too long this time, what followed is void.
        """
        before = self._last
        assert before is not None  # noqa: S101 - set when it was made
        with self._writing() as connection:
            same = connection.execute(
                "SELECT 1 FROM steps WHERE number = ? AND digest = ?", (row.number, row.digest)
            ).fetchone()
            if same is None:
                connection.execute("DELETE FROM steps WHERE number > ?", (row.number,))
                connection.execute(
                    "INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (*row, _patch(before, files)),
                )
        self._last = files
        return same is None

    def steps(self) -> list[StepRow]:
        """Return the accepted steps."""
        rows = self._read(
            "SELECT number, pass, candidate, tests, seconds, size, digest FROM steps"
            " ORDER BY number"
        )
        return [StepRow(*row) for row in rows]

    def restore(self, number: int) -> Files:
        """Return the files as they were after a step; 0 is the original."""
        files = self.original()
        for (patch,) in self._read(
            "SELECT patch FROM steps WHERE number <= ? ORDER BY number", number
        ):
            files = _patched(files, patch)
        return files

    def move(self, path: Path) -> "Journal":
        """Go on under another name; what has that name already is kept aside."""
        if path == self.path:
            return self
        with _told(path):
            # What is still in the log beside it would be left behind.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
            _move_aside(path)
            self.path.rename(path)
            self.path, self._connection = path, _connect(path)
        return self

    def discard(self) -> None:
        """Remove it: the test was no good, and will be another."""
        self._connection.close()
        remove(self.path)

    def close(self) -> None:
        """Close it; what was written is there in one file."""
        with suppress(sqlite3.Error):  # a full disk: the log beside it is as good
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()

    def _read(self, question: str, *values: object) -> list[Any]:
        """Return what the journal holds; whatever is wrong with it is said in our words."""
        with self._lock, _told(self.path):
            return self._connection.execute(question, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _told(self.path):
            yield self._connection


def remove(path: Path) -> None:
    """Remove a journal, and its folder if that leaves it empty."""
    for suffix in ("-wal", "-shm", ""):
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink()
    leave_home(path.parent)


def _connect(path: Path) -> sqlite3.Connection:
    make_home(path.parent)
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        connection.execute(
            "PRAGMA page_size=1024"
        )  # a verdict is small, and a page is written for each
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint=8000")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say what is wrong with a journal in wynot's own words."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(path, error) from error
    except OSError as error:
        raise ReadOnly(
            f"the journal {str(path)!r} cannot be written: {error.strerror}",
            hint="give -o OUT in a folder of your own",
        ) from error


def _translated(path: Path, error: sqlite3.Error) -> WynotError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return NoSpace(
            f"the journal {str(path)!r} cannot be written: {error}",
            hint="make room and give the same command again: it goes on where it was",
        )
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return ReadOnly(
            f"the journal {str(path)!r} cannot be written: {error}",
            hint="give -o OUT in a folder of your own",
        )
    return BrokenJournal(
        f"the journal {str(path)!r} cannot be used: {error}",
        hint=ANEW,
    )


def _move_aside(path: Path) -> None:
    """Keep an older journal under another name."""
    if not path.exists():
        return
    number = 1
    while (aside := path.with_suffix(f".{number}{path.suffix}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").rename(f"{aside}{suffix}")


def _patch(before: Files, after: Files) -> bytes:
    """Return what leads from one to the other: per file what is in place of its middle."""
    changes = []
    for path, old in before.contents.items():
        new = after.contents.get(path)
        if new is None:
            changes.append([path, 0, 0, None])
        elif new != old:
            head, tail = _common(old, new)
            changes.append([path, head, tail, new[head : len(new) - tail].decode("latin-1")])
    return zlib.compress(json.dumps(changes).encode("ascii"), 1)


def _common(old: bytes, new: bytes) -> tuple[int, int]:
    """Return the lengths of the beginning and the end that two contents have in common."""
    head = _same(old, new)
    tail = _same(old[head:][::-1], new[head:][::-1])
    return head, tail


def _same(one: bytes, other: bytes) -> int:
    """Return how far two contents are the same, by bisection: comparing slices is quick."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _patched(files: Files, patch: bytes) -> Files:
    contents = dict(files.contents)
    for path, head, tail, middle in json.loads(zlib.decompress(patch)):
        if middle is None:
            del contents[path]
            continue
        old = contents[path]
        contents[path] = old[:head] + middle.encode("latin-1") + old[len(old) - tail :]
    return files.replaced(contents)
