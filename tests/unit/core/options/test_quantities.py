"""Numbers in texts; sizes and times as people write them."""

from collections.abc import Callable
from math import inf

import pytest

from wynot.core.options.quantities import (
    Unparsable,
    bounded_integer,
    parts,
    seconds,
    size,
    statuses,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [("400", 400), ("64k", 65_536), ("1.5M", 1_572_864), ("2G", 2 << 30), ("2 GiB", 2 << 30)],
)
def test_sizes(text: str, value: int) -> None:
    assert size(text) == value


@pytest.mark.parametrize(
    ("text", "value"), [("90", 90), ("2.5", 2.5), ("10m", 600), ("1h30m", 5400), ("1h1s", 3601)]
)
def test_times(text: str, value: float) -> None:
    assert seconds(text) == value


def test_granularities_and_statuses() -> None:
    assert (parts("4"), parts("inf")) == (4, inf)
    assert statuses("101,3") == [101, 3]


@pytest.mark.parametrize("text", ["", "x", "-1", "1x", "1m1m1", "k"])
def test_what_is_none_is_refused_with_an_example(text: str) -> None:
    for read in (size, seconds, parts, statuses):
        with pytest.raises(Unparsable, match=r"write it|give|1 to 255"):
            read(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), (b"007", 7), ("9" * 40, 10**40 - 1), ("9" * 5000, None), (b"", None), ("-1", None),
     ("1_0", None), ("²", None), (b"x", None)],
)  # fmt: skip
def test_long_numbers_are_none(text: str | bytes, value: int | None) -> None:
    assert bounded_integer(text) == value


@pytest.mark.parametrize("parse", [size, parts])
def test_an_option_of_thousands_of_digits_is_refused(parse: Callable[[str], object]) -> None:
    with pytest.raises(Unparsable):
        parse("9" * 5000)
