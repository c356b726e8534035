"""Two sequences as one."""

import pytest

from wynot.core.case import ItemsCase
from wynot.core.difference import align


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
