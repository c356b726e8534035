"""Binary files that are reduced as texts: databases of SQLite."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from random import Random

from benchmarks.probes.probe import Probe

DATABASE = "case.db"
ASKS = """
import sqlite3, sys
try:
    found = sqlite3.connect("file:case.db?mode=ro", uri=True).execute({query!r}).fetchall()
except sqlite3.Error as error:
    found = str(error)
sys.exit(found != {wanted!r})
"""
SMALLEST = 1024
"""A page for the schema and one for a table, of 512 bytes each."""


def probes() -> Iterator[Probe]:
    """Yield databases in which little matters."""
    yield from databases()


def databases() -> Iterator[Probe]:
    """Yield one for each thing that a database can have."""
    shop = "CREATE TABLE {0}(id INTEGER PRIMARY KEY, name TEXT NOT NULL, amount REAL, note BLOB)"
    one = "INSERT INTO t3(name, amount) VALUES('needle', -7)"
    yield asked(
        "sqlite: six tables, one row",
        [*filled(shop, 6, 170), "CREATE INDEX i3 ON t3(name)", one],
        "SELECT count(*) FROM t3 WHERE name = 'needle' AND amount < 0",
        [(1,)],
        SMALLEST,
    )
    yield asked(
        "sqlite: a large table, two rows",
        [*filled(shop, 1, 4000), "UPDATE t0 SET amount = 1e9 WHERE id IN (77, 3011)"],
        "SELECT count(*) FROM t0 WHERE amount = 1e9",
        [(2,)],
        SMALLEST,
    )
    yield asked(
        "sqlite: sixty tables, one column",
        [*filled(shop, 60, 5), "ALTER TABLE t41 ADD COLUMN odd DEFAULT 5"],
        "SELECT DISTINCT odd FROM t41",
        [(5,)],
        SMALLEST,
    )
    yield asked(
        "sqlite: rows that violate foreign keys",
        [*filled(shop, 5, 50), "CREATE TABLE sold(id INTEGER REFERENCES t2(id), n)"]
        + [f"INSERT INTO sold VALUES({number}, {number})" for number in range(1, 52)],
        "SELECT count(*) > 0 FROM pragma_foreign_key_check('sold')",
        [(1,)],
        3 * SMALLEST // 2,
    )
    yield asked(
        "sqlite: a view that means nothing",
        [*filled(shop, 4, 80), "CREATE VIEW v AS SELECT a.id, missing FROM t1 a JOIN t2 b"],
        "SELECT * FROM v",
        "no such column: missing",
        SMALLEST,
    )
    yield asked(
        "sqlite: a trigger on a table",
        [
            *filled(shop, 4, 80),
            "CREATE TRIGGER g AFTER INSERT ON t1 BEGIN SELECT 1; SELECT raise(FAIL, 'x'); END",
        ],
        "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%raise(FAIL%'",
        [(1,)],
        SMALLEST,
    )
    yield asked(
        "sqlite: full text search",
        [
            *filled(shop, 3, 60),
            "CREATE VIRTUAL TABLE f USING fts5(name, content='t1')",
            "INSERT INTO f(rowid, name) SELECT id, name FROM t1",
            "INSERT INTO f(rowid, name) VALUES(999, 'needle in hay')",
        ],
        "SELECT rowid FROM f WHERE f MATCH 'needle'",
        [(999,)],
        6 * SMALLEST,
    )
    yield asked(
        "sqlite: without rowid, a blob",
        [
            "CREATE TABLE b(k TEXT, v BLOB, PRIMARY KEY(k)) WITHOUT ROWID",
            *(f"INSERT INTO b VALUES('k{each}', zeroblob({each * 9}))" for each in range(90)),
            "INSERT INTO b VALUES('bad', X'DEADBEEF')",
        ],
        "SELECT count(*) FROM b WHERE instr(v, X'BEEF') > 0",
        [(1,)],
        SMALLEST,
    )
    yield asked(
        "sqlite: UTF-16, generated columns",
        [
            "PRAGMA encoding='UTF-16le'",
            "CREATE TABLE g(a TEXT, b INT, c AS (b * 2), d TEXT AS (upper(a)) STORED)",
            *(f"INSERT INTO g(a, b) VALUES('n{each}', {each})" for each in range(200)),
        ],
        "SELECT d, c FROM g WHERE c = 66",
        [("N33", 66)],
        SMALLEST,
    )
    yield asked(
        "sqlite: pages have to be large",
        [*filled(shop, 6, 60), one],
        "SELECT page_size, amount FROM pragma_page_size, t3 WHERE name = 'needle'",
        [(4096, -7.0)],
        8192,
    )
    yield asked(
        "sqlite: an index and what it is of",
        [*filled(shop, 8, 60), "CREATE UNIQUE INDEX u5 ON t5(amount, name) WHERE id > 3"],
        "SELECT count(*) FROM pragma_index_list('t5') WHERE partial AND [unique]",
        [(1,)],
        3 * SMALLEST // 2,
    )


def asked(name: str, script: Sequence[str], query: str, wanted: object, size: int) -> Probe:
    """Return a probe of the database that a script makes, whose failure is an answer."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute("PRAGMA page_size=4096")
        for statement in script:
            database.execute(statement)
        content = database.serialize()
    return Probe(name, {DATABASE: content}, ASKS.format(query=query, wanted=wanted), size)


def filled(table: str, count: int, rows: int) -> Iterator[str]:
    """Yield what makes some tables, with random rows."""
    random = Random(count)
    for number in range(count):
        yield table.format(f"t{number}")
        for _ in range(rows):
            values = f"'name {random.random()}', {random.random()}, X'{random.randbytes(20).hex()}'"
            yield f"INSERT INTO t{number}(name, amount, note) VALUES({values})"
