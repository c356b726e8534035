"""A few neighbouring tokens, whatever nodes they belong to."""

from forests import forest_of
from wynot.core.deltas import Deltas
from wynot.passes.trees.token_parts import MAX_TOKENS, TokenWindows


def test_there_is_a_window_for_every_few_neighbours() -> None:
    windows = TokenWindows(forest_of({"a.c": "int aa;"}))
    found = {(each.category, each.items): each.weight for each in windows.begin()}
    assert found == {
        ("1 token", (0, 1)): 3,
        ("1 token", (1, 2)): 2,
        ("1 token", (2, 3)): 1,
        ("2 tokens", (0, 2)): 5,
        ("2 tokens", (1, 3)): 3,
        ("3 tokens", (0, 3)): 6,
    }


def test_what_is_kept_of_a_window_would_go() -> None:
    windows = TokenWindows(forest_of({"a.json": "[1, 2, 3]"}))
    four = next(each for each in windows.begin() if each.items == (1, 5))
    assert windows.ways(four, Deltas.first(7)) == [Deltas((1, 5))]
    assert windows.ways(four, Deltas.of([0, 1, 4, 6])) == [Deltas.of([1, 4])]
    assert windows.finer(four, Deltas.first(7)) == ()


def test_windows_go_from_one_file_to_the_next() -> None:
    windows = TokenWindows(forest_of({"a.json": "1", "b.json": "2"}))
    assert [each.items for each in windows.begin()] == [(0, 1), (1, 2), (0, 2)]


def test_marks_are_of_the_text() -> None:
    one, two = (TokenWindows(forest_of({"a.json": text})) for text in ("[1, 2]", "[2, 1, 2]"))

    def marks(windows: TokenWindows) -> set[str]:
        return {windows.fingerprint(each) for each in windows.begin()}

    assert marks(one) - marks(two) == {
        *(mark for mark in marks(one) if "[ 1" in mark),
    }
    assert all(mark.startswith("#") for mark in marks(one))


def test_in_a_large_case_there_are_none() -> None:
    assert TokenWindows(forest_of({"a.json": "[" + "1," * (MAX_TOKENS // 2) + "1]"})).begin() == []
    assert TokenWindows(forest_of({})).begin() == []
