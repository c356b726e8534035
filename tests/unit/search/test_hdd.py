"""Searches on the nodes of a tree: the example of a paper, and what they cost."""

from functools import partial
from typing import Any, get_args

import pytest

from domain import drive
from trees import Found, nodes_of, run
from wynot.core.deltas import NONE, Deltas
from wynot.core.verdict import Verdict
from wynot.search.combinators import Minimizer
from wynot.search.hdd import Hierarchical, hdd, hddr, hierarchical
from wynot.search.lists.cdd import cdd
from wynot.search.lists.ddmin import ddmin
from wynot.search.lists.opdd import opdd
from wynot.search.lists.sweep import sweep
from wynot.search.lists.zigzag import zigzag

# Gharachorlu & Sumner 2018, Listing 1 and Fig. 7. A string is text of the node itself.
LISTING_1: list[Any] = [
    [["void"], "f ( ) {", [["int"], ["x"], "=", ["5"], ";"], "}"],
    [
        ["void"],
        "g ( ) {",
        [["int"], ["y"], "=", ["10"], ";"],
        [["int"], ["z"], "=", [["15"], "/", ["0"]], ";"],
        "}",
    ],
]
NODES, TOKENS = nodes_of(LISTING_1)
ALL = get_args(Hierarchical)


def divides_by_zero(tokens: list[str]) -> bool:
    """A program that compiles, and divides by zero."""
    text = " ".join(tokens)
    for name, declaration in (("f", "int x = 5 ; "), ("g", "int y = 10 ; ")):
        text = text.replace(f"void {name} ( ) {{ {declaration}", f"void {name} ( ) {{ ")
    text = text.replace("void f ( ) { }", "").strip()
    return text == "void g ( ) { int z = 15 / 0 ; }"


def listing(name: Hierarchical, minimizer: Minimizer) -> Found:
    return run(hierarchical(name, NODES, minimizer), TOKENS, divides_by_zero)


def test_listing_1_is_reduced_as_the_paper_tells() -> None:
    found = listing("hdd", ddmin)
    assert " ".join(found.items) == "void g ( ) { int z = 15 / 0 ; }"
    # Level 1: f() goes, g() cannot. Level 2: `int y = 10;` goes, the buggy statement cannot.
    gone = [" ".join(TOKENS[delta] for delta in edit.deltas) for edit in found.accepted]
    assert gone == ["void f ( ) { int x = 5 ; }", "int y = 10 ;"]


def test_listing_1_question_by_question() -> None:
    asked = [" ".join(TOKENS[delta] for delta in edit.deltas) for edit in listing("hdd", ddmin).all]
    y, z = "int y = 10 ;", "int z = 15 / 0 ;"
    assert asked == [
        # Level 1: f() and g(); then the last one
        *("void f ( ) { int x = 5 ; }", "void g ( ) { int y = 10 ; int z = 15 / 0 ; }"),
        # Level 2: halves of void, y, z; then one by one, and on from where y has gone
        *("void", f"{y} {z}", "void", y, z, "void"),
        # Level 3: `int`, `z` and the division
        *("int", "z 15 / 0", "int", "z", "15 / 0"),
        # Level 4: both numbers
        *("15", "0"),
    ]


@pytest.mark.parametrize(
    ("name", "minimizer", "tests"),
    [
        # The 15 above but for three that are known: `void`, z after y, and `int`.
        ("hdd", ddmin, 12),
        ("hddr", ddmin, 12),  # one node on every level: the same
        ("hdd*", ddmin, 12),  # all that the second run asks is known
        ("hdd", opdd, 11),  # not again about `void` after y has gone
        ("hdd*", opdd, 12),  # but here, in the second run
        ("hdd", zigzag, 13),
        ("hdd", sweep, 14),
        ("hdd", cdd, 13),
    ],
)
def test_listing_1_in_so_many_tests(name: Any, minimizer: Minimizer, tests: int) -> None:
    found = listing(name, minimizer)
    assert " ".join(found.items) == "void g ( ) { int z = 15 / 0 ; }"
    assert found.tests == tests


def test_listing_1_token_by_token_takes_many_more() -> None:
    flat = run(ddmin, TOKENS, divides_by_zero)
    assert flat.tests > 4 * listing("hdd", ddmin).tests


