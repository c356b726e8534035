"""Run a script of SQL."""

import sys

import duckdb

connection = duckdb.connect()
connection.execute("SET threads=1")
with open(sys.argv[1], encoding="utf8") as stream:
    connection.execute(stream.read())
