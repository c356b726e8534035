"""The SQLite file that a journal is: its tables, and what is wrong with it in wynot's own words."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from wynot.core.errors import BrokenJournal, NoSpace, ReadOnly, WynotError
from wynot.disk.home import leave_home, make_home, refuse_unsafe_home

SCHEMA_VERSION = 2

PAGE_BYTES = 1024
"""Bytes: a verdict is small, and a page is written for each."""

ANEW_HINT = (
    "the best case so far is in place, the original in FILE.orig; wynot history FILE shows what "
    "can still be read; --fresh begins a new journal, and keeps the old one beside it"
)

SCHEMA = """
-- No index on digests: they are read once, all of them, when a run is resumed.
CREATE TABLE facts (name TEXT PRIMARY KEY, value BLOB);
CREATE TABLE files (path BLOB PRIMARY KEY, content BLOB, mode INTEGER, link BLOB);
CREATE TABLE verdicts (epoch INTEGER, digest BLOB, verdict TEXT, how TEXT, seconds REAL);
CREATE TABLE checks (name TEXT PRIMARY KEY, said TEXT);
CREATE TABLE steps (number INTEGER PRIMARY KEY, pass TEXT, candidate TEXT, tests INTEGER,
                    seconds REAL, size INTEGER, digest BLOB, patch BLOB);
"""

READING = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ}
"""Errors of a disk or a file that cannot be read: more room would not help."""


def remove(path: Path) -> None:
    """Remove a journal, and its folder if that leaves it empty."""
    for suffix in ("-wal", "-shm", ""):
        with suppress(OSError):
            Path(f"{path}{suffix}").unlink()
    leave_home(path.parent)


def connect(path: Path) -> sqlite3.Connection:
    """Open a journal to be written to, and make it if it is not there."""
    make_home(path.parent)
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


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a journal without writing to it, or to anything beside it."""
    # Where there is no log, nobody writes; and a reader would have to make one.
    how = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    return _opened(path, how)


def remove_empty_log(path: Path) -> None:
    """Let SQLite remove a log in which nothing is left, unless somebody has the journal open.

    Usually the one who writes does so at the end; but it cannot while another is reading.
    """
    with suppress(OSError, sqlite3.Error):  # a folder that is not ours: it does no harm there
        if Path(f"{path}-wal").stat().st_size == 0:
            with closing(_opened(path, "mode=rw")) as connection:
                connection.execute("SELECT 1 FROM sqlite_master").fetchall()


def _opened(path: Path, how: str) -> sqlite3.Connection:
    refuse_unsafe_home(path.parent)
    address = f"file:{quote(os.fsencode(path))}?{how}"
    return sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """Say what is wrong with a journal in wynot's own words."""
    try:
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
