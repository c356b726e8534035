"""What others have transformations for is one proposal of ours, or two.

Each file of the folder ``moves`` is a group; in it are pairs of texts, with their language.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from proposals import steps_to

PAIRS = Path(__file__).parent / "moves"


def pairs() -> Iterator[object]:
    """Yield the pairs of all groups."""
    for file in sorted(PAIRS.glob("*.txt")):
        for number, entry in enumerate(file.read_text().split("#### ")[1:], start=1):
            language, _, texts = entry.partition("\n")
            before, _, after = texts.partition("\n=>\n")
            path = f"a.{language}"
            yield pytest.param(path, before, after, id=f"{file.stem}-{language}-{number}")


@pytest.mark.parametrize(("path", "before", "after"), list(pairs()))
def test_a_move_is_two_proposals_at_most(path: str, before: str, after: str) -> None:
    assert steps_to(path, before.encode() + b"\n", after.encode()) is not None
