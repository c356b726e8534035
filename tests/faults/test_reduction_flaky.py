"""Tests that say now this, now that: by a chance that is the same whenever the tests are run."""

import re
from pathlib import Path

import pytest

from faults.scripts import Ended, Place, has, script, text
from tiers import slow_but

WORDS = ("needle", "thread", "button")
CAUSE = re.compile(rb"needle.*thread.*button", re.DOTALL)
SMALLEST = len("needlethreadbutton")


def reduced(tmp_path: Path, seed: int, *, right: int, wrong: int = 0) -> tuple[Ended, bytes]:
    """Reduce with a test that says interesting so many times in a thousand.

    That is of what has the cause, and of what has not. With one worker, everything is the same
    again: so a seed that works will always do, until the design is another.
    """
    state = tmp_path / "state"
    state.write_text(str(seed * 7919 + 17))
    test = script(
        tmp_path / "test",
        f"""
        read s <'{state}'
        s=$(( (s * 1103515245 + 12345) & 0x7fffffff ))
        echo $s >'{state}'
        if {has(*WORDS)}; then often={right}; else often={wrong}; fi
        test $(( (s >> 16) % 1000 )) -lt $often
        """,
    )
    place = Place(tmp_path / "there", text(*WORDS, lines=10))
    how = place.run("-j1", "--atoms", "tokens", test, place.name)
    assert place.backup.exists() or how.code
    return how, place.file.read_bytes()


SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_failure_that_shows_now_and_then_is_reduced_and_said_to_be_unreliable(
    tmp_path: Path, seed: int
) -> None:
    how, result = reduced(tmp_path, seed, right=300)
    assert how.code == 0, how.said
    assert "not reliable" in how.said
    assert CAUSE.search(result)
    assert len(result) <= 2 * SMALLEST


@pytest.mark.slow
def test_a_failure_that_shows_more_often_than_not_is_reduced_and_mostly_noticed(
    tmp_path: Path,
) -> None:
    noticed = 0
    for seed in range(4):
        folder = tmp_path / str(seed)
        folder.mkdir()
        how, result = reduced(folder, seed, right=700)
        assert how.code == 0, how.said
        assert CAUSE.search(result)
        assert len(result) <= 2 * SMALLEST
        noticed += "not reliable" in how.said
    assert noticed >= 2  # it is 0.7 to the seventh, or one in twelve, that it is not


@pytest.mark.parametrize("seed", SEEDS)
def test_a_failure_that_shows_nearly_always_is_reduced(tmp_path: Path, seed: int) -> None:
    how, result = reduced(tmp_path, seed, right=950)
    assert how.code == 0, how.said
    assert CAUSE.search(result)
    assert len(result) <= 4 * SMALLEST


@pytest.mark.slow
@pytest.mark.parametrize("seed", slow_but([0], range(6)))
def test_a_test_that_is_wrong_by_chance_does_not_lose_the_cause(tmp_path: Path, seed: int) -> None:
    how, result = reduced(tmp_path, seed, right=1000, wrong=50)
    assert how.code == 0, how.said
    assert CAUSE.search(result), how.said
    assert len(result) <= 2 * SMALLEST


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_failure_that_is_often_missed_and_sometimes_imagined_is_reduced_to_its_cause(
    tmp_path: Path, seed: int
) -> None:
    how, result = reduced(tmp_path, seed, right=500, wrong=100)
    assert how.code == 0, how.said
    assert "not reliable" in how.said
    assert CAUSE.search(result)
    assert len(result) <= 2 * SMALLEST


@pytest.mark.slow
def test_a_test_that_cannot_tell_the_failure_from_chance_is_refused(tmp_path: Path) -> None:
    how, result = reduced(tmp_path, 1, right=500, wrong=500)
    assert how.code == 1, how.said
    assert "cannot tell the failure from chance" in how.said
    assert result == text(*WORDS, lines=10)


@pytest.mark.slow
def test_giving_up_leaves_a_case_that_fails(tmp_path: Path) -> None:
    """The test believes anything a few times, and then no more: nothing it accepts holds.

    It begins anew whenever it is asked about an empty file, so that nobody finds out.
    """
    original = text(*WORDS, lines=10)
    place = Place(tmp_path / "there", original)
    seen = tmp_path / "seen"
    seen.mkdir()
    whole = tmp_path / "whole"
    whole.write_bytes(original)
    test = script(
        tmp_path / "test",
        f"""
        if cmp -s "$1" '{whole}'; then exit 0; fi
        if test ! -s "$1"; then rm -f '{seen}'/*; exit 1; fi
        d=$(sha256sum <"$1")
        echo . >>"{seen}/${{d%% *}}"
        test $(wc -l <"{seen}/${{d%% *}}") -le 5
        """,
    )
    how = place.run("-j1", "--atoms", "lines", test, place.name)
    assert how.code == 1, how.said
    assert "not reliable" in how.said
    assert "confirmed" in how.said
    assert place.file.read_bytes() == original
