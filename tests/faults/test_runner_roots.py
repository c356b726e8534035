"""Roots: where they are, and what becomes of those whose owner is dead."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from wynot.runners import procfs
from wynot.runners.bench import Bench
from wynot.runners.child import Limits
from wynot.runners.workdir import Root, choose, sweep

PROGRAM = """
from wynot.core.files import Files
from wynot.runners.bench import Bench
from wynot.runners.child import Limits

bench = Bench.alone()
bench.place(Files({"a/b/c": b"1"}))
script = '''
mkdir -p locked/in; touch locked/in/file; ln -s / root; chmod 500 locked/in; chmod 0 locked
setsid sleep $NAP & (env FOO=1 setsid sleep $NAP &)
echo "$PWD" > $READY
sleep $NAP
'''
bench.run(["sh", "-c", script], limits=Limits())
"""


def with_word(word: str) -> list[int]:
    found = []
    for pid in procfs.everyone():
        with suppress(OSError):
            if word.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                found.append(pid)
    return found


def test_what_a_killed_run_left_is_swept_by_the_next(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    nap = f"{1000 + os.getpid()}.{time.monotonic_ns()}"
    owner = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", PROGRAM], env={**os.environ, "NAP": nap, "READY": str(ready)}
    )
    folder = Path(ready.read_text().strip())
    root = folder.parent.parent
    deadline = time.monotonic() + 20
    while len(with_word(nap)) < 3:
        assert time.monotonic() < deadline
    sweep()
    assert folder.is_dir()  # as long as its owner lives
    assert len(with_word(nap)) == 3
    os.kill(owner.pid, signal.SIGKILL)
    owner.wait()
    assert len(with_word(nap)) == 3
    bench = Bench.alone()
    assert with_word(nap) == []
    assert not root.exists()
    assert Path("/etc").is_dir()
    bench.close()


def test_a_root_is_private_and_goes_with_its_bench() -> None:
    bench = Bench.alone()
    root = bench.folder.parent.parent
    assert root.name.startswith(f"wynot-{os.getuid()}-")
    assert root.stat().st_mode & 0o777 == 0o700
    sweep()
    assert root.is_dir()
    bench.close()
    assert not root.exists()


def test_a_root_is_in_memory_only_if_there_is_room() -> None:
    assert choose(1 << 60) == Path(tempfile.gettempdir())


def test_a_root_elsewhere_serves_as_well(tmp_path: Path) -> None:
    root = Root(tmp_path)
    bench = Bench(root, "0")
    assert bench.run(["pwd"], limits=Limits(), capture=True).stdout.decode().strip() == str(
        bench.folder
    )
    bench.close()
    root.close()
    assert list(tmp_path.iterdir()) == []


def test_folders_of_others_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mine = f"wynot-{os.getuid()}-"
    (tmp_path / f"{mine}unlocked").mkdir()
    (tmp_path / f"{mine}file").touch()
    (tmp_path / f"{mine}link").symlink_to("/etc")
    (tmp_path / "wynot-4711-0123").mkdir()
    (tmp_path / f".{mine}new").mkdir()
    before = set(tmp_path.iterdir())
    sweep()
    assert set(tmp_path.iterdir()) == before
