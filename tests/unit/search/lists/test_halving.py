"""halving: the one that is needed, by halves of what is left."""

from collections.abc import Callable
from math import ceil, floor, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import drive
from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict
from wynot.search.lists.halving import halving, is_foretold


def needs(*needed: int) -> Callable[[Deltas], Verdict]:
    return lambda kept: (
        Verdict.INTERESTING if all(each in kept for each in needed) else Verdict.UNINTERESTING
    )


def asked(size: int, test: Callable[[Deltas], Verdict]) -> tuple[list[int], list[list[int]]]:
    """Return the least that failed, and each configuration that was asked about."""
    said = [*drive(halving(Deltas.first(size)), test)]
    failed = [each.kept for each, verdict in said if verdict is Verdict.INTERESTING]
    least = min(failed, key=len, default=Deltas.first(size))
    return list(least), [list(each.kept) for each, _ in said]


def test_only_one_of_two_halves_is_asked_about() -> None:
    found, steps = asked(8, needs(5))
    assert found == [5]
    assert steps == [[0, 1, 2, 3], [4, 5], [4], [5]]


@given(st.integers(1, 900), st.data())
def test_one_takes_a_binary_search_and_runs_little_more_than_all_do_once(
    size: int, data: st.DataObject
) -> None:
    needed = data.draw(st.integers(0, size - 1))
    found, steps = asked(size, needs(needed))
    foretold = is_foretold(Deltas.first(size), Deltas.of([needed]))
    assert found == [needed]
    halvings = len(steps) - foretold
    assert floor(log2(size)) <= halvings <= ceil(log2(size))
    assert sum(map(len, steps)) <= size + halvings
    assert not size > 1 or (steps[-1] == [needed]) or not foretold


@pytest.mark.parametrize("needed", [(10, 290), (0, 1), (298, 299), (3, 150, 151)])
def test_several_that_only_fail_together_are_found_too(needed: tuple[int, ...]) -> None:
    found, steps = asked(300, needs(*needed))
    assert tuple(found) == needed
    assert len(steps) <= (len(needed) + 1) * (ceil(log2(300)) + 1) + len(needed)


def test_a_half_that_cannot_be_told_is_gone_around() -> None:
    def test(kept: Deltas) -> Verdict:
        return Verdict.UNRESOLVED if 2 in kept and len(kept) > 1 else needs(5)(kept)

    found, steps = asked(8, test)
    assert found == [5]
    assert len(steps) <= 4


def test_what_was_asked_outright_was_not_foretold() -> None:
    four = Deltas.first(4)
    assert [is_foretold(four, Deltas.of([each])) for each in range(4)] == [False, True, False, True]
    assert not is_foretold(four, Deltas.of([1, 3]))
    assert not is_foretold(Deltas.of([7]), Deltas.of([7]))
