"""The rows of a journal, and whether what a file holds can be one of them.

SQLite takes any value for any column, and a file may have been damaged, or edited: so nothing that
is read is used before it has the right shape.
"""

import os
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.foreign_text import parsed_json
from wynot.core.system.beneath import PERMISSION_BITS
from wynot.core.system.folder_files import stays_inside
from wynot.core.texts.patches import unpacked
from wynot.core.verdict import Verdict

MAX_STEPS = 10**9
"""No run has as many steps."""
MAX_SECONDS = 1e9
"""No run takes as long."""
DIGEST_BYTES = 32
EXPLAIN_EPOCH = 1 << 20
"""The epoch of verdicts that an explanation has asked for, after the reduction: no reduction has as
many."""

VERDICTS = frozenset(verdict.value for verdict in Verdict)


class StepRow(NamedTuple):
    """An accepted step."""

    number: int
    pass_name: str
    candidate: str
    tests: int
    seconds: float
    size: int
    digest: bytes


class JournalStep(NamedTuple):
    """A step, and what it changes in the one before."""

    row: StepRow
    patch: bytes


class OriginalFile(NamedTuple):
    """A file or link of the original."""

    path: str
    content: bytes | None
    mode: int | None
    link: str | None


def read_step(row: Sequence[object]) -> JournalStep | None:
    """Return a step, None if the row cannot be one."""
    match row:
        case (
            int(number),
            str(pass_name),
            str(candidate),
            int(tests),
            int() | float() as seconds,
            int(size),
            bytes(digest),
            bytes(patch),
        ) if (
            0 < number < MAX_STEPS
            and min(tests, size) >= 0
            and len(digest) == DIGEST_BYTES
            and is_time(seconds)
        ):
            return JournalStep(
                StepRow(number, pass_name, candidate, tests, float(seconds), size, digest), patch
            )
    return None


def is_time(seconds: float) -> bool:
    """Tell whether a number can be seconds of a run."""
    return 0 <= seconds < MAX_SECONDS  # of what is not a number, too


def read_file(
    row: Sequence[object], unpack: Callable[[bytes], bytes] = unpacked
) -> OriginalFile | None:
    """Return a file or link of the original, None if the row cannot be one."""
    match row:
        case (bytes(raw), bytes(packed), (int() | None) as mode, None):
            content, permissions, link = _content(packed, unpack), mode, None
        case (bytes(raw), None, None, bytes(to)):
            content, permissions, link = None, None, os.fsdecode(to)
        case _:
            return None
    path = os.fsdecode(raw)
    if (content is None and link is None) or not stays_inside(path):
        return None
    bits = None if permissions is None else permissions & PERMISSION_BITS
    return OriginalFile(path, content, bits, link)


def file_rows(files: Files) -> list[tuple[bytes, bytes | None, int | None, bytes | None]]:
    """Return the rows of an original."""
    return [
        (os.fsencode(name), zlib.compress(content, 1), files.modes.get(name), None)
        for name, content in files.contents.items()
    ] + [(os.fsencode(name), None, None, os.fsencode(to)) for name, to in files.links.items()]


def read_check(row: Sequence[object]) -> tuple[str, object] | None:
    """Return a check by its name, None if the row cannot be one."""
    match row:
        case (str(name), str(said)):
            try:
                return name, parsed_json(said)
            except (ValueError, RecursionError, MemoryError):
                return None
    return None


def read_fact(row: Sequence[object]) -> tuple[str, str] | None:
    """Return a fact by its name, None if the row cannot be one."""
    match row:
        case (str(name), str(value)):
            return name, value
    return None


def read_verdict(row: Sequence[object]) -> tuple[int, bytes, str, str, float] | None:
    """Return a verdict, None if the row cannot be one."""
    match row:
        case (int(epoch), bytes(digest), str(verdict), str(how), int() | float() as seconds):
            return (epoch, digest, verdict, how, float(seconds)) if verdict in VERDICTS else None
    return None


def files_of(rows: Sequence[OriginalFile]) -> Files:
    """Return the original that is made of these files and links."""
    return Files(
        {row.path: row.content for row in rows if row.content is not None},
        {row.path: row.mode for row in rows if row.content is not None and row.mode is not None},
        {row.path: row.link for row in rows if row.link is not None},
    )


def _content(packed: bytes, unpack: Callable[[bytes], bytes]) -> bytes | None:
    try:
        return unpack(packed)
    except (ValueError, zlib.error, MemoryError):
        return None


TABLES: Mapping[str, tuple[str, Callable[[Sequence[object]], object]]] = {
    "facts": ("name, value", read_fact),
    "files": ("path, content, mode, link", read_file),
    "verdicts": ("epoch, digest, verdict, how, seconds", read_verdict),
    "checks": ("name, said", read_check),
    "steps": ("number, pass, candidate, tests, seconds, size, digest, patch", read_step),
}
"""What is read of each table, and what makes sense of a row."""

_WRONG_VERDICTS = f"""
SELECT count(*) FROM verdicts
WHERE typeof(epoch) != 'integer' OR typeof(digest) != 'blob' OR typeof(how) != 'text'
   OR typeof(seconds) NOT IN ('real', 'integer') OR seconds NOT BETWEEN 0 AND {MAX_SECONDS}
   OR verdict NOT IN ({", ".join(f"'{verdict}'" for verdict in sorted(VERDICTS))})
"""  # noqa: S608 - of our own words


def audited(connection: sqlite3.Connection, unpack: Callable[[bytes], bytes]) -> tuple[Files, str]:
    """Return the original of a journal, and what is wrong with its rows, empty if nothing is."""
    found = list(map(partial(read_file, unpack=unpack), _rows(connection, "files")))
    files = [row for row in found if row is not None]
    wrong = ["files"] if len(files) < len(found) else []
    if connection.execute(_WRONG_VERDICTS).fetchone()[0]:  # there are many, and SQLite is quick
        wrong.append("verdicts")
    for table in ("facts", "checks", "steps"):
        read = TABLES[table][1]
        if any(read(row) is None for row in _rows(connection, table)):
            wrong.append(table)
    return files_of(files), f"a row of {wrong[0]} is not what it should be" if wrong else ""


def _rows(connection: sqlite3.Connection, table: str) -> sqlite3.Cursor:
    """Return the rows of a table, in the order in which they were written."""
    columns, _ = TABLES[table]
    return connection.execute(f"SELECT {columns} FROM {table} ORDER BY rowid")  # noqa: S608
