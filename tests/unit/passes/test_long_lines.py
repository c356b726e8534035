"""Large texts: large parts first, and all detail when these are gone."""

import pytest

from planned import Enough, walked
from reduce_inline import reduce_inline
from tiers import slow_after
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.passes.catalog import PlanOptions
from wynot.passes.reduction_pass import Pass
from wynot.passes.trees.parsed_files import Trees

RECORD = b'{"id":1,"n":"u1","t":["a","b"],"x":{"s":1.5,"f":null}},'
LINE = b"[" + RECORD * 2500 + b'{"id":"here"},' + RECORD * 2500 + b"0]"
LARGE = Files({"a.json": LINE})
SMALL = Files({"a.json": b"[" + RECORD * 1000 + b"0]"})
MOST_PASSES = 200
MOST_PARTS = 200_000
"""A nest is taken apart by its levels, however many there are."""


def passes(files: Files) -> list[Pass]:
    """Return the passes of a plan of which none changes anything, if there are not too many."""
    found: list[Pass] = []

    def leaves(step: Pass, before: Files) -> tuple[Files, int]:
        found.append(step)
        if len(found) > MOST_PASSES:
            raise Enough
        return before, 1

    walked(files, PlanOptions(), leaves)
    return found


def test_the_large_parts_of_a_large_text_are_the_first_that_is_looked_at() -> None:
    assert [step.name for step in passes(LARGE)[:2]] == ["brackets", "large parts"]
    assert "large parts" not in {step.name for step in passes(SMALL)}


@pytest.mark.parametrize("text", [b" " * (1 << 17), b" \n" * (1 << 16)])
def test_a_large_text_of_blanks_ends(text: bytes) -> None:
    assert len(passes(Files({"a.txt": text}))) < MOST_PASSES


def test_the_whole_tree_is_made_only_where_links_were_folded() -> None:
    chain = Files({"a.json": b"[" * 100 + b"]" * 100})
    trees = Trees.of(chain)
    assert trees.forest(chain, folds=False) is not trees.forest(chain)
    flat = Files({"a.json": b"[1, 2, 3]"})
    assert trees.forest(flat, folds=False) is trees.forest(flat)


@pytest.mark.parametrize(
    "unit",
    slow_after(2, [b"<!--", RECORD, b'"', b"a.", b'"${', b"/* ", b"f(a,{b:1});", b"[[;"]),
)
def test_the_parts_before_the_first_test_are_few(unit: bytes) -> None:
    files = Files({"a.txt": unit * ((1 << 18) // len(unit))})
    options = ReduceOptions(files=(), max_tests=1)
    found = reduce_inline(files, lambda each: each.contents == files.contents, options)
    assert found.passes
    assert all(parts <= MOST_PARTS for _, parts in found.passes)


def test_a_long_line_is_small_after_a_few_tests() -> None:
    options = ReduceOptions(files=(), fast=True)
    found = reduce_inline(LARGE, lambda each: b"here" in each.contents["a.json"], options)
    first = next(step for step in found.steps if step.files.size < len(LINE) / 100)
    assert first.tests <= 40
    assert found.content == b"here"
