"""Steps are written out as they were asked."""

import pytest

import wynot


def test_steps_are_the_lists_that_the_test_was_given() -> None:
    given: list[list[int]] = []

    def fails(kept: list[int]) -> bool:
        given.append(kept)
        return {3, 70, 77} <= set(kept)

    result = wynot.minimize(range(100), fails, check=False, memo="none")
    assert [step.items for step in result.steps] == given
    assert [step.items for step in result.steps] == given  # and again, from the start
    assert result.steps[-1].items == given[-1]
    assert result.steps[5].items == given[5]
    assert [step.items for step in result.steps[3:6]] == given[3:6]
    assert len(result.steps) == len(given)


def test_there_is_no_step_beyond_the_last() -> None:
    result = wynot.minimize(range(4), lambda kept: 1 in kept)
    with pytest.raises(IndexError):
        result.steps[len(result.steps)]


def test_accepted_steps_lead_from_the_whole_to_the_result() -> None:
    result = wynot.minimize(range(50), lambda kept: {7, 31} <= set(kept))
    sizes = [len(step.items) for step in result.steps if step.accepted]
    assert sizes == sorted(set(sizes), reverse=True)
    assert [step.items for step in result.steps if step.accepted][-1] == result.items == [7, 31]


def test_steps_of_an_isolation_are_written_out_too() -> None:
    given: list[list[str]] = []

    def fails(kept: list[str]) -> bool | None:
        given.append(kept)
        return None if len(kept) % 3 == 2 else "x" in kept

    result = wynot.isolate("abcd", "axbcyd", fails, memo="none", check=False)
    assert [step.items for step in result.steps] == given
