"""The search for a step at which a rate changes."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domain import drive
from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.sides.changepoint import Changepoint, RunCounts, bayesian

STEPS = 64
BEGIN = Changepoint.of(STEPS + 1, RunCounts(0, 1), RunCounts(1, 0))


def state_of(kept: Deltas) -> int:
    """Return which state a question is about: all deltas but the one for the run."""
    return len(kept) - 1


def coin(seed: int, step: int, low: float, high: float, kept: Deltas) -> Verdict:
    """Toss the coin of one run of one state."""
    rate = high if state_of(kept) >= step else low
    is_shown = Random(f"{seed} {kept.bounds}").random() < rate
    return Verdict.INTERESTING if is_shown else Verdict.UNINTERESTING


def test_no_run_is_asked_for_twice() -> None:
    asked = [
        each.kept for each, _ in drive(bayesian(BEGIN, 0.97, 80), lambda _: Verdict.UNRESOLVED)
    ]
    assert len(asked) == len(set(asked)) > 0
    search = bayesian(BEGIN, 0.97, 80)
    asked = [each.kept for each, _ in drive(search, lambda kept: coin(1, 40, 0.5, 0.5, kept))]
    assert len(asked) == len(set(asked)) == 80


def found(seed: int, step: int, low: float, high: float) -> tuple[Changepoint, int]:
    cursor = SearchCursor(lambda: bayesian(BEGIN, 0.97, 300))
    runs = 0
    while cursor.question is not None:
        runs += 1
        cursor.tell(Outcome(coin(seed, step, low, high, cursor.question.candidate.kept)))
    assert isinstance(cursor.found, Changepoint)
    return cursor.found, runs


def test_it_mostly_finds_the_step_in_few_runs() -> None:
    right, total = 0, 0
    for seed in range(40):
        known, runs = found(seed, 1 + 37 * seed % STEPS, 0.1, 0.9)
        right += known.best.upto == 1 + 37 * seed % STEPS
        total += runs
    assert right >= 38
    assert total / 40 < 30  # 12 would do if the rates were known


def test_a_reliable_test_takes_little_more_than_bisection() -> None:
    known, runs = found(1, 23, 0.0, 1.0)
    assert known.best[:2] == (22, 23)
    assert runs <= 12


def test_where_nothing_changes_it_ends_as_well() -> None:
    begin = Changepoint.of(STEPS + 1, RunCounts(5, 5), RunCounts(5, 5))
    search = bayesian(begin, 0.8, 1000)
    asked = list(drive(search, lambda kept: coin(7, 40, 0.5, 0.5, kept)))
    assert len(asked) < 500


@given(st.integers(0, 2**32), st.integers(1, STEPS), st.floats(0, 1), st.floats(0, 1))
def test_the_engine_can_come_back_to_any_run(seed: int, step: int, low: float, high: float) -> None:
    cursor = SearchCursor(lambda: bayesian(BEGIN, 0.97, 12))
    while cursor.question is not None:
        back = SearchCursor.back_at(cursor.checkpoint, [])
        assert back.question == cursor.question
        cursor.tell(Outcome(coin(seed, step, low, high, cursor.question.candidate.kept)))
