"""A disk that is full or cannot be written to: a clear message, and nothing is lost."""

import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from faults.scripts import (
    Ended,
    Place,
    digest,
    finish,
    has,
    interesting,
    killed_at_last,
    logging,
    read,
    script,
    text,
    until,
)
from tiers import slow_but

WORDS = ("needle", "thread", "button")
SIZES = (24, 32, 44, 64, 88, 120, 160, 280, 400)
"""Kilobytes: from just enough for the input to more than enough for all."""


def large(lines: int) -> bytes:
    """Return a text that is large for how many parts it has: some 70 bytes a line."""
    return text(*WORDS, lines=lines).replace(b"lorem", b"lorem" * 30)


def mount(*arguments: str) -> bool:
    program = shutil.which("mount")
    return (
        program is not None
        and not subprocess.run(  # noqa: S603 - by its own path
            [program, *arguments], capture_output=True, check=False
        ).returncode
    )


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Return a way to get a disk of so many kilobytes, or to give the one there is more."""
    folder = tmp_path / "disk"
    folder.mkdir()
    is_there = False

    def make(kilobytes: int) -> Path:
        nonlocal is_there
        options = f"size={kilobytes}k"
        if is_there:
            assert mount("-o", f"remount,{options}", str(folder))
        elif not mount("-t", "tmpfs", "-o", options, "tmpfs", str(folder)):
            pytest.skip("mounting is not allowed here")
        is_there = True
        return folder

    yield make
    if is_there:
        subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603


def is_clear(how: Ended, *slugs: str) -> None:
    assert how.code == 4, how
    assert "Traceback" not in how.err, how.err
    assert any(slug in how.said for slug in slugs), how
    assert "hint: " in how.err


FULL = ("No space left on device", "database or disk is full", "disk I/O error", "File too large")


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", slow_but([24], SIZES))
def test_a_full_disk_is_said_and_the_same_command_goes_on_when_there_is_room(
    tmp_path: Path, disk: Callable[[int], Path], kilobytes: int
) -> None:
    log = tmp_path / "log"
    test = logging(tmp_path / "test", log, has(*WORDS))
    original = large(lines=200)
    place = Place(disk(kilobytes), original)
    how = place.run("-j1", test, place.name)
    if how.code != 0:
        is_clear(how, *FULL)
        there = digest(place.file.read_bytes())
        assert there in interesting(read(log)) | {digest(original)}
        if place.backup.exists():
            assert place.backup.read_bytes() == original
        else:
            assert there == digest(original)
        disk(2000)
        how = place.run("-j1", test, place.name)
        assert how.code == 0, how.said
    assert place.file.read_bytes() == b"needlethreadbutton\n"
    assert place.backup.read_bytes() == original
    assert not place.others()


@pytest.mark.slow
def test_a_disk_with_not_a_byte_left_is_said(tmp_path: Path, disk: Callable[[int], Path]) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    original = large(lines=200)
    place = Place(disk(64), original)
    filler = place.folder / "filler"
    seen = os.statvfs(place.folder)
    filler.write_bytes(b"x" * seen.f_bavail * seen.f_frsize)
    assert not os.statvfs(place.folder).f_bavail
    is_clear(place.run("-j1", test, place.name), *FULL)
    assert place.file.read_bytes() == original
    assert not place.backup.exists()
    filler.unlink()
    disk(2000)
    assert place.run("-j1", test, place.name).code == 0
    assert place.file.read_bytes() == b"needlethreadbutton\n"


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", slow_but([4], [0, 1, 4, 8, 12, 16, 24, 40, 64]))
def test_files_that_may_not_grow_are_said(tmp_path: Path, kilobytes: int) -> None:
    log = tmp_path / "log"
    test = logging(tmp_path / "test", log, has(*WORDS))
    original = large(lines=100)
    place = Place(tmp_path / "there", original)

    def limit() -> None:
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10, most))

    how = place.run("-j1", test, place.name, before=limit)
    if how.code != 0:
        is_clear(how, *FULL)
        there = digest(place.file.read_bytes())
        assert there in interesting(read(log)) | {digest(original)}
    assert place.run("-j1", test, place.name).code == 0
    assert place.file.read_bytes() == b"needlethreadbutton\n"
    assert place.backup.read_bytes() == original


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_to_is_said(
    tmp_path: Path, disk: Callable[[int], Path]
) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    original = text(*WORDS, lines=60)
    place = Place(disk(2000), original)
    assert mount("-o", "remount,ro", str(place.folder))
    is_clear(place.run("-j1", test, place.name), "Read-only file system")
    assert place.file.read_bytes() == original
    out = tmp_path / "out.txt"
    how = place.run("-j1", "-o", out, test, place.name)
    assert how.code == 0, how.said
    assert out.read_bytes() == b"needlethreadbutton\n"


@pytest.mark.slow
def test_a_folder_that_becomes_read_only_meanwhile_is_said(
    tmp_path: Path, disk: Callable[[int], Path]
) -> None:
    log, go = tmp_path / "log", tmp_path / "go"
    waits = f"test $(wc -l <'{log}') -lt 20 || until test -e '{go}'; do sleep 0.01; done"
    test = logging(tmp_path / "test", log, f"{waits}\n{has(*WORDS)}")
    original = text(*WORDS, lines=60)
    place = Place(disk(2000), original)
    with killed_at_last(place.start("-j1", test, place.name)) as process:
        until(lambda: len(read(log)) >= 20, "some tests")
        done = mount("-o", "remount,ro", str(place.folder))  # refused if a file is open for writing
        go.touch()
        how = finish(process)
    if done:
        is_clear(how, "Read-only file system", "readonly")
    else:
        assert how.code == 0, how.said
    assert digest(place.file.read_bytes()) in interesting(read(log))


@pytest.mark.slow
def test_a_result_goes_to_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    place = Place(tmp_path / "there", text(*WORDS, lines=20))
    out = tmp_path / "not" / "there" / "out.txt"
    how = place.run("-j1", "-o", out, test, place.name)
    if how.code == 0:
        assert out.read_bytes() == b"needlethreadbutton\n"
    else:
        is_clear(how, "cannot be written")
    assert place.file.read_bytes() == place.original


def test_a_result_goes_into_a_folder_under_the_name_of_the_file(tmp_path: Path) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    place = Place(tmp_path / "there", text(*WORDS, lines=20))
    out = tmp_path / "out"
    out.mkdir()
    assert place.run("-j1", "-o", out, test, place.name).code == 0
    assert (out / place.name).read_bytes() == b"needlethreadbutton\n"
    assert place.file.read_bytes() == place.original


@pytest.mark.parametrize("out", ["a file/out.txt", "/proc/nothing/out.txt", "/dev/null/out.txt"])
def test_a_result_that_can_go_nowhere_is_said(tmp_path: Path, out: str) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    place = Place(tmp_path / "there", text(*WORDS, lines=20))
    (place.folder / "a file").touch()
    is_clear(place.run("-j1", "-o", out, test, place.name), "cannot be written")
    assert place.file.read_bytes() == place.original


@pytest.mark.slow
def test_a_result_that_is_to_replace_its_own_input_leaves_the_original_somewhere(
    tmp_path: Path,
) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    place = Place(tmp_path / "there", text(*WORDS, lines=20))
    how = place.run("-j1", "-o", place.name, test, place.name)
    if how.code == 0:
        assert place.file.read_bytes() == b"needlethreadbutton\n"
        assert place.backup.read_bytes() == place.original
    else:
        assert place.file.read_bytes() == place.original


@pytest.mark.slow
def test_a_result_that_is_a_folder_in_place_of_the_backup_is_left_alone(tmp_path: Path) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    place = Place(tmp_path / "there", text(*WORDS, lines=20))
    place.backup.mkdir()
    assert place.run("-j1", test, place.name).code == 0
    assert place.file.read_bytes() == b"needlethreadbutton\n"
    assert (place.folder / f"{place.name}.orig.1").read_bytes() == place.original
    assert place.backup.is_dir()
