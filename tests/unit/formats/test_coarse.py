"""The coarse tree of a large text: how many parts it has, and what they are."""

from functools import partial
from pathlib import Path

import pytest

from counting import steps
from tiers import slow_after
from trees import assert_is_tree
from wynot.core.chains import height
from wynot.core.tree import Tree
from wynot.formats import coarse
from wynot.formats.language_table import BY_NAME
from wynot.formats.source import (
    LARGE_DETAIL,
    LONG_LINE_BYTES,
    REPETITION_BYTES,
    coarse_tree,
    has_long_line,
    is_repetition,
    tree_up_to,
)
from wynot.passes.trees import Trees

SIZE = 1 << 18
SAMPLES = sorted(Path(__file__).parents[2].glob("samples/*.*"))
MOST_NODES = 6 * LARGE_DETAIL
"""A part may have brackets around it, a separator, and an item that is the same."""
UNITS = (
    '"',
    "<!--",
    "a.",
    ";",
    "é",
    '{"id":1,"n":"u1","t":["a","b"],"x":{"s":1.5,"f":null}},',
    "function a(b,c){var d=b.e('x y',{f:1,g:[2,3]});return d&&c?d.h(/z/g):!1};",
    '\\"',
    "/* ",
    "(",
    "()",
    "[,",
    '"${',
    "x" * 50_000 + ",",
    "((((((((((((,))))))))))))",
)


def repeated(unit: str, size: int = SIZE) -> bytes:
    return (unit * (size // len(unit))).encode()


def texts_of(tree: Tree, content: bytes) -> list[bytes]:
    """Return the texts of the tokens."""
    leaves = (node for node in range(1, len(tree)) if tree.subtree_ends[node] == node + 1)
    return [content[tree.starts[node] : tree.stops[node]] for node in leaves]


def without_blanks(*texts: bytes) -> bytes:
    return b"".join(b"".join(texts).split())


@pytest.mark.parametrize("unit", slow_after(6, UNITS))
def test_the_parts_of_a_line_are_few_however_long_it_is(unit: str) -> None:
    content = repeated(unit)
    tree = coarse_tree(content)
    assert 1000 < len(tree) < MOST_NODES
    assert without_blanks(*texts_of(tree, content)) == without_blanks(content)
    for text in texts_of(tree, content):
        text.decode()  # no character is cut


@pytest.mark.slow
def test_a_deep_nest_has_no_more_parts_than_a_long_list() -> None:
    half = SIZE // 2
    assert len(coarse_tree(b"(" * half + b")" * half)) < MOST_NODES


def test_blanks_have_no_parts() -> None:
    assert len(coarse_tree(b" " * SIZE)) == 1


def test_large_members_are_parts_of_their_own_and_small_ones_are_one() -> None:
    large = b"[" + b"1, " * 20 + b"2]"
    content = b'{"a": ' + large + b', "b": 3, "c": 4, "d": ' + large + b"}"
    tree = coarse.parse(content, 20)
    assert_is_tree(tree, content)
    items = {
        content[tree.starts[node] : tree.stops[node]]
        for node in range(len(tree))
        if tree.kind(node) == "item"
    }
    assert {b'"a": ' + large, b'"b": 3, "c": 4', b'"d": ' + large} <= items


def test_long_text_is_cut_at_line_ends_or_else_at_blanks() -> None:
    lines = b"it goes on for long\n" * 100
    assert {*texts_of(coarse.parse(lines, 10), lines)} == {b"it goes on for long"}
    words = b"word " * 100
    assert {*b" ".join(texts_of(coarse.parse(words, 10), words)).split()} == {b"word"}


def test_more_text_costs_no_more_than_its_marks() -> None:
    little, much = (steps(partial(coarse_tree, repeated("a.", n << 18))) for n in (1, 4))
    assert much < 2 * little


@pytest.mark.parametrize(
    ("content", "is_long"),
    [
        (b"", False),
        (b"x" * LONG_LINE_BYTES, False),
        (b"x" * LONG_LINE_BYTES + b"\n", False),
        (b"x" * (LONG_LINE_BYTES + 1), True),
        (b"line\n" * LONG_LINE_BYTES, False),
        (b"line\n" * LONG_LINE_BYTES + b"x" * (LONG_LINE_BYTES + 1), True),
        (b"x" * (LONG_LINE_BYTES + 1) + b"\nline" * LONG_LINE_BYTES, True),
        (b"\n" * LONG_LINE_BYTES + b"x" * LONG_LINE_BYTES, False),
    ],
)
def test_a_long_line_is_found_wherever_it_is(content: bytes, is_long: bool) -> None:
    assert has_long_line(content) == is_long


@pytest.mark.parametrize("unit", ["<a>", "a.", "-", '"${', "{}"])
@pytest.mark.parametrize("name", ["ada", "bash", "dart", "java", "brackets"])
def test_a_long_repetition_is_not_parsed(name: str, unit: str) -> None:
    language, content = BY_NAME[name], repeated(unit, 2 * REPETITION_BYTES)
    tree = tree_up_to(language, content, most=len(content))
    assert tree is not None
    assert_is_tree(tree, content)
    assert (tree.kind(0), len(tree) < MOST_NODES) == ("document", True)
    assert Trees({"in": language}).checked("in", content) is None
    assert not is_repetition(content[: REPETITION_BYTES - 1])


def test_a_long_nest_is_a_nest() -> None:
    content = repeated("[", 2 * REPETITION_BYTES)
    tree = tree_up_to(BY_NAME["json"], content, most=len(content))
    assert tree is not None
    assert height(tree.parents) > REPETITION_BYTES


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_no_source_is_a_repetition_however_often_it_repeats_itself(path: Path) -> None:
    content = path.read_bytes()
    whole = content * (2 * REPETITION_BYTES // len(content) + 1)
    for text in (whole, whole[::2], whole[: REPETITION_BYTES + 1], whole.replace(b"\n", b" ")):
        assert not is_repetition(text)


def test_blanks_and_rules_in_a_source_make_no_repetition() -> None:
    line = b"x = 1" + b" " * 40 + b"# " + b"-" * 40 + b"\n"
    assert not is_repetition(line * 2000)
