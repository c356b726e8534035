from forests import outcomes
from wynot.passes.rewrites.types import like_another, words


def test_a_word_goes_wherever_it_is() -> None:
    assert outcomes(words, "a.c", "static const int x; static int f(const char *p) {}") == {
        "without static": ["const int x; int f(const char *p) {}"],
        "without const": ["static int x; static int f(char *p) {}"],
    }
    assert outcomes(words, "a.java", "public class A { public final int x; }") == {
        "without public": ["class A { final int x; }"],
        "without final": ["public class A { public int x; }"],
    }
    assert outcomes(words, "a.rs", "pub fn f(x: &mut u8) { let mut y = x; }") == {
        "without pub": ["fn f(x: &mut u8) { let mut y = x; }"],
        "without mut": ["pub fn f(x: &u8) { let y = x; }"],
    }
    assert outcomes(words, "a.py", "async def f(): pass\n") == {
        "without async": ["def f(): pass\n"]
    }


def test_a_name_is_no_such_word() -> None:
    assert outcomes(words, "a.py", "static = 1\n") == {}


def test_all_of_a_type_become_the_shortest_one() -> None:
    assert outcomes(like_another, "a.c", "struct S { T a; } s; int b; int c; T d;") == {
        "type like another": [
            "T s; int b; int c; T d;",
            "struct S { T a; } s; T b; T c; T d;",
        ]
    }
    assert outcomes(like_another, "a.rs", "fn f(x: Vec<u8>, y: T) -> u8 { g() }") == {
        "type like another": ["fn f(x: T, y: T) -> u8 { g() }"]
    }
    assert outcomes(like_another, "a.go", "package p\nvar a []int\nvar b E\n") == {
        "type like another": ["package p\nvar a E\nvar b E\n"]
    }
