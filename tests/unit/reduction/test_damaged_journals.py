"""A reduction whose journal was damaged goes on with what can be read, or says what is where."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tiers import slow_after
from unit.reduction.test_job import NEEDLE, TEXT, Run
from wynot.cli.main import main
from wynot.core.errors import BrokenJournal
from wynot.core.events import ReductionEnded, ReductionStarted

BROKEN_STEP = """
UPDATE blobs SET bytes = x'00' WHERE hex(digest) = (
    SELECT upper(json_extract(body, '$[6]')) FROM events
    WHERE kind = 'step' AND json_extract(body, '$[0]') = 2)
"""
NUMBERED = """
UPDATE events SET body = json_set(body, '$[0]', json_extract(body, '$[0]') + {})
WHERE kind = 'step'
"""
VERDICT = "UPDATE events SET {} WHERE seq = (SELECT seq FROM events WHERE kind = 'ran' LIMIT 1)"
BROKEN_ORIGINAL = """
UPDATE blobs SET bytes = x'789c' WHERE digest IN (SELECT key FROM events WHERE kind = 'original')
"""
CHECK = "UPDATE events SET body = '{}' WHERE key LIKE 'check %'"


@pytest.fixture
def stopped(tmp_path: Path) -> Run:
    """Return a reduction that was stopped on its way."""
    run = Run(tmp_path)
    assert run(NEEDLE, max_tests=12).stopped == "max-tests"
    run.events.clear()
    return run


def journal(run: Run) -> Path:
    return run.path.parent / ".wynot" / "f.journal"


def edit(run: Run, *statements: str) -> None:
    with closing(sqlite3.connect(journal(run))) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    slow_after(
        3,
        [
            BROKEN_STEP,
            "DELETE FROM events WHERE kind = 'original'",
            BROKEN_ORIGINAL,
            "UPDATE events SET body = '[\"../evil\",null,null]' WHERE kind = 'original'",
            VERDICT.format("body = json_set(body, '$[1]', 'maybe')"),
            VERDICT.format("key = 7"),
            "DELETE FROM events WHERE key LIKE 'check %'",
            CHECK.format("[1"),
            CHECK.format("[1, 2, 3]"),
            CHECK.format('["interesting", [0, -1, "", "", ""], null]'),
            "UPDATE events SET body = '[\"' || hex(zeroblob(5000)) || '\"]' WHERE key = 'backups'",
            "UPDATE events SET body = '{' WHERE key = 'backups'",
            "UPDATE events SET kind = 'stepp' WHERE kind = 'fact'",
        ],
    ),
)
def test_what_can_be_read_is_gone_on_with(stopped: Run, statement: str) -> None:
    edit(stopped, statement)
    assert stopped(NEEDLE).stopped == "finished"
    assert stopped.path.read_text() == "line 17\n"
    assert stopped.path.with_name("f.orig").read_text() == TEXT
    [began] = [event for event in stopped.events if isinstance(event, ReductionStarted)]
    assert began.known > 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET key = 'none' WHERE kind = 'step'",
        NUMBERED.format(10**12),
        "DELETE FROM events WHERE kind = 'step'",
    ],
)
def test_without_steps_nobody_knows_what_is_in_place_and_it_is_kept(
    stopped: Run, statement: str
) -> None:
    left = stopped.path.read_text()
    edit(stopped, statement)
    assert stopped(NEEDLE).stopped == "finished"
    assert "starting over: the file is not what the earlier run left" in stopped.noticed
    assert stopped.path.read_text() == "line 17\n"
    assert stopped.path.with_name("f.orig").read_text() == TEXT
    assert stopped.path.with_name("f.orig.1").read_text() == left


def test_a_larger_case_does_not_take_the_place_of_a_smaller_one(stopped: Run) -> None:
    smaller = stopped.path.read_text()
    edit(stopped, BROKEN_STEP)
    assert stopped(NEEDLE, max_tests=2).stopped == "max-tests"
    assert stopped.path.read_text() == smaller


def test_steps_with_wrong_numbers_do_not_take_the_place_of_the_result(stopped: Run) -> None:
    edit(stopped, NUMBERED.format(1000))
    assert stopped(NEEDLE).stopped == "finished"
    assert stopped.path.read_text() == "line 17\n"
    assert stopped(NEEDLE).stopped == "already-finished"


@pytest.mark.parametrize(
    "damage",
    slow_after(2, [b"SQLite format 3\0" + b"\xff" * 5000, bytes(1024), b"rubbish" * 1000]),
)
def test_unreadable_journal_is_kept_and_the_run_starts_over(stopped: Run, damage: bytes) -> None:
    smaller = stopped.path.read_text()
    journal(stopped).write_bytes(damage)
    assert isinstance(stopped(NEEDLE), ReductionEnded)
    assert "starting over, and keeping it" in stopped.noticed
    assert stopped.path.read_text() == "line 17\n"
    assert stopped.path.with_name("f.orig").read_text() == TEXT
    assert stopped.path.with_name("f.orig.1").read_text() == smaller
    assert journal(stopped).with_name("f.1.journal").read_bytes() == damage


def test_unreadable_journal_is_not_replaced_on_resume(stopped: Run) -> None:
    smaller = stopped.path.read_text()
    journal(stopped).write_bytes(b"rubbish" * 1000)
    with pytest.raises(BrokenJournal, match=r"FILE\.orig"):
        stopped(NEEDLE, resume=True)
    assert stopped.path.read_text() == smaller
    assert journal(stopped).read_bytes() == b"rubbish" * 1000


def test_history_shows_and_restores_what_can_be_read(
    stopped: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(stopped.path.parent)
    smaller = stopped.path.read_text()
    edit(stopped, BROKEN_STEP)
    before = journal(stopped).read_bytes()
    assert main(["history", "f"]) == 0
    told = capsys.readouterr()
    assert "[damaged-journal]" in told.err
    assert "\n    2 " not in told.out
    assert main(["history", "f", "--restore", "5"]) == 0  # it is what is in place
    assert stopped.path.with_name("f.5").read_text() == smaller
    assert main(["history", "f", "--restore", "2"]) == 2
    assert not stopped.path.with_name("f.2").exists()
    assert journal(stopped).read_bytes() == before
