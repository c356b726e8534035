"""Every name gets one letter."""

from itertools import islice

import pytest

from forests import forest_of
from wynot.core.texts.rewrites import rewritten
from wynot.passes.rewrites.shorten import fresh, renames


def renamed(path: str, text: str) -> str:
    """Return a text with every name renamed."""
    forest = forest_of({path: text})
    patches = [patch for rewrite in renames(forest) for patch in rewrite.patches]
    return rewritten(forest.contents[path], patches).decode()


@pytest.mark.parametrize(
    ("path", "text", "left"),
    [
        # In the order of first mention; what is one letter already stays, and is not given again.
        ("a.c", "int value, a; int get() { return value; }", "int b, a; int c() { return b; }"),
        # Upper case stays upper case.
        ("a.c", "int Value, MAX, low;", "int A, B, a;"),
        ("a.py", "class Thing:\n    other = Thing\n", "class A:\n    a = A\n"),
        ("a.js", "let value = value2 + $value3;", "let a = b + $c;"),
        ("a.go", "package main\nvar total = total2\n", "package a\nvar b = c\n"),
        ("a.rs", "fn long<'life>(x: &'life str) {}", "fn a<'b>(x: &'b str) {}"),
        ("a.php", "<?php $value = 1; echo $value;", "<?php $a = 1; echo $a;"),
        ("a.sql", "SELECT col FROM tab WHERE tab.col = 1;", "SELECT a FROM b WHERE b.a = 1;"),
        ("a.smt2", "(declare-const xx Int)(assert (= xx 1))", "(a b A)(c (= b 1))"),
        # Words of the language are none.
        ("a.py", "while True: pass", "while True: pass"),
        # In data, strings that are values stand for names; keys do not.
        (
            "a.json",
            '{"key": "value", "list": ["value", "Other", "x", 1, ""]}',
            '{"key": "a", "list": ["a", "A", "x", 1, ""]}',
        ),
        ("a.yaml", "key: value\n", "key: value\n"),
    ],
)
def test_names_are_as_short_as_can_be(path: str, text: str, left: str) -> None:
    assert renamed(path, text) == left


def test_each_name_is_a_rewrite_of_all_its_places() -> None:
    forest = forest_of({"a.c": "int value;", "b.c": "int f() { return value + value; }"})
    found = list(renames(forest))
    assert [rewrite.category for rewrite in found] == ["rename"]
    (value,) = found
    assert [patch.path for patch in value.patches] == ["a.c", "b.c", "b.c"]
    assert {patch.instead for patch in value.patches} == {b"a"}
    assert value.gain == 3 * 4


def test_when_letters_run_out_there_are_two() -> None:
    names = [f"name{number}" for number in range(30)]
    text = renamed("a.py", "\n".join(names))
    assert text.split() == [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab", "ac", "ad"]


def test_a_name_that_would_get_no_shorter_stays() -> None:
    # All letters are taken, and `xx` is as short as what it would be called.
    letters = "\n".join("abcdefghijklmnopqrstuvwxyz")
    assert renamed("a.py", f"{letters}\nxx") == f"{letters}\nxx"


def test_words_in_the_order_of_their_length() -> None:
    assert list(islice(fresh("ab"), 8)) == [b"a", b"b", b"aa", b"ab", b"ba", b"bb", b"aaa", b"aab"]
