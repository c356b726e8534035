"""Databases of all sorts, made by SQLite itself."""

import sqlite3
from contextlib import closing
from random import Random

ROWS = [(1, "a'b", 1.5, b"\0\xff"), (7, "", float("inf"), None), (-9, "é\n", -0.0, b"")]
SCRIPTS = {
    "plain": "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL, d BLOB)",
    "without rowid": "CREATE TABLE t(a INT, b TEXT, c, d, PRIMARY KEY(b, a)) WITHOUT ROWID",
    "strict": "CREATE TABLE t(a INTEGER, b TEXT, c REAL, d BLOB) STRICT",
    "automatic": "CREATE TABLE t(a INTEGER PRIMARY KEY AUTOINCREMENT, b, c, d UNIQUE)",
    "generated": """
        CREATE TABLE t(a, b, c, d, e AS (a + 1), f AS (lower(b)) STORED);
        CREATE INDEX i ON t(upper(b)) WHERE a > 0""",
    "checked": "CREATE TABLE t(a INT CHECK (a > -100), b TEXT NOT NULL, c DEFAULT (1 + 1), d)",
    "odd names": """
        CREATE TABLE t(a, b, c, d);
        CREATE TABLE "order;""by"("group by" PRIMARY KEY, [select] COLLATE NOCASE);
        INSERT INTO "order;""by" VALUES(';', 'VALUES(1)')""",
    "views and triggers": """
        CREATE TABLE t(a, b, c, d);
        CREATE VIEW v(x) AS WITH r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r) SELECT n FROM r;
        CREATE TRIGGER g AFTER INSERT ON t BEGIN
            DELETE FROM t; UPDATE t SET a = CASE WHEN 1 THEN 2 END; END;
        CREATE TRIGGER h INSTEAD OF INSERT ON v BEGIN SELECT load_extension('x'); END""",
    "analyzed": """
        CREATE TABLE t(a, b, c, d); CREATE INDEX i ON t(a); INSERT INTO t(a) VALUES(1); ANALYZE""",
    "full text": """
        CREATE TABLE t(a, b, c, d);
        CREATE VIRTUAL TABLE f USING fts5(x, y); INSERT INTO f VALUES('a', 'b')""",
    "utf-16": "PRAGMA encoding='UTF-16be'; CREATE TABLE t(a, b, c, d)",
    "unusual": """
        PRAGMA page_size=2048; PRAGMA auto_vacuum=2; PRAGMA user_version=-5;
        PRAGMA application_id=77; CREATE TABLE t(a, b, c, d)""",
    "texts that are none": """
        CREATE TABLE t(a, b, c, d);
        INSERT INTO t(a, b) VALUES(CAST(X'610062' AS TEXT), CAST(X'80ff' AS TEXT))""",
    "empty": "CREATE TABLE t(a, b, c, d); CREATE TABLE u(x); DROP TABLE u",
}
"""Each makes a table ``t`` with the columns a to d, among others."""


def made_by(script: str, rows: list[tuple[object, ...]] | None = None) -> bytes:
    """Return the database that a script makes, with these rows in its first table."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.executescript(script)
        for row in ROWS if rows is None else rows:
            database.execute("INSERT INTO t(a, b, c, d) VALUES(?, ?, ?, ?)", row)
        return database.serialize()


def large(tables: int, rows: int) -> bytes:
    """Return a database with so many tables, each with so many rows."""
    random = Random(tables)
    with closing(sqlite3.connect(":memory:")) as database:
        for number in range(tables):
            database.execute(
                f"CREATE TABLE t{number}(id INTEGER PRIMARY KEY, name TEXT, amount REAL)"
            )
            database.executemany(
                f"INSERT INTO t{number}(name, amount) VALUES(?, ?)",
                [(f"name {random.random()}", random.random()) for _ in range(rows)],
            )
        database.commit()
        return database.serialize()


def problems(content: bytes) -> list[str]:
    """Return what SQLite finds wrong with a database."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content[:18] + b"\1\1" + content[20:])
        found = [text for (text,) in database.execute("PRAGMA integrity_check")]
        return [text for text in found if text != "ok"]


def rows_of(content: bytes, table: str) -> list[tuple[object, ...]]:
    """Return the rows of a table."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content)
        database.text_factory = bytes
        return database.execute(f'SELECT * FROM "{table}"').fetchall()  # noqa: S608
