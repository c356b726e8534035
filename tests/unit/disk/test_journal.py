"""The journal gives back what was put in."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.errors import BrokenJournal
from wynot.core.files import Files
from wynot.core.texts.patches import patch, patched
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import StepRow, VerdictRow

ORIGINAL = Files({"a.c": b"int main;\n", "d/b": b"\0\xff"}, {"d/b": 0o755}, {"l": "a.c"})
ODD = Files({"caf\udce9": b"x"})


def step(number: int, files: Files) -> StepRow:
    return StepRow(number, "lines", "r1/c2", 5, 0.5, files.size, files.digest)


def test_what_was_written_is_there_after_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / ".wynot" / "a.journal"
    journal = Journal.create(path, ORIGINAL, {"state": "running"})
    journal.keep_verdict(VerdictRow(b"d" * 32, 0, Verdict.UNRESOLVED, "exit status 124", 1.5))
    journal.keep_verdict(VerdictRow(b"d" * 32, 1, Verdict.INTERESTING, "exit status 0", 1.5))
    journal.keep_check("rate", 0.75)
    smaller = ORIGINAL.replaced({"a.c": b"int;\n", "d/b": b"\0\xff"})
    one_less = ORIGINAL.replaced({"a.c": b"int;\n"})
    journal.keep_step(step(1, smaller), smaller)
    journal.keep_step(step(2, one_less), one_less)
    journal.note("state", "finished")
    journal.close()

    again = Journal.open(path)
    assert again is not None
    assert again.fact("state") == "finished"
    assert again.original() == ORIGINAL
    assert [*again.verdicts()] == [
        VerdictRow(b"d" * 32, 0, Verdict.UNRESOLVED, "exit status 124", 1.5),
        VerdictRow(b"d" * 32, 1, Verdict.INTERESTING, "exit status 0", 1.5),
    ]
    assert again.count() == 2
    assert again.check("rate") == 0.75
    assert again.check("other") is None
    assert again.restore(0) == ORIGINAL
    assert again.restore(1).contents == smaller.contents
    assert again.restore(2).contents == one_less.contents
    again.close()


def test_a_file_name_of_any_bytes_is_kept(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "j.journal", ODD, {})
    assert journal.original() == ODD
    journal.close()


def test_another_step_makes_those_after_it_void(tmp_path: Path) -> None:
    first, second, other = (Files({"a": text}) for text in (b"xxx", b"xx", b"y"))
    journal = Journal.create(tmp_path / "j.journal", Files({"a": b"xxxx"}), {})
    journal.keep_step(step(1, first), first)
    journal.keep_step(step(2, second), second)
    journal.close()
    again = Journal.open(tmp_path / "j.journal")
    assert again is not None
    again.keep_step(step(1, first), first)
    assert len(again.steps()) == 2  # come to again: it stays, and so does what followed
    again.keep_step(step(2, other), other)
    assert again.restore(2) == other
    again.close()


def test_an_older_journal_is_kept_aside_when_a_draft_takes_its_name(tmp_path: Path) -> None:
    path, draft = tmp_path / "j.journal", tmp_path / "j.draft"
    for text in (b"1", b"2", b"3"):
        journal = Journal.create(draft, Files({"a": text}), {}).move(path)
        assert journal.original() == Files({"a": text})
        assert journal.move(path) is journal
        journal.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        *("j.1.journal", "j.2.journal", "j.journal")
    ]


def test_a_discarded_journal_leaves_nothing_behind(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / ".wynot" / "j.draft", ORIGINAL, {})
    journal.discard()
    assert not (tmp_path / ".wynot").exists()


def test_there_may_be_none(tmp_path: Path) -> None:
    assert Journal.open(tmp_path / "j.journal") is None


@pytest.mark.parametrize("damage", [b"", b"rubbish" * 1000, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_journal_is_named(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "j.journal"
    path.write_bytes(damage)
    with pytest.raises(BrokenJournal, match=r"j\.journal"):
        Journal.open(path)


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.journal"
    Journal.create(path, ORIGINAL, {}).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE events SET body = json_set(body, '$.version', '99') WHERE seq = 1"
        )
    connection.close()
    with pytest.raises(BrokenJournal, match="99"):
        Journal.open(path)


@given(old=st.binary(max_size=30), new=st.binary(max_size=30))
def test_patches_lead_from_any_content_to_any_other(old: bytes, new: bytes) -> None:
    before, after = Files({"a": old, "b": b"gone"}), Files({"a": new})
    assert patched(before, patch(before, after), before) == after
    assert patched(after, patch(after, before), before) == before
