"""The benchmark of widths: what it says of a reduction must be exact, or it says nothing."""

import pytest
from benchmarks.width.odds import Guess, brier, by_deciles, fixed, guesses
from benchmarks.width.outcome import Outcome, Setting
from benchmarks.width.virtual_time import reduced

from wynot.core.files import Files

FILES = Files({"a.txt": b"".join(b"line %d of the file\n" % number for number in range(60))})


def fails(files: Files) -> bool:
    return all(word in files.contents["a.txt"] for word in (b"17", b"18", b"42"))


def run(width: int) -> Outcome:
    return reduced("lines", FILES, fails, Setting(width))


def test_with_one_worker_a_step_is_a_test() -> None:
    one = run(1)
    assert one.span == one.busy == one.tests
    assert one.extra == 0
    assert fails(Files({"a.txt": one.content}))


@pytest.mark.parametrize("width", [3, 16])
def test_more_workers_take_fewer_steps_to_the_same_answer(width: int) -> None:
    one, more = run(1), run(width)
    assert (more.content, more.tests) == (one.content, one.tests)
    assert more.tests / width <= more.span < one.span
    assert more.busy >= more.tests
    assert more.use <= 1


def test_virtual_time_is_exact() -> None:
    first, second = run(16), run(16)
    assert first._replace(own_seconds=0) == second._replace(own_seconds=0)


def test_every_test_has_odds_that_were_given_before_it() -> None:
    found = guesses(FILES, fails, Setting(1).options)
    assert len(found) == run(1).tests
    assert all(0 < guess.odds < 1 for guess in found)
    assert {guess.came_true for guess in found} == {False, True}


def test_odds_are_held_against_what_came() -> None:
    came = {0.05: [False], 0.25: [False, True], 1.0: [True]}
    found = [Guess(odds, each) for odds, verdicts in came.items() for each in verdicts]
    deciles = by_deciles(found)
    assert [each.tests if each else 0 for each in deciles] == [1, 0, 2, 0, 0, 0, 0, 0, 0, 1]
    assert deciles[2] == (2, 0.25, 0.5)
    assert brier(found) == pytest.approx((0.05**2 + 0.25**2 + 0.75**2) / 4)
    assert brier(fixed(found)) == pytest.approx(0.25)
