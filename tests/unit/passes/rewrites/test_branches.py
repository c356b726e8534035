import pytest

from forests import outcomes
from wynot.passes.rewrites.branches import branches


@pytest.mark.parametrize(
    ("path", "before", "category", "after"),
    [
        ("a.c", "if (x) { a(); } else b();", "if_statement to its body", "a();"),
        ("a.c", "if (x) { a(); } else b();", "if_statement to its other branch", "b();"),
        ("a.c", "for (;;) x++;", "for_statement to its body", "x++;"),
        ("a.c", "do { a(); b(); } while (0);", "do_statement to its body", "a(); b();"),
        ("a.c", "x = a ? b : c;", "conditional_expression to its body", "x = b;"),
        ("a.c", "x = a ? b : c;", "conditional_expression to its other branch", "x = c;"),
        ("a.c", "{ a(); }", "compound_statement unwrapped", "a();"),
        ("a.rs", "if x { a(); } else { b(); }", "if_expression to its body", "a();"),
        (
            "a.rs",
            "let x = match y { 1 => a, _ => b };",
            "match_expression to its body",
            "let x = a;",
        ),
        ("a.rs", "unsafe { a(); }", "unsafe_block to its body", "a();"),
        ("a.js", "try { a(); } catch (e) { b(); }", "try_statement to its body", "a();"),
        ("a.js", "try { a(); } catch (e) { b(); }", "try_statement to its other branch", "b();"),
        ("a.js", "switch (x) { case 1: a(); }", "switch_statement to its body", "a();"),
        ("a.java", "while (true) { a(); }", "while_statement to its body", "a();"),
    ],
)
def test_what_is_done_stays(path: str, before: str, category: str, after: str) -> None:
    around = {
        "a.c": "void f() {{ {} }}",
        "a.rs": "fn f() {{ {} }}",
        "a.js": "function f() {{ {} }}",
        "a.java": "class A {{ void f() {{ {} }} }}",
    }[path]
    found = outcomes(branches, path, around.format(before))
    assert around.format(after) in found[category]


def test_lines_are_indented_as_where_they_come_to_stand() -> None:
    text = (
        "def q():\n    if a:\n        b\n        c\n    elif d:\n        e\n    else:\n        f\n"
    )
    assert outcomes(branches, "a.py", text) == {
        "if_statement to its body": ["def q():\n    b\n    c\n"],
        "if_statement to its other branch": ["def q():\n    e\n"],
    }
    text = "package p\nfunc f() {\n\tfor {\n\t\ta()\n\t\tb()\n\t}\n}\n"
    assert outcomes(branches, "a.go", text) == {
        "for_statement to its body": ["package p\nfunc f() {\n\ta()\n\tb()\n}\n"]
    }


def test_an_attempt_becomes_what_is_done_when_it_fails() -> None:
    text = "try:\n    a\nexcept E:\n    b\n"
    assert outcomes(branches, "a.py", text) == {
        "try_statement to its body": ["a\n"],
        "try_statement to its other branch": ["b\n"],
    }


def test_an_empty_body_leaves_nothing() -> None:
    found = outcomes(branches, "a.c", "void f() { while (1) { } a(); }")
    assert found == {"while_statement to its body": ["void f() {  a(); }"]}
