"""SQLite databases as texts, and texts as databases."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from counting import is_linear
from unit.binaries.sqlite.database_samples import (
    SCRIPTS,
    large,
    made_by,
    problems,
    rows_of,
)
from wynot.formats.containers.container import Member, Packed
from wynot.formats.containers.opened import canonical, opened
from wynot_binaries import SQLITE

MADE = {
    name: made_by(script, [] if "trigger" in name else None) for name, script in SCRIPTS.items()
}
names = pytest.mark.parametrize("name", SCRIPTS)


def packed_of(*texts: str) -> bytes:
    return SQLITE.pack(Packed(tuple(Member("", b"", text.encode()) for text in texts)))


def unpacked_of(name: str) -> Packed:
    written = canonical(MADE[name])
    assert written is not None
    packed = SQLITE.unpack(written)
    assert packed is not None
    return packed


@names
def test_a_database_laid_out_anew_has_the_same_rows_and_is_opened(name: str) -> None:
    written = canonical(MADE[name])
    assert written is not None
    assert problems(written) == []
    assert len(written) <= len(MADE[name])
    assert rows_of(written, "t") == rows_of(MADE[name], "t")
    again = opened(written)
    assert again is not None
    assert again.container is SQLITE
    assert canonical(written) is None


@names
def test_every_member_of_a_database_says_what_makes_it(name: str) -> None:
    for member in unpacked_of(name).members:
        assert member.content.startswith((b"CREATE ", b"PRAGMA "))
        assert not member.required


@names
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_whatever_is_left_of_the_texts_makes_a_sound_database(name: str, seed: int) -> None:
    random, whole = Random(seed), unpacked_of(name)
    members = [
        member.holding(cut(member.content, random))
        for member in whole.members
        if random.random() < 0.8
    ]
    written = SQLITE.pack(replace(whole, members=tuple(members)))
    assert problems(written) == []
    again = SQLITE.unpack(written)
    assert again is not None
    assert SQLITE.pack(again) == written


def cut(text: bytes, random: Random) -> bytes:
    """Leave out some pieces of a text."""
    for _ in range(random.randrange(4)):
        start = random.randrange(len(text) + 1)
        text = text[:start] + text[start + random.choice((1, 3, 10, 50)) :]
    return text


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_no_broken_database_makes_it_raise(seed: int) -> None:
    random = Random(seed)
    content = bytearray(random.choice(list(MADE.values())))
    for _ in range(random.randrange(1, 12)):
        place = random.choice((100, 4096, len(content)))
        content[random.randrange(16, place)] = random.choice((0, 1, 255, random.randrange(256)))
    if random.random() < 0.2:
        del content[random.randrange(len(content)) :]
    written = canonical(bytes(content))
    assert written is None or problems(written) == []


@given(text=st.text())
@example("INSERT INTO")
@example("CREATE TRIGGER")
@example("CREATE VIRTUAL TABLE x")
@example("CREATE VIRTUAL TABLE x USING y(((;")
@example("PRAGMA page_size=3;PRAGMA user_version=99999999999")
@example("CREATE TABLE t(a);INSERT INTO t VALUES(1e9999,-,99999999999999999999,x'0','")
def test_any_text_makes_a_sound_database(text: str) -> None:
    assert problems(packed_of(text)) == []


def test_a_column_goes_with_its_values() -> None:
    written = packed_of("CREATE TABLE t(a, c); INSERT INTO t(a, b, c) VALUES (1, 2, 3), (4, 5)")
    assert rows_of(written, "t") == [(1, 3), (4, None)]


def test_rows_that_a_constraint_forbids_are_left_out_alone() -> None:
    written = packed_of(
        "CREATE TABLE u(a INT UNIQUE, b INT NOT NULL CHECK (b < 5)) STRICT;",
        "INSERT INTO u(a, b) VALUES (1, 1), (1, 2), (2, NULL), (3, 7), (4, 'x'), (5, 4)",
    )
    assert rows_of(written, "u") == [(1, 1), (5, 4)]


def test_nothing_that_a_text_says_is_executed() -> None:
    written = packed_of(
        "CREATE TABLE t(a); ATTACH '/tmp/x' AS y; DELETE FROM sqlite_master; DROP TABLE t;",
        "INSERT INTO t SELECT 1; INSERT INTO t(a) VALUES (load_extension('x')), (5);",
        "CREATE TABLE u AS SELECT 1; CREATE TEMP TABLE v(a); PRAGMA writable_schema=ON;",
        "CREATE TABLE w(a DEFAULT 1, b AS (randomblob(9))); INSERT INTO w(a) VALUES(1);",
    )
    assert [name for (_, name, *_) in rows_of(written, "sqlite_master")] == [b"t"]
    assert rows_of(written, "t")[-1] == (5,)


def test_a_log_beside_a_database_stays_what_it_is_for() -> None:
    content = MADE["plain"]
    logged = content[:18] + b"\2\2" + content[20:]
    written = canonical(logged)
    assert written is not None
    assert written[18:20] == b"\2\2"
    assert rows_of(written[:18] + b"\1\1" + written[20:], "t") == rows_of(content, "t")


def test_pages_can_be_as_small_as_there_are() -> None:
    assert len(packed_of("CREATE TABLE t(a); INSERT INTO t(a) VALUES (1)")) == 1024


def test_a_database_without_its_pages_is_not_opened() -> None:
    assert canonical(MADE["plain"][:4096]) is None
    assert canonical(b"SQLite format 3\0") is None
    assert opened(b"SQLite format 3\0") is None


def test_it_takes_time_as_there_are_rows() -> None:
    contents = {rows: large(1, rows) for rows in (500, 4000)}
    assert is_linear(lambda rows: SQLITE.pack(SQLITE.read(contents[rows])), 500)
