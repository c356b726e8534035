"""Changes as a case: levels, candidates, objections."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import LINK, PROGRAM, SUBMODULE, Tree, make
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.inquiries.changes import weaving
from wynot.inquiries.changes.change_sources import of_revisions
from wynot.inquiries.changes.circumstance import Changes
from wynot.inquiries.changes.overlay import Overlay, TreeEntry
from wynot.inquiries.circumstances import Circumstances


@pytest.fixture
def case(tmp_path: Path, private: Path) -> "Case":
    return Case(tmp_path / "r", private)


class Case:
    """Makes changes out of trees."""

    def __init__(self, folder: Path, private: Path) -> None:
        self._folder, self._private = folder, private

    def __call__(self, *trees: Tree) -> Changes:
        self.commits = make(self._folder, trees)
        changes = of_revisions(self._folder, self.commits[0], "main", self._private).changes
        _: Circumstances[Overlay] = changes
        return changes


def kinds(changes: Changes) -> list[str]:
    return [delta.kind for delta in changes.described]


def contents(changes: Changes, *indices: int) -> dict[str, bytes | None]:
    entries = changes.overlay(Deltas.of(indices)).entries
    return {path: entry and entry.content for path, entry in entries.items()}


def objection(changes: Changes, *indices: int) -> str:
    return changes.objection(Candidate.whole(Deltas.of(indices)))


def test_levels_from_commits_to_lines(case: Case) -> None:
    changes = case(
        {"a": b"1\n2\n3\n", "b": b"1\n"},
        {"a": b"one\n2\nthree\n4\n", "b": b"one\n"},
        {"a": b"one\n2\nthree\n4\n", "b": b"one\n", "c": b"x\ny\n"},
    )
    shown = {level.name: [str(unit) for unit in level.units] for level in changes.levels}
    assert shown == {
        "commits": ["Deltas(0-3)", "Deltas(4-6)"],
        "files": ["Deltas(0-2)", "Deltas(3)", "Deltas(4-6)"],
        "hunks": ["Deltas(0)", "Deltas(1-2)", "Deltas(3)", "Deltas(4-6)"],
        "lines": [f"Deltas({number})" for number in range(7)],
    }
    assert changes.deltas == Deltas.first(7)
    assert changes.size(changes.deltas) == 7
    assert kinds(changes)[3:] == ["replaced line", "creation", "added line", "added line"]


def test_files_that_are_moved_to_another_folder_move_together(case: Case) -> None:
    text = b"".join(b"%d\n" % number for number in range(9))
    changes = case(
        {"lib/a": text, "lib/b/c": text + b"c\n", "d": text + b"d\n"},
        {"src/lib/a": text + b"new\n", "src/lib/b/c": text + b"c\n", "e": text + b"d\n"},
    )
    assert kinds(changes) == ["rename", "rename", "rename", "added line"]
    assert [delta.path for delta in changes.described] == [
        *("src/lib/a", "src/lib/b/c", "e", "src/lib/a"),
    ]
    shown = {level.name: [str(unit) for unit in level.units] for level in changes.levels}
    assert shown == {
        "files": ["Deltas(0-1)", "Deltas(2)", "Deltas(3)"],
        "lines": ["Deltas(0)", "Deltas(1)", "Deltas(2)", "Deltas(3)"],
    }
    assert contents(changes, 3) == {"lib/a": text + b"new\n"}


def test_a_level_that_says_nothing_new_is_left_out(case: Case) -> None:
    changes = case({"a": b"1\n"}, {"a": b"2\n"})
    assert [level.name for level in changes.levels] == ["lines"]


def test_a_single_delta_is_a_level_too(case: Case) -> None:
    changes = case({"a": b"1\n"}, {"a": (PROGRAM, b"1\n")})
    assert [(level.name, len(level.units)) for level in changes.levels] == [("lines", 1)]


def test_empty_files_have_hunks_of_their_own(case: Case) -> None:
    changes = case({"b": b"1\n"}, {"a": b"", "b": b"2\n3\n"})
    (files, lines) = changes.levels
    assert [str(unit) for unit in files.units] == ["Deltas(0)", "Deltas(1-2)"]
    assert changes.hunk_of(0) != changes.hunk_of(1) == changes.hunk_of(2)
    assert lines.name == "lines"


def test_lines_are_chosen_one_by_one(case: Case) -> None:
    changes = case({"a": b"1\n2\n4\n"}, {"a": b"one\n2\nthree\n"}, {"a": b"one\nthree\n"})
    assert kinds(changes) == ["replaced line", "replaced line", "removed line"]
    assert contents(changes) == {}
    assert contents(changes, 0) == {"a": b"one\n2\n4\n"}
    assert contents(changes, 1) == {"a": b"1\n2\nthree\n"}
    assert contents(changes, 2) == {"a": b"1\n4\n"}
    assert [(delta.line, delta.text) for delta in changes.described] == [
        (1, b"one\n"),
        (3, b"three\n"),
        (2, b"2\n"),
    ]


def test_a_replaced_line_is_one_change(case: Case) -> None:
    """Neither half of it is anything that somebody wrote."""
    before, after = b"def f(t):\n    return int(t)\n", b"def f(t):\n    return int(t) + 1\n"
    changes = case({"a": before}, {"a": after})
    assert kinds(changes) == ["replaced line"]
    assert contents(changes, 0) == {"a": after}


def test_lines_that_come_stand_by_the_one_whose_place_is_taken(case: Case) -> None:
    changes = case(
        {"a": b"def f(t):\n    return int(t)\n"},
        {"a": b"def f(t):\n    if t:\n        return 0\n    return int(t) + 1\n    # end\n"},
    )
    assert kinds(changes) == ["added line", "added line", "replaced line", "added line"]
    assert contents(changes, 0, 1) == {
        "a": b"def f(t):\n    if t:\n        return 0\n    return int(t)\n"
    }
    assert contents(changes, 2) == {"a": b"def f(t):\n    return int(t) + 1\n"}
    assert contents(changes, 3) == {"a": b"def f(t):\n    return int(t)\n    # end\n"}


def test_lines_replaced_in_a_row_keep_their_places(case: Case) -> None:
    changes = case({"a": b"1\n2\n3\n"}, {"a": b"one\ntwo\nthree\n"})
    assert kinds(changes) == ["replaced line"] * 3
    assert contents(changes, 0) == {"a": b"one\n2\n3\n"}
    assert contents(changes, 1) == {"a": b"1\ntwo\n3\n"}
    assert contents(changes, 0, 2) == {"a": b"one\n2\nthree\n"}


def test_a_line_without_an_end_gets_one_if_another_follows(case: Case) -> None:
    changes = case({"a": b"1\n2"}, {"a": b"1\n2\n3"})
    assert kinds(changes) == ["replaced line", "added line"]
    assert contents(changes, 0) == {"a": b"1\n2\n"}
    assert contents(changes, 1) == {"a": b"1\n2\n3"}


def test_a_change_of_what_is_not_there_is_an_objection(case: Case) -> None:
    changes = case({"a": b"1\n"}, {"a": b"2\n"}, {"a": b"3\n"})
    first, second = (each[:10] for each in case.commits[1:])
    assert kinds(changes) == ["replaced line"] * 2
    assert objection(changes, 1) == f"line 1 of a is changed by {second}, which needs {first}"
    assert contents(changes, 0) == {"a": b"2\n"}
    assert contents(changes, 0, 1) == {"a": b"3\n"}


def test_lines_of_a_new_file_need_the_file(case: Case) -> None:
    changes = case({"x": b""}, {"x": b"", "a": b"1\n"}, {"x": (PROGRAM, b"")})
    assert kinds(changes) == ["creation", "added line", "deletion", "mode"]
    first, second = (each[:10] for each in case.commits[1:])
    assert objection(changes, 1) == f"line 1 of a is changed by {first}, which needs {first}"
    assert objection(changes, 2) == f"a is changed by {second}, which needs {first}"
    assert contents(changes, 0) == {"a": b""}
    assert contents(changes, 0, 1, 2) == {}


def test_two_files_at_one_place(case: Case) -> None:
    text = b"".join(b"%d\n" % number for number in range(9))
    changes = case(
        {"a": text, "b": b"x\n"},
        {"a": text},
        {"b": text},
    )
    assert kinds(changes) == ["deletion", "rename"]
    assert objection(changes, 1) == "there would be two files b"
    assert contents(changes, 0) == {"b": None}
    assert changes.overlay(changes.deltas).entries["a"] is None


def test_a_file_where_a_folder_is(case: Case) -> None:
    changes = case({"d/e/f": b"1\n", "x": b""}, {"x": b""}, {"d": b"2\n", "x": b""})
    assert kinds(changes) == ["deletion", "creation", "added line"]
    assert objection(changes, 1) == "d would be a file and a folder"
    assert not objection(changes, 0, 1)


def test_a_file_lives_on_under_another_name(case: Case) -> None:
    text = b"".join(b"%d\n" % number for number in range(9))
    changes = case(
        {"a": text}, {"b": text}, {"b": text.replace(b"3\n", b"three\n")}, {"d/c": text + b"9\n"}
    )
    assert kinds(changes) == [
        "rename",
        "replaced line",
        "rename",
        "replaced line",
        "added line",
    ]
    assert contents(changes, 1) == {"a": text.replace(b"3\n", b"three\n")}
    assert contents(changes, 2) == {"a": None, "d/c": text}
    assert contents(changes, 4) == {"a": text + b"9\n"}


def test_modes_links_and_binary_files(case: Case) -> None:
    changes = case(
        {"a": b"1\n", "l": (LINK, b"a"), "b": b"\0\1"},
        {"a": (PROGRAM, b"1\n"), "l": (LINK, b"b"), "b": b"\0\2"},
        {"a": (PROGRAM, b"1\n"), "l": b"text\n", "b": b"\0\3"},
    )
    assert kinds(changes) == ["mode", "content", "content", "content", "replacement"]
    entries = changes.overlay(Deltas.of([0, 2, 3])).entries
    assert {path: entry and entry.mode for path, entry in entries.items()} == {
        "a": 0o100755,
        "b": 0o100644,
        "l": LINK,
    }
    assert all(isinstance(entry, TreeEntry) for entry in entries.values())
    # The last change of a file that is taken as a whole counts, with or without the others.
    assert changes.overlay(Deltas.of([1, 3])) == changes.overlay(Deltas.of([3]))
    assert not objection(changes, 4)
    assert list(changes.overlay(Deltas.of([4])).entries) == ["l"]


def test_a_text_that_becomes_binary_is_another_file(case: Case) -> None:
    changes = case(
        {"a": b"1\n"}, {"a": b"2\n"}, {"a": b"\0"}, {"a": b"3\n4\n"}, {"a": b"3\nfour\n"}
    )
    assert kinds(changes) == ["replaced line", "replacement", "content", "content"]
    assert changes.overlay(Deltas.of([1])) == changes.overlay(Deltas.of([0, 1]))
    assert not objection(changes, 1, 3)
    assert objection(changes, 0, 3).startswith("a is changed by")


def test_what_comes_to_the_same_tree_has_the_same_digest(case: Case) -> None:
    changes = case({"a": b"1\n"}, {"a": b"1\nx\n"}, {"a": b"1\n", "b": b"y\n"}, {"a": b"1\nz\n"})
    none = changes.digest(Candidate.whole(NONE))
    there = changes.described.index(next(d for d in changes.described if d.text == b"x\n"))
    assert changes.digest(Candidate.whole(Deltas.of([there]))) != none
    gone = there + 1
    assert changes.described[gone].kind == "removed line"
    assert changes.digest(Candidate.whole(Deltas.of([there, gone]))) == none
    assert not changes.overlay(Deltas.of([there, gone])).entries
    whole = changes.deltas
    less = Candidate(whole, Edit.drop(Deltas.of([there, gone])), "")
    assert changes.digest(less) == changes.digest(Candidate.whole(whole))
    assert len({none, changes.digest(less)}) == 2


def test_a_file_that_comes_back(case: Case) -> None:
    changes = case({"a": b"1\n", "x": b""}, {"x": b""}, {"a": b"1\n", "x": b"new\n"})
    assert kinds(changes) == ["deletion", "creation", "added line", "added line"]
    assert contents(changes, 0) == {"a": None}
    assert objection(changes, 1) == "there would be two files a"
    assert contents(changes, 0, 1, 2) == {}


def test_a_file_with_too_many_lines_changes_as_a_whole(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weaving, "MOST_LINES", 3)
    changes = case(
        {"a": b"1\n2\n3\n4\n", "b": b"1\n"},
        {"a": b"1\n2\n3\nfour\n", "b": b"1\n2\n3\n", "c": b"1\n2\n3\n4\n"},
        {"a": b"1\n2\n3\n", "b": b"1\n2\n3\n", "c": b"1\n"},
    )
    by_path = [(delta.path, delta.kind) for delta in changes.described]
    assert by_path == [
        ("a", "content"),
        ("b", "added line"),
        ("b", "added line"),
        ("c", "creation"),
        ("a", "content"),
        ("c", "content"),
    ]


def test_submodules_that_stay_are_told(tmp_path: Path, private: Path) -> None:
    submodule = {"lib/x": (SUBMODULE, b"1" * 40)}
    make(tmp_path / "r", [{**submodule, "a": b"1\n"}, {**submodule, "a": b"2\n"}])
    source = of_revisions(tmp_path / "r", "main~1", "main", private).source
    assert source.submodules == ("lib/x",)


def test_what_cannot_be_is_not_taken_for_what_can(case: Case) -> None:
    changes = case({"a": b"1\n"}, {"a": b"1\n", "f": b"x\n"}, {"a": b"1\n", "f": b"x\ny\n"})
    *_, last = changes.levels[0].units
    without = Candidate.whole(last)
    assert changes.objection(without)
    possible = [Candidate.whole(Deltas.first(size)) for size in range(len(changes.deltas) + 1)]
    assert changes.digest(without) not in [
        changes.digest(each) for each in possible if not changes.objection(each)
    ]
