"""Where changes come from; and nothing there is ever touched."""

import os
import subprocess
from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import (
    FILE,
    LINK,
    PROGRAM,
    SUBMODULE,
    Tree,
    full,
    git,
    make,
    snapshot,
)
from wynot.core.errors import InvalidOption, NoSuchFile, NotAFile, NothingToReduce, Unreadable
from wynot.inquiries.changes.change_sources import (
    Comparison,
    of_files,
    of_folders,
    of_index,
    of_patch,
    of_patch_on_folder,
    of_revisions,
)

FIRST: Tree = {
    "a": b"1\n2\n3\n",
    "d/b": b"x\n",
    "l": (LINK, b"a"),
    "gone": b"bye\n",
    ".gitignore": b"*.o\n",
    "program": (PROGRAM, b"#!/bin/sh\n"),
}


def trees(
    comparison: Comparison,
) -> tuple[dict[str, tuple[int, bytes]], dict[str, tuple[int, bytes]]]:
    """Return both sides in full, the failing one by way of the deltas."""
    changes, store = comparison.changes, comparison.source.store
    good = {}
    for line in store.run("ls-tree", "-r", "-z", comparison.source.good).split(b"\0")[:-1]:
        head, _, name = line.partition(b"\t")
        mode, _, blob = head.split()
        good[os.fsdecode(name)] = (int(mode, 8), store.run("cat-file", "blob", blob.decode()))
    bad = dict(good)
    for path, entry in changes.overlay(changes.deltas).entries.items():
        if entry is None:
            del bad[path]
        else:
            content = entry.content
            if content is None:
                content = store.run("cat-file", "blob", entry.blob)
            bad[path] = (entry.mode, content)
    return good, bad


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    make(tmp_path / "r", [FIRST])
    return tmp_path / "r"


def change(repo: Path) -> dict[str, tuple[int, bytes]]:
    """Change files on disk; return what is there then."""
    (repo / "a").write_bytes(b"1\r\ntwo\r\n3\n")
    (repo / "gone").unlink()
    (repo / "program").chmod(0o644)
    (repo / "l").unlink()
    (repo / "l").symlink_to("d/b")
    (repo / 'n"e\nw').write_bytes(b"\xff\n")
    (repo / "e").mkdir()
    (repo / "e" / "link").symlink_to("nowhere")
    (repo / "e" / "x").write_bytes(b"")
    (repo / "e" / "x").chmod(0o755)
    (repo / "ignored.o").touch()
    now = full(FIRST)
    del now["gone"]
    return {
        **now,
        "a": (FILE, b"1\r\ntwo\r\n3\n"),
        "program": (FILE, b"#!/bin/sh\n"),
        "l": (LINK, b"d/b"),
        'n"e\nw': (FILE, b"\xff\n"),
        "e/link": (LINK, b"nowhere"),
        "e/x": (PROGRAM, b""),
    }


def test_what_is_on_disk(repo: Path, private: Path) -> None:
    now = change(repo)
    git(repo, "add", "a")  # whether it is staged or not
    before = snapshot(repo)
    comparison = of_files(repo / "d", private)
    assert trees(comparison) == (full(FIRST), now)
    assert snapshot(repo) == before
    (step,) = comparison.changes.steps
    assert step.name == step.subject == "what is not committed"
    assert comparison.changes.levels[0].name == "files"


def test_what_is_staged(repo: Path, private: Path) -> None:
    now = change(repo)
    git(repo, "add", "-A")
    (repo / "a").write_bytes(b"later\n")
    (repo / "untracked").touch()
    before = snapshot(repo)
    assert trees(of_index(repo, private)) == (full(FIRST), now)
    assert snapshot(repo) == before


def test_two_revisions(repo: Path, private: Path) -> None:
    now = change(repo)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "all")
    before = snapshot(repo)
    comparison = of_revisions(repo, "HEAD~1", "HEAD", private)
    assert trees(comparison) == (full(FIRST), now)
    assert snapshot(repo) == before


