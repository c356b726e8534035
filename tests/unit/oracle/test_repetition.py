"""How often an unreliable test is asked: the chances to be wrong, worked out exactly."""

from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import pytest

from wynot.core.errors import Unreliable
from wynot.oracle.repetition import (
    MISS_CHANCE,
    MISS_LAST,
    RAREST_RATE,
    RELIABLE,
    SLIP,
    SLIP_BY_CHANCE,
    SLIP_LAST,
    Repetition,
)


class Chances(NamedTuple):
    """What comes of a candidate with some rate."""

    accepted: float
    runs: float
    """On average."""


def chances(decide: Callable[[int, int], bool | None], rate: float) -> Chances:
    """Follow every way that runs can end, by how many have shown the failure."""
    accepted, average, runs = 0.0, 0.0, 0
    undecided = {0: 1.0}  # how many have shown it, and the chance of that
    while undecided:
        runs += 1
        after: defaultdict[int, float] = defaultdict(float)
        for shown, chance in undecided.items():
            after[shown + 1] += chance * rate
            after[shown] += chance * (1 - rate)
        undecided = {}
        for shown, chance in after.items():
            decided = decide(shown, runs)
            if decided is None:
                undecided[shown] = chance
            else:
                accepted += chance * decided
                average += chance * runs
    return Chances(accepted, average)


@pytest.mark.parametrize("rate", [RAREST_RATE, 0.2, 0.3, 0.5, 0.7, 0.95, 0.99])
def test_what_fails_as_often_as_the_original_is_rarely_missed(rate: float) -> None:
    repetition = Repetition(rate)
    assert 1 - chances(repetition.decide, rate).accepted <= 2 * MISS_CHANCE
    assert 1 - chances(repetition.confirm, rate).accepted <= 2 * MISS_LAST


@pytest.mark.parametrize("rate", [RAREST_RATE, 0.3, 0.5, 0.7, 0.95, 1.0])
def test_what_fails_far_more_rarely_is_not_taken(rate: float) -> None:
    assert chances(Repetition(rate).decide, 0.25 * min(rate, 0.99)).accepted <= SLIP
    assert chances(Repetition(rate).decide, 0).accepted == 0


@pytest.mark.parametrize(
    ("rate", "noise"), [(0.5, 0.1), (0.9, 0.1), (0.9, 0.5), (1.0, 0.05), (0.4, 0.1), (0.7, 0.25)]
)
def test_a_yes_by_chance_is_told_from_the_failure(rate: float, noise: float) -> None:
    repetition = Repetition(rate, noise)
    repetition.require_apart()
    assert chances(repetition.decide, noise).accepted <= SLIP_BY_CHANCE
    assert chances(repetition.confirm, noise).accepted <= SLIP_LAST
    assert 1 - chances(repetition.decide, min(rate, 0.99)).accepted <= 2 * MISS_CHANCE


@pytest.mark.parametrize(("rate", "noise"), [(0.5, 0.5), (0.5, 0.45), (0.3, 0.15), (0.9, 1.0)])
def test_rates_that_are_too_close_together_are_refused(rate: float, noise: float) -> None:
    with pytest.raises(Unreliable, match="cannot tell the failure from chance"):
        Repetition(rate, noise).require_apart()


@pytest.mark.parametrize(
    ("rate", "noise", "never", "fails"),
    [(0.95, 0, 2, 5), (0.9, 0, 3, 6), (0.5, 0, 8, 13), (0.15, 0, 33, 50), (0.5, 0.1, 19, 36)],
)
def test_runs_on_average(rate: float, noise: float, never: float, fails: float) -> None:
    repetition = Repetition(rate, noise)
    assert chances(repetition.decide, noise).runs <= never
    assert chances(repetition.decide, rate).runs <= fails


@pytest.mark.parametrize("rate", [RAREST_RATE, 0.5, 1.0])
def test_one_lucky_run_is_not_enough(rate: float) -> None:
    assert Repetition(rate).decide(1, 1) is None


def test_a_reliable_test_is_asked_once() -> None:
    assert RELIABLE.decide(1, 1) is True
    assert RELIABLE.decide(0, 1) is False
