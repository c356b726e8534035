"""Which of many like cases `make test` runs; `make test-all` runs them all."""

from collections.abc import Collection, Iterable

import pytest
from _pytest.mark import ParameterSet


def slow_but(quick: Collection[object], values: Iterable[object]) -> list[ParameterSet]:
    """Return values as parameters, of which all but some are slow: repetition, or long."""
    every = list(values)
    assert all(each in every for each in quick), "of those there are"
    return [pytest.param(each, marks=() if each in quick else pytest.mark.slow) for each in every]


def slow_after(quick: int, rows: Iterable[object]) -> list[ParameterSet]:
    """Return rows as parameters, of which those after the first so many are slow."""
    return [
        pytest.param(
            *(row if isinstance(row, tuple) else (row,)),
            marks=() if number < quick else pytest.mark.slow,
        )
        for number, row in enumerate(rows)
    ]
