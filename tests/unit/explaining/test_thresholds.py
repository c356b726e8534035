"""Limits along a scale: exact, by few questions, and honest about what is not monotone."""

from collections.abc import Callable, Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.explaining.thresholds import Scale, ScaleLimits, limits_of


def found(
    now: int, least: int, most: int, fails: Callable[[int], bool]
) -> tuple[ScaleLimits, list[int]]:
    asked: list[int] = []

    def asks(value: int) -> Search[Verdict]:
        asked.append(value)
        yield from ()
        return Verdict.INTERESTING if fails(value) else Verdict.UNINTERESTING

    scale = Scale("value", now, least, most, lambda value: b"%d" % value, 0, 1)
    return finished(limits_of(asks, scale)), asked


def finished(search: Generator[object, None, ScaleLimits]) -> ScaleLimits:
    try:
        next(search)
    except StopIteration as end:
        limits: ScaleLimits = end.value
        return limits
    raise AssertionError("it asks nobody else")


@given(low=st.integers(-1000, 1000), size=st.integers(0, 2000), at=st.integers(0, 2000))
def test_both_limits_are_exact(low: int, size: int, at: int) -> None:
    high = low + size
    now = low + at % (size + 1)
    limits, asked = found(now, -5_000, 5_000, lambda value: low <= value <= high)
    assert (limits.low, limits.high) == (low, high)
    assert limits.below is limits.above is Verdict.UNINTERESTING
    assert limits.steady
    assert limits.again is None
    assert len(asked) <= 70


@pytest.mark.parametrize(("least", "most"), [(0, 10), (5, 10**12), (-(10**12), 5)])
def test_where_all_fails_there_is_no_limit(least: int, most: int) -> None:
    limits, asked = found(5, least, most, lambda _value: True)
    assert (limits.low, limits.high) == (None, None)
    assert len(asked) <= 12


def test_what_fails_again_beyond_a_limit_is_told() -> None:
    limits, _ = found(13, -(10**6), 10**6, lambda value: not 1 <= value <= 12)
    assert limits.low == 13
    assert limits.high is None
    assert limits.again is not None
    assert not 1 <= limits.again <= 12


def test_a_gap_between_the_limits_is_noticed() -> None:
    limits, _ = found(8, 0, 1000, lambda value: value % 2 == 0)
    assert not limits.steady or limits.low == limits.high


def test_what_is_known_saves_questions() -> None:
    asked: list[int] = []

    def asks(value: int) -> Search[Verdict]:
        asked.append(value)
        yield from ()
        return Verdict.INTERESTING if value >= 7 else Verdict.UNINTERESTING

    def knows(value: int) -> Verdict | None:
        return {6: Verdict.UNINTERESTING, 7: Verdict.INTERESTING}.get(value)

    scale = Scale("value", 9, 0, 100, lambda value: b"%d" % value, 0, 1)
    limits = finished(limits_of(asks, scale, knows))
    assert limits.low == 7
    assert {*asked} & {6, 7} == {6, 7}, "they are asked about, but take no test"
    assert 4 not in asked