def fails_with(*needed: int) -> Any:
    return lambda kept: Verdict.INTERESTING if {*needed} <= {*kept} else Verdict.UNINTERESTING


def asked_of(search: Any, whole: Deltas, *needed: int) -> list[str]:
    return [repr(candidate.kept) for candidate, _ in drive(search(whole), fails_with(*needed))]


def test_hdd_asks_about_a_level_and_hddr_about_a_node() -> None:
    nodes, tokens = nodes_of([[["a"], ["b"]], [["c"], ["d"]]])
    whole = Deltas.first(len(tokens))
    by_level = asked_of(partial(hdd, nodes=nodes, minimizer=ddmin), whole, 0, 3)
    by_node = asked_of(partial(hddr, nodes=nodes, minimizer=ddmin), whole, 0, 3)
    first = ["Deltas(2-3)", "Deltas(0-1)"]
    halves = ["Deltas(2-3)", "Deltas(0-1)"]
    singles = ["Deltas(1-3)", "Deltas(0,2-3)", "Deltas(0,3)", "Deltas(0)", "Deltas(3)"]
    assert by_level == [*first, *halves, *singles]
    # a, then b, of the first node, and what is left of it; then the same for the second.
    assert by_node == [
        *first,
        "Deltas(1-3)",
        "Deltas(0,2-3)",
        "Deltas(2-3)",
        "Deltas(0,3)",
        "Deltas(0)",
    ]


@pytest.mark.parametrize("name", ALL)
def test_a_chain_of_nodes_is_asked_about_once(name: Any) -> None:
    nodes, tokens = nodes_of([[[[[["a"]]]], []], [["b"], []]])
    asked = asked_of(hierarchical(name, nodes, ddmin), Deltas.first(len(tokens)), 0, 1)
    assert asked == ["Deltas(1)", "Deltas(0)"]


@pytest.mark.parametrize("name", ALL)
def test_the_last_node_can_go_too(name: Any) -> None:
    nodes, tokens = nodes_of([["a", ["b"]]])
    search = hierarchical(name, nodes, ddmin)
    assert run(search, tokens, lambda _kept: True).items == []
    assert run(search, tokens, lambda kept: "a" in kept).items == ["a"]


@pytest.mark.parametrize("name", ALL)
def test_what_no_node_below_the_root_has_stays(name: Any) -> None:
    nodes, tokens = nodes_of(["a", ["b"], "c"])
    assert run(hierarchical(name, nodes, ddmin), tokens, lambda _kept: True).items == ["a", "c"]


@pytest.mark.parametrize("name", ALL)
def test_no_nodes_or_nothing_kept_no_questions(name: Any) -> None:
    trees: list[list[Any]] = [["a b"], [], ["a", [], [[]]]]
    for tree in trees:
        nodes, tokens = nodes_of(tree)
        assert not asked_of(hierarchical(name, nodes, ddmin), Deltas.first(len(tokens)))
    nodes, tokens = nodes_of([["a"], ["b"]])
    assert not asked_of(hierarchical(name, nodes, ddmin), NONE)


def test_hdd_star_finds_what_one_way_down_cannot() -> None:
    # A declaration (b) can go only after its use (d), which is a level further down.
    nodes, tokens = nodes_of([["a"], ["b"], [["c"], ["d"]]])

    def fails(kept: list[str]) -> bool:
        return {"a", "c"} <= {*kept} and ("b" in kept or "d" not in kept)

    assert run(hierarchical("hdd", nodes, ddmin), tokens, fails).items == ["a", "b", "c"]
    assert run(hierarchical("hdd*", nodes, ddmin), tokens, fails).items == ["a", "c"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("minimizer", [ddmin, opdd, cdd, sweep, zigzag])
def test_there_is_a_way_back_to_every_round(name: Any, minimizer: Minimizer) -> None:
    # Without one the engine would replay the search from the last round that has one.
    nodes, tokens = nodes_of([[["a"], ["b"]], [["c"], ["d"], ["e"]], [["f", ["g"]]]])
    search = hierarchical(name, nodes, minimizer)(Deltas.first(len(tokens)))
    assert all(round_.again is not None for round_ in search)
