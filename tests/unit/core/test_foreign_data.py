"""Data of strangers is read within limits: queries, compressed bytes, patches, JSON."""

import json
import signal
import sqlite3
import zlib
from contextlib import closing
from types import FrameType

import pytest

from wynot.core.files import Files
from wynot.core.foreign_text import MAX_JSON_CHARS, read_json
from wynot.core.system.sqlite_guard import guard
from wynot.core.texts.patches import DAMAGED, UnpackingRoom, patched, unpacked

ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"


def test_a_query_without_end_ends() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        limit = guard(connection, 1_000_000)
        with pytest.raises(sqlite3.OperationalError), limit.raising_interrupts():
            connection.execute(ENDLESS)
        assert limit.is_reached


def test_a_signal_ends_a_query_and_is_not_lost() -> None:
    def interrupted(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGVTALRM, interrupted)
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            limit = guard(connection, 10**12)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.02)  # of the processor time of this process
            with pytest.raises(KeyboardInterrupt), limit.raising_interrupts():
                connection.execute(ENDLESS)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_as_much_is_unpacked_as_there_is_room_for() -> None:
    packed = zlib.compress(bytes(1000))
    assert unpacked(packed, 1000) == bytes(1000)
    with pytest.raises(ValueError, match="more than 999 bytes"):
        unpacked(packed, 999)
    for damaged in (packed[:-1], packed[:4], b"", b"rubbish"):
        with pytest.raises(zlib.error):
            unpacked(damaged)
    room = UnpackingRoom(1000, 2500)
    assert [len(room.unpacked(packed)) for _ in range(2)] == [1000, 1000]
    with pytest.raises(ValueError, match="more than 500 bytes"):
        room.unpacked(packed)


@pytest.mark.parametrize(
    "changes",
    [
        [["a", 4, 4, ""]],
        [["a", 1 << 40, 1 << 40, ""]],
        [["a", -3, 9, ""]],
        [["a", 3, -1, ""]],
        [["a", 0, 4, "x"], ["a", 0, 5, "x"]],
        [["a", 0, 0, 7]],
        [["a", 0, 0, ["x"]]],
        [["a", 0.5, 0, "x"]],
        [[["a"], 0, 0, "x"]],
        [[]],
        7,
    ],
)
def test_a_patch_makes_nothing_larger_than_what_it_holds(changes: object) -> None:
    original = Files({"a": b"abcdefg"})
    with pytest.raises(DAMAGED):
        patched(original, zlib.compress(json.dumps(changes).encode()), original)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "1e999",
        "-Infinity",
        "NaN",
        "9" * 30,
        "[1",
        "",
        None,
        7,
        b"1",
        " " * 9 + "1" * 19,
    ],
)
def test_json_that_nothing_can_be_done_with_is_none(text: object) -> None:
    assert read_json(text) is None


def test_json_is_of_modest_size() -> None:
    assert read_json(f'"{"x" * 100}"') == "x" * 100
    assert read_json('{"a": [1, -2.5, null]}') == {"a": [1, -2.5, None]}
    assert read_json(f'"{"x" * MAX_JSON_CHARS}"') is None
