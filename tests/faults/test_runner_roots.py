"""Roots: where they are, and what becomes of those whose owner is dead."""

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

from agents import agents, hosts
from faults.scripts import until
from wynot.runners import procfs
from wynot.runners.agent import Agent
from wynot.runners.bench import Bench
from wynot.runners.child import Child, Limits
from wynot.runners.hunting import hunt
from wynot.runners.lone_sandbox import LoneSandbox
from wynot.runners.run_label import RunLabel
from wynot.runners.workdir import RunFolder, choose, sweep

PROGRAM = """
from wynot.core.files import Files
from wynot.runners.lone_sandbox import LoneSandbox
from wynot.runners.child import Limits

sandbox = LoneSandbox()
sandbox.place(Files({"a/b/c": b"1"}))
script = '''
mkdir -p locked/in; touch locked/in/file; ln -s / root; chmod 500 locked/in; chmod 0 locked
setsid sleep $NAP & (env FOO=1 setsid sleep $NAP &) ; (env -i setsid sleep $NAP &)
echo "$PWD" > $READY
sleep $NAP
'''
sandbox.run(["sh", "-c", script], limits=Limits())
"""


def asleep(nap: str) -> list[int]:
    """Return those that sleep so long; not those on the way there, which are other programs yet."""
    found = []
    for pid in procfs.everyone():
        with suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_bytes() == f"sleep\0{nap}\0".encode():
                found.append(pid)
    return found


@pytest.mark.parametrize("agents_too", [False, True])
def test_what_a_killed_run_has_left_goes(tmp_path: Path, *, agents_too: bool) -> None:
    """By its agents, which see that it is gone; or if they are killed too, by the next run."""
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    nap = f"{1000 + os.getpid()}.{time.monotonic_ns()}"
    owner = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", PROGRAM], env={**os.environ, "NAP": nap, "READY": str(ready)}
    )
    folder = Path(ready.read_text().strip())
    root = folder.parent.parent
    until(lambda: len(asleep(nap)) == 4, "four that sleep")
    sweep()
    assert folder.is_dir()  # as long as its owner lives
    assert len(asleep(nap)) == 4
    also = [*hosts(owner.pid), *agents(owner.pid)] if agents_too else []
    assert len(also) == 2 * agents_too
    for pid in (*also, owner.pid):
        os.kill(pid, signal.SIGKILL)
    owner.wait()
    if agents_too:
        assert len(asleep(nap)) == 4
        sandbox = LoneSandbox()
        assert sandbox.folder.is_dir()
    # Others that start at this moment may be at it, too, and this one then leaves it to them.
    until(lambda: asleep(nap) == [] and not root.exists(), "all of it to go")
    assert Path("/etc").is_dir()
    if agents_too:
        sandbox.close()


def test_processes_that_ended_but_were_not_reaped_are_not_hunted() -> None:
    """Their limits can still be seen, and nobody could end them once more."""
    root = "0123456789abcdef"
    tag = RunLabel.of_next(root).rlimit_tag
    if tag is None:
        pytest.skip("limits cannot be used as tags")
    ours = [f"{name}={value}".encode() for name, value in os.environ.items()]
    null = os.open(os.devnull, os.O_RDWR)
    child = Child(["/bin/true"], Path("/"), ours, (null, null, null), tag)
    os.close(null)
    while not child.has_ended():
        os.sched_yield()
    assert procfs.file_locks(child.pid) == tag
    hunt({root})
    assert child.status() == 0


REMOVER = """
import os
from pathlib import Path
from wynot.runners import workdir

workdir._MEMORY = Path(os.environ["TMPDIR"])  # where no other wynot sweeps
count = int(os.environ["COUNT"])

def limited(function):
    def call(*arguments, **named):
        global count
        if not count:
            os.kill(os.getpid(), 9)
        count -= 1
        return function(*arguments, **named)
    return call

root = workdir.RunFolder.make()
case = root.folder / "0" / "case"
case.mkdir(parents=True)
(case / "left").write_text("1")
print(root.folder, flush=True)
os.unlink, os.rmdir = limited(os.unlink), limited(os.rmdir)
root.close()
"""


def test_a_root_killed_while_it_is_removed_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each step of its removal in turn, until it is all gone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ours = {**os.environ, "TMPDIR": str(tmp_path)}
    for count in range(100):
        ended = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", REMOVER],
            env={**ours, "COUNT": str(count)},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        root = Path(ended.stdout.strip())
        assert root.parent == tmp_path
        sweep()
        assert not root.exists()
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL
    assert count > 3


def test_a_root_of_an_earlier_version_is_left_alone_while_it_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    root = tmp_path / f"wynot-{os.getuid()}-0123456789abcdef"
    root.mkdir()
    with (root / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sweep()
        assert root.is_dir()
    sweep()
    assert not root.exists()


def test_a_root_that_a_test_has_removed_is_made_and_locked_again(tmp_path: Path) -> None:
    root = RunFolder(tmp_path)
    root.folder.rmdir()
    root.ensure()
    assert root.folder.is_dir()
    other = os.open(root.folder, os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(other)
    root.close()
    assert not root.folder.exists()


def test_a_root_is_private_and_goes_with_its_bench() -> None:
    sandbox = LoneSandbox()
    root = sandbox.folder.parent.parent
    assert root.name.startswith(f"wynot-{os.getuid()}-")
    assert root.stat().st_mode & 0o777 == 0o700
    sweep()
    assert root.is_dir()
    sandbox.close()
    assert not root.exists()


def test_a_root_is_in_memory_only_if_there_is_room() -> None:
    assert choose(1 << 60) == Path(tempfile.gettempdir())


def test_a_root_elsewhere_serves_as_well(tmp_path: Path) -> None:
    root = RunFolder(tmp_path)
    sandbox = Bench(root, "0", Agent([]))
    assert sandbox.run(["pwd"], limits=Limits(), capture=True).stdout.decode().strip() == str(
        sandbox.folder
    )
    sandbox.close()
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
