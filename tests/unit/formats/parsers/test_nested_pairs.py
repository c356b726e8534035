"""Brackets and tags as nodes, also those never closed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import assert_is_tree, shape
from wynot.core.texts.chains import height
from wynot.formats.language_table import BY_NAME
from wynot.formats.parsers import nested_pairs
from wynot.formats.source import MAX_TAG_LEVELS, MIN_DEPTH, is_beyond_grammar, tree_up_to

MUCH = 1 << 30


def test_what_is_never_closed_goes_on_to_the_end_of_what_it_is_in() -> None:
    content = b'{"a": [1, (2 } x'
    tree = nested_pairs.parse(content)
    assert_is_tree(tree, content)
    assert shape(tree, content) == 'document({({ "a" : [([ 1 , ((( 2)) }) x)'


def test_brackets_in_strings_are_none() -> None:
    tree = nested_pairs.parse(b'("(((" [)')
    assert height(tree.parents) == 4


def test_what_closes_nothing_is_a_flaw() -> None:
    tree = nested_pairs.parse(b"a ] b")
    assert tree.syntax_errors == 1


def test_tags_are_closed_by_their_names() -> None:
    content = b'<?xml?><a x="<b>"><br><c/>hi there</a><!-- <d> -->'
    tree = nested_pairs.parse(content, tags=True)
    assert_is_tree(tree, content)
    assert shape(tree, content) == (
        'document(<?xml?> element(<a x="<b>"> element(<br> <c/> hi there) </a>) <!-- <d> -->)'
    )


@pytest.mark.parametrize(
    ("name", "link"),
    [("json", b'{"a":'), ("json", b"["), ("c", b"{"), ("lisp", b"(a "), ("xml", b"<a>")],
)
def test_a_nest_that_a_grammar_gives_up_on_is_seen_all_the_same(name: str, link: bytes) -> None:
    content = link * 2000
    tree = tree_up_to(BY_NAME[name], content, MUCH)
    assert tree is not None
    assert_is_tree(tree, content)
    assert height(tree.parents) >= 2000


@pytest.mark.parametrize("name", ["xml", "html"])
def test_no_grammar_is_asked_about_very_deep_tags(name: str) -> None:
    content = b"<a>" * (MAX_TAG_LEVELS + 1) + b"</a>" * (MAX_TAG_LEVELS + 1)
    assert is_beyond_grammar(BY_NAME[name], content)
    tree = tree_up_to(BY_NAME[name], content, MUCH)
    assert tree is not None
    assert not tree.syntax_errors
    assert height(tree.parents) == MAX_TAG_LEVELS + 3
    assert not is_beyond_grammar(BY_NAME[name], content[3:])
    assert not is_beyond_grammar(BY_NAME["json"], content)


def test_a_scanner_that_takes_quadratic_time_gets_no_long_text() -> None:
    content = b"<p>{" + b"l" * 60_000
    tree = tree_up_to(BY_NAME["svelte"], content, MUCH)
    assert tree is not None
    assert "element" in tree.names
    assert not is_beyond_grammar(BY_NAME["svelte"], content[:8000])


def test_a_flaw_in_a_text_that_is_not_deep_changes_nothing() -> None:
    content = b"[" * (MIN_DEPTH - 1)
    tree = tree_up_to(BY_NAME["json"], content, MUCH)
    assert tree is not None
    assert "ERROR" in tree.names


@given(st.text(alphabet="()[]{}<>/\"'a b\n!-?=", max_size=200), st.booleans())
def test_any_text_has_a_tree(text: str, tags: bool) -> None:
    content = text.encode()
    tree = nested_pairs.parse(content, tags=tags)
    assert_is_tree(tree, content)
    assert height(tree.parents) >= 1
    nested_pairs.depth(content, tags=tags)


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_have_a_tree(content: bytes, tags: bool) -> None:
    tree = nested_pairs.parse(content, tags=tags)
    assert (tree.starts[0], tree.stops[0]) == (0, len(content))
