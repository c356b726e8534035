"""Failures where the order decides: what a second start leaves, in exactly so many tests.

A change that makes a number smaller is welcome: write the new one down.
"""

import json
from math import inf

import pytest

from reduce_inline import reduce_inline
from wynot.core.files import Files
from wynot.passes import second_start

CHAIN = {f"light{number}": [number] for number in range(40)}


def fails(files: Files) -> bool:
    """Tell whether it is an object with the heavy part, or with all light ones."""
    try:
        data = json.loads(files.contents["a.json"])
    except ValueError:
        return False
    return isinstance(data, dict) and ("heavy" in data or data.items() >= CHAIN.items())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("min_bytes", "size", "tests"), [(inf, 581, 1564), (200, 11, 1595)], ids=["first", "second"]
)
def test_many_light_parts_or_a_heavy_one(
    monkeypatch: pytest.MonkeyPatch, min_bytes: float, size: int, tests: int
) -> None:
    monkeypatch.setattr(second_start, "MIN_RESULT_BYTES", min_bytes)
    files = Files({"a.json": json.dumps({**CHAIN, "heavy": "x" * 1500}).encode()})
    found = reduce_inline(files, fails)
    assert (found.files.size, found.tests) == (size, tests)
