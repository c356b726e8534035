"""Chains of a tree, and trees in which they are folded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import SAMPLES, assert_is_tree, shape
from wynot.core.texts.chains import LINKS_KIND, MIN_LEVELS, NodeColumns, chains_in, folded, height
from wynot.core.texts.tree import Tree
from wynot.formats.detect import tree_of
from wynot.formats.language_table import BY_NAME


def parsed(name: str, text: str) -> tuple[Tree, bytes]:
    content = text.encode()
    return tree_of(BY_NAME[name], content), content


def chains(name: str, text: str, least: int = MIN_LEVELS) -> list[list[str]]:
    tree, content = parsed(name, text)
    return [
        [tree.text(node, content).decode() for node in chain]
        for chain in chains_in(NodeColumns.of(tree), least)
    ]


def test_levels_of_one_kind_are_a_chain() -> None:
    assert chains("json", "[[[1]]]", 3) == [["[[[1]]]", "[[1]]", "[1]"]]
    assert chains("json", "[[[1]]]", 4) == []


def test_what_is_between_two_levels_belongs_to_the_outer_one() -> None:
    (found,) = chains("json", '[{"a":[{"b":[0]}]}]', 3)
    assert found == ['[{"a":[{"b":[0]}]}]', '[{"b":[0]}]', "[0]"]


@pytest.mark.parametrize(
    ("language", "text", "innermost"),
    [
        ("python", "x = 1 + 2 + 3 + 4", "1 + 2"),
        ("python", "f(f(f(f(x))))", "f(x)"),
        ("python", "----x", "-x"),
        ("javascript", "a.b().c().d()", "a.b()"),
        ("c", "int x = (((1)));", "(1)"),
        ("c", "void f(){if(a)b();else if(c)d();else if(e)g();}", "if(e)g();"),
        ("lisp", "(a (b (c d)))", "(c d)"),
        ("regex", "(((a)))", "a"),
        ("yaml", "[[[0]]]", "0"),
        ("html", "<div><div>a</div></div>", "<div>a</div>"),
        ("sql", "select ((((1))));", "(1)"),
    ],
)
def test_any_language_has_chains(language: str, text: str, innermost: str) -> None:
    found = chains(language, text, 2)
    assert innermost in [chain[-1] for chain in found]


def test_each_of_two_nests_is_a_chain() -> None:
    found = chains("json", "[[[[1]]], 0, [[2]]]", 2)
    assert [chain[0] for chain in found] == ["[[[[1]]], 0, [[2]]]", "[[2]]"]


@pytest.mark.parametrize("levels", [1000, 100_000])
def test_a_hundred_thousand_levels_are_no_deeper_than_a_stack(levels: int) -> None:
    tree, content = parsed("json", "[" * levels + "]" * levels)
    assert height(tree.parents) == levels + 2
    assert [len(chain) for chain in chains_in(NodeColumns.of(tree))] == [levels]
    assert len(folded(tree, content).tree) == 12


def test_alike_links_but_for_the_ends_are_one_token() -> None:
    tree, content = parsed("json", '{"a":' * 40 + "1" + "}" * 40)
    found = folded(tree, content)
    assert_is_tree(found.tree, content)
    middle, end = '{"a":' * 37, "}" * 37
    assert shape(found.tree, content) == (
        'document(object({ pair(string(" a ") : '
        f'{middle} object({{ pair(string(" a ") : object({{ pair(string(" a ") : 1) }})) }}) {end}'
        ") }))"
    )
    (stretch,) = found.stretches
    assert (stretch.before.start, stretch.before.stop) == (0, 5)
    assert list(stretch.before.others) == [5 * each for each in range(1, 39)]
    assert content[stretch.behind.start : stretch.behind.stop] == b"}"


def test_links_that_say_something_else_are_not_folded() -> None:
    text = "".join(f'{{"{each}":' for each in range(60)) + "1" + "}" * 60
    tree, content = parsed("json", text)
    assert folded(tree, content).tree is tree


@pytest.mark.parametrize("name", SAMPLES)
def test_ordinary_texts_stay_as_they_are(name: str) -> None:
    content = SAMPLES[name].read_bytes()
    language = BY_NAME.get(name)
    if language is None:
        pytest.skip("no language")
    tree = tree_of(language, content)
    assert folded(tree, content).tree is tree


links = st.sampled_from(["[", '{"a":', "[0,", '{"b":1,"a":', "[ "])


@given(st.lists(st.tuples(links, st.integers(1, 80)), max_size=4), st.sampled_from(["", "1", "]"]))
def test_what_is_folded_is_a_tree_of_the_same_text(runs: list[tuple[str, int]], core: str) -> None:
    opened = [link for link, count in runs for _ in range(count)]
    closed = "".join("]" if link.startswith("[") else "}" for link in reversed(opened))
    tree, content = parsed("json", "".join(opened) + core + closed)
    found = folded(tree, content)
    assert_is_tree(found.tree, content)
    assert (LINKS_KIND in found.tree.names) == bool(found.stretches)
