"""Writes databases: of any texts, and always such that they are well-formed."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import repeat

from wynot.formats.containers.container import Packed
from wynot.formats.containers.databases.database_settings import DatabaseSettings
from wynot.formats.containers.databases.database_texts import (
    OddText,
    SqlStatement,
    SqlValue,
    StatedRows,
    quoted,
    stated_rows,
    stated_setting,
    statements,
)
from wynot.formats.containers.databases.guarded_database import (
    guarded,
    only_writing,
    stored_columns,
)

_ERRORS = (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError)
"""What SQLite and its module raise for what cannot be done."""
_STATISTICS, _SEQUENCES = "SQLITE_STAT1", "SQLITE_SEQUENCE"
_PLACES: dict[type, str] = {OddText: "CAST(? AS TEXT)"}
"""What a value is inserted with, if it is not as it is."""
_INTO_SCHEMA = "INSERT INTO sqlite_master(type,name,tbl_name,rootpage,sql) VALUES('table',?,?,0,?)"


def pack(packed: Packed) -> bytes:
    """Write the texts as a database; what does not work is passed over."""
    texts = [member.content.decode("utf-8", "replace") for member in packed.members]
    found = [each for text in texts for each in statements(text.replace("\0", ""))]
    virtual = [each for each in found if each.words[:3] == ["CREATE", "VIRTUAL", "TABLE"]]
    if virtual:
        with suppress(*_ERRORS):  # what a text makes of these goes into the schema unseen
            return _understood(_written(found, virtual))
    return _written(found, ())


def _understood(content: bytes) -> bytes:
    """Return a database, or raise if SQLite does not understand its schema."""
    with closing(guarded()) as database:
        database.deserialize(content)
        database.execute("SELECT 1 FROM sqlite_master").fetchall()
    return content


def _written(found: Sequence[SqlStatement], virtual: Sequence[SqlStatement]) -> bytes:
    stated = (stated_setting(each.text) for each in found if each.words[:1] == ["PRAGMA"])
    settings = DatabaseSettings.stated(each for each in stated if each is not None)
    with closing(guarded()) as database:
        for name in ("page_size", "encoding", "auto_vacuum", "user_version", "application_id"):
            database.execute(f"PRAGMA {name}='{settings[name]}'")
        database.execute("BEGIN")
        _Writing(database).write(found, virtual)
        with suppress(*_ERRORS):  # it was interrupted, and so there is no transaction
            database.execute("COMMIT")
        database.set_progress_handler(None, 0)
        database.execute("VACUUM")
        return settings.headed(database.serialize())


class _Writing:
    """A database that is filled: tables, rows, and then what is made of them."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def write(self, found: Sequence[SqlStatement], virtual: Sequence[SqlStatement]) -> None:
        """Do what the statements say, tables first."""
        creations = [each for each in found if each.words[:1] == ["CREATE"]]
        tables = [each for each in creations if each.words[1:2] == ["TABLE"]]
        self._create(tables)
        if any(each.words[2:3] == [_STATISTICS] for each in tables):
            self._database.execute("ANALYZE sqlite_master")
        stated = (each.tokens for each in found if each.words[:2] == ["INSERT", "INTO"])
        rows = [each for each in map(stated_rows, stated) if each is not None]
        self._insert(each for each in rows if each.table.upper() != _SEQUENCES)
        with suppress(*_ERRORS):  # without such a table
            self._database.execute("DELETE FROM sqlite_sequence")
        self._insert(each for each in rows if each.table.upper() == _SEQUENCES)
        self._create(each for each in creations if "TABLE" not in each.words[1:3])
        if virtual:
            self._name(virtual)

    def _create(self, creations: Iterable[SqlStatement]) -> None:
        with self._guarded():
            for each in creations:
                with suppress(*_ERRORS):
                    self._database.execute(each.text)

    def _insert(self, insertions: Iterable[StatedRows]) -> None:
        with self._guarded():
            for each in insertions:
                with suppress(*_ERRORS):
                    self._fill(each)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Let only that be done that is harmless, whatever a text says."""
        self._database.set_authorizer(only_writing)
        yield
        self._database.set_authorizer(None)

    def _fill(self, stated: StatedRows) -> None:
        """Put rows into a table; those that violate a constraint are left out."""
        there = {name.lower(): name for name in stored_columns(self._database, stated.table)}
        wanted = [name.lower() for name in stated.columns] or list(there)
        places = {name: place for place, name in reversed([*enumerate(wanted)]) if name in there}
        columns = [there[name] for name in places]
        if not columns:
            return
        into = f"INSERT OR IGNORE INTO {quoted([stated.table])}({quoted(columns)}) VALUES"
        rows = [
            [row[place] if place < len(row) else None for place in places.values()]
            for row in stated.rows
        ]
        self._database.execute("SAVEPOINT rows")
        try:
            self._database.executemany(f"{into}({','.join('?' * len(columns))})", _usual(rows))
        except _ERRORS:  # some row has to be left out, or needs a statement of its own
            self._database.execute("ROLLBACK TO rows")
            for row in rows:
                values = ",".join(map(_PLACES.get, map(type, row), repeat("?")))
                with suppress(*_ERRORS):
                    self._database.execute(f"{into}({values})", row)
        self._database.execute("RELEASE rows")

    def _name(self, virtual: Iterable[SqlStatement]) -> None:
        """Put tables into the schema that only a module could make, and no module is run."""
        self._database.execute("PRAGMA writable_schema=ON")
        for each in virtual:
            name = "".join(token.text for token in each.tokens[3:4])
            with suppress(*_ERRORS):
                self._database.execute(_INTO_SCHEMA, (name, name, each.text))
        self._database.execute("PRAGMA writable_schema=OFF")


def _usual(rows: Iterable[list[SqlValue]]) -> Iterator[list[SqlValue]]:
    for row in rows:
        if OddText in map(type, row):
            raise ValueError(row)
        yield row
