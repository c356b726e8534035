"""Connections that do nothing but what we ask: no extensions, no other files, no code of a schema.

Databases come from anywhere, and what is written of them is made by leaving out parts of texts. So
both are hostile: what SQLite may do is what an authorizer lets it, step by step and in all.
"""

import sqlite3

from wynot.core.sqlite_guard import guard
from wynot.formats.containers.databases.database_texts import quoted

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
