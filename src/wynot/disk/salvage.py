"""What can still be read of a damaged journal.

Rows are read one by one, from both ends if some in the middle cannot be; and each is taken only if
it makes sense. The original counts if its digest is the one that was noted, and a step if what its
patch makes has the digest of the step. The user's own files help: what is in place and what is kept
as ``.orig`` often is the original, or one of the steps.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.texts.patches import DAMAGED, whole
from wynot.disk.database import SCHEMA_VERSION, connect_to_read, found_tables
from wynot.disk.journal import Journal, blob_digest
from wynot.disk.rows import (
    CREATED,
    FORGET,
    ORIGINAL,
    RAN,
    STEP,
    JournalRecord,
    JournalStep,
    Row,
    files_of,
    step_body,
)
from wynot.disk.seal import SEAL_FACT, ForeignCases

WAYS = ("mode=ro", "immutable=1")
"""With the log beside it, and without: that may be damaged too, or of another journal."""

MAX_READ_BYTES = 64 << 20
MAX_READINGS = 4
"""How much is read of a table: so many bytes, or so many times what the file has. More comes only
of pages that lead back to themselves."""

UNREADABLE = (sqlite3.Error, OSError, UnicodeDecodeError, MemoryError, OverflowError)
"""What comes of reading a damaged file."""
TABLES = {"events": "at, kind, key, body", "blobs": "digest, bytes"}
_REBUILT = {CREATED, ORIGINAL, STEP, FORGET}
"""The kinds of events that a new journal has in its own way."""


class SalvagedJournal(NamedTuple):
    """The sound part of a damaged journal."""

    original: Files
    facts: dict[str, str]
    events: Sequence[Sequence[object]]
    """All but the original and the steps."""
    steps: Sequence[tuple[JournalStep, bytes]]
    """Each with its patch."""
    verdicts: int
    lost: int
    """How many steps there were that cannot be restored."""

    def journal(self, path: Path) -> Journal:
        """Return a new journal with all of this."""
        seal = {SEAL_FACT: ""}  # what cannot be read must not become the user's own
        journal = Journal.create(path, self.original, seal | self.facts)
        steps = [(0, STEP, step.row.digest, step_body(step)) for step, _ in self.steps]
        journal.fill([*self.events, *steps], {step.patch: patch for step, patch in self.steps})
        return journal

    @property
    def extent(self) -> str:
        """How much there is."""
        every = len(self.steps) + self.lost
        return f"{len(self.steps)} of {every} steps and {self.verdicts:,} verdicts"


def salvage(path: Path, known: Iterable[Files]) -> SalvagedJournal | None:
    """Return what can be read of a journal, None if not even the original is available.

    ``known`` are contents that may be the original or one of the steps. Raises BrokenJournal if it
    is not a file.
    """
    by_digest = {files.digest: files for files in known}
    found = [each for way in WAYS if (each := _salvaged(path, way, by_digest)) is not None]
    return max(found, key=lambda each: (len(each.steps), each.verdicts), default=None)


def _salvaged(path: Path, way: str, known: Mapping[bytes, Files]) -> SalvagedJournal | None:
    record, cases = JournalRecord(), ForeignCases()
    rows: dict[str, dict[int, Row]] = {table: {} for table in TABLES}
    with suppress(*UNREADABLE):
        reader = connect_to_read(path, way)
        most = max(MAX_READ_BYTES, MAX_READINGS * path.stat().st_size)
        with closing(reader.connection), reader.limit.raising_interrupts():
            # One text that is not UTF-8 must not hide the rows after it.
            reader.connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            for table in found_tables(reader.connection):
                for order in ("", " DESC"):
                    question = f"SELECT rowid, {TABLES[table]} FROM {table} ORDER BY rowid{order}"  # noqa: S608
                    with suppress(*UNREADABLE), reader.limit.raising_interrupts():
                        rows[table].update(_bounded(reader.connection.execute(question), most))
                        break
    sound = [row for _, row in sorted(rows["events"].items()) if record.fold(row)]
    blobs = {key: blob for _, key, blob, *_ in rows["blobs"].values()}
    original = _original(record, blobs, known, cases)
    if original is None or record.facts.get("version") != str(SCHEMA_VERSION):
        return None
    steps = [step for _, step in sorted(record.steps.items())]
    restored = [*_restored(original, steps, blobs, known, cases)]
    return SalvagedJournal(
        original,
        record.facts,
        [event for _, *event in sound if event[1] not in _REBUILT],
        restored,
        sum(kind == RAN for _, _, kind, *_ in sound),
        lost=len(steps) - len(restored),
    )


def _bounded(rows: Iterable[Row], most: int) -> Iterator[tuple[int, Row]]:
    """Yield rows by their numbers, as long as they have no more bytes than that together."""
    size = 0
    for row in rows:
        size += sum(len(each) for each in row if isinstance(each, bytes | str))
        if size > most:
            return
        if isinstance(row[0], int):
            yield row[0], row


def _original(
    record: JournalRecord,
    blobs: Mapping[object, object],
    known: Mapping[bytes, Files],
    cases: ForeignCases,
) -> Files | None:
    """Return the original: what was read, or the user's copy, if it has the recorded digest."""
    found = {**known}
    with suppress(*DAMAGED):
        contents = {
            each.blob: cases.unpacked(_bytes(blobs.get(each.blob)))
            for each in record.original
            if each.link is None
        }
        read = files_of(record.original, contents)
        found[read.digest] = read
    recorded = record.facts.get("original", "")
    return next((each for key, each in found.items() if key.hex() == recorded), None)


def _bytes(blob: object) -> bytes:
    return blob if isinstance(blob, bytes) else b""


def _restored(
    original: Files,
    steps: Sequence[JournalStep],
    blobs: Mapping[object, object],
    known: Mapping[bytes, Files],
    cases: ForeignCases,
) -> Iterator[tuple[JournalStep, bytes]]:
    """Yield the steps that come out right; one after a gap is written in full."""
    files, number = original, 0
    for step in steps:
        patch = _bytes(blobs.get(step.patch))
        by_patch = _patched(files, patch, step, original, cases)
        made = by_patch or known.get(step.row.digest)
        if made is None:
            continue
        if by_patch is None or step.row.number != number + 1:
            patch = whole(original, made)
        yield step._replace(patch=blob_digest(patch)), patch
        files, number = made, step.row.number


def _patched(
    files: Files, patch: bytes, step: JournalStep, original: Files, cases: ForeignCases
) -> Files | None:
    try:
        made = cases.patched(files, patch, original)
    except DAMAGED:
        return None
    return made if made.digest == step.row.digest else None
