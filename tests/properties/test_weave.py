"""Weaves: every prefix of the steps is the tree of that step, and every choice of lines holds."""

import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unit.inquiries.changes.repositories import (
    FILE,
    LINK,
    PROGRAM,
    git,
    make,
)
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.inquiries.changes.change_sources import of_revisions
from wynot.inquiries.changes.circumstance import Changes
from wynot.inquiries.changes.lineage import BASE, FIRST, LineChange, Loom, cut
from wynot.inquiries.changes.overlay import Overlay

with_git = settings(
    max_examples=settings().max_examples // 5,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

LINES = [
    b"a\n",
    b"b\n",
    b"c\r\n",
    b"--- x\n",
    b"@@ -1 +1 @@\n",
    b"\\ No newline\n",
    b"\xe9\x0c\n",
    b"\n",
]
PATHS = ["a", "b", "d/a", "d/e/f", "d", "s p", "\udcff"]

Tree = dict[str, tuple[int, bytes]]


contents = st.one_of(
    st.builds(
        lambda lines, last: b"".join(lines) + last,
        st.lists(st.sampled_from(LINES), max_size=12),
        st.sampled_from([b"", b"", b"end"]),
    ),
    st.binary(max_size=6).map(lambda data: b"\0" + data),
)


def fits(tree: Tree, path: str) -> bool:
    """Tell whether a path is neither a folder of the tree nor inside of a file of it."""
    return not any(
        each.startswith(f"{path}/") or path.startswith(f"{each}/") or each == path for each in tree
    )


@st.composite
def histories(draw: st.DrawFn) -> list[Tree]:
    """Return trees, each made from the one before by edits, moves, deletions and creations."""
    trees: list[Tree] = [{}]
    for _ in range(draw(st.integers(2, 6))):
        tree = dict(trees[-1])
        for _ in range(draw(st.integers(1, 4))):
            alter(draw, tree)
        trees.append(tree)
    return trees[1:]


def alter(draw: st.DrawFn, tree: Tree) -> None:
    path = draw(st.sampled_from(PATHS))
    if path not in tree:
        if fits(tree, path):
            tree[path] = (draw(st.sampled_from([FILE, PROGRAM])), draw(contents))
        return
    mode, content = tree.pop(path)
    what = draw(st.sampled_from(["edit", "edit", "edit", "move", "mode", "delete", "link", "new"]))
    if what == "edit":
        lines = cut(content)
        start = draw(st.integers(0, len(lines)))
        stop = draw(st.integers(start, len(lines)))
        lines[start:stop] = draw(st.lists(st.sampled_from(LINES), max_size=3))
        content = b"".join(each if each.endswith(b"\n") else each + b"\n" for each in lines)
    elif what == "move":
        path = draw(st.sampled_from(PATHS))
        if not fits(tree, path):
            return
    elif what == "mode":
        mode = FILE if mode == PROGRAM else PROGRAM
    elif what == "link":
        mode, content = LINK, b"a"
    elif what == "new":
        content = draw(contents)
    if what != "delete":
        tree[path] = (mode if mode != LINK or content == b"a" else FILE, content)


def tree_with(good: Tree, overlay: Overlay, folder: Path) -> Tree:
    tree = dict(good)
    for path, entry in overlay.entries.items():
        if entry is None:
            del tree[path]
        else:
            content = entry.content
            if content is None:
                content = git(folder, "cat-file", "blob", entry.blob)
            tree[path] = (entry.mode, content)
    return tree


def ends(changes: Changes) -> Iterator[Deltas]:
    """Go through the prefixes that end with a step."""
    last: dict[int, int] = {}
    for number, delta in enumerate(changes.described):
        last[delta.step] = number + 1
    for step in range(len(changes.steps)):
        yield Deltas.first(last[step])


@given(trees=histories())
@with_git
def test_the_first_so_many_steps_are_the_tree_of_that_step(trees: list[Tree]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commits = make(folder / "r", trees)
        distinct = [trees[0]]
        for tree in trees[1:]:
            if tree != distinct[-1]:
                distinct.append(tree)
        if distinct[-1] == distinct[0]:
            return
        (folder / "p").mkdir()
        changes = of_revisions(folder / "r", commits[0], commits[-1], folder / "p").changes
        wanted = iter(distinct[1:])
        for kept in ends(changes):
            candidate = Candidate.whole(kept)
            assert not changes.objection(candidate)
            assert tree_with(trees[0], changes.render(candidate), folder / "r") == next(wanted)
        assert not list(wanted)


@pytest.mark.slow
@given(trees=histories(), data=st.data())
@with_git
def test_the_state_before_makes_no_difference(trees: list[Tree], data: st.DataObject) -> None:
    if trees[-1] == trees[0]:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commits = make(folder / "r", trees)
        sides = []
        for each in ("p", "q"):
            (folder / each).mkdir()
            ways = (folder / "r", commits[0], commits[-1], folder / each)
            sides.append(of_revisions(*ways).changes)
        warm, cold = sides
        members = st.sets(st.sampled_from(range(len(warm.deltas))))
        for _ in range(6):
            warm.render(Candidate.whole(Deltas.of(data.draw(members))))
        last = Candidate.whole(Deltas.of(data.draw(members)))
        assert warm.objection(last) == cold.objection(last)
        assert warm.render(last) == cold.render(last)
        assert warm.digest(last) == cold.digest(last)


@given(
    texts=st.lists(st.lists(st.sampled_from(LINES), max_size=8), min_size=2, max_size=5),
    data=st.data(),
)
def test_a_choice_of_lines_is_what_is_brought_in_and_not_taken_out(
    texts: list[list[bytes]], data: st.DataObject
) -> None:
    loom = Loom(b"".join(texts[0]))
    number = FIRST
    for before, after in pairwise(texts):
        pairs = data.draw(st.integers(0, min(len(before), len(after))))
        changes = [LineChange(0, takes_out=True, text=text) for text in after[:pairs]]
        changes += [LineChange(0, takes_out=True, text=None) for _ in before[pairs:]]
        changes += [LineChange(0, takes_out=False, text=text) for text in after[pairs:]]
        loom.replace(0, [each._replace(number=number + at) for at, each in enumerate(changes)])
        number += len(changes)
    weave = loom.weave()
    bits = data.draw(st.lists(st.booleans(), min_size=number - FIRST, max_size=number - FIRST))
    chosen = bytes([1, 0, *bits])
    wrong = [(died, born) for born, died in weave.spans if chosen[died] and not chosen[born]]
    assert weave.contradiction(chosen) == (wrong[0] if wrong else None)
    assert weave.write(bytes([1, 0, *[1] * (number - FIRST)])) == b"".join(texts[-1])
    assert weave.write(bytes([1, 0, *[0] * (number - FIRST)])) == b"".join(texts[0])
    assert BASE not in {died for _, died in weave.spans}


@given(
    texts=st.lists(
        st.lists(st.sampled_from([b"%d\n" % each for each in range(20)]), max_size=9, unique=True),
        min_size=2,
        max_size=2,
        unique_by=tuple,
    ),
    data=st.data(),
)
@with_git
def test_a_choice_of_lines_keeps_the_order_of_both_versions(
    texts: list[list[bytes]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commits = make(folder / "r", [{"a": b"".join(text)} for text in texts])
        (folder / "p").mkdir()
        changes = of_revisions(folder / "r", commits[0], commits[1], folder / "p").changes
        members = st.sets(st.sampled_from(range(len(changes.deltas))))
        candidate = Candidate.whole(Deltas.of(data.draw(members)))
        assert not changes.objection(candidate)
        good = {"a": (FILE, b"".join(texts[0]))}
        [(_, content)] = tree_with(good, changes.render(candidate), folder / "r").values()
        lines = cut(content)
        old, new = texts
        assert set(lines) <= {*old, *new}
        assert {*old} & {*new} <= set(lines)
        for version in texts:
            places = [version.index(line) for line in dict.fromkeys(lines) if line in version]
            assert places == sorted(places)
        # What goes and what comes is one wherever it can be: so it never gets longer than both.
        assert min(map(len, texts)) <= len(lines) <= max(map(len, texts))
