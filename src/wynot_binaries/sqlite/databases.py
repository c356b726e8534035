"""Reads and writes databases through connections that do nothing but what we ask.

Databases come from anywhere, and what is written of them is made by leaving out parts of texts. So
both are hostile: what SQLite may do is what an authorizer lets it, step by step and in all.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import repeat
from typing import NamedTuple

from wynot.core.system.sqlite_guard import guard
from wynot.formats.containers.container import (
    TOO_LARGE,
    Broken,
    Member,
    Packed,
    TextRoom,
    check,
    packed_texts,
)
from wynot_binaries.sqlite.database_texts import (
    DatabaseSettings,
    OddText,
    SqlStatement,
    SqlValue,
    StatedRows,
    insertion,
    quoted,
    setting,
    stated_rows,
    stated_setting,
    statements,
    text_value,
    without_log,
)

MAX_DATABASE_BYTES = 64 << 20
_MAX_STEPS = 200_000_000
"""Enough for the largest database that is read."""
_MAX_DEPTH = 50
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_DATABASE_BYTES,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: MAX_DATABASE_BYTES,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: _MAX_DEPTH * 4,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: _MAX_DEPTH,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_ATTACHED: 1,  # VACUUM has to
}
_HARMLESS = """
    abs char coalesce concat concat_ws date datetime format glob hex ifnull iif instr json
    json_array json_array_length json_extract json_object json_quote json_type json_valid julianday
    length like likelihood likely lower ltrim max min nullif octet_length printf quote replace round
    rtrim sign strftime substr substring time timediff trim typeof unhex unicode unixepoch unlikely
    upper -> ->>
"""
"""Functions that constraints, generated columns and indexes may use."""
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})
_WRITING = frozenset(
    {
        *(sqlite3.SQLITE_CREATE_TABLE, sqlite3.SQLITE_CREATE_INDEX),
        *(sqlite3.SQLITE_CREATE_VIEW, sqlite3.SQLITE_CREATE_TRIGGER),
        *(sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_READ),
        *(sqlite3.SQLITE_REINDEX, sqlite3.SQLITE_TRANSACTION, sqlite3.SQLITE_SAVEPOINT),
    }
)

_DESCRIBING = "table_xinfo"


def guarded() -> sqlite3.Connection:
    """Return a connection to an empty database in memory; what it may do is for an authorizer."""
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    guard(connection, _MAX_STEPS, _LIMITS)
    connection.execute("PRAGMA temp_store=MEMORY")
    return connection


def only_reading(
    action: int, first: str | None, _second: str | None, _database: str | None, _by: str | None
) -> int:
    """Allow to look at tables, and nothing that computes anything."""
    is_allowed = action in _READING or (action == sqlite3.SQLITE_PRAGMA and first == _DESCRIBING)
    return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY


def only_writing(
    action: int, first: str | None, second: str | None, database: str | None, _by: str | None
) -> int:
    """Allow to make objects and to put rows into tables, with harmless functions."""
    if action == sqlite3.SQLITE_FUNCTION:
        is_allowed = (second or "").lower() in _HARMLESS.split()
    elif action == sqlite3.SQLITE_PRAGMA:
        is_allowed = first == _DESCRIBING
    else:
        is_allowed = action in _WRITING and database in {None, "main"}
    return sqlite3.SQLITE_OK if is_allowed else sqlite3.SQLITE_DENY


def stored_columns(database: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of the columns of a table that are neither hidden nor generated."""
    described = database.execute(f"PRAGMA {_DESCRIBING}({quoted([table])})")
    return [name for _, name, *_, hidden in described if not hidden]


_OBJECTS = "SELECT type, name, rootpage, sql FROM sqlite_master"
_KINDS = ("table", "index", "view", "trigger")
_LONGEST_NAME = 60


class _Object(NamedTuple):
    kind: str
    name: str
    root: int
    sql: str


def read(content: bytes) -> Packed:
    """Return a member for each object, in the order in which they are written again."""
    check(len(content) <= MAX_DATABASE_BYTES, TOO_LARGE)
    check(hasattr(sqlite3.Connection, "deserialize"), "Python's SQLite cannot read it from memory")
    members = [
        Member(f"{name}.sql", b"", setting(name, value).encode())
        for name, value in DatabaseSettings.of(content).unusual.items()
    ]
    try:
        with closing(guarded()) as database:
            database.deserialize(without_log(content))
            database.set_authorizer(only_reading)
            members += _Reading(database, TextRoom(content)).members()
    except (sqlite3.Error, ValueError, OverflowError, MemoryError) as error:
        raise Broken(f"SQLite says: {error}") from error
    return packed_texts(content, members)


class _Reading:
    """A database that is open; damaged pages can lead to the same rows again and again."""

    def __init__(self, database: sqlite3.Connection, room: TextRoom) -> None:
        database.text_factory = text_value
        self._database, self._room = database, room

    def members(self) -> Iterator[Member]:
        """Return the objects: tables first, then what is made of them."""
        found = [*self._objects()]
        for each in sorted(found, key=lambda each: _KINDS.index(each.kind)):
            pieces = [each.sql, ";\n"]
            if each.kind == "table" and each.root:
                pieces += self._rows(each.name)
            text = "".join(pieces).encode()
            shown = "".join(sign if sign.isalnum() else "_" for sign in each.name[:_LONGEST_NAME])
            yield Member(f"{each.kind} {shown}.sql", b"", text)

    def _objects(self) -> Iterator[_Object]:
        for row in self._database.execute(_OBJECTS):
            self._room.take(1)
            if row[-1] is None:
                continue
            each = _Object(*row)
            is_usual = all(isinstance(part, str) for part in (each.kind, each.name, each.sql))
            check(is_usual and each.kind in _KINDS, "it has objects that are unknown")
            self._room.take(len(each.sql))
            yield each

    def _rows(self, table: str) -> Iterator[str]:
        columns = stored_columns(self._database, table)
        check(columns and all(isinstance(name, str) for name in columns))
        # An index would give the rows in another order.
        chosen = f"SELECT {quoted(columns)} FROM {quoted([table])} NOT INDEXED"  # noqa: S608
        for line in insertion(table, columns, self._database.execute(chosen)):
            self._room.take(len(line))
            yield line


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
