"""The scene of a change: three differences, of which any choice is a tree."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import LINK, Tree, add, git, make
from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.changes.change_sources import SourceHistory, of_history
from wynot.inquiries.changes.commit_context import (
    CommitContext,
    context_of,
    leading_to,
    united,
    with_dependent,
    with_needed,
)
from wynot.inquiries.changes.commit_history import commit, overlay_of, step_of


def text(**lines: str) -> bytes:
    return "".join(f"{lines.get(f'_{each}', each)}\n" for each in range(40)).encode()


TREES: list[Tree] = [
    {"a": text(), "b": text(), "odd [x]*": b"1\n", "l": (LINK, b"a")},
    {"a": text(_3="three"), "b": text(_1="one"), "odd [x]*": b"2\n", "l": (LINK, b"b")},
    {"c/a": text(_3="three", _9="nine"), "b": text(_1="one"), "new": b"n\n", "l": (LINK, b"b")},
    {"c/a": text(_3="three", _9="neun"), "b": b"\0", "new": b"n\nm\n", "l": (LINK, b"b")},
    {"d": text(_3="drei", _9="neun"), "b": b"\0", "new": b"m\n", "l": b"a file\n"},
]


@pytest.fixture
def origin(tmp_path: Path, private: Path) -> SourceHistory:
    make(tmp_path / "r", TREES)
    return of_history(tmp_path / "r", "main~4", "main", private)


def context(origin: SourceHistory, number: int) -> CommitContext:
    made = origin.history.ahead[number]
    parent = commit(origin.source.store, made.parents[0])
    return context_of(origin, parent, made, (step_of(made, made.tree, is_undone=False),))


@pytest.mark.parametrize("number", range(4))
def test_each_state_comes_out_as_it_was(origin: SourceHistory, number: int) -> None:
    found = context(origin, number)
    changes, store, good = found.comparison.changes, origin.source.store, origin.source.good
    made = origin.history.ahead[number]
    for kept, name in (
        (NONE, good),
        (found.before, made.parents[0]),
        (united(found.before, found.guilty), made.id),
        (changes.deltas, origin.history.bad.id),
    ):
        overlay = overlay_of(store, good, name)
        assert changes.overlay(kept).digest == overlay.digest
        assert list(changes.overlay(kept).entries) == list(overlay.entries)
    assert [step.commit for step in found.steps] == [made.id]


def test_files_that_the_step_leaves_alone_are_not_looked_into(origin: SourceHistory) -> None:
    found = context(origin, 3)
    kinds = {each.kind for each in found.comparison.changes.described if each.path == "b"}
    assert kinds == {"content"}


def test_what_a_change_needs_and_what_needs_it(origin: SourceHistory) -> None:
    """A line that the second commit has changed is changed again by the third."""
    found = context(origin, 2)
    comparison, changes = found.comparison, found.comparison.changes
    again = _only(found, found.guilty, "c/a", 10)
    assert changes.conflict(again) is not None, "there is no line 'nine' in the good side"
    needed = with_needed(comparison, again)
    assert needed is not None
    assert changes.conflict(needed) is None
    assert needed.holds(again)
    earlier = _only(found, found.before, "c/a", 10)
    taken = with_dependent(comparison, earlier)
    assert taken is not None
    assert taken.holds(again)
    assert changes.conflict(changes.deltas.toggle(taken)) is None


def _only(found: CommitContext, among: Deltas, path: str, line: int) -> Deltas:
    described = found.comparison.changes.described
    return Deltas.of(each for each in among if described[each][2:4] == (path, line))


def test_the_commits_before_one_by_one(origin: SourceHistory) -> None:
    found = context(origin, 3)
    detail = leading_to(found, origin)
    assert detail is not None
    changes = detail.comparison.changes
    assert [step.subject for step in changes.steps] == [f"commit {each}" for each in range(1, 5)]
    assert detail.moved(found.guilty) == detail.guilty == changes.step(3)
    assert leading_to(context(origin, 0), origin) is None, "there are none"


def test_a_step_between_two_parents(origin: SourceHistory, tmp_path: Path, private: Path) -> None:
    folder = tmp_path / "r"
    first, last = origin.history.good.id, origin.history.bad.id
    side = add(folder, {**TREES[0], "side": b"s\n"}, "side", "side", first)
    merged = add(folder, {**TREES[-1], "side": b"evil\n"}, "merge", "main", last, side)
    (private / "again").mkdir()
    again = of_history(folder, first, merged, private / "again")
    made = again.history.bad
    found = context_of(
        again, commit(again.source.store, side), made, (step_of(made, made.tree, is_undone=False),)
    )
    changes = found.comparison.changes
    state = overlay_of(again.source.store, first, side)
    assert changes.overlay(found.before).digest == state.digest
    assert git(folder, "rev-parse", f"{merged}^{{tree}}").decode().strip() == made.tree
