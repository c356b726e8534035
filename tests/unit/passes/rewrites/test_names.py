from forests import outcomes
from wynot.passes.rewrites.names import bare, constant, merged


def test_an_array_becomes_a_variable_wherever_it_is_named() -> None:
    assert outcomes(bare, "a.c", "int b[3]; void f() { b[1]; b[2][3].a; }") == {
        "without [] behind a name": ["int b; void f() { b; b.a; }"]
    }
    assert outcomes(bare, "a.py", "x[0] = 1\nprint(x[0])\n") == {
        "without [] behind a name": ["x = 1\nprint(x)\n"]
    }


def test_a_pointer_becomes_what_it_points_to() -> None:
    assert outcomes(bare, "a.c", "int *p; void f() { *p; p->a; return*p; }") == {
        "without * before a name": ["int p; void f() { p; p.a; return p; }"]
    }


def test_a_type_loses_its_parameters() -> None:
    text = "struct S<'a>(&'a u8); impl<'b> S<'b> { fn f(x: S<'_>) {} }"
    assert outcomes(bare, "a.rs", text) == {
        "without <> behind a name": ["struct S(&'a u8); impl<'b> S { fn f(x: S) {} }"]
    }
    assert outcomes(bare, "a.java", "class A<T> { A<T> x; }") == {
        "without <> behind a name": ["class A { A x; }"]
    }
    assert outcomes(bare, "a.go", "package p\ntype T[A any] struct {}\nvar x T[int]\n") == {
        "without [] behind a name": ["package p\ntype T struct {}\nvar x T\n"]
    }


def test_what_is_bare_at_all_mentions_but_one_is_left_to_others() -> None:
    assert outcomes(bare, "a.c", "int b[3]; int *c = b;") == {}


def test_names_that_are_declared_alike_become_one() -> None:
    assert outcomes(merged, "a.c", "int a; char b; void f() { a; b; }") == {
        "merge names": ["char b; void f() { b; b; }", "int a; void f() { a; a; }"]
    }
    text = "(declare-const a Int)\n(declare-const b Int)\n(assert (= a b))\n"
    assert outcomes(merged, "a.smt2", text) == {
        "merge names": [
            "(declare-const b Int)\n(assert (= b b))\n",
            "(declare-const a Int)\n(assert (= a a))\n",
        ]
    }


def test_a_type_takes_over_what_the_other_one_is_applied_to() -> None:
    text = "struct A<'a>(&'a u8); struct C; impl A<'_> {} impl C {}"
    found = outcomes(merged, "a.rs", text)
    assert found["merge names, with types"] == ["struct A<'a>(&'a u8); impl A<'_> {} impl A<'_> {}"]


def test_many_names_are_not_merged() -> None:
    text = "".join(f"int x{number}; int y{number} = x{number};" for number in range(9))
    assert outcomes(merged, "a.c", text) == {}


def test_a_variable_becomes_0() -> None:
    assert outcomes(constant, "a.c", "void f() { int i; int j; b[i].a = j; }") == {
        "name to 0": ["void f() { int j; b[0].a = j; }", "void f() { int i; b[i].a = 0; }"]
    }
    assert outcomes(constant, "a.js", "let i, j; print(i + j)") == {
        "name to 0": ["let j; print(0 + j)", "let i; print(i + 0)"]
    }
    assert outcomes(constant, "a.smt2", "(declare-const a Int)\n(assert (= a 1))\n") == {
        "name to 0": ["(assert (= 0 1))\n"]
    }


def test_what_is_called_or_set_or_a_type_does_not_become_0() -> None:
    assert outcomes(constant, "a.c", "struct A { int a; }; struct A b;") == {}
    assert outcomes(constant, "a.c", "void f() { int i; i = 3; }") == {}
    assert outcomes(constant, "a.c", "int f(void); int g() { return f(); }") == {}
