"""links: chains get shorter by bisection."""

from collections.abc import Callable
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import drive
from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict
from wynot.search.links import MARCH_PATIENCE, ChainRun, shortened

OTHER = 1
"""Something that is in no chain, so that there is always something left."""


def asked(
    size: int, fails: Callable[[Deltas], bool], *, are_alike: bool = False
) -> tuple[Deltas, int]:
    """Return what is left of a chain with so many links and a core, and the number of questions."""
    said = list(
        drive(
            shortened((ChainRun(0, size + 1, are_alike),), Deltas.first(size + 1 + OTHER)),
            lambda kept: Verdict.INTERESTING if fails(kept) else Verdict.UNINTERESTING,
        )
    )
    failed = [each.kept for each, verdict in said if verdict is Verdict.INTERESTING]
    least = min(failed, key=len, default=Deltas.first(size + 1 + OTHER))
    return least.part(0, len(least) - OTHER), len(said)


@pytest.mark.parametrize("size", [1000, 100_000])
@pytest.mark.parametrize("depth", [1, 2, 300, 999, 1000])
@pytest.mark.parametrize("are_alike", [False, True])
def test_where_the_depth_matters_it_is_the_least(size: int, depth: int, are_alike: bool) -> None:
    left, tests = asked(size, lambda kept: len(kept) - OTHER >= depth, are_alike=are_alike)
    assert len(left) == depth
    assert tests <= log2(size) + (6 if are_alike else 22 + MARCH_PATIENCE)


@pytest.mark.parametrize("size", [30, 1000, 100_000])
def test_all_links_go_if_only_what_they_hold_is_needed(size: int) -> None:
    left, tests = asked(size, lambda kept: size in kept)
    assert list(left) == [size]
    assert tests == 3


def test_the_whole_chain_goes_with_one_question() -> None:
    assert asked(1000, lambda _kept: True) == (Deltas(()), 1)


@pytest.mark.parametrize("needed", [(0,), (517,), (999,), (3, 517), (0, 999, 1000), (1, 2, 3, 700)])
def test_some_links_that_are_needed_stay_and_no_others(needed: tuple[int, ...]) -> None:
    left, tests = asked(1000, lambda kept: all(each in kept for each in needed))
    assert tuple(left) == needed
    assert tests <= (len(needed) + 2) * 2 * (log2(1000) + 1)


def test_what_is_deep_inside_of_two_levels_needs_no_more_than_both() -> None:
    left, _ = asked(60_000, lambda kept: 20_000 in kept and 40_000 in kept and 60_000 in kept)
    assert list(left) == [20_000, 40_000, 60_000]


@given(st.integers(1, 60), st.sets(st.integers(0, 60), max_size=5))
def test_what_is_left_always_fails(size: int, needed: set[int]) -> None:
    needed = {each for each in needed if each <= size}
    left, _ = asked(size, lambda kept: all(each in kept for each in needed))
    assert needed <= set(left)
