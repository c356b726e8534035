"""Work trees: each candidate is put in place, and nothing of the one before is left."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import (
    FILE,
    LINK,
    PROGRAM,
    Tree,
    add,
    full,
    git,
    make,
    on_disk,
    snapshot,
)
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import BrokenRunner, NoSpace, NotExecutable
from wynot.core.files import Files
from wynot.inquiries.changes import worktree
from wynot.inquiries.changes.change_sources import Comparison, of_folders, of_revisions
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.changes.worktree import Worktrees
from wynot.machine import landlock
from wynot.oracle.provisioner import Inapplicable, Provisioner
from wynot.wire.run_request import Killed

GOOD: Tree = {
    "a": b"1\n2\n3\n",
    "d/b": (PROGRAM, b"#!/bin/sh\n"),
    "l": (LINK, b"a"),
    "gone": b"x\n",
    ".gitignore": b"*.o\n",
    "same": b"same\n",
}
BAD: Tree = {
    "a": b"1\nTWO\n3\n",
    "d/b": (FILE, b"#!/bin/sh\n"),
    "l": (LINK, b"d/b"),
    "e/new": b"\xff\r\n",
    "bin": b"\0\1",
    ".gitignore": b"*.o\n",
    "same": b"same\n",
}


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    sandbox = LoneSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture
def comparison(tmp_path: Path, private: Path) -> Comparison:
    make(tmp_path / "r", [GOOD, BAD])
    return of_revisions(tmp_path / "r", "main~1", "main", private)


def put(
    comparison: Comparison, kept: Deltas, sandbox: Sandbox, trees: Worktrees | None = None
) -> Path:
    provisioner: Provisioner[Overlay] = trees or Worktrees(comparison.source)
    given = provisioner.provision(comparison.changes.overlay(kept), sandbox)
    assert given.folder is not None
    return given.folder


@pytest.mark.parametrize(
    "script",
    [
        "ln -f $OUTSIDE/file stream",
        "ln -sf $OUTSIDE/file stream",
        "ln -f $OUTSIDE/file git/HEAD",
        "ln -sf $OUTSIDE/file git/HEAD",
        "ln -f $OUTSIDE/file 'git/attributes of wynot'",
        "rm -r git; ln -s $OUTSIDE git",
        "rm -r git/objects; ln -s $OUTSIDE git/objects",
        "rm -r git/objects/pack; ln -s $OUTSIDE/pack git/objects/pack",
        "rm -r given; ln -s $OUTSIDE given",
        "rm -r scratch/tree; ln -s $OUTSIDE scratch/tree",
    ],
)
def test_nothing_outside_is_written_or_removed_through_links(
    comparison: Comparison, sandbox: Sandbox, script: str
) -> None:
    outside = sandbox.private.with_name("outside")  # on the same disk
    (outside / "pack").mkdir(parents=True)
    for path in (outside / "file", outside / "HEAD", outside / "pack" / "file"):
        path.write_text("precious")
    before = {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    trees = Worktrees(comparison.source)
    put(comparison, Deltas.of([0, 1]), sandbox, trees)
    script = f"OUTSIDE={outside}; cd {sandbox.private}; set -e; {script}"
    subprocess.run(["sh", "-c", script], check=True)  # noqa: S603 - our own words
    tree = put(comparison, Deltas.of([0]), sandbox, trees)
    assert {path: path.read_bytes() for path in outside.rglob("*") if path.is_file()} == before
    assert (tree / "same").read_bytes() == b"same\n"


def test_both_sides_are_there_to_the_byte(
    comparison: Comparison, sandbox: Sandbox, tmp_path: Path
) -> None:
    before = snapshot(tmp_path / "r")
    whole = comparison.changes.deltas
    for _ in range(2):
        assert on_disk(put(comparison, NONE, sandbox)) == full(GOOD)
        assert on_disk(put(comparison, whole, sandbox)) == full(BAD)
    for size in range(len(whole)):
        kept = Deltas.first(size)
        entries = comparison.changes.overlay(kept).entries
        expected = full(GOOD)
        for path, entry in entries.items():
            if entry is None:
                del expected[path]
            else:
                blob = (
                    git(tmp_path / "r", "cat-file", "blob", entry.blob)
                    if (entry.content is None)
                    else entry.content
                )
                expected[path] = (entry.mode, blob)
        assert on_disk(put(comparison, kept, sandbox)) == expected
    assert snapshot(tmp_path / "r") == before


def test_what_a_test_did_is_undone(comparison: Comparison, sandbox: Sandbox) -> None:
    tree = put(comparison, NONE, sandbox)
    (tree / "a").write_bytes(b"changed")
    (tree / "same").unlink()
    (tree / "same").mkdir()
    (tree / "same" / "inside").touch()
    (tree / "untracked").mkdir()
    (tree / "untracked" / "file").touch()
    (tree / "d" / "b").chmod(0o600)
    (tree / "l").unlink()
    (tree / "l").symlink_to("/")
    git(tree, "init", "-q", "nested")
    (tree / "kept.o").touch()
    assert on_disk(put(comparison, NONE, sandbox)) == {**full(GOOD), "kept.o": (FILE, b"")}
    clean = Worktrees(comparison.source, clean=True)
    assert on_disk(put(comparison, NONE, sandbox, clean)) == full(GOOD)


@pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")
@pytest.mark.parametrize("is_confined", [False, True])
def test_git_is_confined_if_tests_are(
    tmp_path: Path,
    private: Path,
    monkeypatch: pytest.MonkeyPatch,
    is_confined: bool,
) -> None:
    """A filter of the user's own settings runs, for files that a stranger has named."""
    ran = tmp_path / "ran"
    settings = tmp_path / "settings"
    settings.write_text(f'[filter "mine"]\n\tsmudge = "touch {ran} 2> /dev/null; cat"\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    good: Tree = {**GOOD, ".gitattributes": b"a filter=mine\n"}
    bad: Tree = {**BAD, ".gitattributes": b"a filter=mine\n"}
    make(tmp_path / "r", [good, bad])
    comparison = of_revisions(tmp_path / "r", "main~1", "main", private)
    trees = Worktrees(comparison.source, is_confined=is_confined)
    sandbox = LoneSandbox()  # only now: its agent has the settings of its start
    for kept in (NONE, Deltas.of([0]), comparison.changes.deltas):
        tree = put(comparison, kept, sandbox, trees)
    assert on_disk(tree) == full(bad)
    assert git(tree, "log", "--format=%s") == b"commit 0\n"
    sandbox.close()
    assert ran.exists() is not is_confined


def test_only_files_that_change_are_written(comparison: Comparison, sandbox: Sandbox) -> None:
    tree = put(comparison, NONE, sandbox)
    times = {name: (tree / name).stat().st_mtime_ns for name in ("a", "same")}
    old = 1_000_000_000_000_000_000
    os.utime(tree / "a", ns=(old, old))
    inode = (tree / "same").stat().st_ino
    put(comparison, comparison.changes.deltas, sandbox)
    assert (tree / "a").stat().st_mtime_ns > old
    assert (tree / "same").stat().st_mtime_ns == times["same"]
    assert (tree / "same").stat().st_ino == inode


def test_git_works_in_a_tree_as_in_the_users(
    tmp_path: Path, private: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits = make(tmp_path / "r", [GOOD, BAD])
    git(tmp_path / "r", "tag", "-a", "-m", "first", "v1", commits[0])
    git(tmp_path / "r", "config", "core.hooksPath", str(tmp_path / "hooks"))
    (tmp_path / "hooks").mkdir()
    hook = tmp_path / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
    hook.chmod(0o755)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "r" / ".git"))
    comparison = of_revisions(tmp_path / "r", "v1", "main", private)
    given = Worktrees(comparison.source).provision(comparison.changes.overlay(NONE), sandbox)
    assert given.folder is not None
    assert given.env["GIT_DIR"] is None
    monkeypatch.delenv("GIT_DIR")
    assert git(given.folder, "describe").strip() == b"v1"
    assert git(given.folder, "rev-parse", "HEAD").decode().strip() == commits[0]
    assert git(given.folder, "status", "--porcelain") == b""
    assert git(given.folder, "remote") == b""
    (given.folder / "a").write_text("mine")
    git(given.folder, "commit", "-q", "-a", "-m", "by a test")
    put(comparison, NONE, sandbox)
    assert git(given.folder, "rev-parse", "HEAD").decode().strip() == commits[0]
    assert not (tmp_path / "hooked").exists()


