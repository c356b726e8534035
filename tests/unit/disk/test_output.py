"""Reading and writing the user's files."""

import os
import re
import resource
import threading
from pathlib import Path

import pytest

import wynot.disk.output as disk_output
from wynot.core.errors import (
    ChangedUnderneath,
    InvalidOption,
    Locked,
    NoSpace,
    NoSuchFile,
    NotAFile,
    NothingToReduce,
    ReadOnly,
)
from wynot.core.files import Files
from wynot.disk.file_lock import FileLock
from wynot.disk.load import load, targets
from wynot.disk.output import Earlier, Output
from wynot.disk.results import MAX_FINDS, SideFinds, put_files
from wynot.disk.write import sweep, write

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


def test_a_file_that_someone_else_made_meanwhile_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    output = Output(targets([str(tmp_path / "a")]), tmp_path / "out")
    output.begin(NOTHING_EARLIER)
    (tmp_path / "out").write_bytes(b"precious")
    with pytest.raises(ChangedUnderneath):
        output.write(Files({"a": b"o"}))
    assert (tmp_path / "out").read_bytes() == b"precious"


def test_a_file_is_compared_before_it_is_replaced_even_if_its_stamp_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wynot.disk.output.stamp_of", lambda _status: ())
    (tmp_path / "a").write_bytes(b"old")
    output = Output(targets([str(tmp_path / "a")]), None)
    output.begin(NOTHING_EARLIER)
    (tmp_path / "a").write_bytes(b"odd")
    with pytest.raises(ChangedUnderneath):
        output.write(Files({"a": b"o"}))
    assert (tmp_path / "a").read_bytes() == b"odd"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """Return a folder of twenty files."""
    folder = tmp_path / "case"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number:02}").write_bytes(b"content")
    return folder


def test_a_write_reads_only_files_that_it_replaces_or_removes(
    case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = targets([str(case)])
    files = load(found)
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    names: list[str] = []
    read_bytes = Path.read_bytes

    def recorded(path: Path) -> bytes:
        names.append(path.name)
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", recorded)
    fewer = {name: content for name, content in files.contents.items() if name != "case/03"}
    output.write(Files({**fewer, "case/07": b"c"}))
    output.write(Files({**fewer, "case/07": b"c"}))
    (case / "05").touch()  # not a change
    output.write(Files({**fewer, "case/07": b""}))
    assert names == ["03", "07", "05", "07"]


@pytest.mark.parametrize("name", ["07", "20", "new/file"])
def test_a_change_in_any_file_of_a_folder_is_noticed(case: Path, name: str) -> None:
    found = targets([str(case)])
    files = load(found)
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    output.write(Files({**files.contents, "case/00": b"c"}))
    (case / name).parent.mkdir(exist_ok=True)
    (case / name).write_bytes(b"CONTENT")
    with pytest.raises(ChangedUnderneath):
        output.write(Files({**files.contents, "case/00": b""}))
    assert (case / name).read_bytes() == b"CONTENT"
    assert (case / "00").read_bytes() == b"c"


def test_a_write_cut_short_by_a_full_disk_is_not_taken_for_a_change(case: Path) -> None:
    found = targets([str(case)])
    files = load(found)
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    after = Files({**files.contents, "case/00": b"c", "case/01": bytes(1 << 20)})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, hard))
    try:
        with pytest.raises(NoSpace):
            output.write(after)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    output.write(after)
    assert (case / "01").stat().st_size == 1 << 20


