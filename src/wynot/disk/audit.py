"""Whether a journal is what was written: looked at before any of it is used."""

import sqlite3

from wynot.core.files import Files
from wynot.disk.rows import TABLES, VERDICTS, files_of, read_file

WRONG_VERDICTS = f"""
SELECT count(*) FROM verdicts
WHERE typeof(epoch) != 'integer' OR typeof(digest) != 'blob' OR typeof(how) != 'text'
   OR typeof(seconds) NOT IN ('real', 'integer')
   OR verdict NOT IN ({", ".join(f"'{verdict}'" for verdict in sorted(VERDICTS))})
"""  # noqa: S608 - of our own words


def audited(connection: sqlite3.Connection) -> tuple[Files, str]:
    """Return the original of a journal, and what is wrong with its rows, empty if nothing is."""
    [(said,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
    flaw = "" if said == "ok" else str(said)
    for table, (columns, read) in TABLES.items():
        if table == "verdicts":  # there are many, and SQLite is quick
            wrong = bool(connection.execute(WRONG_VERDICTS).fetchone()[0])
        else:
            wrong = any(read(row) is None for row in rows(connection, table, columns))
        if wrong:
            flaw = flaw or f"a row of {table} is not what it should be"
    files = map(read_file, rows(connection, "files", TABLES["files"][0]))
    return files_of([row for row in files if row is not None]), flaw


def rows(connection: sqlite3.Connection, table: str, columns: str) -> sqlite3.Cursor:
    """Return the rows of a table, in the order in which they were written."""
    return connection.execute(f"SELECT {columns} FROM {table} ORDER BY rowid")  # noqa: S608
