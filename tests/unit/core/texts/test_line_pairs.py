"""Lines that take the place of others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.texts.difference import Effort, line_pairs

WORDS = st.lists(st.sampled_from(["return", "x", "+", "1", "if", "    "]), max_size=4)
LINES = st.lists(WORDS.map(lambda words: " ".join(words).encode() + b"\n"), max_size=9)

Became = list[tuple[str | None, str | None]]


def became(old: list[str], new: list[str], effort: int = 10_000) -> Became:
    """Return each line with the one that takes its place."""
    before, after = iter(old), iter(new)
    texts = [line.encode() for line in old], [line.encode() for line in new]
    return [
        (next(before) if goes else None, next(after) if comes else None)
        for goes, comes in line_pairs(*texts, Effort(effort))
    ]


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        (["    return int(t)"], ["    return int(t) + 1"], [(0, 0)]),
        (["a", "b"], ["x", "y"], [(0, 0), (1, 1)]),
        ([], ["x", "y"], [(None, 0), (None, 1)]),
        (["a", "b"], [], [(0, None), (1, None)]),
        ([], [], []),
        # The one that is most like it takes its place, wherever it stands.
        (["return int(t)"], ["if not t:", "return 0", "return int(t) + 1"],
            [(None, 0), (None, 1), (0, 2)]),
        (["if not t:", "return 0", "return int(t)"], ["return int(t) + 1"],
            [(0, None), (1, None), (2, 0)]),
        (["a = 1", "b = 2"], ["a = 3", "c()", "b = 4"], [(0, 0), (None, 1), (1, 2)]),
        # The same words further in are not quite the same.
        (["  f(x)"], ["f(x)", "  f(y)", "  f(x)  # twice"], [(None, 0), (None, 1), (0, 2)]),
        # In order, also if it would fit better across.
        (["a = 1", "b = 2"], ["b = 2", "x", "a = 1"], [(0, 0), (None, 1), (1, 2)]),
        # Nothing in common: the first one.
        (["a"], ["y", "z"], [(0, 0), (None, 1)]),
    ],
)  # fmt: skip
def test_who_takes_whose_place(
    old: list[str], new: list[str], pairs: list[tuple[int | None, int | None]]
) -> None:
    assert became(old, new) == [
        (None if left is None else old[left], None if right is None else new[right])
        for left, right in pairs
    ]


def test_what_would_take_too_long_is_paired_from_the_front() -> None:
    old, new = ["return 1"], ["x", "return 2"]
    assert became(old, new) == [(None, "x"), ("return 1", "return 2")]
    assert became(old, new, effort=9) == [("return 1", "x"), (None, "return 2")]


@given(LINES, LINES)
def test_every_line_once_and_as_many_pairs_as_there_can_be(
    old: list[bytes], new: list[bytes]
) -> None:
    found = list(line_pairs(old, new, Effort()))
    assert sum(each.goes for each in found) == len(old)
    assert sum(each.comes for each in found) == len(new)
    assert len(found) == max(len(old), len(new))
