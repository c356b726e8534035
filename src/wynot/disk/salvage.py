"""What can still be read of a damaged journal.

Rows are read one by one, from both ends if some in the middle cannot be; and each is taken only if
it makes sense. The original counts if its digest is the one that was noted, and a step if what its
patch makes has the digest of the step. The user's own files help: what is in place and what is kept
as ``.orig`` often is the original, or one of the steps.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from wynot.core.files import Files
from wynot.core.texts.patches import DAMAGED, whole
from wynot.disk.database import (
    SCHEMA_VERSION,
    JournalReader,
    connect_to_read,
    found_tables,
)
from wynot.disk.journal import Journal
from wynot.disk.rows import TABLES, JournalStep, files_of, read_file
from wynot.disk.seal import SEAL_FACT, ForeignCases

WAYS = ("mode=ro", "immutable=1")
"""With the log beside it, and without: that may be damaged too, or of another journal."""

MAX_READ_BYTES = 64 << 20
MAX_READINGS = 4
"""How much is read of a table: so many bytes, or so many times what the file has. More comes only
of pages that lead back to themselves."""

UNREADABLE = (sqlite3.Error, OSError, UnicodeDecodeError, MemoryError, OverflowError)
"""What comes of reading a damaged file."""


class SalvagedJournal(NamedTuple):
    """The sound part of a damaged journal."""

    original: Files
    facts: dict[str, str]
    verdicts: list[tuple[int, bytes, str, str, float]]
    checks: dict[str, object]
    steps: list[JournalStep]
    lost: int
    """How many steps there were that cannot be restored."""

    def journal(self, path: Path) -> Journal:
        """Return a new journal with all of this."""
        seal = {SEAL_FACT: ""}  # what cannot be read must not become the user's own
        journal = Journal.create(path, self.original, seal | self.facts)
        journal.fill(self.verdicts, self.checks, self.steps)
        return journal

    @property
    def words(self) -> str:
        """How much there is."""
        every = len(self.steps) + self.lost
        return f"{len(self.steps)} of {every} steps and {len(self.verdicts):,} verdicts"


def salvage(path: Path, known: Iterable[Files]) -> SalvagedJournal | None:
    """Return what can be read of a journal, None if not even the original can be had.

    ``known`` are contents that may be the original or one of the steps. Raises BrokenJournal if it
    is not a file.
    """
    by_digest = {files.digest: files for files in known}
    found = [each for way in WAYS if (each := _salvaged(path, way, by_digest)) is not None]
    return max(found, key=lambda each: (len(each.steps), len(each.verdicts)), default=None)


def _salvaged(path: Path, way: str, known: dict[bytes, Files]) -> SalvagedJournal | None:
    read: dict[str, list[Any]] = {}
    cases = ForeignCases()
    with suppress(*UNREADABLE):
        reader = connect_to_read(path, way)
        most = max(MAX_READ_BYTES, MAX_READINGS * path.stat().st_size)
        with closing(reader.connection), reader.limit.raising_interrupts():
            # One word that is not UTF-8 must not hide the rows after it.
            reader.connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            ours = found_tables(reader.connection)
            for table in (each for each in TABLES if each in ours):
                read[table] = list(_sound(reader, table, most, cases))
    facts = dict(read.get("facts", ()))
    steps = sorted(read.get("steps", ()))
    original = _original(files_of(read.get("files", [])), facts.get("original", ""), known)
    if original is None or facts.get("version", str(SCHEMA_VERSION)) != str(SCHEMA_VERSION):
        return None
    restored = _restored(original, steps, known, cases)
    return SalvagedJournal(
        original,
        facts,
        read.get("verdicts", []),
        dict(read.get("checks", ())),
        restored,
        lost=len(steps) - len(restored),
    )


def _original(read: Files, noted: str, known: dict[bytes, Files]) -> Files | None:
    """Return the original: what was read, or the user's copy, if it is what was noted."""
    found = {**known, read.digest: read}
    return next((each for key, each in found.items() if key.hex() == noted), None)


def _sound(reader: JournalReader, table: str, most: int, cases: ForeignCases) -> Iterator[object]:
    """Yield the rows of a table that can be read and make sense."""
    columns, read = TABLES[table]
    rows: dict[int, Sequence[object]] = {}
    for order in ("", " DESC"):
        size = 0
        with suppress(*UNREADABLE), reader.limit.raising_interrupts():
            for number, *row in reader.connection.execute(
                f"SELECT rowid, {columns} FROM {table} ORDER BY rowid{order}"  # noqa: S608
            ):
                size += sum(len(each) for each in row if isinstance(each, bytes | str))
                if size > most:
                    break
                rows[number] = row
            break
    for number in sorted(rows):
        row = rows[number]
        made = read_file(row, cases.unpacked) if table == "files" else read(row)
        if made is not None:
            yield made


def _restored(
    original: Files,
    steps: Sequence[JournalStep],
    known: dict[bytes, Files],
    cases: ForeignCases,
) -> list[JournalStep]:
    """Return the steps that come out right; one after a gap is written in full."""
    found: list[JournalStep] = []
    files, number = original, 0
    for step in steps:
        by_patch = _made(files, step, original, cases)
        made = by_patch or known.get(step.row.digest)
        if made is None:
            continue
        is_next = by_patch is not None and step.row.number == number + 1
        found.append(step if is_next else step._replace(patch=whole(original, made)))
        files, number = made, step.row.number
    return found


def _made(files: Files, step: JournalStep, original: Files, cases: ForeignCases) -> Files | None:
    try:
        made = cases.patched(files, step.patch, original)
    except DAMAGED:
        return None
    return made if made.digest == step.row.digest else None
