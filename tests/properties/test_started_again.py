"""A second start is a part of the course: the same at any width, and what is left fails."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reduce_inline import reduce_inline
from wynot.core.files import Files

LINKS = {f"l{number}": [number] for number in range(29)}
FILES = Files({"in.json": json.dumps({**LINKS, "hub": "x" * 500}).encode()})


def fails_by(needed: dict[str, list[int]], files: Files) -> bool:
    """Tell whether there is a hub, or each of these links as it was."""
    try:
        data = json.loads(files.contents["in.json"])
    except ValueError:
        return False
    return isinstance(data, dict) and ("hub" in data or data.items() >= needed.items())


@pytest.mark.slow
@settings(max_examples=4)
@given(st.sampled_from([None, *LINKS]), st.sampled_from([2, 5, 16]), st.integers(0, 99))
def test_the_same_at_any_width(spare: str | None, width: int, seed: int) -> None:
    needed = {link: ends for link, ends in LINKS.items() if link != spare}

    def fails(files: Files) -> bool:
        return fails_by(needed, files)

    alone = reduce_inline(FILES, fails)
    assert alone == reduce_inline(FILES, fails, width=width, seed=seed)
    assert fails(alone.files)
    assert alone.content.rstrip() == b'{"hub":0}'
