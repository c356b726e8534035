"""What is inside of tokens."""

import pytest

from forests import forest_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.texts.parts import PartsCase
from wynot.passes.trees.token_parts import MAX_CHARACTERS, TokenCharacters, characters


def case_of(letters: TokenCharacters) -> PartsCase:
    return PartsCase(Files(dict(letters.forest.contents)), letters.parts())


def test_letters_are_those_of_tokens_that_have_several() -> None:
    letters = TokenCharacters(forest_of({"a.c": "int a;\nlong b2;\n"}))
    case = case_of(letters)
    assert len(case.deltas) == len("int") + len("long") + len("b2")
    without = case.render(Candidate(case.deltas, Edit.drop(Deltas.of([0, 4, 8])), ""))
    assert without.contents["a.c"] == b"nt a;\nlng b;\n"


def test_it_starts_with_the_halves_of_each_token() -> None:
    letters = TokenCharacters(forest_of({"a.json": "[12345, 6, 78]", "b.json": "true"}))
    found = [(each.category, each.items, each.weight) for each in letters.begin()]
    assert found == [
        ("letters of number", (0, 2), 2),
        ("letters of number", (2, 5), 3),
        ("letters of number", (5, 6), 1),
        ("letters of number", (6, 7), 1),
        ("letters of true", (7, 9), 2),
        ("letters of true", (9, 11), 2),
    ]


def test_halves_are_cut_finer_down_to_single_letters() -> None:
    letters = TokenCharacters(forest_of({"a.json": "12345"}))
    _, three = letters.begin()
    kept = Deltas.first(5)
    assert [each.items for each in letters.finer(three, kept)] == [(2, 3), (3, 5)]
    single, _ = letters.finer(three, kept)
    assert list(letters.finer(single, kept)) == []
    assert letters.ways(three, Deltas.of([0, 2, 4])) == [Deltas.of([2, 4])]


def test_marks_tell_them_apart() -> None:
    letters = TokenCharacters(forest_of({"a.json": "[123, 123, 45]"}))
    segments = letters.begin()
    marks = [letters.fingerprint(each) for each in segments]
    assert all(mark.startswith("#") for mark in marks)
    assert marks[0] != marks[1]
    assert len({*marks[4:]} | {*marks[:4]}) >= 4


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (b"", []),
        (b"ab", [(0, 1), (1, 2)]),
        ("aéz".encode(), [(0, 1), (1, 3), (3, 4)]),
        ("😀x".encode(), [(0, 4), (4, 5)]),
        (b"\xff\xfe", [(0, 1), (1, 2)]),
        (b"\x80\x80a", [(0, 2), (2, 3)]),
    ],
)
def test_a_character_of_utf_8_is_not_cut(text: bytes, spans: list[tuple[int, int]]) -> None:
    assert list(characters(text, 0, len(text))) == spans


def test_in_a_large_case_there_are_none() -> None:
    assert TokenCharacters(forest_of({"a.json": '"' + "x" * MAX_CHARACTERS + '"'})).begin() == []
