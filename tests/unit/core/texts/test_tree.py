"""A tree, made node by node."""

import pytest

from trees import assert_is_tree, shape
from wynot.core.texts.tree import FLAW, NAMED, TOKEN, Tree

TEXT = b"f(x, 1)"


@pytest.fixture
def tree() -> Tree:
    made = Tree()
    root = made.open("program", 0, 0)
    call = made.open("call", 0, root)
    made.leaf("name", 0, 1, call, field="function")
    arguments = made.open("arguments", 1, call, field="arguments")
    made.leaf("(", 1, 2, arguments, named=False)
    made.leaf("name", 2, 3, arguments)
    made.leaf(",", 3, 4, arguments, named=False)
    made.leaf("number", 5, 6, arguments)
    made.leaf(")", 6, 7, arguments, named=False)
    made.close(arguments, 7)
    made.close(call, 7)
    made.close(root, 7)
    return made


def test_nodes_are_numbered_as_they_begin(tree: Tree) -> None:
    assert_is_tree(tree, TEXT)
    assert shape(tree, TEXT) == "program(call(f arguments(( x , 1 ))))"
    assert len(tree) == 9
    assert list(tree.parents) == [0, 0, 1, 1, 3, 3, 3, 3, 3]
    assert list(tree.subtree_ends) == [9, 9, 3, 9, 5, 6, 7, 8, 9]


def test_children_are_those_one_level_below(tree: Tree) -> None:
    assert list(tree.children(0)) == [1]
    assert list(tree.children(1)) == [2, 3]
    assert list(tree.children(3)) == [4, 5, 6, 7, 8]
    assert list(tree.children(8)) == []


def test_what_is_known_of_a_node(tree: Tree) -> None:
    assert [tree.kind(node) for node in (0, 2, 4)] == ["program", "name", "("]
    assert [tree.field(node) for node in (1, 2, 3)] == ["", "function", "arguments"]
    assert [bool(tree.flags[node] & TOKEN) for node in (1, 2, 4)] == [False, True, True]
    assert [tree.is_named(node) for node in (1, 2, 4)] == [True, True, False]
    assert tree.text(3, TEXT) == b"(x, 1)"
    assert tree.flags[2] == TOKEN | NAMED


def test_kinds_and_fields_are_each_written_down_once(tree: Tree) -> None:
    assert tree.names[0] == ""
    assert len(set(tree.names)) == len(tree.names)
    assert tree.kinds[2] == tree.kinds[5]


def test_tokens_are_nodes_without_children_that_are_not_empty() -> None:
    tree = Tree()
    root = tree.open("program", 0, 0)
    tree.leaf("missing", 0, 0, root)
    tree.leaf("a", 0, 1, root)
    empty = tree.open("list", 1, root)
    tree.close(empty, 1)
    tree.close(root, 1)
    assert tree.flags[1] & TOKEN
    assert tree.flags[empty] & TOKEN
    assert list(tree.tokens) == [2]


def test_flaws_are_counted(tree: Tree) -> None:
    assert tree.syntax_errors == 0
    tree.mark_flaw(3)
    tree.mark_flaw(5)
    tree.mark_flaw(5)
    assert tree.syntax_errors == 2
    assert tree.flags[5] == TOKEN | NAMED | FLAW


def test_a_tree_may_be_a_single_token() -> None:
    tree = Tree()
    tree.leaf("program", 0, 1, 0)
    assert_is_tree(tree, b"x")
    assert list(tree.tokens) == [0]
    assert list(tree.children(0)) == []
