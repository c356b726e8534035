"""A process that outlives its test swaps folders for links while wynot refills them."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import clock_gettime_ns

import pytest

from wynot.agent.mirrored_folder import CLOCK, MirroredFolder
from wynot.core.files import Files
from wynot.machine.removal import make_folder, remove

REMOVALS = 60
SWAPS = """
import os, sys

place, outside, aside, is_locked = sys.argv[1:]
parent = os.getppid()
print("ready", flush=True)
# On a slow machine, a removal may never catch up with a process that adds folders for ever.
for number in range(20_000 if is_locked else sys.maxsize):
    if os.getppid() != parent:
        break
    try:
        if is_locked:
            os.makedirs(f"{place}-{number}/in")
            os.chmod(f"{place}-{number}", 0)
            os.rename(f"{place}-{number}", place)
        os.rename(place, f"{aside}-{number}")
        os.symlink(outside, place)
        if is_locked:
            os.unlink(place)
    except OSError:
        pass
"""


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder that nothing may be written to or removed from."""
    folder = tmp_path / "outside"
    (folder / "deep").mkdir(parents=True)
    (folder / "f7").write_bytes(b"precious")
    (folder / "deep" / "f7").write_bytes(b"precious")
    folder.chmod(0o750)
    return folder


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return each file and folder in a folder, with its mode and content."""
    return {
        str(path): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in [folder, *sorted(folder.rglob("*"))]
    }


@contextmanager
def swapped(place: Path, outside: Path, *, is_locked: bool = False) -> Iterator[None]:
    """Have a process put a link in a place, again and again; or a locked folder."""
    aside = place.with_name("aside") if is_locked else outside.with_name("aside")
    locked = "locked" if is_locked else ""
    argv = [sys.executable, "-c", SWAPS, str(place), str(outside), str(aside), locked]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as process:  # noqa: S603 - our own words
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("inner", "refills"), [("sub", 30), pytest.param("sub/deep", 300, marks=pytest.mark.slow)]
)
def test_a_refilled_folder_writes_nothing_outside(
    tmp_path: Path, outside: Path, inner: str, refills: int
) -> None:
    names = [f"{inner}/f{number}" for number in range(40)]
    sides = [
        Files(dict.fromkeys(names, side), links={f"{inner}/link": "f1"})
        for side in (b"one", b"other")
    ]
    folder = MirroredFolder(tmp_path / "case")
    before = state(outside)
    with swapped(tmp_path / "case" / "sub", outside):
        for number in range(refills):
            folder.start(clock_gettime_ns(CLOCK))
            with suppress(OSError):  # it is swapped too often to be filled
                folder.fill(sides[number % 2])
            assert state(outside) == before
    folder.fill(sides[0])
    folder.close()
    assert (tmp_path / "case" / inner / "f39").read_bytes() == b"one"
    assert state(outside) == before


def test_a_removed_folder_changes_nothing_outside(tmp_path: Path, outside: Path) -> None:
    before = state(outside)
    place = tmp_path / "case" / "sub"
    with swapped(place, outside, is_locked=True):
        for _ in range(REMOVALS):
            with suppress(OSError):
                make_folder(place.parent)
            with suppress(OSError):
                make_folder(place)
            remove(place)
            remove(place.parent)
            assert state(outside) == before
