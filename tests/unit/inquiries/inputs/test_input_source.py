"""Where a text can be cut."""

from itertools import pairwise

import pytest

from wynot.formats import source
from wynot.formats.grammar import GrammarMissing
from wynot.formats.language import Language
from wynot.inquiries.inputs.edits import MAX_PARSED_BYTES, InputSource


def tokens(path: str, text: bytes) -> list[bytes]:
    bounds = InputSource(path, text).tokens(0, len(text))
    return [text[start:stop] for start, stop in pairwise(bounds)]


def test_tokens_are_those_of_the_language_with_the_blanks_after_them() -> None:
    assert tokens("a.c", b"int  i\n    += 10.5e3;  \n") == [
        *(b"int  ", b"i", b"\n", b"    ", b"+= ", b"10.5e3", b";  ", b"\n"),
    ]


def test_without_a_language_tokens_are_words_and_marks() -> None:
    assert tokens("notes", b"i += 10\n") == [b"i ", b"+", b"= ", b"10", b"\n"]


def test_a_part_of_a_text_is_cut_at_its_ends_too() -> None:
    assert InputSource("a.c", b"int variable;").tokens(2, 7) == [2, 4, 7]
    assert list(InputSource("a.c", b"int variable;").tokens(5, 5)) == [5]


def test_characters_are_whole_and_bytes_where_it_is_no_text() -> None:
    text = "aé€".encode()
    assert list(InputSource("a", text).characters(1, 6)) == [1, 3, 6]
    assert list(InputSource("a", b"\0" + text).characters(2, 4)) == [2, 3, 4]


@pytest.mark.parametrize("text", [b"a", b"a\n", b"a\r\nb", b"\n\n", b"a\rb\n"])
def test_lines_end_with_a_line_feed_only(text: bytes) -> None:
    lines = [text[start:stop] for start, stop in pairwise(InputSource("a", text).lines)]
    assert lines == text.splitlines(keepends=True) if b"\rb" not in text else [text]


def test_what_is_no_text_has_no_tree() -> None:
    assert InputSource("a.c", b"int\0").tree is None
    assert InputSource("a.c", b"").tree is None
    assert not InputSource("notes", b"words").is_known


def test_a_large_text_has_no_tree() -> None:
    assert InputSource("a.c", b"int f() { return 1; }\n" * (MAX_PARSED_BYTES // 22)).tree
    assert (
        InputSource("a.c", b"int f() { return 1; }\n" * (MAX_PARSED_BYTES // 22 + 1)).tree is None
    )


def test_a_language_without_a_grammar_is_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(language: Language) -> None:
        raise GrammarMissing(language, "not installed")

    monkeypatch.setattr(source, "load", missing)
    found = InputSource("a.c", b"int i;\n")
    assert found.tree is not None
    assert not found.is_known
