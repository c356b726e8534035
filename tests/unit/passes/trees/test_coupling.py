"""What needs a node, and what only a node needs."""

import json
from collections.abc import Callable

import pytest

from forests import forest_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.passes.trees.coupling import Coupling
from wynot.passes.trees.forest import NodeId
from wynot.passes.trees.tokens import TokensCase


class Coupled:
    """Texts, and what is left of them without some node and what hangs together with it."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.forest = forest_of(texts)
        self.uses = Coupling(self.forest)
        self.case = TokensCase(Files(dict(self.forest.contents)), self.forest.tokens)
        self.kept = self.case.deltas

    def node(self, text: str) -> NodeId:
        """Return the largest node that is this text."""
        there = filter(self.forest.has_tokens, self.forest.nodes)
        return next(node for node in there if self.forest.text(node) == text.encode())

    def _left(self, gone: Deltas) -> str | None:
        """Return what is left; None: nothing would go."""
        if not gone:
            return None
        files = self.case.render(Candidate(self.kept, Edit.drop(gone), ""))
        return "\0".join(content.decode() for content in files.contents.values())

    def without(self, *texts: str, nearest: bool = False) -> str | None:
        """Return what is left without these and all that needs them."""
        nodes = tuple(map(self.node, texts))
        return self._left(self.uses.with_dependents(nodes, self.kept, nearest=nearest))

    def with_orphans(self, *texts: str) -> str | None:
        """Return what is left without these and what only they need."""
        return self._left(self.uses.with_orphans(tuple(map(self.node, texts)), self.kept))


C = "int a;\nint f(void) { return a; }\nint main(void) { f(); g(); }\n"


def test_a_declaration_goes_with_the_statements_that_mention_it() -> None:
    coupled = Coupled({"a.c": C})
    assert coupled.without("int a;") == "int f(void) { }\nint main(void) { f(); g(); }\n"
    # And with `a`, which nobody needs any more then.
    assert coupled.without("int f(void) { return a; }") == "int main(void) { g(); }\n"
    other = Coupled({"a.c": C + "int h = a;\n"})
    left = "int a;\nint main(void) { g(); }\nint h = a;\n"
    assert other.without("int f(void) { return a; }") == left


def test_what_needs_that_goes_in_turn() -> None:
    text = "a = 1\nb = a\nc = b\nprint(c)\nd = 2\n"
    assert Coupled({"a.py": text}).without("a = 1") == "d = 2\n"
    more = Coupled({"a.py": text + "other(b)\n"})
    assert more.without("c = b") == "a = 1\nb = a\nd = 2\nother(b)\n"


def test_a_name_that_nobody_gives_is_that_of_its_first_mention() -> None:
    text = "a = 1\nprint(a)\nprint(2)\nc = 3\n"
    assert Coupled({"a.py": text}).without("print(a)") == "c = 3\n"


def test_what_nothing_needs_has_no_uses() -> None:
    coupled = Coupled({"a.c": C})
    assert coupled.without("int main(void) { f(); g(); }") is None
    assert coupled.without("g();") is None


def test_what_holds_the_node_itself_does_not_go() -> None:
    # `x` is used by the statement that it is in.
    assert Coupled({"a.py": "def f(x):\n    return x\n"}).without("def f(x):\n    return x") is None
    recursive = "def f(n):\n    return f(n)\ng()\n"
    assert Coupled({"a.py": recursive}).without("def f(n):\n    return f(n)") is None


def test_what_has_gone_needs_nothing() -> None:
    coupled = Coupled({"a.c": C})
    inner = coupled.node("return a;")
    first, last = coupled.forest.firsts[inner], coupled.forest.ends[inner]
    coupled.kept = coupled.kept.toggle(Deltas((first, last)))
    assert coupled.without("int a;") is None


def test_several_nodes_at_once() -> None:
    text = "a = 1\nb = 2\nc = a + b\nd = b\ne = 3\n"
    assert Coupled({"a.py": text}).without("a = 1", "b = 2") == "e = 3\n"


@pytest.mark.parametrize(
    ("path", "text", "given", "left"),
    [
        (
            "a.rs",
            "struct S;\nfn f(s: S) { s; }\nfn g() { f(S); h(); }\n",
            "struct S;",
            "fn g() { h(); }\n",
        ),
        ("a.js", "let a = 1;\nb(a);\nc();\n", "let a = 1;", "c();\n"),
        ("a.py", "import os, re\nos.getcwd()\nre.sub()\n", "import os, re", ""),
        ("a.go", "package p\nvar a = 1\nvar b = a\n", "var a = 1", "package p\n"),
        ("a.dot", "digraph { a; b; a -> b; b -> c; }", "a;", "digraph { b; b -> c; }"),
    ],
)
def test_in_other_languages(path: str, text: str, given: str, left: str) -> None:
    assert Coupled({path: text}).without(given) == left


def test_in_nested_lists_the_whole_form_goes() -> None:
    text = "(declare-const x Int)\n(assert (and (= x 1) true))\n(check-sat)\n"
    coupled = Coupled({"a.smt2": text})
    assert coupled.without("(declare-const x Int)") == "(check-sat)\n"
    nearest = coupled.without("(declare-const x Int)", nearest=True)
    assert nearest == "(assert (and true))\n(check-sat)\n"


DATA = {
    "nodes": [{"id": "x", "v": 1}, {"id": "y"}, {"id": "z"}],
    "edges": [{"from": "x", "to": "y"}, {"from": "y", "to": "z"}],
}


@pytest.mark.parametrize(
    ("entry", "nodes", "edges"),
    [
        ('{"id": "x", "v": 1}', "yz", ["yz"]),
        ('{"id": "y"}', "xz", []),
        ('{"id": "z"}', "xy", ["xy"]),
    ],
)
def test_entries_go_with_the_commas_that_part_them(
    entry: str, nodes: str, edges: list[str]
) -> None:
    left = Coupled({"a.json": json.dumps(DATA)}).without(entry)
    assert left is not None
    data = json.loads(left)
    assert [node["id"] for node in data["nodes"]] == list(nodes)
    assert [edge["from"] + edge["to"] for edge in data["edges"]] == edges


def test_in_data_also_the_smallest_entry_around_a_mention() -> None:
    left = Coupled({"a.json": json.dumps(DATA)}).without('{"id": "y"}', nearest=True)
    assert left is not None
    assert json.loads(left)["edges"] == [{"from": "x"}, {"to": "z"}]


def test_values_that_are_not_all_different_are_no_names() -> None:
    coupled = Coupled({"a.json": '{"a": [{"t": "x"}, {"t": "x"}], "b": ["x"]}'})
    assert coupled.without('{"t": "x"}') is None


def test_a_file_goes_with_what_mentions_it() -> None:
    coupled = Coupled({"a.h": "int h;\n", "b.c": '#include "a.h"\nint x;\n'})
    assert coupled.without("int h;") == "\0int x;\n"


# The other direction.


def test_a_use_goes_with_the_declaration_that_nothing_else_needs() -> None:
    coupled = Coupled({"a.c": C})
    assert coupled.with_orphans("f();") == "int main(void) { g(); }\n"  # and `a`, which f() needs
    assert coupled.with_orphans("return a;") == "int f(void) { }\nint main(void) { f(); g(); }\n"


def test_a_declaration_that_others_need_stays() -> None:
    text = "import os\nos.a()\nos.b()\nf()\n"
    assert Coupled({"a.py": text}).with_orphans("os.a()") is None
    both = Coupled({"a.py": text}).with_orphans("os.a()", "os.b()")
    assert both == "f()\n"


def test_a_declaration_around_the_use_stays() -> None:
    coupled = Coupled({"a.py": "def f():\n    f()\n    g()\n"})
    assert coupled.with_orphans("f()") is None


@pytest.mark.parametrize("ask", [Coupling.with_dependents, Coupling.with_orphans])
def test_in_a_large_case_nothing_is_looked_for(ask: Callable[..., Deltas]) -> None:
    forest = forest_of({"a.json": "[" + "1," * 25_001 + "1]"})
    assert ask(Coupling(forest), (3,), Deltas.first(len(forest.leaves))) == NONE
