"""The SQLite file that a journal is: its tables, and what is wrong with it in wynot's own words.

A journal may come from anybody. So it is opened only if it is a file, and so is what SQLite opens
beside it; it is read by a connection with limits; and no query goes to a table before the schema
was found to be exactly ours.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from wynot.core.errors import BrokenJournal, NoSpace, ReadOnly, WynotError
from wynot.core.system.sqlite_guard import StepLimit, guard
from wynot.disk.home import leave_home, make_home, refuse_unsafe_home

SCHEMA_VERSION = 3

PAGE_BYTES = 1024
"""Bytes: a verdict is small, and a page is written for each."""

ANEW_HINT = (
    "the best case so far is in place, the original in FILE.orig; wynot history FILE shows what "
    "can still be read; --fresh begins a new journal, and keeps the old one beside it"
)

# No index on kinds or keys: a reader takes the log from its beginning, or what is new in it.
SCHEMA = """
CREATE TABLE events (seq INTEGER PRIMARY KEY, at REAL, kind TEXT, key BLOB, body TEXT);
CREATE TABLE blobs (digest BLOB PRIMARY KEY, bytes BLOB);
"""

AUTOMATIC = "sqlite_autoindex_"
"""How SQLite calls the index that it makes for a primary key."""

MAX_ROW_BYTES = 64 << 20
"""Bytes of a value in the journal of a stranger."""
LEAST_STEPS, STEPS_PER_BYTE = 10_000_000, 8
"""Steps that SQLite may take in the journal of a stranger: reading every row several times does not
take as many."""
SCHEMA_STEPS = 1_000_000
"""Steps that reading a schema may take: ours takes some hundreds."""

BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite opens beside a journal."""

READING = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ}
"""Errors of a disk or a file that cannot be read: more room would not help."""


def remove(path: Path) -> None:
    """Remove a journal, and its folder if that leaves it empty."""
    for suffix in (*BESIDE, ""):
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink()
    leave_home(path.parent)


def connect(path: Path) -> sqlite3.Connection:
    """Open a journal to be written to, and make it if it is not there."""
    make_home(path.parent)
    refuse_other_files(path)
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    try:
        connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint=8000")
    except (sqlite3.Error, UnicodeDecodeError):  # its message may hold what is damaged
        connection.close()
        raise
    return connection


class JournalReader(NamedTuple):
    """A connection that only reads, and may be of a stranger's journal."""

    connection: sqlite3.Connection
    limit: StepLimit

    def lift_limits(self) -> None:
        """Read as much as there is: the journal is the user's own."""
        self.connection.set_progress_handler(None, 0)
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2**31 - 1)


def connect_to_read(path: Path, how: str = "") -> JournalReader:
    """Open a journal without writing to it, or to anything beside it; ``how`` is for SQLite."""
    # Where there is no log, nobody writes; and a reader would have to make one.
    usual = "mode=ro" if os.path.lexists(f"{path}-wal") else "immutable=1"
    connection = _opened(path, how or usual)
    try:
        steps = LEAST_STEPS + STEPS_PER_BYTE * path.stat().st_size
        limits = {sqlite3.SQLITE_LIMIT_LENGTH: MAX_ROW_BYTES}
        return JournalReader(connection, guard(connection, steps, limits))
    except (sqlite3.Error, OSError):
        connection.close()
        raise


def remove_empty_log(path: Path) -> None:
    """Let SQLite remove a log in which nothing is left, unless somebody has the journal open.

    Usually the one who writes does so at the end; but it cannot while another is reading.
    """
    # In a folder that is not ours, or beside a stranger's journal, it does no harm.
    with suppress(OSError, sqlite3.Error, WynotError):
        if Path(f"{path}-wal").stat().st_size == 0:
            with (
                closing(_opened(path, "mode=rw")) as connection,
                guard(connection, SCHEMA_STEPS).raising_interrupts(),
            ):
                connection.execute("SELECT 1 FROM sqlite_master").fetchall()


