"""Rewrites as deltas: leaving one out does it."""

from itertools import permutations

import pytest

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.texts.rewrites import Patch, Rewrite, RewritesCase, rewritten


@pytest.mark.parametrize(
    ("patches", "left"),
    [
        ([], b"0123456789"),
        ([(2, 4)], b"01456789"),
        ([(2, 4, b"x")], b"01x456789"),
        ([(0, 1, b"a"), (9, 10, b"b")], b"a12345678b"),
        ([(2, 4, b"x"), (4, 6, b"y")], b"01xy6789"),
        ([(3, 3, b"in")], b"012in3456789"),
        # Of two that overlap the first, and of these the longest.
        ([(2, 5, b"x"), (4, 8, b"y")], b"01x56789"),
        ([(2, 5, b"x"), (2, 8, b"y")], b"01y89"),
        ([(2, 8, b"y"), (3, 4, b"x"), (5, 6)], b"01y89"),
    ],
)
def test_patches_are_done_in_any_order(patches: list[tuple[int, ...]], left: bytes) -> None:
    for order in permutations(Patch("f", *patch) for patch in patches):  # type: ignore[arg-type]
        assert rewritten(b"0123456789", list(order)) == left


FILES = Files({"a": b"alpha beta alpha", "b": b"beta"}, modes={"b": 0o755})
RENAME = Rewrite("rename", (Patch("a", 0, 5, b"x"), Patch("a", 11, 16, b"x")))
GONE = Rewrite("gone", (Patch("a", 6, 11), Patch("b", 0, 4)))
LONGER = Rewrite("spelled out", (Patch("b", 0, 4, b"b e t a"),))


@pytest.fixture
def case() -> RewritesCase:
    return RewritesCase(FILES, [RENAME, GONE, LONGER])


def test_leaving_a_delta_out_does_its_rewrite(case: RewritesCase) -> None:
    def without(*done: int) -> dict[str, bytes]:
        dropped = Edit.drop(Deltas.of(done))
        return dict(case.render(Candidate(case.deltas, dropped, "")).contents)

    assert without() == FILES.contents
    assert without(0) == {"a": b"x beta x", "b": b"beta"}
    assert without(1) == {"a": b"alpha alpha", "b": b""}
    assert without(0, 1) == {"a": b"x x", "b": b""}
    assert without(2) == {"a": b"alpha beta alpha", "b": b"b e t a"}
    assert case.render(Candidate.whole(NONE)).modes == FILES.modes


def test_what_is_not_rewritten_is_the_same_object(case: RewritesCase) -> None:
    left = case.render(Candidate(case.deltas, Edit.drop(Deltas.of([0])), ""))
    assert left.contents["b"] is FILES.contents["b"]


def test_the_gain_and_the_weight(case: RewritesCase) -> None:
    assert [rewrite.gain for rewrite in case.rewrites] == [8, 9, -3]
    assert case.weights == [8, 9, 0]
    assert case.size(case.deltas) == 3


def test_the_digest_is_that_of_the_files(case: RewritesCase) -> None:
    for kept in (case.deltas, NONE, Deltas.of([1])):
        candidate = Candidate.whole(kept)
        assert case.digest(candidate) == case.render(candidate).digest


def test_two_lists_of_rewrites_are_told_apart_by_their_key(case: RewritesCase) -> None:
    assert case.key == RewritesCase(FILES, [RENAME, GONE, LONGER]).key
    assert case.key != RewritesCase(FILES, [RENAME, GONE]).key
    assert case.key != RewritesCase(FILES, [GONE, RENAME, LONGER]).key