@pytest.mark.parametrize("harm", ["lock", "no repository", "no tree", "rights", "index"])
def test_a_tree_that_a_test_has_spoiled_is_made_anew(
    comparison: Comparison, sandbox: Sandbox, harm: str
) -> None:
    tree = put(comparison, NONE, sandbox)
    if harm == "lock":
        (tree / ".git" / "index.lock").touch()
    elif harm == "no repository":
        shutil.rmtree(tree / ".git")
    elif harm == "no tree":
        shutil.rmtree(tree)
    elif harm == "rights":
        (tree / "closed").mkdir()
        (tree / "closed" / "x").touch()
        (tree / "closed").chmod(0)
        (tree / "d").chmod(0o500)
    else:
        (tree / ".git" / "index").write_bytes(b"no index")
    whole = comparison.changes.deltas
    assert on_disk(put(comparison, whole, sandbox)) == full(BAD)


def test_a_file_and_a_folder_change_places(tmp_path: Path, private: Path, sandbox: Sandbox) -> None:
    one: Tree = {"x": b"1\n", "y/z": b"2\n" * 9}
    other: Tree = {"x/z": b"2\n" * 9, "y": b"3\n"}
    make(tmp_path / "r", [one, other])
    comparison = of_revisions(tmp_path / "r", "main~1", "main", private)
    for _ in range(2):
        assert on_disk(put(comparison, comparison.changes.deltas, sandbox)) == full(other)
        assert on_disk(put(comparison, NONE, sandbox)) == full(one)


