"""Reading and writing the user's files."""

import os
from pathlib import Path

import pytest

from wynot.core.errors import (
    ChangedUnderneath,
    InvalidOption,
    Locked,
    NoSuchFile,
    NotAFile,
    NothingToReduce,
    ReadOnly,
)
from wynot.core.files import Files
from wynot.disk.file_lock import FileLock
from wynot.disk.load import load, targets
from wynot.disk.output import Earlier, Output
from wynot.disk.side_finds import MAX_FINDS, SideFinds
from wynot.disk.write import write

NOTHING_EARLIER = Earlier(frozenset(), ())


def test_a_folder_is_read_without_our_own_files(tmp_path: Path) -> None:
    folder = tmp_path / "case"
    (folder / "sub").mkdir(parents=True)
    (folder / ".wynot").mkdir()
    (folder / ".wynot" / "x.journal").write_bytes(b"ours")
    (folder / "sub" / "run.sh").write_bytes(b"#!/bin/sh\n")
    (folder / "sub" / "run.sh").chmod(0o755)
    (folder / "a").write_bytes(b"a")
    (folder / "link").symlink_to("a")
    (folder / "round").symlink_to("..")
    os.mkfifo(folder / "pipe")
    files = load(targets([str(folder)]))
    assert files.contents == {"case/a": b"a", "case/sub/run.sh": b"#!/bin/sh\n"}
    assert files.modes == {"case/sub/run.sh": 0o755}
    assert files.links == {"case/link": "a", "case/round": ".."}


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NoSuchFile, match="missing"):
        targets([str(tmp_path / "missing")])
    with pytest.raises(NoSuchFile, match="leads nowhere"):
        targets([str(tmp_path / "dangling")])
    with pytest.raises(NotAFile, match="pipe"):
        targets([str(tmp_path / "pipe")])
    with pytest.raises(NothingToReduce, match="0 bytes"):
        load(targets([str(tmp_path / "empty")]))
    with pytest.raises(InvalidOption, match="empty"):
        targets([str(tmp_path / "empty"), str(tmp_path / "empty")])


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.c").write_bytes(b"long")
    (tmp_path / "link.c").symlink_to("real.c")
    found = targets([str(tmp_path / "link.c")])
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    output.write(Files({"link.c": b"l"}))
    assert (tmp_path / "link.c").is_symlink()
    assert (tmp_path / "real.c").read_bytes() == b"l"


def test_the_original_is_kept_and_nothing_else_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"new")
    (tmp_path / "a.orig").write_bytes(b"precious")
    found = targets([str(tmp_path / "a")])
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    output.write(Files({"a": b"n"}))
    assert (tmp_path / "a.orig").read_bytes() == b"precious"
    assert (tmp_path / "a.orig.1").read_bytes() == b"new"
    assert (tmp_path / "a").read_bytes() == b"n"


def test_a_file_that_someone_else_changed_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    found = targets([str(tmp_path / "a")])
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    (tmp_path / "a").write_bytes(b"edited")
    with pytest.raises(ChangedUnderneath):
        output.write(Files({"a": b"o"}))
    assert (tmp_path / "a").read_bytes() == b"edited"
    assert output.write_beside(Files({"a": b"o"})).read_bytes() == b"o"


def test_a_folder_is_written_and_its_files_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "case"
    (folder / "sub").mkdir(parents=True)
    (folder / "a").write_bytes(b"a")
    (folder / "sub" / "b").write_bytes(b"b")
    found = targets([str(folder)])
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    output.write(Files({"case/a": b"A"}))
    assert (folder / "a").read_bytes() == b"A"
    assert not (folder / "sub").exists()
    assert (tmp_path / "case.orig" / "sub" / "b").read_bytes() == b"b"


def test_what_an_earlier_run_left_is_not_kept_again(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"half")
    (tmp_path / "a.orig").write_bytes(b"whole")
    found = targets([str(tmp_path / "a")])
    output = Output(found, None)
    output.begin(Earlier(frozenset({load(found).digest}), (tmp_path / "a.orig",)))
    output.write(Files({"a": b"h"}))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.orig"]


def test_what_is_in_the_place_of_the_result_is_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "out").write_bytes(b"precious")
    output = Output(targets([str(tmp_path / "a")]), tmp_path / "out")
    output.begin(NOTHING_EARLIER)
    output.write(Files({"a": b"o"}))
    assert (tmp_path / "out").read_bytes() == b"o"
    assert (tmp_path / "out.orig").read_bytes() == b"precious"


def test_a_folder_with_something_in_it_is_not_written_into(tmp_path: Path) -> None:
    for name in ("case", "out"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a").write_bytes(name.encode())
    output = Output(targets([str(tmp_path / "case")]), tmp_path / "out")
    with pytest.raises(InvalidOption, match="out"):
        output.begin(NOTHING_EARLIER)


def test_a_result_is_no_fifo(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAFile, match="pipe"):
        Output(targets([str(tmp_path / "a")]), tmp_path / "pipe").begin(NOTHING_EARLIER)


@pytest.mark.parametrize("out", ["there", "new", "deep/er/new"])
def test_a_result_goes_where_it_is_told(tmp_path: Path, out: str) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "there").mkdir()
    found = targets([str(tmp_path / "a")])
    output = Output(found, tmp_path / out)
    output.begin(NOTHING_EARLIER)
    output.write(Files({"a": b"o"}))
    where = tmp_path / out / "a" if out == "there" else tmp_path / out
    assert where.read_bytes() == b"o"
    assert (tmp_path / "a").read_bytes() == b"old"
    assert not (tmp_path / "a.orig").exists()


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(ReadOnly, match="file"):
        write(tmp_path / "file" / "a", b"x")
    (tmp_path / "folder" / "in").mkdir(parents=True)
    with pytest.raises(ReadOnly, match="folder"):
        write(tmp_path / "folder", b"x")
    assert (tmp_path / "file").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


def test_a_lock_keeps_others_out_until_it_is_released(tmp_path: Path) -> None:
    path = tmp_path / ".wynot" / "a.lock"
    lock = FileLock(path)
    with pytest.raises(Locked, match=str(os.getpid())):
        FileLock(path)
    lock.release()
    FileLock(path).release()
    assert not path.parent.exists()


def test_side_finds_are_kept_once_and_not_without_end(tmp_path: Path) -> None:
    finds = SideFinds(tmp_path / "finds")
    files = Files({"a": b"x", "d/b": b"y"})
    folder = finds.keep(files, 101)
    assert folder is not None
    assert (folder / "d" / "b").read_bytes() == b"y"
    assert finds.keep(files, 101) is None
    kept = [finds.keep(Files({"a": b"%d" % number}), 101) for number in range(MAX_FINDS + 5)]
    assert sum(each is not None for each in kept) == MAX_FINDS - 1
