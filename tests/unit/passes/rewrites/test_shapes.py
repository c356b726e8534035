import pytest

from forests import forest_of
from wynot.core.texts.rewrites import Patch, Rewrite, rewritten
from wynot.passes.rewrites.tree_queries import mentions, removal, rewrite


@pytest.mark.parametrize(
    ("path", "text", "kind", "number", "after"),
    [
        ("a.c", "int a; int b; int c;", "declaration", 0, "int b; int c;"),
        ("a.c", "int a; int b; int c;", "declaration", 2, "int a; int b;"),
        ("a.c", "struct A { int a; }; int b;", "struct_specifier", 0, "int b;"),
        ("a.c", "int f(int a, int b);", "parameter_declaration", 0, "int f(int b);"),
        ("a.c", "int f(int a, int b);", "parameter_declaration", 1, "int f(int a);"),
        ("a.c", "void f() { a; }", "expression_statement", 0, "void f() {  }"),
        ("a.py", "a\nb\n", "expression_statement", 0, "b\n"),
        ("a.py", "a\nb\n", "expression_statement", 1, "a\n"),
        ("a.sql", "WITH x AS (SELECT 1) SELECT 2", "cte", 0, "SELECT 2"),
    ],
)
def test_what_goes_takes_a_separator_along(
    path: str, text: str, kind: str, number: int, after: str
) -> None:
    forest = forest_of({path: text})
    nodes = [node for node in forest.nodes if forest.kind(node) == kind]
    assert rewritten(text.encode(), list(removal(forest, nodes[number]))).decode() == after


def test_neighbours_can_both_go() -> None:
    forest = forest_of({"a.c": "int f(int a, int b);"})
    nodes = [node for node in forest.nodes if "parameter_d" in forest.kind(node)]
    patches = [patch for node in nodes for patch in removal(forest, node)]
    assert rewritten(b"int f(int a, int b);", patches) == b"int f();"


def test_a_name_is_mentioned_in_all_files() -> None:
    forest = forest_of({"a.c": "int a = b;", "b.py": "a = 1"})
    assert {name: len(tokens) for name, tokens in mentions(forest).items()} == {b"a": 2, b"b": 1}


def test_patches_in_what_goes_are_left_out_and_others_must_not_overlap() -> None:
    gone, inside = Patch("a", 0, 9), Patch("a", 2, 3, b"x")
    assert rewrite("", [inside, gone]) == Rewrite("", (gone,))
    assert rewrite("", [gone, Patch("a", 8, 10)]) is None
    assert rewrite("", [Patch("a", 0, 9, b"y"), inside]) is None
    assert rewrite("", []) is None
