"""How much a session may spend."""

from typing import Any

import pytest

import wynot
from wynot.engine.budget import Budget, Spent


def test_time_is_that_of_the_clock_given() -> None:
    now = 10.0
    budget = Budget(deadline=12.0, clock=lambda: now)
    assert budget.seconds() == 2.0
    now = 12.0
    with pytest.raises(Spent) as spent:
        budget.seconds()
    assert spent.value.by == "max-time"


def test_without_a_deadline_one_may_wait_for_ever() -> None:
    assert Budget().seconds() is None


@pytest.mark.parametrize("jobs", [1, 3])
def test_no_time_at_all_returns_the_whole_and_says_why(jobs: int) -> None:
    result = wynot.minimize(range(9), lambda kept: 4 in kept, max_time=0, jobs=jobs)
    assert result.items == list(range(9))
    assert result.stopped == "max-time"
    assert not result.minimal


@pytest.mark.parametrize("search", ["ddmin", "probdd", "sweep"])
def test_no_tests_at_all_returns_the_whole_and_says_why(search: Any) -> None:
    asked: list[list[int]] = []

    def fails(kept: list[int]) -> bool:
        asked.append(kept)
        return 4 in kept

    result = wynot.minimize(range(9), fails, search=search, max_tests=0)
    assert result.items == list(range(9))
    assert result.stopped == "max-tests"
    assert asked == [list(range(9)), []]  # the check before the search is not counted


def test_a_budget_that_is_just_enough_is_not_spent() -> None:
    free = wynot.minimize(range(40), lambda kept: {4, 30} <= set(kept))
    tight = wynot.minimize(range(40), lambda kept: {4, 30} <= set(kept), max_tests=free.tests)
    assert tight.stopped == "finished"
    short = wynot.minimize(range(40), lambda kept: {4, 30} <= set(kept), max_tests=free.tests - 1)
    assert short.stopped == "max-tests"


def test_combinations_that_would_try_nothing_are_refused() -> None:
    for options in (
        {"complement_iterator": "skip"},
        {"complement_iterator": "skip", "order": "subsets-first", "subset_iterator": "skip"},
        {"complement_iterator": "skip", "order": "subsets-first", "search": "sweep"},
    ):
        with pytest.raises(wynot.InvalidOption, match="nothing else would be tried"):
            wynot.minimize(range(9), lambda kept: 4 in kept, **options)  # type: ignore[arg-type]
    with pytest.raises(wynot.InvalidOption, match="'skip'"):
        wynot.isolate([], range(9), lambda kept: 4 in kept, complement_iterator="skip")
    with pytest.raises(wynot.InvalidOption, match="no weights"):
        wynot.minimize(range(9), lambda kept: 4 in kept, search="cdd", weights=[1] * 9)


def test_subsets_alone_find_one_cause() -> None:
    result = wynot.minimize(
        range(9),
        lambda kept: 4 in kept,
        order="complements-first",
        complement_iterator="skip",
        restart=True,
    )
    assert result.items == [4]
