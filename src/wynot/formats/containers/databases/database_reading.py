"""Reads databases, which may be anybody's: nothing that is in one is ever executed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

from wynot.formats.containers.container import (
    TOO_LARGE,
    Broken,
    Member,
    Packed,
    TextRoom,
    check,
    packed_texts,
)
from wynot.formats.containers.databases.database_settings import (
    MAGIC,
    DatabaseSettings,
    without_log,
)
from wynot.formats.containers.databases.database_texts import insertion, quoted, setting, text_value
from wynot.formats.containers.databases.guarded_database import (
    MAX_DATABASE_BYTES,
    guarded,
    only_reading,
    stored_columns,
)

_OBJECTS = "SELECT type, name, rootpage, sql FROM sqlite_master"
_KINDS = ("table", "index", "view", "trigger")
_LONGEST_NAME = 60


class _Object(NamedTuple):
    kind: str
    name: str
    root: int
    sql: str


def fits(content: bytes) -> bool:
    """Tell by the first bytes."""
    return content.startswith(MAGIC)


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
