"""What runs say of the step at which a rate changes, and which run says most."""

from itertools import pairwise
from math import comb, isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.verdict import Verdict
from wynot.search.sides.changepoint import NO_RUNS, SAME_PRIOR, Changepoint, RunCounts

SHOWS, HIDES, SILENT = Verdict.INTERESTING, Verdict.UNINTERESTING, Verdict.UNRESOLVED
GRID = [(place + 0.5) / 200 for place in range(200)]


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, list[tuple[int, Verdict]]]:
    """Return a number of states, and runs of some of them."""
    states = draw(st.integers(2, 12))
    run = st.tuples(st.integers(0, states - 1), st.sampled_from([SHOWS, HIDES]))
    return states, draw(st.lists(run, max_size=14))


def after(states: int, runs: list[tuple[int, Verdict]]) -> Changepoint:
    known = Changepoint.of(states)
    for state, verdict in runs:
        known = known.after(state, verdict)
    return known


def by_integration(states: int, runs: list[tuple[int, Verdict]]) -> list[float]:
    """Return how likely each step is, and last that there is none, over a grid of rates."""
    weights = []
    for step in range(1, states):
        total = 0.0
        sides = [[0, 0], [0, 0]]
        for state, verdict in runs:
            sides[state >= step][verdict is HIDES] += 1
        low = [rate ** sides[0][0] * (1 - rate) ** sides[0][1] for rate in GRID]
        high = [rate ** sides[1][0] * (1 - rate) ** sides[1][1] for rate in GRID]
        for one, left in zip(GRID, low, strict=True):
            total += left * sum(
                right * (other - one) ** 2 for other, right in zip(GRID, high, strict=True)
            )
        weights.append((1 - SAME_PRIOR) / (states - 1) * 6 * total / len(GRID) ** 2)
    shown = sum(verdict is SHOWS for _, verdict in runs)
    hidden = len(runs) - shown
    weights.append(SAME_PRIOR / ((shown + hidden + 1) * comb(shown + hidden, shown)))
    return [weight / sum(weights) for weight in weights]


def chances(known: Changepoint, states: int) -> list[float]:
    steps = [0.0] * (states - 1)
    for each in known.posterior.stretches:
        for step in range(each.after, each.upto):
            steps[step] = each.chance / each.steps
    return [*steps, known.posterior.same.chance]


@pytest.mark.slow
@given(histories())
def test_each_step_is_as_likely_as_all_pairs_of_rates_together_make_it(
    history: tuple[int, list[tuple[int, Verdict]]],
) -> None:
    states, runs = history
    found, expected = chances(after(states, runs), states), by_integration(states, runs)
    assert found == pytest.approx(expected, abs=2e-3)
    assert isclose(sum(found), 1)


def entropy_after(states: int, runs: list[tuple[int, Verdict]], state: int) -> float:
    """Return the expected entropy after one more run, by Bayes' rule over single steps."""
    known = after(states, runs)
    rates = {
        step: (each.low, each.high)
        for each in known.posterior.stretches
        for step in range(each.after + 1, each.upto + 1)
    }
    hypotheses = [
        (chance, rates[step][state >= step])
        for step, chance in enumerate(chances(known, states)[:-1], start=1)
    ]
    hypotheses.append((known.posterior.same.chance, known.posterior.same.rate))
    total = 0.0
    for weights in (
        [chance * rate for chance, rate in hypotheses],
        [chance * (1 - rate) for chance, rate in hypotheses],
    ):
        whole = sum(weights)
        total -= sum(weight * log(weight / whole) for weight in weights if weight > 0)
    return total


@given(histories())
def test_the_next_run_is_of_the_state_that_leaves_least_to_know(
    history: tuple[int, list[tuple[int, Verdict]]],
) -> None:
    states, runs = history
    state = after(states, runs).next_state
    left = [entropy_after(states, runs, each) for each in range(states)]
    assert state is not None
    assert left[state] == pytest.approx(min(left), abs=1e-9)


