from forests import forest_of, outcomes
from wynot.core.texts.rewrites import rewritten
from wynot.passes.rewrites.columns import columns, parameters


def test_a_column_goes_with_the_value_in_every_row() -> None:
    text = "CREATE TABLE t(a int, b int, c text); INSERT INTO t VALUES (1, 2, 3), (4, 5, 6);"
    assert outcomes(columns, "a.sql", text) == {
        "column of 3": [
            "CREATE TABLE t(b int, c text); INSERT INTO t VALUES (2, 3), (5, 6);",
            "CREATE TABLE t(a int, c text); INSERT INTO t VALUES (1, 3), (4, 6);",
            "CREATE TABLE t(a int, b int); INSERT INTO t VALUES (1, 2), (4, 5);",
        ]
    }


def test_a_column_of_a_table_of_fields_may_have_gaps() -> None:
    assert outcomes(columns, "a.csv", "a,b\n1,\n,4\n") == {"column of 2": ["b\n\n4\n", "a\n1\n\n"]}


def test_lists_need_not_have_the_same_separator() -> None:
    text = "entity h is\n  port (i : s; j : u);\nend;\n"
    text += "architecture n of c is\nbegin\n  x : entity work.h port map (k, l);\nend;\n"
    assert outcomes(columns, "a.vhd", text) == {
        "column of 2": [
            text.replace("i : s; ", "").replace("k, ", ""),
            text.replace("; j : u", "").replace(", l", ""),
        ]
    }


def test_of_lists_in_lists_those_inside_are_meant() -> None:
    assert outcomes(columns, "a.json", "[[1, 2], [3, 4]]") == {
        "column of 2": ["[[2], [4]]", "[[1], [3]]"]
    }
    assert outcomes(columns, "a.py", "x = [(1, 2), (3, 4,)]\n") == {
        "column of 2": ["x = [(2), (4,)]\n", "x = [(1), (3,)]\n"]
    }


def test_a_column_between_bars_goes_with_a_bar() -> None:
    text = "| a | b |\n|---|---|\n| c | d |\n"
    assert outcomes(columns, "a.md", text)["column of 2"][0] == "| b |\n|---|\n| d |\n"


def test_a_list_alone_has_no_columns() -> None:
    assert outcomes(columns, "a.json", "[1, 2, 3]") == {}
    assert outcomes(columns, "a.c", "int x = f(1, 2) + g(3, 4);") == {}


def test_all_columns_can_go_at_once() -> None:
    text = "[[1, 2], [3, 4]]"
    found = list(columns(forest_of({"a.json": text})))
    patches = [patch for rewrite in found for patch in rewrite.patches]
    assert rewritten(text.encode(), patches) == b"[[], []]"


def test_a_parameter_goes_with_the_arguments_of_every_call() -> None:
    text = "int f(int a, char b) { return a; } int g() { return f(1, 2) + f(3, 4); }"
    assert outcomes(parameters, "a.c", text) == {
        "parameter with its arguments, and 0 for it": [
            "int f(char b) { return 0; } int g() { return f(2) + f(4); }"
        ],
        "parameter with its arguments": [
            "int f(int a) { return a; } int g() { return f(1) + f(3); }"
        ],
    }
    assert outcomes(parameters, "a.py", "def f(a, b=1):\n    return b\nf(1, 2)\n") == {
        "parameter with its arguments": ["def f(b=1):\n    return b\nf(2)\n"],
        "parameter with its arguments, and 0 for it": ["def f(a):\n    return 0\nf(1)\n"],
    }


def test_a_parameter_of_a_type_goes_with_what_it_is_applied_to() -> None:
    text = "struct S<'a, T>(T); impl<'a> S<'a, u8> { fn f(x: S<'_, i32>) {} }"
    assert outcomes(parameters, "a.rs", text) == {
        "parameter with its arguments": [
            "struct S<T>(T); impl<'a> S<u8> { fn f(x: S<i32>) {} }",
            "struct S<'a>(T); impl<'a> S<'a> { fn f(x: S<'_>) {} }",
        ],
    }


def test_brackets_in_a_row_are_told_from_one_another() -> None:
    text = "package p\nfunc f[T any](a T, b int) { f[int](1, 2) }\n"
    assert outcomes(parameters, "a.go", text) == {
        "parameter with its arguments": [
            "package p\nfunc f[T any](b int) { f[int](2) }\n",
            "package p\nfunc f[T any](a T) { f[int](1) }\n",
        ]
    }


def test_what_is_defined_nowhere_keeps_its_arguments() -> None:
    assert outcomes(parameters, "a.js", "f(1, 2); f(3, 4)") == {}
