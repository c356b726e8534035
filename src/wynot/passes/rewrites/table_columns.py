"""Tables: a column goes with its values in every row that is put into the table, as in SQL.

By place, where a row comes without the names of its columns; by name, where it has them. Lists that
are as long by chance, or belong to another table, stay as they are.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, removal, rewrite

MOST_TABLES = 100


def table_columns(forest: Forest) -> Iterator[Rewrite]:
    """Return for each column of each table what takes it away, with its values."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    rows: dict[bytes, list[tuple[list[bytes], list[NodeId]]]] = {}
    for node in forest.named_nodes:
        if kinds.is_insert(forest.kind(node)):
            rows.setdefault(_table(forest, node), []).extend(_rows(forest, node))
    tables = (node for node in forest.named_nodes if kinds.creates(forest.kind(node)))
    for table in islice(tables, MOST_TABLES):
        columns = _columns(forest, table)
        names = [_name(forest, column) for column in columns]
        values = rows.get(_table(forest, table), []) if len(columns) > 1 else []
        for place, column in enumerate(columns if values else ()):
            patches = list(removal(forest, column))
            for called, row in values:
                patches += _taken(forest, called or names, row, names[place])
            found = rewrite("column of a table", patches)
            if found is not None:
                yield found


def _taken(
    forest: Forest, called: Sequence[bytes], row: Sequence[NodeId], name: bytes
) -> Iterator[Patch]:
    """Return what takes a value out of a row, if that has one for each column."""
    if len(called) == len(row) > 1 and name in called:
        yield from removal(forest, row[called.index(name)])


def _table(forest: Forest, node: NodeId) -> bytes:
    """Return the name of the table that a statement is about, in lower case."""
    named = (each for each in forest.named(node) if kinds.is_qualified(forest.kind(each)))
    found = next(named, ROOT_NODE)
    return forest.text(found).lower() if found else b""


def _columns(forest: Forest, table: NodeId) -> list[NodeId]:
    return [
        column
        for child in forest.named(table)
        if kinds.is_columns(forest.kind(child))
        for column in forest.named(child)
        if kinds.is_column(forest.kind(column))
    ]


def _name(forest: Forest, column: NodeId) -> bytes:
    return forest.word(forest.firsts[column]).lower()


def _rows(forest: Forest, insert: NodeId) -> Iterator[tuple[list[bytes], list[NodeId]]]:
    """Yield the rows of a statement, each with the names of its columns, if it has them.

    The list of these names is a row, too: its names go with the values.
    """
    called: list[bytes] = []
    for child in forest.named(insert):
        kind = forest.kind(child)
        if kinds.is_row(kind):
            items = forest.named(child)
            if all(kinds.is_column(forest.kind(each)) for each in items):
                called = [forest.text(each).lower() for each in items]
            yield called, items
        elif kinds.is_select(kind):
            terms = (each for each in forest.named(child) if kinds.is_terms(forest.kind(each)))
            yield from ((called, forest.named(each)) for each in terms)
