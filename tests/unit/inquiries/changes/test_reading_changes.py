"""What changes between two trees is read to the byte."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import (
    FILE,
    LINK,
    PROGRAM,
    SUBMODULE,
    Tree,
    git,
    make,
)
from wynot.core.errors import InvalidOption
from wynot.inquiries.changes.diff_parser import MAX_PARTED_BYTES, FileChange, Hunk, changes_between
from wynot.inquiries.changes.git import Git
from wynot.inquiries.changes.lineage import cut


def read(folder: Path, *trees: Tree) -> list[list[FileChange]]:
    commits = make(folder, trees)
    ids = [git(folder, "rev-parse", f"{each}^{{tree}}").decode().strip() for each in commits]
    return changes_between(Git.at(folder), ids)


def applied(old: bytes, hunks: tuple[Hunk, ...] | None) -> bytes:
    assert hunks is not None
    lines = cut(old)
    for hunk in reversed(hunks):
        lines[hunk.start : hunk.start + hunk.removed] = hunk.added
    return b"".join(lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\nb\nc\n", b"b\nc\nd\n"),
        (b"a\nb", b"a\nb\n"),
        (b"a\nb\n", b"a\nb"),
        (b"a\nb", b"a\nc"),
        (b"a", b""),
        (b"", b"a"),
        (b"", b"\n"),
        (b"a\r\nb\r\n", b"a\nb\n"),
        (b"a\rb\n", b"a\rc\n"),
        (b"a\x0cb\n\x0c\n", b"a\x0c\n\x0c\n"),
        (b"\xe9t\xe9\n", b"\xe9t\xe8\n"),
        ("a\u2028b\x85c\n".encode(), "a\u2028b\x85d\n".encode()),
        (b"-- header\n", b"++ header\n"),
        (b"-- a/x\n++ b/x\n", b"@ -1,2 +1,2 @@\ndiff --git a/x b/x\n"),
        (b"\\ No newline at end of file\n", b"\\ No newline at end of file"),
        (b"x\n\\ No newline at end of file\n", b"y\n\\ No newline\nz"),
        (b"\n" * 50, b"\n" * 25 + b"x\n" + b"\n" * 26),
    ],
)
def test_any_line_is_a_line(tmp_path: Path, old: bytes, new: bytes) -> None:
    ((change, _), (_, back)) = read(
        tmp_path,
        {"f": old, "g": b"1\n"},
        {"f": new, "g": b"2\n"},
        {"f": new, "g": b"3\n", "h": old},
    )
    assert applied(old, change.hunks) == new
    assert applied(b"", back.hunks) == old


def test_hunks_that_touch_nothing_in_between(tmp_path: Path) -> None:
    ((change,),) = read(tmp_path, {"f": b"a\nb\nc\nd\n"}, {"f": b"A\nb\nC\nd\nnew\n"})
    assert change.hunks == (Hunk(0, 1, (b"A\n",)), Hunk(2, 1, (b"C\n",)), Hunk(4, 0, (b"new\n",)))


def test_what_happens_to_files_as_such(tmp_path: Path) -> None:
    text = b"".join(b"%d\n" % number for number in range(20))
    (changes,) = read(
        tmp_path,
        {"gone": b"1\n", "mode": b"", "old name": text, "kind": b"x\n", "l": (LINK, b"a")},
        {
            "new\nname": (PROGRAM, text.replace(b"7\n", b"seven\n")),
            "mode": (PROGRAM, b""),
            "new": b"",
            "kind": (LINK, b"x"),
            "l": (LINK, b"b"),
        },
    )
    told = {
        side.path: (
            each.old and (each.old.path, each.old.mode),
            each.new and each.new.mode,
            each.hunks,
        )
        for each in changes
        if (side := each.new or each.old)
    }
    assert told == {
        "gone": (("gone", FILE), None, (Hunk(0, 1, ()),)),
        "mode": (("mode", FILE), PROGRAM, ()),
        "new\nname": (
            ("old name", FILE),
            PROGRAM,
            (Hunk(7, 1, (b"seven\n",)), Hunk(17, 1, (b"1seven\n",))),
        ),
        "new": (None, FILE, ()),
        "kind": (("kind", FILE), LINK, None),
        "l": (("l", LINK), LINK, None),
    }


def test_files_that_are_not_looked_into(tmp_path: Path) -> None:
    large = b"line\n" * (MAX_PARTED_BYTES // 5 + 1)
    (changes,) = read(
        tmp_path,
        {"binary": b"\0\1", "large": large, "to binary": b"a\n"},
        {"binary": b"\0\2", "large": large + b"x\n", "to binary": b"\0", "new": b"\0"},
    )
    assert [change.hunks for change in changes] == [None] * 4


def test_settings_of_the_user_make_no_difference(tmp_path: Path) -> None:
    make(tmp_path)
    for name, value in {
        "diff.noprefix": "true",
        "diff.context": "9",
        "diff.external": "false",
        "diff.renames": "false",
        "diff.algorithm": "patience",
        "color.ui": "always",
        "core.quotePath": "false",
        "diff.x.textconv": "false",
    }.items():
        git(tmp_path, "config", name, value)
    ((change,),) = read(
        tmp_path,
        {"\u00e9": b"a\nb\nc\n", ".gitattributes": b"* diff=x\n"},
        {"\u00e8": b"a\nb\nc\nd\n", ".gitattributes": b"* diff=x\n"},
    )
    assert change.old is not None
    assert change.old.path == "\u00e9"
    assert change.hunks == (Hunk(3, 0, (b"d\n",)),)


def test_a_submodule_that_changes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="the submodule 'lib' changes") as caught:
        read(tmp_path, {"lib": (SUBMODULE, b"1" * 40)}, {"lib": (SUBMODULE, b"2" * 40)})
    assert caught.value.hint
    (changes,) = read(
        tmp_path / "same",
        {"lib": (SUBMODULE, b"1" * 40), "a": b"1\n"},
        {"lib": (SUBMODULE, b"1" * 40), "a": b"2\n"},
    )
    assert len(changes) == 1


def test_a_path_that_leads_out_of_the_tree_is_refused(tmp_path: Path) -> None:
    make(tmp_path)
    blob = git(tmp_path, "hash-object", "-w", "--stdin", given=b"x").strip()
    inner = git(tmp_path, "mktree", given=b"100644 blob %s\tx\n" % blob).strip()
    raw = b"40000 ..\0" + bytes.fromhex(inner.decode())
    args = ("hash-object", "-w", "-t", "tree", "--literally", "--stdin")
    hostile = git(tmp_path, *args, given=raw).decode().strip()
    empty = git(tmp_path, "mktree", given=b"").decode().strip()
    with pytest.raises(InvalidOption, match="which cannot exist in a folder"):
        changes_between(Git.at(tmp_path), [empty, hostile])