@pytest.mark.parametrize("call", ["_stamp", "_remove"])
def test_a_write_cut_short_by_an_interrupt_is_not_taken_for_a_change(
    case: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Ctrl-C comes when a file is in place or removed, and before that is noted."""
    real = getattr(disk_output, call)

    def interrupted(place: object) -> None:
        monkeypatch.setattr(disk_output, call, real)
        real(place)
        raise KeyboardInterrupt

    found = targets([str(case)])
    output = Output(found, None)
    output.begin(NOTHING_EARLIER)
    left = min(load(found).contents)
    monkeypatch.setattr(disk_output, call, interrupted)
    with pytest.raises(KeyboardInterrupt):
        output.write(Files({left: b"smaller"}))
    output.write(Files({left: b"least"}))
    assert load(found).contents == {left: b"least"}


def test_results_go_beside_one_that_is_there(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"old")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").write_bytes(b"precious")
    found = targets([str(tmp_path / "a"), str(tmp_path / "b")])
    output = Output(found, tmp_path / "out")
    output.begin(NOTHING_EARLIER)
    output.write(Files({"a": b"o", "b": b"l"}))
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["a", "a.orig", "b"]
    assert (tmp_path / "out" / "a.orig").read_bytes() == b"precious"


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


def test_a_backup_that_leads_to_the_original_is_not_one(tmp_path: Path) -> None:
    for name in ("a", "case/b"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"whole")
    for name in ("a", "case"):
        (tmp_path / f"{name}.orig").symlink_to(name)
        output = Output(targets([str(tmp_path / name)]), None)
        output.begin(NOTHING_EARLIER)
        output.write(Files({"a": b"w", "case/b": b"w"}))
        assert output.backups == [tmp_path / f"{name}.orig.1"]
    assert (tmp_path / "a.orig.1").read_bytes() == b"whole"
    assert (tmp_path / "case.orig.1" / "b").read_bytes() == b"whole"


def test_no_privileges_are_copied(tmp_path: Path) -> None:
    (tmp_path / "case" / "sub").mkdir(parents=True)
    for name in ("a", "case/b", "case/sub/c"):
        (tmp_path / name).write_bytes(b"whole")
        (tmp_path / name).chmod(0o6755)
    (tmp_path / "case" / "sub").chmod(0o3755)
    for name in ("a", "case"):
        found = targets([str(tmp_path / name)])
        output = Output(found, None)
        output.begin(NOTHING_EARLIER)
        output.write(Files({"a": b"w", "case/b": b"w", "case/sub/c": b"w"}, {"case/b": 0o4755}))
    put_files(Files({"d": b"w"}, {"d": 0o4755}), tmp_path / "side")
    made = {str(path.relative_to(tmp_path)): path for path in tmp_path.rglob("*")}
    files = {name: path.stat().st_mode for name, path in made.items() if path.is_file()}
    assert len(files) == 7
    assert set(files.values()) == {0o100755}
    assert (tmp_path / "case.orig" / "sub").stat().st_mode == 0o040755


@pytest.mark.parametrize("what", ["removed", "written"])
def test_a_link_in_a_folder_of_results_is_not_followed(tmp_path: Path, what: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b").write_bytes(b"precious")
    (tmp_path / "case" / "sub").mkdir(parents=True)
    (tmp_path / "case" / "sub" / "b").write_bytes(b"precious")
    output = Output(targets([str(tmp_path / "case")]), None)
    output.begin(NOTHING_EARLIER)
    (tmp_path / "case" / "sub").rename(tmp_path / "aside")
    (tmp_path / "case" / "sub").symlink_to(outside)
    # As if it took place after the look at what is there.
    vars(output)["_is_as_placed"] = lambda _files: True
    with pytest.raises(ReadOnly, match="sub/b"):
        output.write(Files({"case/sub/b": b"p"} if what == "written" else {"case/a": b""}))
    assert (outside / "b").read_bytes() == b"precious"
    assert [*outside.iterdir()] == [outside / "b"]


def recorded_order(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return a list that every sync and every rename adds itself and its path to.

    The random part of a name is left out.
    """
    order: list[tuple[str, str]] = []
    fsync, replace, rename = os.fsync, os.replace, os.rename

    def opened(handle: int) -> Path:
        path = str(Path(f"/proc/self/fd/{handle}").readlink())
        return Path(re.sub(r"\.[0-9a-f]{16}\.wynot", ".wynot", path))

    def synced(handle: int) -> None:
        order.append(("sync", str(opened(handle))))
        fsync(handle)

    def replaced(source: str, to: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        order.append(("rename", str(opened(dst_dir_fd) / to)))
        replace(source, to, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def renamed(source: str | Path, to: str | Path) -> None:
        order.append(("rename", str(to)))
        rename(source, to)

    # One call that syncs all of a disk would hide what is synced.
    monkeypatch.setattr("wynot.disk.write._has_synced_disk", lambda _path: False)
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    monkeypatch.setattr(os, "rename", renamed)
    return order


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="names of open files need /proc")
@pytest.mark.parametrize("names", [[""], ["/a", "/sub/b"]])
def test_the_backup_is_on_the_disk_before_the_original_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    place, part = tmp_path / "case", tmp_path / ".case.wynot"
    for name in names:
        path = Path(f"{place}{name}")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"old")
    output = Output(targets([str(place)]), None)
    order = recorded_order(monkeypatch)
    output.begin(NOTHING_EARLIER)
    output.write(Files({f"case{name}": b"new" for name in names}))
    kept = order.index(("rename", str(tmp_path / "case.orig")))
    replaced = min(order.index(("rename", f"{place}{name}")) for name in names)
    before = {path for what, path in order[:kept] if what == "sync"}
    inside = {os.path.dirname(f"{part}{name}") for name in names if name}  # noqa: PTH120
    assert before == {f"{part}{name}" for name in names} | inside
    assert ("sync", str(tmp_path)) in order[kept:replaced]


def test_threads_that_write_leave_the_umask_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(_mask: int) -> int:
        raise AssertionError("the umask was set")

    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", forbidden)
        paths = [tmp_path / str(number) for number in range(8)]
        threads = [threading.Thread(target=write, args=(path, b"x")) for path in paths]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        write(tmp_path / "own", b"x", 0o755)
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o640}
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o755


def test_only_files_that_were_never_finished_are_swept(tmp_path: Path) -> None:
    """A run that was killed leaves some; a user may have others whose names end alike."""
    (tmp_path / "in" / "d").mkdir(parents=True)
    kept = [tmp_path / name for name in ("in/d/.notes.wynot", "in/d/a", ".in.notes.wynot")]
    left = [tmp_path / "in/d/.a.0123456789abcdef.wynot", tmp_path / ".in.0123456789abcdef.wynot"]
    for path in (*kept, *left):
        path.touch()
    sweep(tmp_path / "in")
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(kept)


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


def test_a_side_find_that_was_cut_short_is_kept_again(tmp_path: Path) -> None:
    files = Files({"a": b"x", "b": bytes(1 << 20)})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, hard))
    try:
        with pytest.raises(NoSpace):
            SideFinds(tmp_path / "finds").keep(files, 101)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    folder = SideFinds(tmp_path / "finds").keep(files, 101)
    assert folder is not None
    assert [path.stat().st_size for path in sorted(folder.iterdir())] == [1, 1 << 20]
    assert [*folder.parent.iterdir()] == [folder]
