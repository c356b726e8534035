"""Tests in processes that end before their time."""

import os
import signal

import pytest

import wynot

ITEMS = list(range(16))


def dies_of_a_guess(kept: list[int]) -> bool:
    """End the process on what only a wrong guess asks for; else fail with a 3."""
    if 3 not in kept:
        os.kill(os.getpid(), signal.SIGKILL)
    return 3 in kept


def is_unresolved_without_3(kept: list[int]) -> bool | None:
    return True if 3 in kept else None


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_process_that_is_killed_costs_its_own_test_only(jobs: int) -> None:
    # The first half is asked for first, so the first death that counts is that of the rest.
    with pytest.raises(wynot.BrokenRunner, match="exit status -9") as caught:
        wynot.minimize(ITEMS, dies_of_a_guess, workers="processes", jobs=jobs)
    assert isinstance(caught.value.result, wynot.Minimized)
    assert 3 in caught.value.result.items


def test_many_sessions_with_dying_processes_all_end() -> None:
    for _ in range(10):
        with pytest.raises(wynot.BrokenRunner):
            wynot.minimize(ITEMS, dies_of_a_guess, workers="processes", jobs=3)


def test_processes_come_to_the_same_result_as_threads() -> None:
    wide = wynot.minimize(ITEMS, is_unresolved_without_3, workers="processes", jobs=3)
    alone = wynot.minimize(ITEMS, is_unresolved_without_3)
    assert wide.items == alone.items == [3]
    assert wide.steps == alone.steps
    assert repr(wide.steps) == f"<{len(alone.steps)} steps>"
