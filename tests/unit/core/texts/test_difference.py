"""Two sequences as one."""

import pytest

from wynot.core.case import ItemsCase
from wynot.core.texts.difference import align


@pytest.mark.parametrize(
    ("passing", "failing"),
    [
        ("", "abc"),
        ("ac", "abc"),
        ("abc", ""),
        ("abc", "abd"),
        ("hello wurld", "hexlo world!"),
        ("abab", "baba"),
        ("xyz", "abc"),
    ],
)
def test_no_delta_gives_the_passing_side_and_all_of_them_the_failing_one(
    passing: str, failing: str
) -> None:
    aligned = align(list(passing), list(failing))
    case = ItemsCase(aligned.items, inverted=aligned.taken_out)
    assert "".join(case.written(aligned.common)) == passing
    assert "".join(case.written(case.deltas)) == failing


def test_items_that_cannot_be_hashed_are_aligned_by_content() -> None:
    aligned = align([["a"], {"b"}], [["a"], ["c"]])
    assert list(aligned.common) == [0]
    assert len(aligned.items) == 3


def test_a_long_list_of_few_kinds_of_lines_is_aligned_in_no_time() -> None:
    # Every like pair would be 200 million comparisons.
    passing = [f"line {number % 7}" for number in range(40_000)]
    failing = [*passing[:20_000], "odd", *passing[20_001:]]
    aligned = align(passing, failing)
    assert len(aligned.items) == 40_001
    assert len(aligned.common) == 39_999


def test_a_long_difference_is_aligned_too() -> None:
    passing = [f"line {number % 7}" for number in range(6_000)]
    failing = ["first", *passing[1:3_000], "odd", *passing[3_001:-1], "last"]
    aligned = align(passing, failing)
    case = ItemsCase(aligned.items, inverted=aligned.taken_out)
    assert case.written(aligned.common) == passing
    assert case.written(case.deltas) == failing