def test_files_that_are_written_otherwise_than_they_are_committed(
    repo: Path, private: Path
) -> None:
    git(repo, "config", "core.autocrlf", "true")
    (repo / "a").write_bytes(b"1\r\ntwo\r\n3\r\n")
    _, bad = trees(of_files(repo, private))
    assert bad == {**full(FIRST), "a": (FILE, b"1\ntwo\n3\n")}


def test_nothing_is_changed(repo: Path, private: Path) -> None:
    (repo / "a").touch()
    with pytest.raises(NothingToReduce, match="nothing differs: what is not committed"):
        of_files(repo, private / "1")
    with pytest.raises(NothingToReduce, match="nothing differs: what is staged"):
        of_index(repo, private / "2")


def test_a_repository_without_commits(tmp_path: Path, private: Path) -> None:
    make(tmp_path / "r")
    (tmp_path / "r" / "a").touch()
    with pytest.raises(InvalidOption, match="there is no commit 'HEAD'"):
        of_files(tmp_path / "r", private)


def test_a_repository_without_files(repo: Path, tmp_path: Path, private: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(tmp_path / "bare"))
    with pytest.raises(InvalidOption, match="has no files on disk"):
        of_files(tmp_path / "bare", private)


def test_a_linked_work_tree(repo: Path, tmp_path: Path, private: Path) -> None:
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", "--detach", str(linked))
    (linked / "a").write_bytes(b"new\n")
    good, bad = trees(of_files(linked, private))
    assert good == full(FIRST)
    assert bad == {**full(FIRST), "a": (FILE, b"new\n")}