def test_two_benches_do_not_meet(comparison: Comparison, sandbox: Sandbox) -> None:
    other = LoneSandbox()
    try:
        trees = Worktrees(comparison.source)
        one, two = put(comparison, NONE, sandbox, trees), put(comparison, NONE, other, trees)
        assert one != two
        put(comparison, comparison.changes.deltas, other, trees)
        assert on_disk(one) == full(GOOD)
        assert on_disk(two) == full(BAD)
    finally:
        other.close()


def test_folders_without_history(tmp_path: Path, private: Path, sandbox: Sandbox) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    for folder, files in ((good, GOOD), (bad, BAD)):
        make(folder, [files])
        (folder / "empty" / "one").mkdir(parents=True)
        (folder / "x.o").write_bytes(b"\0" + folder.name.encode())
    comparison = of_folders(good, bad, private)
    tree = put(comparison, NONE, sandbox)
    assert on_disk(tree) == {**full(GOOD), "x.o": (FILE, b"\0good")}
    assert not (tree / ".git").exists()
    (tree / "empty" / "one" / "left").touch()
    (tree / "y.o").touch()
    assert on_disk(put(comparison, comparison.changes.deltas, sandbox)) == {
        **full(BAD),
        "x.o": (FILE, b"\0bad"),
    }
    assert (tree / "empty" / "one").is_dir()


def test_no_folder_is_made_beyond_a_link(tmp_path: Path, private: Path, sandbox: Sandbox) -> None:
    good, bad, outside = (tmp_path / name for name in ("good", "bad", "outside"))
    (good / "d" / "empty").mkdir(parents=True)
    (good / "d" / "a").touch()
    bad.mkdir()
    outside.mkdir()
    (bad / "d").symlink_to(outside)
    comparison = of_folders(good, bad, private)
    for _ in range(2):
        assert (put(comparison, NONE, sandbox) / "d" / "empty").is_dir()
        assert (put(comparison, comparison.changes.deltas, sandbox) / "d").is_symlink()
    assert not list(outside.iterdir())


def test_a_tree_that_no_folder_can_hold(tmp_path: Path, private: Path, sandbox: Sandbox) -> None:
    name = "n" * 300
    make(tmp_path / "r", [{"a": b"1\n"}])
    add(tmp_path / "r", {"a": b"1\n", name: b""}, "long", "main")
    comparison = of_revisions(tmp_path / "r", "main~1", "main", private)
    with pytest.raises(Inapplicable, match="nnn"):
        put(comparison, comparison.changes.deltas, sandbox)
    assert on_disk(put(comparison, NONE, sandbox)) == full({"a": b"1\n"})
    (private / "back").mkdir()
    back = of_revisions(tmp_path / "r", "main", "main~1", private / "back")
    with pytest.raises(BrokenRunner, match="the passing side cannot be checked out"):
        put(back, NONE, sandbox)


