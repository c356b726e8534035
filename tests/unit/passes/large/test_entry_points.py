"""The front of a large source: what all the rest is there for."""

import pytest

from forests import forest_of
from wynot.passes.large.entry_points import MIN_FACTOR, front
from wynot.passes.large.unused_code import MIN_LARGE_TOKENS
from wynot.passes.rewrites.bodies import all_bodies, declarations
from wynot.passes.trees.forest import Forest
from wynot.passes.trees.tree_passes import rewrites_in_front

SIZE = 700
LIBRARY = "".join(
    f"int f{number}(int x) {{ return f{number - 1}(x) + f{number // 3}(x); }}\n"
    for number in range(1, SIZE + 1)
)
LOOSE = "".join(f"int f{number}(int x) {{ return x * {number}; }}\n" for number in range(900))
USER = "int first(int y) { return f699(y); }\nint main() { return first(1) + f698(2); }\n"


def large() -> Forest:
    """Return a few lines behind a large library."""
    forest = forest_of({"a.c": LIBRARY + USER})
    assert len(forest.leaves) > MIN_LARGE_TOKENS
    return forest


def test_the_front_is_the_few_lines_that_need_the_rest() -> None:
    forest = large()
    texts = [forest.text(node).decode() for node in front(forest).nodes]
    assert texts[-2:] == USER.splitlines()
    assert sum(map(len, texts)) < len(LIBRARY) / 20


def test_all_tokens_are_worth_their_bytes_and_those_of_the_front_far_more() -> None:
    forest = large()
    worth = front(forest).worth
    sizes = zip(forest.byte_offsets, forest.byte_offsets[1:], worth, worth[1:], strict=False)
    assert all(round(now - then, 6) >= after - before for before, after, then, now in sizes)
    main = forest.firsts[front(forest).nodes[-1]]
    assert worth[-1] - worth[main] > forest.byte_offsets[-1] / 4


def test_rewrites_in_the_front_are_worth_more_than_the_bytes_that_they_save() -> None:
    forest = large()
    where = front(forest)
    inside = list(rewrites_in_front(forest, where, all_bodies(forest)))
    assert len(inside) == len(where.nodes)
    assert all(factor >= MIN_FACTOR for _, factor in inside)
    factors = [factor for _, factor in inside]
    assert max(factors) == factors[-1]  # of main


def test_a_small_source_has_no_front() -> None:
    forest = forest_of({"a.c": USER})
    assert front(forest) == ((), forest.byte_offsets)


def test_a_large_source_of_which_little_hangs_together_has_no_front() -> None:
    forest = forest_of({"a.c": LOOSE + USER})
    assert len(forest.leaves) > MIN_LARGE_TOKENS
    assert front(forest) == ((), forest.byte_offsets)


@pytest.mark.parametrize("is_large", [False, True])
def test_bodies_of_a_large_source_are_for_another_pass(*, is_large: bool) -> None:
    forest = large() if is_large else forest_of({"a.c": USER})
    soon, late = len(list(all_bodies(forest))), len(list(declarations(forest)))
    assert (soon, late) == ((SIZE + 2, 0) if is_large else (0, 2))
