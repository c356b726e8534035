"""Optimize the queries of a script that SQLite can run, by the schema of its own tables."""

import sqlite3
import sys

import sqlglot
from sqlglot import exp
from sqlglot.optimizer import optimize

with open(sys.argv[1], encoding="utf8") as stream:
    text = stream.read()
database = sqlite3.connect(":memory:")
database.executescript(text)
tables = database.execute("SELECT name FROM sqlite_master").fetchall()
schema = {
    name: {row[1]: row[2] for row in database.execute(f'PRAGMA table_info("{name}")')}
    for (name,) in tables
}
for each in sqlglot.parse(text, read="sqlite"):
    if isinstance(each, exp.Select | exp.Union):
        optimize(each, schema=schema)