@given(histories(), st.data())
def test_what_the_next_run_is_likely_to_show(
    history: tuple[int, list[tuple[int, Verdict]]], data: st.DataObject
) -> None:
    states, runs = history
    known = after(states, runs)
    state = data.draw(st.integers(0, states - 1))
    # What is expected of a step is what it is after one more run, on average.
    odds = known.odds(state)
    shown, hidden = (chances(known.after(state, each), states) for each in (SHOWS, HIDES))
    mixed = [odds * one + (1 - odds) * other for one, other in zip(shown, hidden, strict=True)]
    assert mixed == pytest.approx(chances(known, states), abs=1e-9)


@given(histories())
def test_the_order_of_runs_does_not_matter(
    history: tuple[int, list[tuple[int, Verdict]]],
) -> None:
    states, runs = history
    assert after(states, runs) == after(states, runs[::-1])


@given(histories(), st.floats(0.1, 0.9))
def test_a_credible_set_holds_what_it_should_and_no_step_too_many(
    history: tuple[int, list[tuple[int, Verdict]]], confidence: float
) -> None:
    states, runs = history
    known = after(states, runs)
    steps = chances(known, states)[:-1]
    found = known.credible(confidence)
    assert all(one.upto < other.after for one, other in pairwise(found))
    inside = [step for each in found for step in range(each.after, each.upto)]
    chance = sum(steps[step] for step in inside)
    assert isclose(chance, sum(each.chance for each in found), abs_tol=1e-9)
    if len(inside) < len(steps):
        assert chance >= confidence - 1e-9
        assert chance - min(steps[step] for step in inside) < confidence + 1e-9


def test_runs_of_a_state_that_says_nothing_are_not_repeated() -> None:
    known = Changepoint.of(3, RunCounts(0, 9), RunCounts(9, 0))
    assert known.next_state == 1
    known = known.after(1, SILENT)
    assert known.next_state != 1
    # So the two steps cannot be told apart, and are the answer together.
    assert known.best[:2] == (0, 2)
    assert known.best.chance > 0.99


def test_around_states_that_say_nothing_the_nearest_ones_are_run() -> None:
    known = Changepoint.of(101, RunCounts(0, 5), RunCounts(5, 0))
    asked = []
    for _ in range(5):
        state = known.next_state
        assert state is not None
        asked.append(state)
        known = known.after(state, SILENT)
    assert sorted(asked) == list(range(min(asked), min(asked) + 5))
    # One that says something now and then is still of use.
    assert known.after(asked[0], SHOWS).counts(asked[0]) == (1, 0, 1)
    assert known.after(asked[0], SHOWS).after(asked[0], HIDES).next_state is not None


def test_if_both_ends_show_it_as_often_there_is_likely_no_change() -> None:
    known = Changepoint.of(33, RunCounts(50, 50), RunCounts(50, 50))
    assert known.posterior.same.chance > 0.8


def test_where_nothing_can_be_tested_nothing_is_run() -> None:
    assert Changepoint.of(2, RunCounts(0, 0, 1), RunCounts(0, 0, 1)).next_state is None


def test_what_was_seen_before_and_after_a_step_is_counted() -> None:
    known = after(9, [(0, HIDES), (3, HIDES), (3, SHOWS), (4, SHOWS), (8, SHOWS)])
    best = known.best._replace(after=3, upto=4)
    assert known.sides(best) == (RunCounts(1, 2), RunCounts(2, 0))
    assert [side.rate for side in known.sides(best)] == [1 / 3, 1.0]
    assert NO_RUNS.rate == 0


def test_a_million_states_are_no_more_work_than_a_few() -> None:
    known = Changepoint.of(10**6)
    for _ in range(60):
        state = known.next_state
        assert state is not None
        known = known.after(state, SHOWS if state >= 123_456 else HIDES)
    assert known.best[:2] == (123_455, 123_456)
    assert len(known.runs) < 60