def refuse_other_files(path: Path) -> None:
    """Raise if a journal, or what SQLite would open beside it, is a link or no file.

    SQLite follows links, and it may even remove what a rollback journal names. Ours have none, as
    they are in WAL mode.
    """
    for suffix in ("", *BESIDE):
        with suppress(FileNotFoundError):
            beside = Path(f"{path}{suffix}")
            if not stat.S_ISREG(beside.lstat().st_mode) or suffix == "-journal":
                raise BrokenJournal(
                    f"{str(beside)!r} is not a file that wynot has made", hint=ANEW_HINT
                )


def found_tables(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the tables of a journal that are exactly as wynot makes them."""
    return {name for name, row in _schema(connection).items() if OUR_TABLES.get(name) == row}


def refuse_other_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise if a journal has anything but the tables that wynot makes, or lacks one."""
    there = _schema(connection)
    if not there:
        raise BrokenJournal(f"{str(path)!r} cannot be used: it is empty", hint=ANEW_HINT)
    if there != OUR_TABLES:
        raise BrokenJournal(
            f"the journal {str(path)!r} is damaged: its tables are not those of wynot",
            hint=ANEW_HINT,
        )


def refuse_other_version(version: str, path: Path) -> None:
    """Raise if a journal was written by another version."""
    if version != str(SCHEMA_VERSION):
        raise BrokenJournal(
            f"{str(path)!r} is of version {version[:40]}, not {SCHEMA_VERSION}", hint=ANEW_HINT
        )


def refuse_unsound_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Raise if the pages of a journal are damaged; such as lead back to themselves have no end."""
    [(found,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
    if found != "ok":
        raise BrokenJournal(
            f"the journal {str(path)!r} cannot be used: its pages are damaged", hint=ANEW_HINT
        )


def _schema(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Return the kind and the text of each object of a database but the indexes of its keys."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {
        str(name): (str(kind), " ".join(str(text).split()))
        for kind, name, text in rows
        if (kind, text) != ("index", None) or not str(name).startswith(AUTOMATIC)
    }


OUR_TABLES = {
    made.split()[2]: ("table", " ".join(made.split())) for made in SCHEMA.split(";") if made.strip()
}
"""The tables, as SQLite writes them down."""


def _opened(path: Path, how: str) -> sqlite3.Connection:
    refuse_unsafe_home(path.parent)
    refuse_other_files(path)
    address = f"file:{quote(os.fsencode(path))}?{how}"
    return sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)


@contextmanager
def translated_errors(path: Path, limit: StepLimit | None = None) -> Iterator[None]:
    """Say what is wrong with a journal in wynot's own words."""
    try:
        with limit.raising_interrupts() if limit else nullcontext():
            yield
    except sqlite3.Error as error:
        raise translated(path, error) from error
    except UnicodeDecodeError as error:  # SQLite quotes what it does not understand
        raise BrokenJournal(
            f"the journal {str(path)!r} is damaged: {error}", hint=ANEW_HINT
        ) from error
    except OSError as error:
        raise ReadOnly(
            f"the journal {str(path)!r} cannot be written: {error.strerror}",
            hint="give -o OUT in a folder of your own",
        ) from error


def translated(path: Path, error: sqlite3.Error) -> WynotError:
    """Return what to raise for an error of SQLite."""
    whole = getattr(error, "sqlite_errorcode", 0)
    code = whole & 0xFF if whole not in READING else sqlite3.SQLITE_CORRUPT
    written = f"the journal {str(path)!r} cannot be written: {error}"
    if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        hint = "make room and give the same command again: it continues where it stopped"
        return NoSpace(written, hint=hint)
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return ReadOnly(written, hint="give -o OUT in a folder of your own")
    return BrokenJournal(f"the journal {str(path)!r} cannot be used: {error}", hint=ANEW_HINT)


def move_aside(path: Path) -> Path | None:
    """Keep an older journal under another name, and return that; None if there is no such one."""
    if not path.exists():
        return None
    number = 1
    while (aside := path.with_suffix(f".{number}{path.suffix}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").rename(f"{aside}{suffix}")
    return aside
