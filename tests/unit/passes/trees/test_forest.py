"""Trees of several texts as one, each node a run of tokens."""

import tracemalloc

import pytest

from counting import steps
from forests import forest_of
from wynot.core.deltas import NONE, Deltas
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId

C = "int f(void) { return g(1); }\n"


def node_of(forest: Forest, kind: str, place: int = 0) -> NodeId:
    """Return a node of this kind."""
    return [n for n in forest.nodes if forest.kind(n) == kind][place]


@pytest.fixture
def forest() -> Forest:
    return forest_of({"a.c": C, "b.json": '{"k": [1]}'})


def test_tokens_are_numbered_through_all_texts(forest: Forest) -> None:
    words = [word.decode() for word in forest.words]
    assert " ".join(words) == 'int f ( void ) { return g ( 1 ) ; } { "k" : [ 1 ] }'
    assert [forest.word(token).decode() for token, _ in forest.token_leaves] == words
    assert forest.texts == [(0, "a.c"), (13, "b.json")]
    assert [forest.names[forest.kinds[leaf]] for leaf in list(forest.leaves)[:3]] == [
        *("primitive_type", "identifier", "("),
    ]


def test_the_root_holds_everything(forest: Forest) -> None:
    assert (forest.firsts[ROOT_NODE], forest.ends[ROOT_NODE]) == (0, 20)
    assert forest.subtree_ends[ROOT_NODE] == len(forest.kinds)
    assert [forest.kind(child) for child in forest.children(ROOT_NODE)] == [
        *("translation_unit", "document"),
    ]
    assert forest.weight(ROOT_NODE) == sum(map(len, forest.words))


def test_nodes_nest_and_are_runs_of_tokens(forest: Forest) -> None:
    for node in forest.nodes:
        above = forest.parents[node]
        assert above < node < forest.subtree_ends[node] <= forest.subtree_ends[above]
        assert forest.firsts[above] <= forest.firsts[node]
        assert forest.firsts[node] <= forest.ends[node] <= forest.ends[above]
        assert forest.weight(node) == sum(
            len(forest.word(token)) for token in forest.tokens_of(node)
        )


def test_a_node_knows_its_text_its_language_and_what_it_is(forest: Forest) -> None:
    call, array = node_of(forest, "call_expression"), node_of(forest, "array")
    assert forest.text(call) == b"g(1)"
    assert forest.span(call) == ("a.c", 21, 25)
    assert forest.span(array) == ("b.json", 6, 9)
    assert (forest.language(call).name, forest.language(array).name) == ("c", "json")
    assert forest.field_of(node_of(forest, "compound_statement")) == "body"
    assert forest.is_named(call)
    assert not forest.is_named(node_of(forest, "("))


def test_what_is_kept_of_a_node(forest: Forest) -> None:
    call = node_of(forest, "call_expression")
    kept = Deltas.of({*range(20)} - {8, 9})
    assert forest.left(kept, call) == 2
    assert forest.kept_between(kept, forest.firsts[call], forest.ends[call]) == Deltas.of([7, 10])
    assert forest.left(NONE, call) == 0


def test_nodes_without_tokens_are_no_children() -> None:
    forest = forest_of({"a.py": "\n\nx\n"})
    assert [forest.text(child) for child in forest.children(ROOT_NODE)] == [b"x"]
    empty = forest_of({"a.py": "\n"})
    assert list(empty.children(ROOT_NODE)) == []
    assert not empty.has_tokens(ROOT_NODE)
    assert list(empty.leaves) == []


def test_the_innermost_node_is_the_lowest_with_the_same_tokens() -> None:
    forest = forest_of({"a.c": "x;"})
    statement = node_of(forest, "expression_statement")
    assert forest.innermost(ROOT_NODE) == statement
    name = forest_of({"a.py": "x"})
    assert name.kind(name.innermost(ROOT_NODE)) == "identifier"


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        # A string with nothing but text in it is one token, quotes and all.
        ("a.json", '["a b", ""]', ["[", '"a b"', ",", '""', "]"]),
        ("a.c", 'f("a b");', ["f", "(", '"a b"', ")", ";"]),
        ("a.py", "f('a')", ["f", "(", "'a'", ")"]),
        # One with more in it is not.
        ("a.py", "f'a{x}'", ["f'", "a", "{", "x", "}", "'"]),
        ("a.c", r'f("a\n");', ["f", "(", '"', "a", r"\n", '"', ")", ";"]),
    ],
)
def test_plain_strings_are_one_token(path: str, text: str, words: list[str]) -> None:
    assert [word.decode() for word in forest_of({path: text}).words] == words


def test_kinds_of_all_texts_are_told_apart_by_name() -> None:
    both = forest_of({"a.c": C, "b.c": C})
    assert len(set(both.names)) == len(both.names)
    one, two = (node_of(both, "call_expression", place) for place in (0, 1))
    assert both.kinds[one] == both.kinds[two]
    assert both.span(two)[0] == "b.c"


def test_looking_up_children_keeps_less_memory_than_the_forest() -> None:
    forest = forest_of({"a.json": "[" + ",".join(['{"k": {"v": [1]}}'] * 300) + "]"})
    tracemalloc.start()
    try:
        found = sum(forest.child(node, "key") != ROOT_NODE for node in forest.nodes)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == 600
    assert kept < 10 * len(forest.nodes)


def test_child_of_a_large_node_is_looked_up_once() -> None:
    forest = forest_of({"a.c": f"int f(int a) {{ {'g(1); ' * 200} }}"})
    function = node_of(forest, "function_definition")
    body = forest.child(function, "body")
    assert forest.kind(body) == "compound_statement"
    assert steps(lambda: forest.child(body, "type")) > 10 * steps(lambda: forest.child(body, "x"))
