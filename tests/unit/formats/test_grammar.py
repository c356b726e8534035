"""Trees out of grammars."""

from importlib.util import find_spec

import pytest
import tree_sitter

from trees import assert_is_tree, shape
from wynot.core.texts.tree import FLAW
from wynot.formats import grammar
from wynot.formats.grammar import GrammarMissing
from wynot.formats.language import Language
from wynot.formats.language_table import BY_NAME

C = BY_NAME["c"]
STUCK = b"\"\"(<N={1''}>(m=(d}"
"""A text on which the grammar of TSX does not come to an end."""


def test_a_node_has_its_kind_its_field_and_its_place() -> None:
    content = b" \n int x = 1;\n"
    tree = grammar.parse(C, content)
    found = [
        (tree.kind(node), tree.field(node), tree.is_named(node), tree.text(node, content))
        for node in range(1, len(tree))
    ]
    assert found == [
        ("declaration", "", True, b"int x = 1;"),
        ("primitive_type", "type", True, b"int"),
        ("init_declarator", "declarator", True, b"x = 1"),
        ("identifier", "declarator", True, b"x"),
        ("=", "", False, b"="),
        ("number_literal", "value", True, b"1"),
        (";", "", False, b";"),
    ]
    assert (tree.starts[0], tree.stops[0]) == (0, len(content))


def test_what_is_wrong_or_missing_is_a_flaw() -> None:
    content = b"int f() { return 1 } @"
    tree = grammar.parse(C, content)
    flawed = [tree.kind(node) for node in range(len(tree)) if tree.flags[node] & FLAW]
    assert flawed == [";", "ERROR", "ERROR"]
    assert grammar.syntax_errors(C, content) == tree.syntax_errors == 3


def test_text_that_a_grammar_leaves_out_is_a_token() -> None:
    content = b"int a = 1 \\\n + 2;"
    tree = grammar.parse(C, content)
    assert_is_tree(tree, content)
    assert shape(tree, content) == (
        "translation_unit(declaration(int init_declarator(a = binary_expression(1 \\ + 2)) ;))"
    )


def test_a_small_node_with_text_of_its_own_is_one_token() -> None:
    content = b'a = "x\\ny"\n'
    tree = grammar.parse(BY_NAME["toml"], content)
    assert shape(tree, content) == 'document(pair(a = "x\\ny"))'


def test_a_string_with_code_inside_keeps_the_code() -> None:
    content = b'val a = s"costs $b and ${c + 1}!"'
    tree = grammar.parse(BY_NAME["scala"], content)
    assert_is_tree(tree, content)
    kinds = {tree.kind(node) for node in range(len(tree))}
    assert {"interpolation", "infix_expression", ""} <= kinds


def test_the_inside_of_small_nodes_can_be_left_out() -> None:
    content = b"int main() { return f(1, 2, 3); }"
    tree = grammar.parse(C, content, 10)
    assert shape(tree, content) == (
        "translation_unit(function_definition(int main() compound_statement({"
        " return_statement(return call_expression(f (1, 2, 3)) ;) })))"
    )


@pytest.mark.slow
def test_a_parse_that_does_not_end_is_given_up() -> None:
    tsx = BY_NAME["tsx"]
    tree = grammar.parse(tsx, STUCK)
    assert_is_tree(tree, STUCK)
    assert (len(tree), tree.syntax_errors) == (1, 1)
    assert grammar.syntax_errors(tsx, STUCK) == 1
    assert grammar.syntax_errors(tsx, b"let a = 1;") == 0  # and the parser can be used again


@pytest.mark.parametrize(
    ("language", "why"),
    [
        (Language(name="x"), "none is known"),
        (Language(name="x", grammar="tree_sitter_perl"), "never ends"),
        (Language(name="x", grammar="no_such_module", package="no-such"), "pip install no-such"),
        (Language(name="x", grammar="tree_sitter_c", function="no_such"), "no_such"),
        (Language(name="x", grammar="json", function="dumps"), "missing"),
        (Language(name="x", grammar="os", function="getcwd"), "int"),
    ],
    ids=["none", "denied", "module", "function", "call", "value"],
)
def test_a_grammar_that_is_not_there_is_told_in_one_way(language: Language, why: str) -> None:
    for ask in (grammar.load, lambda each: grammar.parse(each, b"a")):
        with pytest.raises(GrammarMissing, match=why) as raised:
            ask(language)
        assert raised.value.language is language
        assert why in raised.value.why


@pytest.mark.skipif(find_spec("tree_sitter_language_pack") is not None, reason="it is there")
def test_a_language_of_the_pack_says_what_to_install() -> None:
    with pytest.raises(GrammarMissing, match=r"pip install tree-sitter-language-pack==0\.13\.0"):
        grammar.syntax_errors(BY_NAME["r"], b"x <- 1")


class Stalled:
    """A parser whose process is stopped for longer than it may take, a few times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self._parser = tree_sitter.Parser(grammar.load(C))

    def parse(self, content: bytes) -> tree_sitter.Tree:
        self.times -= 1
        if self.times >= 0:
            raise ValueError("Parsing failed")
        return self._parser.parse(content)

    def reset(self) -> None:
        self._parser.reset()


@pytest.mark.parametrize(("times", "errors"), [(3, 0), (1000, 1)])
def test_a_machine_that_stalls_makes_no_text_wrong(
    times: int, errors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stalled = Stalled(times)
    for name in ("_usual_parser", "_parser"):
        monkeypatch.setattr(grammar, name, lambda *_: stalled)
    assert grammar.syntax_errors(C, b"int x = %d;" % times) == errors
