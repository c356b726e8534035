"""What searches on the nodes of a tree keep, for any tree and any test."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import drive
from trees import nodes_of, run
from wynot.core.deltas import Deltas
from wynot.core.texts.tree import Nodes
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.causes import causes
from wynot.search.combinators import Minimizer, down_to_nothing, star
from wynot.search.hdd import Hierarchical, hierarchical
from wynot.search.lists.cdd import cdd
from wynot.search.lists.ddmin import ddmin
from wynot.search.lists.opdd import opdd
from wynot.search.lists.probdd import probdd
from wynot.search.lists.rules import Rules
from wynot.search.lists.sweep import sweep
from wynot.search.lists.zigzag import zigzag

INNER: dict[str, Minimizer] = {
    "ddmin": ddmin,
    "ddmin, subsets": partial(ddmin, rules=Rules(subsets=True)),
    "opdd": opdd,
    "cdd": cdd,
    "probdd": probdd,
    "sweep": sweep,
    "zigzag": zigzag,
    "sweep*": partial(star, sweep),
}
NAMES = get_args(Hierarchical)
ANY = (Verdict.INTERESTING, Verdict.UNINTERESTING, Verdict.UNRESOLVED)


class Planted(NamedTuple):
    """A tree whose tokens are their own numbers."""

    nodes: Nodes
    size: int

    @property
    def whole(self) -> Deltas:
        return Deltas.first(self.size)


def planted(root: Sequence[Any]) -> Planted:
    nodes, tokens = nodes_of(root)
    return Planted(nodes, len(tokens))


own_tokens = st.sampled_from(["", "t", "t t"])
trees = st.recursive(
    st.lists(own_tokens, max_size=1),
    lambda children: st.lists(own_tokens | children | children, max_size=5),
    max_leaves=14,
).map(planted)
inner = st.sampled_from(list(INNER.values()))
names = st.sampled_from(NAMES)
seeds = st.integers(0, 2**32)


class Arbitrary:
    """Any function at all, in which the whole fails; the empty list may, as anything may."""

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self.seed = seed

    def __call__(self, kept: list[int]) -> bool | None:
        if len(kept) == self.size:
            return True
        return (True, False, None)[hash((self.seed, *kept)) % 3]


def is_one_tree_minimal(
    kept: list[int], nodes: Nodes, fails: Callable[[list[int]], object]
) -> bool:
    """Tell by trying whether no single node can go, of those below the root."""
    for start, stop in list(zip(nodes.starts, nodes.stops, strict=True))[1:]:
        rest = [token for token in kept if not start <= token < stop]
        if len(rest) < len(kept) and fails(rest) is True:
            return False
    return True


@given(trees, names, inner, seeds)
def test_the_result_fails_and_is_minimal_after_a_run_that_changes_nothing(
    tree: Planted, name: Any, minimizer: Minimizer, seed: int
) -> None:
    fails = Arbitrary(tree.size, seed)
    found = run(hierarchical(name, tree.nodes, minimizer), range(tree.size), fails)
    assert fails(found.items) is True
    assert found.items == sorted({*found.items} & {*range(tree.size)})
    if name.endswith("*"):
        assert is_one_tree_minimal(found.items, tree.nodes, fails)


@given(trees, names, inner, st.data())
def test_all_nodes_without_anything_that_is_needed_go(
    tree: Planted, name: Any, minimizer: Minimizer, data: st.DataObject
) -> None:
    needed = data.draw(st.sets(st.sampled_from(range(tree.size)))) if tree.size else set()
    spans = list(zip(tree.nodes.starts, tree.nodes.stops, strict=True))[1:]
    free = [span for span in spans if needed.isdisjoint(range(*span))]
    found = run(hierarchical(name, tree.nodes, minimizer), range(tree.size), needed.issubset)
    assert found.items == [
        token for token in range(tree.size) if not any(token in range(*span) for span in free)
    ]


@given(trees, names, inner, seeds)
def test_the_answer_and_every_step_are_the_same_at_any_width(
    tree: Planted, name: Any, minimizer: Minimizer, seed: int
) -> None:
    fails = Arbitrary(tree.size, seed)
    search = hierarchical(name, tree.nodes, minimizer)
    alone = run(search, range(tree.size), fails)
    for width in (4, 64):
        assert run(search, range(tree.size), fails, width=width, seed=seed) == alone


@given(trees, names, inner, seeds)
def test_what_is_asked_for_is_a_part_from_which_whole_nodes_are_gone(
    tree: Planted, name: Any, minimizer: Minimizer, seed: int
) -> None:
    spans = list(zip(tree.nodes.starts, tree.nodes.stops, strict=True))[1:]
    search = hierarchical(name, tree.nodes, minimizer)
    fails = arbitrary(seed)
    for asked, (candidate, _) in enumerate(drive(search(tree.whole), fails)):
        kept = candidate.kept
        assert candidate.base.holds(kept)
        assert len(kept) < len(candidate.base)
        gone = {*tree.whole} - {*kept}
        covered = {
            token for span in spans if gone.issuperset(range(*span)) for token in range(*span)
        }
        assert covered == gone
        assert asked < 20 * (len(spans) ** 2 + 3 * len(spans))


def arbitrary(seed: int) -> Callable[[Deltas], Verdict]:
    return lambda kept: ANY[hash((seed, kept.bounds)) % 3]


@given(trees, names, inner, seeds, st.booleans())
def test_the_engine_can_come_back_to_any_question(
    tree: Planted, name: Any, minimizer: Minimizer, seed: int, all_causes: bool
) -> None:
    # As of every search: from each question, a course that was taken back there ends the same.
    search, verdict = hierarchical(name, tree.nodes, minimizer), arbitrary(seed)
    cursor = SearchCursor(lambda: causes(search, tree.whole) if all_causes else search(tree.whole))
    told: list[Outcome] = []
    place = None
    while cursor.question is not None:
        if cursor.checkpoint is not place:
            place, told = cursor.checkpoint, []
        back = SearchCursor.back_at(cursor.checkpoint, told)
        assert back.question == cursor.question
        kept = cursor.question.candidate.kept
        # Without an empty cause, which could be taken out for ever.
        answer = Outcome(Verdict.UNRESOLVED if all_causes and not kept else verdict(kept))
        told = [*told, answer]
        cursor.tell(answer)
        back.tell(answer)
        assert back.question == cursor.question
        if cursor.question is None:
            assert back.found == cursor.found


@pytest.mark.parametrize("name", ["hdd", "hddr"])
@given(st.integers(1, 20), inner, seeds)
def test_on_a_flat_tree_it_is_the_list_search(
    name: Any, size: int, minimizer: Minimizer, seed: int
) -> None:
    flat = planted([["t"]] * size)
    fails = arbitrary(seed)
    by_tree = drive(hierarchical(name, flat.nodes, minimizer)(flat.whole), fails)
    by_list = drive(down_to_nothing(minimizer, flat.whole), fails)
    assert list(by_tree) == list(by_list)


@given(trees, seeds)
def test_opdd_takes_a_linear_number_of_tests(tree: Planted, seed: int) -> None:
    for name in NAMES[::2]:
        search = hierarchical(name, tree.nodes, opdd)
        found = run(search, range(tree.size), Arbitrary(tree.size, seed))
        assert found.tests <= 4 * len(tree.nodes.starts)
