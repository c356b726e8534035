"""What a set of deltas is to people."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import (
    LINK,
    PROGRAM,
    Tree,
    full,
    git,
    make,
    on_disk,
)
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.inquiries.changes.answer import culprits, patch
from wynot.inquiries.changes.change_sources import Comparison, of_revisions

TEXT = b"".join(b"line %d\n" % number for number in range(30))

TREES: list[Tree] = [
    {"a": TEXT, "b": b"\0one", "l": (LINK, b"a"), "m": b"m\n", "old": TEXT + b"x"},
    {
        "a": TEXT.replace(b"line 3\n", b"three\n").replace(b"line 25\n", b""),
        "b": b"\0two",
        "l": (LINK, b"b"),
        "m": (PROGRAM, b"m\n"),
        "d/new": TEXT,
    },
    {
        "a": TEXT.replace(b"line 3\n", b"three\n3\n").replace(b"line 25\n", b"") + b"end",
        "c": b"1\n2",
        "l": (LINK, b"b"),
        "m": (PROGRAM, b"m\n"),
        "d/new": TEXT,
    },
]


@pytest.fixture
def comparison(tmp_path: Path, private: Path) -> Comparison:
    make(tmp_path / "r", TREES)
    return of_revisions(tmp_path / "r", "main~2", "main", private)


def applied(folder: Path, tree: Tree, patch: bytes) -> dict[str, tuple[int, bytes]]:
    make(folder, [tree])
    if patch:
        git(folder, "apply", "--whitespace=nowarn", "-", given=patch)
    return on_disk(folder)


def test_all_of_it_leads_from_one_side_to_the_other(comparison: Comparison, tmp_path: Path) -> None:
    whole = comparison.changes.deltas
    forth, back = patch(comparison, NONE, whole), patch(comparison, whole, NONE)
    assert applied(tmp_path / "1", TREES[0], forth) == full(TREES[-1])
    assert applied(tmp_path / "2", TREES[-1], back) == full(TREES[0])
    assert patch(comparison, NONE, NONE) == b""


@pytest.mark.slow
def test_any_choice_is_a_patch_that_applies(comparison: Comparison, tmp_path: Path) -> None:
    changes = comparison.changes
    units = [unit for level in changes.levels[:-1] for unit in level.units]
    done = 0
    for number, unit in enumerate(units[::4]):
        for kept in (unit, changes.deltas.toggle(unit)):
            if changes.objection(Candidate.whole(kept)):
                continue
            done += 1
            expected = full(TREES[0])
            for path, entry in changes.overlay(kept).entries.items():
                expected.pop(path, None)
                if entry is not None:
                    blob = entry.content
                    if blob is None:
                        blob = comparison.source.store.run("cat-file", "blob", entry.blob)
                    expected[path] = (entry.mode, blob)
            made = patch(comparison, NONE, kept)
            assert applied(tmp_path / f"{number}-{done}", TREES[0], made) == expected
            undone = patch(comparison, changes.deltas, kept)
            assert applied(tmp_path / f"{number}+{done}", TREES[-1], undone) == expected
    assert done > len(units) // 4


def test_a_patch_between_any_two(comparison: Comparison, tmp_path: Path) -> None:
    first = comparison.changes.levels[0].units[0]
    made = patch(comparison, first, comparison.changes.deltas)
    assert applied(tmp_path / "x", TREES[1], made) == full(TREES[2])


def test_who_did_what(comparison: Comparison, tmp_path: Path) -> None:
    found = culprits(comparison.changes, comparison.changes.deltas)
    assert [culprit.step.subject for culprit in found] == ["commit 1", "commit 2"]
    assert found[0].step.commit == git(tmp_path / "r", "rev-parse", "main~1").decode().strip()
    assert [(part.place, part.summary) for part in found[0].parts] == [
        ("a:4", "+1 -1"),
        ("a:26", "-1"),
        ("b", "content"),
        ("d/new", "renamed from old"),
        ("old:31", "-1"),
        ("l", "content"),
        ("m", "mode 100755"),
    ]
    assert [(part.place, part.summary) for part in found[1].parts] == [
        ("a:5", "+1"),
        ("a:31", "+1"),
        ("b", "deletion"),
        ("c", "creation +2"),
    ]
    some = Deltas.of(
        [each for each, delta in enumerate(comparison.changes.described) if delta.path == "a"][:1]
    )
    [[part]] = [found.parts for found in culprits(comparison.changes, some)]
    assert part.place == "a:4"
    assert [part.summary for part in culprits(comparison.changes, some)[0].parts] == ["+1 -1"]
