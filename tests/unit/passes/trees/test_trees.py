"""Which languages files are written in, decided once."""

import pytest

from wynot.core.files import Files
from wynot.formats import checked_text
from wynot.formats.language import Language
from wynot.formats.language_table import BY_NAME
from wynot.passes.trees.parsed_files import MAX_GATED_BYTES, Trees

FILES = Files({"a.c": b"int a;", "b.json": b"[1]", "c": b"a (b)\n", "d.bin": b"\0\1\2", "e": b""})


def test_languages_are_found_by_name_and_by_content() -> None:
    trees = Trees.of(FILES)
    names = {path: language.name for path, language in trees.languages.items()}
    assert names == {"a.c": "c", "b.json": "json", "c": "brackets", "e": "brackets"}
    assert trees.missing == ()
    assert "d.bin" not in trees.languages


def test_one_that_is_named_is_that_of_all_texts() -> None:
    trees = Trees.of(FILES, BY_NAME["python"])
    assert {language.name for language in trees.languages.values()} == {"python"}
    assert "d.bin" not in trees.languages


def test_a_grammar_that_is_not_there_is_told_once_and_brackets_are_taken() -> None:
    unknown = Language(name="unknown", grammar="tree_sitter_of_nobody", package="nothing")
    trees = Trees.of(FILES, unknown)
    assert {language.name for language in trees.languages.values()} == {"brackets"}
    (why,) = trees.missing
    assert "unknown" in why


def test_the_language_stays_though_the_content_tells_less() -> None:
    trees = Trees.of(Files({"script": b"#!/usr/bin/env python3\nf(1)\n"}))
    forest = trees.forest(Files({"script": b"f(1)\n"}))
    assert [language.name for _, language in forest.languages] == ["python"]


def test_a_forest_is_of_all_texts_that_have_something_in_them() -> None:
    forest = Trees.of(FILES).forest(FILES)
    assert [path for _, path in forest.texts] == ["a.c", "b.json", "c"]
    assert forest.contents["a.c"] == b"int a;"


def test_flaws_are_where_a_text_does_not_follow_its_grammar() -> None:
    trees = Trees.of(FILES)
    assert errors(trees, "a.c", b"int a;") == 0
    assert errors(trees, "a.c", b"int a") == 1
    assert errors(trees, "b.json", b"[1, 2") == 1
    assert errors(trees, "c", b"[1, 2") == 1
    assert trees.checked("d.bin", b"[1, 2") is None
    assert trees.checked("not there", b"") is None


def errors(trees: Trees, path: str, content: bytes) -> int:
    found = trees.checked(path, content)
    assert found is not None
    assert found.has_errors == (found.errors > 0)
    return found.errors


def test_of_a_large_text_flaws_are_not_looked_for() -> None:
    trees = Trees.of(FILES)
    assert trees.checked("a.c", b"(" * (MAX_GATED_BYTES + 1)) is None
    assert errors(trees, "a.c", b"(" * 100) > 0


def test_forests_of_the_same_files_are_grown_once() -> None:
    states = [Files({"a.c": b"int a%d;" % number}) for number in range(9)]
    trees = Trees.of(states[0])
    grown = [trees.forest(state) for state in states]
    again = [trees.forest(Files(dict(state.contents))) for state in states]
    assert all(one is other for one, other in zip(grown, again, strict=True))
    assert trees.forest(Files({"b.c": b"int a0;"})).texts == []


def test_no_base_is_parsed_where_parses_have_taken_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content = b"int f(void) { return 1; }\n"
    trees = Trees.of(Files({"a.c": content}))
    assert trees.checked("a.c", content) is not None
    monkeypatch.setattr(checked_text, "MAX_WASTED_SECONDS", -1)
    assert trees.checked("a.c", content) is None