def test_without_git(
    comparison: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox = LoneSandbox()
    try:
        with pytest.raises(NotExecutable):
            put(comparison, NONE, sandbox)
    finally:
        sandbox.close()


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_whatever_the_ids_are(
    tmp_path: Path, private: Path, sandbox: Sandbox, object_format: str
) -> None:
    make(tmp_path / "r", [GOOD, BAD], object_format=object_format)
    comparison = of_revisions(tmp_path / "r", "main~1", "main", private)
    whole = comparison.changes.deltas
    assert on_disk(put(comparison, whole, sandbox)) == full(BAD)
    changed = comparison.changes.overlay(whole).entries["a"]
    assert changed is not None
    assert changed.blob == git(tmp_path / "r", "rev-parse", "main:a").decode().strip()


def test_a_shallow_clone(tmp_path: Path, private: Path, sandbox: Sandbox) -> None:
    make(tmp_path / "r", [{}, {"x": b""}, GOOD, BAD])
    url = (tmp_path / "r").as_uri()
    git(tmp_path, "clone", "-q", "--depth=2", url, str(tmp_path / "s"))
    comparison = of_revisions(tmp_path / "s", "main~1", "main", private)
    tree = put(comparison, comparison.changes.deltas, sandbox)
    assert on_disk(tree) == full(BAD)
    assert git(tree, "log", "--format=%s") == b"commit 2\n"


def test_candidates_do_not_pile_up(comparison: Comparison, sandbox: Sandbox) -> None:
    for size in range(1, 6):
        put(comparison, Deltas.first(size), sandbox)
    objects = sandbox.private / "git" / "objects"
    packs = [path for path in objects.rglob("*") if path.suffix == ".pack"]
    assert len(packs) == 1
    assert not [path for path in objects.iterdir() if len(path.name) == 2]


@pytest.mark.parametrize("replaced", ["tree", "tree/.git", "tree/.git/objects"])
def test_a_test_that_links_to_a_repository_does_not_make_us_write_there(
    comparison: Comparison, sandbox: Sandbox, tmp_path: Path, replaced: str
) -> None:
    put(comparison, comparison.changes.deltas, sandbox)
    other = tmp_path / "other"
    git(tmp_path, "init", "-q", str(other))
    (other / "precious").write_text("kept")
    before = {path: path.read_bytes() for path in other.rglob("*") if path.is_file()}
    place = sandbox.scratch / replaced
    shutil.rmtree(place)
    place.symlink_to(other / ".git" if ".git" in replaced else other)
    assert on_disk(put(comparison, Deltas.first(1), sandbox))
    assert {path: path.read_bytes() for path in other.rglob("*") if path.is_file()} == before


def test_a_full_disk(
    comparison: Comparison, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_args: object, **_more: object) -> Iterator[bytes]:
        raise OSError(28, "No space left on device")

    put(comparison, NONE, sandbox)
    monkeypatch.setattr(Overlay, "stream", full_disk)
    with pytest.raises(NoSpace, match="no room for a work tree"):
        put(comparison, comparison.changes.deltas, sandbox)


def test_a_tree_that_cannot_be_removed(
    comparison: Comparison, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worktree, "remove", lambda _path: False)
    with pytest.raises(BrokenRunner, match="cannot be removed"):
        put(comparison, NONE, sandbox)


def test_a_job_that_is_given_up_ends(comparison: Comparison, sandbox: Sandbox) -> None:
    put(comparison, NONE, sandbox)
    job = object()
    sandbox.switch.begin(job)
    sandbox.switch.kill(job)
    with pytest.raises(Killed):
        put(comparison, comparison.changes.deltas, sandbox)
    sandbox.switch.finish()
    assert on_disk(put(comparison, comparison.changes.deltas, sandbox)) == full(BAD)


def test_attributes_of_a_folder_do_not_change_its_files(
    tmp_path: Path, private: Path, sandbox: Sandbox
) -> None:
    for side, last in (("good", b"1\n"), ("bad", b"2\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / ".gitattributes").write_text("*.txt text eol=crlf\n")
        (tmp_path / side / "a.txt").write_bytes(last)
    comparison = of_folders(tmp_path / "good", tmp_path / "bad", private)
    tree = put(comparison, comparison.changes.deltas, sandbox)
    assert (tree / "a.txt").read_bytes() == b"2\n"


def test_a_file_beside_is_there_as_it_was_given(comparison: Comparison, sandbox: Sandbox) -> None:
    given = Files({"t/run.o": b"exit 1\n", "same": b"not this\n"}, {"t/run.o": 0o755})
    trees = Worktrees(comparison.source, beside=given)
    for _ in range(2):
        tree = put(comparison, NONE, sandbox, trees)
        assert (tree / "t" / "run.o").read_bytes() == b"exit 1\n"
        assert (tree / "t" / "run.o").stat().st_mode & 0o777 == 0o755
        assert (tree / "same").read_bytes() == b"same\n", "the tree has one of that name"
        (tree / "t" / "run.o").write_text("changed by a test, and ignored by git")
