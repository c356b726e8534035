"""Failures where the order decides: what a second start leaves, in exactly so many tests.

A change that makes a number smaller is welcome: write the new one down.
"""

import json

import pytest

from reduce_inline import reduce_inline
from wynot.core.files import Files

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
    ("goes_on", "size", "tests"), [(False, 581, 1564), (True, 11, 1685)], ids=["first", "second"]
)
def test_many_light_parts_or_a_heavy_one(goes_on: bool, size: int, tests: int) -> None:
    files = Files({"a.json": json.dumps({**CHAIN, "heavy": "x" * 1500}).encode()})
    found = reduce_inline(files, fails, last_bytes=goes_on)
    assert (found.files.size, found.tests) == (size, tests)
