"""Journals as a stranger would send them: well formed, but for what is wrong with each."""

import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from wynot.core.files import Files
from wynot.core.texts.patches import whole
from wynot.core.verdict import Verdict
from wynot.disk.database import PAGE_BYTES
from wynot.disk.journal import Journal, blob_digest
from wynot.disk.rows import OriginalFile, StepRow, VerdictRow, original_body
from wynot.disk.run_timeline import Timeline

NAME = "bug.txt"
CASE = b"".join(b"line %d\n" % number for number in range(40))
SMALLER = b"line 17\n"


def forged(folder: Path, command: str = "true", **facts: str) -> Path:
    """Put a case into a folder, with the journal of its finished reduction by another user."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(SMALLER)
    options = json.dumps({"files": [NAME], "command": ["sh", "-c", command]})
    known = {"fingerprint": "f" * 64, "state": "running", "options": options, "folder": "."}
    with patch.dict(os.environ, {"XDG_STATE_HOME": str(folder / "strangers state")}):
        path = folder / ".wynot" / f"{NAME}.journal"
        journal = Journal.create(path, Files({NAME: CASE}), {**known, **facts})
    for number in range(300):
        digest = number.to_bytes(32, "big")
        journal.keep_verdict(VerdictRow(digest, 0, Verdict.INTERESTING, "exit status 1", 0.1))
    smaller = Files({NAME: SMALLER})
    journal.keep_step(StepRow(1, "lines", "c1", 5, 0.5, smaller.size, smaller.digest), smaller)
    timeline = Timeline(lambda _event: None)
    timeline.begin(journal)
    timeline.close()
    journal.note("state", "finished")
    journal.close()
    return path


def edit(path: Path, *statements: str | tuple[str, tuple[object, ...]]) -> None:
    """Change a journal by SQL."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema=ON")
        for each in statements:
            connection.execute(*((each,) if isinstance(each, str) else each))
    # Only a rollback journal or a log would show that it was not written by wynot.
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def with_original(path: Path, contents: Mapping[str, bytes], modes: Mapping[str, int]) -> None:
    """Give a journal another original, with paths that wynot would never write, and no steps."""
    files = Files(contents)
    blobs = {name: zlib.compress(content) for name, content in contents.items()}
    rows = [
        (blob_digest(blob), original_body(OriginalFile(name, modes.get(name), None, b"")))
        for name, blob in blobs.items()
    ]
    edit(
        path,
        "DELETE FROM events WHERE kind IN ('step', 'original')",
        *(("INSERT INTO events(kind, key, body) VALUES ('original', ?, ?)", row) for row in rows),
        *(
            ("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (blob_digest(blob), blob))
            for blob in blobs.values()
        ),
        (
            "UPDATE events SET body = json_set(body, '$.original', ?) WHERE kind = 'created'",
            (files.digest.hex(),),
        ),
    )


def blanks(size: int, beginning: bytes = b"", end: bytes = b"") -> bytes:
    """Return so many mebibytes of blanks, compressed quickly: a block of them, again and again."""
    stream, block = zlib.compressobj(9), b" " * (1 << 20)
    first = stream.compress(beginning + block) + stream.flush(zlib.Z_FULL_FLUSH)
    packed = stream.compress(block) + stream.flush(zlib.Z_FULL_FLUSH)
    sum_ = zlib.adler32(beginning + block)
    for _ in range(size):
        sum_ = zlib.adler32(block, sum_)
    last = stream.compress(end) + stream.flush()
    return first + packed * size + last[:-4] + zlib.adler32(end, sum_).to_bytes(4, "big")


def _view(path: Path) -> None:
    edit(
        path,
        "ALTER TABLE events RENAME TO hidden",
        "CREATE VIEW events(seq, at, kind, key, body) AS WITH RECURSIVE r(n) AS "
        "(SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n, 0, 'ran', x'', '[]' FROM r",
    )


def _trigger(path: Path) -> None:
    edit(
        path,
        "CREATE TRIGGER more AFTER INSERT ON events BEGIN "
        "INSERT INTO events SELECT NULL, a.at, a.kind, a.key, a.body "
        "FROM events a, events b, events c; END",
    )


def _computed_column(path: Path) -> None:
    edit(
        path,
        "ALTER TABLE events RENAME TO hidden",
        "CREATE TABLE events (seq INTEGER PRIMARY KEY, at REAL, kind TEXT, key BLOB, "
        "body TEXT AS (hex(zeroblob(400000000))))",
        "INSERT INTO events(kind) VALUES ('created')",
    )


def _large_original(path: Path) -> None:
    edit(path, ("UPDATE blobs SET bytes = ?", (blanks(2048),)))


def _large_patch(path: Path) -> None:
    edit(path, *_patches([blanks(2048, b"[", b"]")]))


def _many_lists(path: Path) -> None:
    packed = zlib.compress(b"[" + b"[]," * 40_000_000 + b"[]]")
    edit(path, *_patches([packed]))


def _growing_patches(path: Path) -> None:
    """Let each of many small patches double the case."""
    packed = zlib.compress(json.dumps([[NAME, 1 << 40, 1 << 40, ""]]).encode())
    edit(path, *_patches([packed] * 59))


def _many_steps_of_a_large_case(path: Path) -> None:
    original = blanks(100)
    packed = whole(Files({}), Files({}))
    edit(path, ("UPDATE blobs SET bytes = ?", (original,)), *_patches([packed] * 4_999))


def _pages_without_end(path: Path) -> None:
    """Let the inner page of a table be all of its own children."""
    data = bytearray(path.read_bytes())
    inner = 0x05
    for start in range(PAGE_BYTES, len(data), PAGE_BYTES):
        if data[start] == inner:
            own = (start // PAGE_BYTES + 1).to_bytes(4, "big")
            count = int.from_bytes(data[start + 3 : start + 5], "big")
            data[start + 8 : start + 12] = own
            for cell in range(count):
                at = start + 12 + 2 * cell
                offset = start + int.from_bytes(data[at : at + 2], "big")
                data[offset : offset + 4] = own
    path.write_bytes(data)


def _schema_without_end(path: Path) -> None:
    """Let a few pages lead to the schema in millions of ways, beside an empty log."""
    # It has to have more than one page.
    edit(path, *(f"CREATE TABLE more{number} (x /* {'-' * 150} */)" for number in range(12)))
    data = bytearray(path.read_bytes())
    levels, ways, start = 16, 64, 100  # the first page begins with the file's header
    count = len(data) // PAGE_BYTES
    inner, cells = data[start], int.from_bytes(data[start + 3 : start + 5], "big")
    assert inner == 0x05
    head = 12 + 2 * cells
    last = data[:PAGE_BYTES]
    last[:head] = data[start : start + head]
    data += last
    for level in range(1, levels):
        page = bytearray(PAGE_BYTES)
        _fill(page, 0, ways, count + level)
        data += page
    _fill(data, start, ways, count + levels)
    data[28:32] = (count + levels).to_bytes(4, "big")
    path.write_bytes(data)
    path.with_name(f"{path.name}-wal").touch()


def _fill(page: bytearray, start: int, ways: int, child: int) -> None:
    """Make an inner page of a table, all of whose children are one page."""
    top = PAGE_BYTES - 8 * ways
    head = bytes([5]) + bytes(2) + ways.to_bytes(2, "big") + top.to_bytes(2, "big") + bytes(1)
    page[start : start + 12] = head + child.to_bytes(4, "big")
    for cell in range(ways):
        at, offset = start + 12 + 2 * cell, top + 8 * cell
        page[at : at + 2] = offset.to_bytes(2, "big")
        page[offset : offset + 5] = child.to_bytes(4, "big") + bytes([cell + 1])


def _patches(packed: Sequence[bytes]) -> list[str | tuple[str, tuple[object, ...]]]:
    """Return what puts other steps in place of those of a journal."""
    bodies = [
        (json.dumps([number, "p", "c", 1, 0.1, 8, blob_digest(each).hex()]),)
        for number, each in enumerate(packed, start=1)
    ]
    return [
        "DELETE FROM events WHERE kind = 'step'",
        *(
            ("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (blob_digest(each), each))
            for each in {*packed}
        ),
        *(
            ("INSERT INTO events(kind, key, body) VALUES ('step', zeroblob(32), ?)", body)
            for body in bodies
        ),
    ]


def _deep_facts(path: Path) -> None:
    fact = "INSERT INTO events(kind, key, body) VALUES"
    edit(
        path,
        (f"{fact} ('fact', 'minimal', ?)", ("[" * 10_000_000,)),
        (f"{fact} ('fact', 'explanation', ?)", ("[[]," * 15_000_000,)),
        (f"{fact} ('fact', 'check original', ?)", ("[[]," * 15_000_000,)),
        (f"{fact} ('status', NULL, ?)", ('{"tests": 1e999}',)),
    )


BOMBS: dict[str, Callable[[Path], None]] = {
    "a view": _view,
    "a trigger": _trigger,
    "a computed column": _computed_column,
    "a large original": _large_original,
    "a large patch": _large_patch,
    "many lists": _many_lists,
    "growing patches": _growing_patches,
    "many steps of a large case": _many_steps_of_a_large_case,
    "pages without end": _pages_without_end,
    "a schema without end": _schema_without_end,
    "deep facts": _deep_facts,
}
