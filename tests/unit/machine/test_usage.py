"""How much a run has written, a part at each look."""

import os
import subprocess
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest

from wynot.machine.capture import DiskUsage, Footprint

SIZE = 64 << 10


def looks(usage: DiskUsage, most: int = 20) -> int:
    """Return at which look the limit is seen to be exceeded, 0 if at none."""
    return next((look for look in range(1, most + 1) if usage.is_exceeded([])), 0)


def test_a_large_folder_is_gone_through_in_parts(tmp_path: Path) -> None:
    """Most of it is older than the run, and delays nobody at any single look."""
    inner = tmp_path / "deep" / "inner"
    inner.mkdir(parents=True)
    for number in range(4500):
        (tmp_path / str(number)).touch()
    since = max(path.stat().st_ctime_ns for path in tmp_path.iterdir()) + 1
    later = inner / "later"
    while not later.exists() or later.stat().st_ctime_ns < since:
        later.unlink(missing_ok=True)
        later.write_bytes(os.urandom(SIZE))
    usage = DiskUsage(Footprint((tmp_path,), since), SIZE - 1, ())
    assert looks(usage) == 3
    assert looks(DiskUsage(Footprint((tmp_path,), since), 2 * SIZE, ())) == 0


def test_each_round_begins_with_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(os.urandom(SIZE))
    usage = DiskUsage(Footprint((tmp_path,)), 2 * SIZE, ())
    assert looks(usage) == 0
    (tmp_path / "file").unlink()
    (tmp_path / "other").write_bytes(os.urandom(SIZE))
    assert looks(usage) == 0
    (tmp_path / "more").write_bytes(os.urandom(2 * SIZE))
    assert looks(usage) == 1


def test_a_folder_that_is_in_another_one_counts_once(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    (tmp_path / "scratch" / "file").write_bytes(os.urandom(SIZE))
    folders = (tmp_path / "scratch", tmp_path)
    assert looks(DiskUsage(Footprint(folders), 2 * SIZE, ())) == 0
    assert looks(DiskUsage(Footprint(folders), SIZE - 1, ())) == 1


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are seen by /proc")
def test_a_file_without_a_name_counts_once_and_a_stream_does_not(tmp_path: Path) -> None:
    (tmp_path / "gone").write_bytes(os.urandom(SIZE))
    with (tmp_path / "gone").open("rb") as file, (tmp_path / "gone").open("rb") as again:
        (tmp_path / "gone").unlink()
        handles = (file.fileno(), again.fileno())
        # A process of its own: pytest's may hold other files without a name, of any size.
        with subprocess.Popen(
            ["cat"], stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, pass_fds=handles
        ) as holder:
            of_holder = [holder.pid]
            assert DiskUsage(Footprint(()), SIZE - 1, ()).is_exceeded(of_holder)
            assert not DiskUsage(Footprint(()), SIZE - 1, handles[:1]).is_exceeded(of_holder)
            assert not DiskUsage(Footprint(()), 2 * SIZE - 1, ()).is_exceeded(of_holder)
