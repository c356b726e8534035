from forests import outcomes
from wynot.passes.rewrites.inlining import inlined


def test_a_type_with_a_body_goes_where_it_is_used() -> None:
    text = "struct A { int : 0; int a; }; struct A b[];"
    assert outcomes(inlined, "a.c", text) == {
        "struct_specifier where it is used": ["struct A { int : 0; int a; } b[];"],
        "struct_specifier without its name": ["struct { int : 0; int a; } b[];"],
    }


def test_a_type_that_is_used_twice_is_defined_at_the_first_use() -> None:
    text = "union A { int a; }; union A b; union A c;"
    assert outcomes(inlined, "a.c", text) == {
        "union_specifier where it is used": ["union A { int a; } b; union A c;"],
    }


def test_an_alias_goes_with_its_stars() -> None:
    assert outcomes(inlined, "a.c", "typedef int *T; T p = 0;") == {
        "inline type_definition": ["int * p = 0;"]
    }
    assert outcomes(inlined, "a.rs", "type A = u32; const B: A = 3;") == {
        "inline type_item": ["const B: u32 = 3;"]
    }
    assert outcomes(inlined, "a.go", "package p\ntype A = T\nfunc g(x A) {}\n") == {
        "inline type_alias": ["package p\nfunc g(x T) {}\n"]
    }


def test_an_alias_of_several_types_gets_brackets_where_it_needs_them() -> None:
    text = "type A = B | C; let x: A[] = 1;"
    assert outcomes(inlined, "a.ts", text) == {
        "inline type_alias_declaration": ["let x: (B | C)[] = 1;"]
    }


def test_a_variable_becomes_its_value() -> None:
    assert outcomes(inlined, "a.py", "x = 1 + 2\nprint(x * 3)\n") == {
        "inline assignment": ["print((1 + 2) * 3)\n"]
    }
    assert outcomes(inlined, "a.js", "const x = 3; f(x)") == {
        "inline variable_declarator": ["f(3)"]
    }
    assert outcomes(inlined, "a.c", "int i = 3, j = 4; int k = i;") == {
        "inline init_declarator": ["int j = 4; int k = 3;"]
    }
    assert outcomes(inlined, "a.go", "package p\nfunc g() { w := 2; f(w) }\n") == {
        "inline short_var_declaration": ["package p\nfunc g() { f(2) }\n"]
    }


def test_a_macro_becomes_its_value() -> None:
    assert outcomes(inlined, "a.c", "#define M 3\nint a[M];\n") == {
        "inline preproc_def": ["int a[3];\n"]
    }


def test_what_is_set_twice_or_used_before_stays() -> None:
    assert outcomes(inlined, "a.py", "x = 1\nx = 2\nprint(x)\n") == {}
    assert outcomes(inlined, "a.py", "print(x)\nx = 2\n") == {}
    assert outcomes(inlined, "a.js", "if (x == 3) y") == {}


def test_a_table_expression_becomes_a_subquery_and_the_word_with_goes() -> None:
    text = "WITH x AS (SELECT a FROM t) SELECT * FROM x;"
    assert outcomes(inlined, "a.sql", text) == {
        "inline cte": ["SELECT * FROM (SELECT a FROM t);"],
        "inline cte with its name": ["SELECT * FROM (SELECT a FROM t) x;"],
    }


def test_a_table_expression_keeps_its_name_if_columns_have_it() -> None:
    text = "WITH x AS (SELECT a FROM t), y AS (SELECT 1) SELECT * FROM x WHERE x.a;"
    assert outcomes(inlined, "a.sql", text)["inline cte with its name"] == [
        "WITH y AS (SELECT 1) SELECT * FROM (SELECT a FROM t) x WHERE x.a;"
    ]


def test_a_function_becomes_what_it_returns() -> None:
    text = "int f(int x) { return x + 1; } int g() { return f(2) * 3; }"
    assert outcomes(inlined, "a.c", text) == {
        "inline function_definition": ["int g() { return (2 + 1) * 3; }"]
    }
    text = "fn f(x: u8) -> u8 { x + 1 } fn g() { h(f(2)); }"
    assert outcomes(inlined, "a.rs", text) == {
        "inline function_item": ["fn g() { h(2 + 1); }"],
    }
    text = "def f(a, b):\n    return a - b\nf(1, 2)\n"
    assert outcomes(inlined, "a.py", text) == {"inline function_definition": ["1 - 2\n"]}
    text = "(define-fun f ((x Int)) Int (+ x 1))\n(assert (= 2 (f 1)))\n"
    assert outcomes(inlined, "a.smt2", text) == {"inline form": ["(assert (= 2 (+ 1 1)))\n"]}


def test_a_call_becomes_what_the_function_does() -> None:
    text = "void h(int q) { a[q]; a[0]; } void g(void) { h(1); }"
    assert outcomes(inlined, "a.c", text) == {
        "inline body of function_definition": ["void g(void) { a[1]; a[0]; }"]
    }
    text = "class A { void f(int a) { b(a); c(); } void g() { f(1); } }"
    assert outcomes(inlined, "a.java", text) == {
        "inline body of method_declaration": ["class A { void g() { b(1); c(); } }"]
    }


def test_a_function_that_is_not_only_called_stays() -> None:
    text = "int f(int x) { return x; } int g() { return h(f); }"
    assert outcomes(inlined, "a.c", text) == {}
    text = "int f(int x) { return x; } int g() { return f(1, 2); }"
    assert outcomes(inlined, "a.c", text) == {}


def test_what_gets_longer_stays() -> None:
    assert outcomes(inlined, "a.py", "x = abc + defg\nprint(x, x, x)\n") == {}


def test_what_is_used_in_another_definition_has_its_turn_later() -> None:
    text = "class A { int f() { int y = 2; g(); return y; } void h() { f(); } }"
    assert outcomes(inlined, "a.java", text) == {
        "inline body of method_declaration": ["class A { void h() { int y = 2; g(); return y; } }"],
        "inline variable_declarator in turn": [
            "class A { int f() { g(); return 2; } void h() { f(); } }"
        ],
    }
