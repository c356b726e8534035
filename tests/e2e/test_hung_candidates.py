"""Candidates that hang: they are cut off and counted."""

from pathlib import Path

import pytest

from e2e.programs import shell, wynot

HANGS = "grep -q 33 in.txt || exit 1\ngrep -q 34 in.txt || sleep 1000"


@pytest.fixture
def hanging(numbers: Path) -> Path:
    """Return a folder with a test that wants two lines, and hangs without the second."""
    shell(numbers, HANGS)
    return numbers


def test_what_timed_out_is_counted_for_programs(hanging: Path) -> None:
    ran = wynot(
        hanging, "reduce", "--json", "--atoms", "lines", "--timeout", "0.4", "test.sh", "in.txt"
    )
    assert ran.code == 0, ran
    ended = ran.events[-1]
    assert ended["timed_out"] >= 1
    assert 0.4 * ended["timed_out"] <= ended["timed_out_seconds"] <= ended["test_seconds"]
    assert (hanging / "in.txt").read_text() == "33\n34\n"


def test_what_timed_out_is_said_at_the_end(hanging: Path) -> None:
    ran = wynot(hanging, "reduce", "--atoms", "lines", "--timeout", "0.4", "test.sh", "in.txt")
    assert ran.code == 0, ran
    assert " timed out, " in ran.out
    assert " s each, " in ran.out or " ms each, " in ran.out
    assert " % of the time." in ran.out
