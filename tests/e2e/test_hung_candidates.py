"""Candidates that hang: they are cut off and counted, and none of them is lost for that."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from e2e.programs import shell, text, told

HANGS = "grep -q 33 in.txt || exit 1\ngrep -q 34 in.txt || sleep 1000"


@pytest.fixture
def hanging(numbers: Path) -> Path:
    """Return a folder with a test that wants two lines, and hangs without the second."""
    text(numbers / "in.txt", "32\n33\n34\n35\n")
    shell(numbers, HANGS)
    return numbers


@pytest.mark.slow
def test_what_timed_out_is_counted_for_programs(hanging: Path) -> None:
    ran = told(
        hanging, "reduce", "--json", "--atoms", "lines", "--timeout", "2", "test.sh", "in.txt"
    )
    assert ran.code == 0, ran
    ended = ran.events[-1]
    assert ended["timed_out"] >= 1
    assert 2 * ended["timed_out"] <= ended["timed_out_seconds"] <= ended["test_seconds"]
    assert (hanging / "in.txt").read_text() == "33\n34\n"


@pytest.mark.slow
def test_what_timed_out_is_said_at_the_end(hanging: Path) -> None:
    ran = told(hanging, "reduce", "--atoms", "lines", "--timeout", "2", "test.sh", "in.txt")
    assert ran.code == 0, ran
    assert " timed out, " in ran.out
    assert " s each, " in ran.out or " ms each, " in ran.out
    assert " % of the time." in ran.out


SLOW_AT_LAST = """
for line in 3 17 33; do grep -qx $line in.txt || exit 1; done
case "$(wc -l < in.txt)" in 50) sleep 0.35;; 3) sleep 1.8;; esac
"""
"""Interesting with three of the lines; with just these it takes longer than any before.

The original takes long enough for the full limit to be longer than that.
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", pytest.param("3", marks=pytest.mark.slow)])
def test_a_slow_candidate_that_was_cut_off_early_is_found_before_the_end(
    numbers: Path, jobs: str
) -> None:
    shell(numbers, SLOW_AT_LAST)
    ran = told(numbers, "reduce", "-j", jobs, "--atoms", "lines", "test.sh", "in.txt")
    assert ran.code == 0, ran
    assert (numbers / "in.txt").read_text() == "3\n17\n33\n"
    assert "No single line can be left out: each was tried (1-minimal)." in ran.out


COUNT = "SELECT count(*) FROM events WHERE kind = 'ran'"


@pytest.mark.slow
def test_what_was_cut_off_early_is_cut_off_again_when_the_run_is_resumed(numbers: Path) -> None:
    shell(numbers, SLOW_AT_LAST)
    command = ("reduce", "--json", "-j", "1", "--atoms", "lines", "test.sh", "in.txt")
    whole = told(numbers, *command)
    steps = [event["size"] for event in whole.events if event["event"] == "accepted"]
    with closing(sqlite3.connect(numbers / ".wynot" / "in.txt.journal")) as journal:
        journal.execute("DELETE FROM events WHERE kind = 'fact' AND key = 'state'")
        [[before]] = journal.execute(COUNT)
        journal.commit()
    again = told(numbers, *command)
    assert [event["size"] for event in again.events if event["event"] == "accepted"] == steps
    with closing(sqlite3.connect(numbers / ".wynot" / "in.txt.journal")) as journal:
        assert journal.execute(COUNT).fetchall() == [(before,)]
