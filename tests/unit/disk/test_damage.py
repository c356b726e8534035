"""Whatever happens to a journal, what comes out of it is what went in, or nothing."""

import random
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from wynot.core.errors import BrokenJournal
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import StepRow, VerdictRow
from wynot.disk.salvage import TABLES, salvage

TEXT = random.Random(7).randbytes(200)
STEPS = [
    Files(
        {
            "d/a": TEXT[9 * ((number + 1) // 2) : 200 - 9 * (number // 2)],
            **({"d/b": b"more\n" * 9} if number < 5 else {}),
        }
    )
    for number in range(8)
]
"""The original, and seven steps: now the beginning goes, now the end."""

ODD = [
    *(None, 0, -1, 2**63 - 1, 1.5, float("inf"), "", "x", b"", b"\xff" * 40, "a" * 5000),
    *("[]", "{}", "[1,2", "null", '["interesting", [0, -1, "", "", ""], null]', '["no", 1, 2]'),
    *(b"../evil", b"/evil", b"a\0b", zlib.compress(b"[]"), zlib.compress(b'[["d/a",0,0,null]]')),
    *(zlib.compress(b'[["../evil",0,0,"x"]]'), zlib.compress(b'[["d/a",-5,9999,"x"]]')),
    *(zlib.compress(b'{"a":1}'), zlib.compress(b"[1]"), zlib.compress(b'[["d/a",0,0,"\\u1234"]]')),
]


NUMBERED = """
UPDATE events SET body = json_set(body, '$[0]', json_extract(body, '$[0]') + {})
WHERE kind = 'step'
"""
BROKEN_STEP = """
UPDATE blobs SET bytes = x'00' WHERE hex(digest) = (
    SELECT upper(json_extract(body, '$[6]')) FROM events
    WHERE kind = 'step' AND json_extract(body, '$[0]') = 4)
"""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a journal as it is after a run."""
    path = tmp_path_factory.mktemp("sound") / "j.journal"
    journal = Journal.create(path, STEPS[0], {"fingerprint": "f", "state": "running"})
    for number in range(200):
        digest = number.to_bytes(32, "big")
        journal.keep_verdict(VerdictRow(digest, 0, Verdict.UNINTERESTING, "exit status 1", 0.1))
    journal.keep_check("original", ["interesting", [0, 0.1, "", "", ""], None])
    for number, files in enumerate(STEPS[1:], start=1):
        journal.keep_step(StepRow(number, "lines", "c", 5, 0.5, files.size, files.digest), files)
    journal.close()
    return path.read_bytes()


def flipped(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice([1, 3, 20, 200])):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def cut(data: bytearray, chance: random.Random) -> None:
    # SQLite reads no file that lacks whole pages.
    del data[chance.choice([chance.randrange(len(data)), -chance.randrange(1, 1024)]) :]


def overwritten(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice([1, 1, 3])):
        at = chance.randrange(0, len(data), 1024)
        data[at : at + 1024] = chance.choice([bytes(1024), chance.randbytes(1024)])


def shifted(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(data))
    data[at:at] = chance.randbytes(chance.randrange(1, 2000))


def exchanged(data: bytearray, chance: random.Random) -> None:
    one, other = (chance.randrange(0, len(data), 1024) for _ in range(2))
    data[one : one + 1024], data[other : other + 1024] = (
        data[other : other + 1024],
        data[one : one + 1024],
    )


def edited(path: Path, chance: random.Random) -> None:
    """Change rows, columns and tables by SQL."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for _ in range(chance.choice([1, 1, 2, 5])):
            table = chance.choice(list(TABLES))
            column = chance.choice(TABLES[table].split(", "))
            # ruff: noqa: S608 - of our own words
            row = f"rowid = (SELECT rowid FROM {table} LIMIT 1 OFFSET {chance.randrange(4)})"
            changed = f"UPDATE OR REPLACE {table} SET {column}"
            statement = chance.choice(
                [
                    *[f"{changed} = ? WHERE {row}"] * 6,
                    f"{changed} = ?",
                    f"{changed} = CAST(x'fffe41' AS TEXT) WHERE {row}",
                    f"DELETE FROM {table} WHERE rowid % {chance.choice([1, 2, 3])} = 0",
                    f"DROP TABLE {table}",
                    f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
                    NUMBERED.format(chance.choice([1, 10**9, 2**40])),
                ]
            )
            with suppress(sqlite3.Error):  # of a table that is gone already
                connection.execute(statement, (chance.choice(ODD),) if "?" in statement else ())


def require_the_truth(journal: Journal) -> None:
    assert journal.original() == STEPS[0]
    contents = {files.digest: files for files in STEPS}
    for row in journal.steps():
        with suppress(BrokenJournal):
            assert journal.restore(row.number) == contents[row.digest]
    assert {each.verdict for each in journal.verdicts()} <= {*Verdict}
    journal.check("original")
    journal.close()


def look_at(path: Path, private: Path) -> str:
    """Open a journal, or salvage it, and require that nothing comes out that did not go in."""
    try:
        journal = Journal.open(path)
    except BrokenJournal:
        found = salvage(path, [])
        if found is None:
            return "broken"
        require_the_truth(found.journal(private / "new.journal"))
        return "salvaged"
    assert journal is not None
    require_the_truth(journal)
    return "sound"


@pytest.mark.parametrize("damage", [flipped, cut, overwritten, shifted, exchanged])
def test_bytes_that_are_not_what_they_were(
    tmp_path: Path, sound: bytes, damage: Callable[[bytearray, random.Random], None]
) -> None:
    chance = random.Random(damage.__name__)
    path = tmp_path / "j.journal"
    seen = set()
    for _ in range(20):
        data = bytearray(sound)
        damage(data, chance)
        path.write_bytes(data)
        for suffix in ("-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
            if chance.random() < 0.1:
                Path(f"{path}{suffix}").write_bytes(chance.randbytes(3000))
        seen.add(look_at(path, tmp_path))
    assert "salvaged" in seen


def test_rows_that_are_not_what_they_were(tmp_path: Path, sound: bytes) -> None:
    chance = random.Random(0)
    path = tmp_path / "j.journal"
    seen = set()
    for _ in range(30):
        path.write_bytes(sound)
        edited(path, chance)
        seen.add(look_at(path, tmp_path))
    assert seen == {"sound", "salvaged", "broken"}


def broken_step(tmp_path: Path, sound: bytes) -> Path:
    path = tmp_path / "j.journal"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(BROKEN_STEP)
    return path


def test_steps_after_a_broken_one_are_had_from_what_is_in_place(
    tmp_path: Path, sound: bytes
) -> None:
    path = broken_step(tmp_path, sound)
    alone = salvage(path, [])
    assert alone is not None
    assert [step.row.number for step, _ in alone.steps] == [1, 2, 3]
    found = salvage(path, [STEPS[6]])
    assert found is not None
    assert [step.row.number for step, _ in found.steps] == [1, 2, 3, 6, 7]
    journal = found.journal(tmp_path / "new.journal")
    assert journal.restore(7) == STEPS[7]
    journal.close()


def test_lost_steps_are_filled_in_when_they_come_again(tmp_path: Path, sound: bytes) -> None:
    found = salvage(broken_step(tmp_path, sound), [STEPS[6]])
    assert found is not None
    journal = found.journal(tmp_path / "new.journal")
    news = []
    for number, files in enumerate(STEPS[1:], start=1):
        row = StepRow(number, "lines", "c", 5, 0.5, files.size, files.digest)
        news.append(journal.keep_step(row, files))
    assert not any(news)
    assert [journal.restore(number) for number in range(8)] == STEPS
    journal.close()


def test_the_original_is_had_from_a_copy_if_that_is_what_was_noted(
    tmp_path: Path, sound: bytes
) -> None:
    path = tmp_path / "j.journal"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM events WHERE kind = 'original'")
    assert salvage(path, [STEPS[1]]) is None
    found = salvage(path, [STEPS[1], STEPS[0]])
    assert found is not None
    assert (found.original, len(found.steps)) == (STEPS[0], 7)
