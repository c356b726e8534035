"""How a configuration is cut."""

from fractions import Fraction
from math import inf

import pytest

from wynot.core.deltas import Deltas
from wynot.search.lists import split
from wynot.search.lists.cdd import best_size
from wynot.search.lists.rules import Rules
from wynot.search.lists.split import Split, balanced, weighted, zeller

TEN = Deltas.first(10)


def sizes(split: Split, factor: float, chunks: int = 1) -> list[int]:
    return [len(chunk) for chunk in split(TEN, (TEN,) * chunks, factor)]


def test_zeller_takes_what_is_left_by_the_parts_that_are_left() -> None:
    assert sizes(zeller, 4) == [2, 2, 3, 3]
    assert sizes(zeller, 3) == [3, 3, 4]


def test_balanced_spreads_the_rest() -> None:
    assert sizes(balanced, 4) == [2, 3, 2, 3]


@pytest.mark.parametrize("split", [zeller, balanced, weighted([1.0] * 10)])
def test_an_infinite_factor_gives_single_deltas(split: Split) -> None:
    assert sizes(split, inf) == [1] * 10


@pytest.mark.parametrize("split", [zeller, balanced])
def test_chunks_are_in_order_and_make_up_the_whole(split: Split) -> None:
    for factor in (2, 3, 7, inf):
        chunks = split(TEN, (TEN,), factor)
        assert [index for chunk in chunks for index in chunk] == list(range(10))


def test_weighted_halves_by_weight_and_leaves_single_deltas() -> None:
    split = weighted([8.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    halves = split(TEN, (TEN,), 2)
    assert [len(chunk) for chunk in halves] == [1, 9]
    quarters = split(TEN, halves, 2)
    assert [len(chunk) for chunk in quarters] == [1, 4, 5]


def test_cdd_starts_with_ten_and_ends_with_one() -> None:
    chances = [0.1 / (1 - 0.36787944) ** turn for turn in range(7)]
    assert [best_size(chance) for chance in chances] == [10, 6, 3, 2, 1, 1, 1]


def test_orders() -> None:
    assert list(split.forward(4, "")) == [0, 1, 2, 3]
    assert list(split.backward(4, "")) == [3, 2, 1, 0]
    assert list(split.skip(4, "")) == []
    shuffled = list(split.random(40, "seed"))
    assert sorted(shuffled) == list(range(40))
    assert shuffled == list(split.random(40, "seed")) != list(split.random(40, "other"))


def test_combined_is_one_round_and_apart_are_two() -> None:
    chunks = zeller(TEN, (TEN,), 4)
    apart = Rules(subsets=True).phases(TEN, chunks, 0, 1)
    combined = Rules(subsets=True, combined=True).phases(TEN, chunks, 0, 1)
    assert [len(list(phase)) for phase in apart] == [4, 4]
    assert [len(list(phase)) for phase in combined] == [8]


def test_an_offset_visits_every_chunk_once() -> None:
    chunks = zeller(TEN, (TEN,), 10)
    for thirds in range(30):
        order = Rules().order(chunks, Fraction(thirds, 3), 1)
        assert sorted(order) == list(range(10))
        assert order[0] == thirds // 3
