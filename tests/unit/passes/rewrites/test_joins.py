from forests import outcomes
from wynot.passes.rewrites.joins import joined


def test_two_with_the_same_head_have_one_body() -> None:
    text = "impl A<'_> { const B: u8 = 0; }\nimpl A<'_> { fn f() {} }\nimpl C {}\n"
    assert outcomes(joined, "a.rs", text) == {
        "join impl_item": ["impl A<'_> { const B: u8 = 0;  fn f() {} }\nimpl C {}\n"]
    }
    assert outcomes(joined, "a.cpp", "namespace n { int a; } namespace n { int b; }") == {
        "join namespace_definition": ["namespace n { int a;  int b; }"]
    }


def test_two_of_one_type_are_declared_together() -> None:
    assert outcomes(joined, "a.c", "int a; int *b = 0; char c;") == {
        "join declaration": ["int a,*b = 0; char c;"]
    }
    assert outcomes(joined, "a.java", "class A { int a; int b; static int c; }") == {
        "join field_declaration": ["class A { int a,b; static int c; }"]
    }
    assert outcomes(joined, "a.js", "let x = 1; let y = 2; var z = 3;") == {
        "join lexical_declaration": ["let x = 1,y = 2; var z = 3;"]
    }


def test_what_is_not_alike_or_has_no_brackets_is_not_joined() -> None:
    assert outcomes(joined, "a.py", "if a:\n  b\nif a:\n  c\n") == {}
    assert outcomes(joined, "a.rs", "impl A {} impl B {}") == {}
