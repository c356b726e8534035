"""Which of many like cases `make test` runs; `make test-all` runs them all."""

from collections.abc import Collection, Iterable

import pytest
from _pytest.mark import ParameterSet


def slow_but(quick: Collection[object], values: Iterable[object]) -> list[ParameterSet]:
    """Return values as parameters, of which all but some are slow: repetition, or long."""
    every = list(values)
    assert all(each in every for each in quick), "of those there are"
    return [pytest.param(each, marks=() if each in quick else pytest.mark.slow) for each in every]
