"""Commas that go with what goes, as a walk over the whole list finds them."""

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from forests import forest_of
from wynot.core.deltas import Deltas
from wynot.passes.trees.coupling import Commas
from wynot.passes.trees.forest import Forest, NodeId

FOREST = forest_of({"a.json": "[1, [2, 3], {}, 4, [5, [6, 7], 8], 9]"})
ELEMENTS = [node for node in FOREST.nodes if FOREST.is_named(node) and FOREST.has_tokens(node)]


def walked(forest: Forest, nodes: Sequence[NodeId], kept: Deltas) -> Iterator[int]:
    """Yield the commas, child by child."""
    gone = {token for node in nodes for token in forest.tokens_of(node)}
    for parent in {forest.parents[node] for node in nodes}:
        left, since = False, -1
        for child in forest.children(parent):
            first = forest.firsts[child]
            if forest.kind(child) == "," and first in kept and not left:
                yield first
            elif forest.kind(child) == "," and first in kept:
                since = first
            elif forest.is_named(child) and forest.left(kept, child):
                if first not in gone:
                    left = True
                elif left and since >= 0:
                    yield since
                since = -1


@given(
    st.lists(st.sampled_from(ELEMENTS), min_size=1, max_size=6, unique=True),
    st.sets(st.sampled_from(range(len(FOREST.leaves)))),
)
def test_they_are_those_that_a_walk_finds(nodes: list[NodeId], missing: set[int]) -> None:
    kept = Deltas.of(set(range(len(FOREST.leaves))) - missing)
    assert set(Commas(FOREST).without(nodes, kept)) == set(walked(FOREST, nodes, kept))
