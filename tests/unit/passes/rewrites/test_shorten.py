"""A shorter text of the same kind."""

import pytest

from forests import forest_of
from wynot.core.texts.rewrites import rewritten
from wynot.passes.rewrites.shorten import by_example, by_table


def each(rewrites: object, path: str, text: str) -> list[tuple[str, str]]:
    """Return what a text becomes by each rewrite."""
    forest = forest_of({path: text})
    content = forest.contents[path]
    return [
        (rewrite.category, rewritten(content, list(rewrite.patches)).decode())
        for rewrite in rewrites(forest)  # type: ignore[operator]
    ]


@pytest.mark.parametrize(
    ("path", "text", "left"),
    [
        (
            "a.c",
            'int f(void) { g("abc"); }',
            [
                ("parameter_list to ()", 'int f() { g("abc"); }'),
                ("compound_statement to {}", "int f(void) {}"),
                ("expression_statement to ;", "int f(void) { ; }"),
                ("call_expression to 0", "int f(void) { 0; }"),
                ("argument_list to ()", "int f(void) { g(); }"),
                ('string_literal to ""', 'int f(void) { g(""); }'),
            ],
        ),
        (
            "a.c",
            "int a = 100;",
            [("number_literal to 0", "int a = 0;"), ("number_literal to 1", "int a = 1;")],
        ),
        (
            "a.json",
            "[[1, 2]]",
            [
                *(("array to 0", "0"), ("array to []", "[]"), ("array to null", "null")),
                *(("array to 0", "[0]"), ("array to []", "[[]]"), ("array to null", "[null]")),
            ],
        ),
        (
            "a.txt",
            'a "b" 123\n',
            [
                ('string to ""', 'a "" 123\n'),
                ("number to 0", 'a "b" 0\n'),
                ("number to 1", 'a "b" 1\n'),
            ],
        ),
        ("a.c", 'int a = 1; char *b = "";', []),
    ],
)
def test_by_the_table_of_the_language(path: str, text: str, left: list[tuple[str, str]]) -> None:
    assert each(by_table, path, text) == left


@pytest.mark.parametrize(
    ("path", "text", "left"),
    [
        (
            "a.json",
            '[{"a": 100}, {"b": 7}]',
            # Nodes of a kind, and in the same place: keys are put for keys.
            [
                ("object like another", '[{"b": 7}, {"b": 7}]'),
                ("pair like another", '[{"b": 7}, {"b": 7}]'),
                ("number like another", '[{"a": 7}, {"b": 7}]'),
            ],
        ),
        ("a.json", "[10, 20]", []),
        (
            "a.py",
            "f(g.h)\nlong()\n",
            [
                ("argument_list like another", "f()\nlong()\n"),
                ("identifier like another", "f(g.h)\nf()\n"),
            ],
        ),
        ("a.c", "int a;", []),
    ],
)
def test_by_the_example_of_another(path: str, text: str, left: list[tuple[str, str]]) -> None:
    assert each(by_example, path, text) == left


def test_the_example_may_be_in_another_file() -> None:
    forest = forest_of({"a.json": "[1000]", "b.json": "[2]"})
    found = {(rewrite.category, *rewrite.patches) for rewrite in by_example(forest)}
    assert found == {
        ("array like another", ("a.json", 0, 6, b"[2]")),
        ("number like another", ("a.json", 1, 5, b"2")),
    }


def test_a_whole_file_is_not_replaced_by_another() -> None:
    forest = forest_of({"a.json": "[1]", "b.json": "2"})
    assert not any("document" in rewrite.category for rewrite in by_example(forest))