def test_paths_from_where_one_is(
    repo: Path, tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p").write_bytes(PATCH)
    monkeypatch.chdir(repo / "d")
    near = Path(os.path.relpath(private, repo / "d"))
    _, bad = trees(of_patch(Path("../../p"), Path(), near))
    assert bad["a"] == (FILE, b"1\ntwo\n3\n")


def test_conflicts(repo: Path, private: Path) -> None:
    for branch in ("one", "two"):
        git(repo, "checkout", "-q", "-b", branch, "main")
        (repo / "a").write_text(branch)
        git(repo, "commit", "-q", "-a", "-m", branch)
    merge = ["git", "-C", str(repo), "merge", "-q", "one"]
    subprocess.run(merge, check=False, capture_output=True)  # noqa: S603 - a list, no shell
    with pytest.raises(InvalidOption, match="'a' has conflicts"):
        of_index(repo, private / "1")
    _, bad = trees(of_files(repo, private / "2"))
    assert bad["a"][1].startswith(b"<<<<<<<")


def test_submodules(tmp_path: Path, private: Path) -> None:
    lib, repo = tmp_path / "lib", tmp_path / "r"
    commits = make(lib, [{"x": b"1\n"}, {"x": b"2\n"}])
    make(repo, [{"a": b"1\n", "lib": (SUBMODULE, commits[0].encode())}])
    (repo / "a").write_bytes(b"2\n")
    comparison = of_files(repo, private / "1")
    assert comparison.source.submodules == ("lib",)
    assert [delta.path for delta in comparison.changes.described] == ["a"]
    (repo / "lib").rmdir()
    git(tmp_path, "clone", "-q", str(lib), str(repo / "lib"))
    with pytest.raises(InvalidOption, match="the submodule 'lib' changes"):
        of_files(repo, private / "2")
    git(repo, "add", "lib")
    with pytest.raises(InvalidOption, match="the submodule 'lib' changes"):
        of_index(repo, private / "3")


def test_two_folders(repo: Path, tmp_path: Path, private: Path) -> None:
    other = tmp_path / "other"
    make(other, [FIRST])
    now = change(other)
    (other / "ignored.o").write_bytes(b"\0")
    (other / "sub" / ".git").mkdir(parents=True)
    (other / "sub" / ".git" / "x").touch()
    (repo / ".gitattributes").write_bytes(b"* text eol=lf\n")
    before = snapshot(tmp_path / "r"), snapshot(other)
    comparison = of_folders(repo, other, private)
    good, bad = trees(comparison)
    assert good == {**full(FIRST), ".gitattributes": (FILE, b"* text eol=lf\n")}
    assert bad == {**now, "ignored.o": (FILE, b"\0")}
    assert (snapshot(tmp_path / "r"), snapshot(other)) == before
    assert comparison.source.empty_folders == ("sub",)
    assert not comparison.source.is_repository


def test_folders_that_cannot_be_compared(
    tmp_path: Path, private: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    with pytest.raises(NoSuchFile, match="there is no folder"):
        of_folders(one, other, private / "1")
    other.touch()
    with pytest.raises(InvalidOption, match="is not a folder"):
        of_folders(one, other, private / "2")
    other.unlink()
    other.mkdir()
    with pytest.raises(NothingToReduce, match="nothing differs"):
        of_folders(one, other, private / "3")
    os.mkfifo(other / "pipe")
    with pytest.raises(NotAFile, match="pipe"):
        of_folders(one, other, private / "4")
    (other / "pipe").unlink()
    (other / "file").touch()

    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(Unreadable, match="file' cannot be read: Permission denied"):
        of_folders(one, other, private / "5")


PATCH = b"""\
diff --git a/a b/a
index 01e79c3..d800886 100644
--- a/a
+++ b/a
@@ -1,3 +1,3 @@
 1
-2
+two
 3
diff --git a/gone b/name
similarity index 100%
rename from gone
rename to name
diff --git a/program b/program
old mode 100755
new mode 100644
"""


def test_a_patch(repo: Path, tmp_path: Path, private: Path) -> None:
    (tmp_path / "p").write_bytes(PATCH)
    (repo / "a").write_bytes(b"not committed\n")
    before = snapshot(repo)
    comparison = of_patch(tmp_path / "p", repo, private)
    expected = full(FIRST)
    expected |= {
        "a": (FILE, b"1\ntwo\n3\n"),
        "name": expected.pop("gone"),
        "program": (FILE, b"#!/bin/sh\n"),
    }
    assert trees(comparison) == (full(FIRST), expected)
    assert snapshot(repo) == before
    assert comparison.changes.steps[0].subject == "the patch p"
    assert [level.name for level in comparison.changes.levels] == ["files"]


@pytest.mark.parametrize("names", [b"--- a\n+++ a\n", b"--- old/a\n+++ new/a\n"])
def test_a_plain_patch_on_a_folder(tmp_path: Path, private: Path, names: bytes) -> None:
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "a").write_bytes(b"1\r\n2\r\n")
    (tmp_path / "f" / "e").mkdir()
    (tmp_path / "p").write_bytes(names + b"@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+two\r\n")
    before = snapshot(tmp_path / "f")
    comparison = of_patch_on_folder(tmp_path / "p", tmp_path / "f", private)
    assert trees(comparison)[1] == {"a": (FILE, b"1\r\ntwo\r\n")}
    assert snapshot(tmp_path / "f") == before
    assert comparison.source.empty_folders == ("e",)


def test_patches_that_do_not_apply(repo: Path, tmp_path: Path, private: Path) -> None:
    patch = tmp_path / "p"
    (repo / "e").symlink_to("d")
    git(repo, "add", "e")
    git(repo, "commit", "-q", "-m", "a link to a folder")
    for number, (content, words) in enumerate(
        {
            PATCH.replace(b"-2", b"-9"): "patch failed: a:1",
            PATCH.replace(b"a/a", b"a/none").replace(b"b/a", b"b/none"): "none",
            b"no patch\n": "No valid patches",
            b"--- /dev/null\n+++ b/../../x\n@@ -0,0 +1 @@\n+x\n": "invalid path",
            b"--- /dev/null\n+++ b/d/.git/x\n@@ -0,0 +1 @@\n+x\n": "invalid path",
            b"--- /dev/null\n+++ b/e/x\n@@ -0,0 +1 @@\n+x\n": "beyond a symbolic link",
        }.items()
    ):
        patch.write_bytes(content)
        with pytest.raises(InvalidOption, match=f"does not apply: .*{words}"):
            of_patch(patch, repo, private / str(number))
    assert not (private / "x").exists()
    with pytest.raises(NoSuchFile, match="there is no file"):
        of_patch(tmp_path / "none", repo, private / "x")
    with pytest.raises(NotAFile, match="is a folder"):
        of_patch(tmp_path, repo, private / "y")
