"""chase: what is needed, by binary searches over prefixes."""

from collections.abc import Callable
from math import ceil, log2
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.deltas import NONE, Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.lists.chase import MAX_PROBES, chase
from wynot.search.sides.dd import Pair
from wynot.search.sides.ddmax import ddmax


def needs(*needed: int) -> Callable[[Deltas], Verdict]:
    return lambda kept: (
        Verdict.INTERESTING if all(each in kept for each in needed) else Verdict.UNINTERESTING
    )


def asked(size: int, test: Callable[[Deltas], Verdict]) -> tuple[list[int], list[list[int]]]:
    """Return what is found, and each configuration that was asked about."""
    steps: list[list[int]] = []
    cursor = SearchCursor(lambda: chase(Deltas.first(size)))
    while cursor.question is not None:
        kept = cursor.question.candidate.kept
        steps.append(list(kept))
        cursor.tell(Outcome(test(kept)))
    return list(cast("Deltas", cursor.found)), steps


@pytest.mark.parametrize("needed", [0, 1, 150, 298, 299])
def test_one_of_three_hundred_takes_a_binary_search_and_a_look_at_it_alone(needed: int) -> None:
    found, steps = asked(300, needs(needed))
    assert found == [needed]
    assert len(steps) <= ceil(log2(300)) + 1


def test_the_first_questions_are_prefixes() -> None:
    found, steps = asked(8, needs(5))
    assert found == [5]
    assert steps == [[0, 1, 2, 3], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4], [5]]


def test_two_far_apart() -> None:
    found, steps = asked(300, needs(10, 290))
    assert found == [10, 290]
    assert len(steps) <= 2 * (ceil(log2(300)) + 1) + 2


def test_prefixes_that_are_unresolved_are_skipped() -> None:
    def test(kept: Deltas) -> Verdict:
        return Verdict.UNRESOLVED if len(kept) == 4 else needs(5)(kept)

    found, steps = asked(8, test)
    assert found == [5]
    assert steps[:2] == [[0, 1, 2, 3], [0, 1, 2, 3, 4, 5]]


def test_what_lies_between_is_taken_as_a_whole_if_no_prefix_is_resolved() -> None:
    def test(kept: Deltas) -> Verdict:
        return Verdict.UNRESOLVED if 8 <= len(kept) < 30 and 0 in kept else needs(20)(kept)

    found, steps = asked(40, test)
    assert found == [20]
    assert len(steps) < 30
    assert MAX_PROBES == 7


@given(
    st.integers(1, 25),
    st.sets(st.integers(0, 24), min_size=1, max_size=4),
    st.floats(0, 0.9),
    st.integers(0, 2**32),
)
def test_it_is_one_minimal_whatever_is_unresolved(
    size: int, wanted: set[int], unresolved: float, seed: int
) -> None:
    needed = {each % size for each in wanted}

    def test(kept: Deltas) -> Verdict:
        if len(kept) < size and hash((seed, kept.bounds)) % 1000 < 1000 * unresolved:
            return Verdict.UNRESOLVED
        return needs(*needed)(kept)

    found, _ = asked(size, test)
    assert needed <= set(found)
    kept = Deltas.of(found)
    for each in found:
        if len(found) > 1:
            assert test(kept.toggle(Deltas.of([each]))) is not Verdict.INTERESTING


def test_the_cure_is_one_of_two_that_are_needed() -> None:
    cursor = SearchCursor(lambda: ddmax(Pair(NONE, Deltas.first(40)), chase))
    tests = 0
    while cursor.question is not None:
        cursor.tell(Outcome(needs(7, 33)(cursor.question.candidate.kept)))
        tests += 1
    passing, failing = cast("Pair", cursor.found)
    assert list(failing.toggle(passing)) == [7]
    assert tests <= 7
