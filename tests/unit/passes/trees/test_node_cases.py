"""What the passes that know languages cut, and the sweeps that prove."""

from itertools import combinations
from typing import Any

import pytest

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.passes.reduction_pass import CutCase
from wynot.passes.rewrites.shorten import by_table, renames
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tokens import TokensCase
from wynot.passes.trees.tree_passes import (
    DropLetters,
    DropWindows,
    PruneTrees,
    RewriteNodes,
    SweepNodes,
    SweepTokens,
    of_nodes,
)

FILES = Files({"a.json": b"[1, [2, 3]]", "b.bin": b"\0\1"}, modes={"a.json": 0o755})
TREES = Trees.of(FILES)


def left(case: CutCase, gone: Any) -> bytes:
    dropped = Candidate(case.deltas, Edit.drop(Deltas.of(gone)), "")
    return case.render(dropped).contents["a.json"]


def test_each_node_that_has_tokens_of_its_own_is_a_part() -> None:
    cut = SweepNodes(TREES).cut(FILES, ())
    # The root, document and outer array are one; in order of where they begin, short ones first.
    texts = [left(cut.case, [number]) for number in cut.case.deltas]
    assert texts == [
        *(b"1, [2, 3]]", b"", b"[, [2, 3]]", b"[1[2, 3]]", b"[1,2, 3]]", b"[1,]"),
        *(b"[1, [, 3]]", b"[1, [2 3]]", b"[1, [2,]]", b"[1, [2, 3]", b"[1, [2, 3]"),
    ]
    assert cut.case.weights == [1, 9, 1, 1, 1, 5, 1, 1, 1, 1, 1]
    assert len(cut.groups) == len(cut.case.deltas)
    assert cut.search is None


def test_what_is_inside_of_a_node_that_goes_is_gone_with_it() -> None:
    case = SweepNodes(TREES).cut(FILES, ()).case
    inner = 5
    for more in ([6], [7, 8], [4, 6, 7, 8, 9]):
        assert left(case, [inner, *more]) == left(case, [inner]) == b"[1,]"
    assert case.render(Candidate.whole(NONE)).contents == {"a.json": b"", "b.bin": b"\0\1"}
    assert case.render(Candidate.whole(case.deltas)) == FILES


def test_nodes_and_tokens_agree_on_what_is_left() -> None:
    forest = TREES.forest(FILES)
    tokens = TokensCase(FILES, forest.tokens)
    case = of_nodes(tokens, forest)
    runs = sorted({*zip(forest.firsts, forest.ends, strict=True)} - {(0, 0)})
    runs = [run for run in runs if run[0] < run[1]]
    for some in combinations(range(len(runs)), 3):
        gone = {token for number in some for token in range(*runs[number])}
        candidate = Candidate.whole(Deltas.of({*case.deltas} - {*some}))
        plain = Candidate.whole(Deltas.of({*tokens.deltas} - gone))
        assert case.render(candidate) == tokens.render(plain)
        assert case.digest(candidate) == tokens.digest(plain)
        assert case.size(candidate.kept) == len(runs) - 3


def test_every_token_is_a_part_of_the_last_sweep() -> None:
    cut = SweepTokens(TREES).cut(FILES, ())
    assert len(cut.case.deltas) == 9
    assert cut.groups == tuple(Deltas((n, n + 1)) for n in range(9))
    assert (SweepTokens(TREES).proves, SweepNodes(TREES).proves) == ("tokens", "nodes")


@pytest.mark.parametrize("step", [PruneTrees(TREES, 7), DropWindows(TREES, 7)])
def test_passes_over_tokens_have_a_search_of_their_own(step: Any) -> None:
    cut = step.cut(FILES, ())
    assert cut.search is not None
    assert cut.search.patience == 7
    assert cut.case.key == SweepTokens(TREES).cut(FILES, ()).case.key
    assert step.proves == ""


def test_the_nodes_of_a_cut_are_those_of_the_trees() -> None:
    nodes = PruneTrees(TREES).cut(FILES, ()).nodes
    assert nodes is not None
    assert (nodes.starts[0], nodes.stops[0], nodes.subtree_ends[0]) == (0, 9, len(nodes.starts))
    outer = next(iter(nodes.children(0)))
    assert nodes.size(outer, Deltas.first(9)) == 9


C = Files({"a.c": b'int value = 100; char *text = "abc"; int f() { return value; }'})


def written(case: CutCase) -> bytes:
    return case.render(Candidate.whole(NONE)).contents["a.c"]


def test_rewrites_are_parts_and_names_are_left_alone_if_they_are_to() -> None:
    trees = Trees.of(C)
    both = (by_table, renames)
    cut = RewriteNodes(trees, rewrites=both).cut(C, ())
    assert b"value" not in written(cut.case)
    named = RewriteNodes(trees, rewrites=both, names=False).cut(C, ())
    assert b"value" in written(named.case)
    assert 0 < len(named.case.deltas) < len(cut.case.deltas)


def test_letters_of_names_are_left_alone_if_they_are_to() -> None:
    trees = Trees.of(C)
    all_letters = DropLetters(trees).cut(C, ()).case
    others = DropLetters(trees, names=False).cut(C, ()).case
    assert len(all_letters.deltas) - len(others.deltas) == len("value" * 2 + "text")
    assert b"value" in written(others)
