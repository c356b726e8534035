"""Roots: where they are, and what becomes of those whose owner is dead."""

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from agents import LoneHostedSandbox, agents, hosts
from faults.scripts import root_of, unique_nap, until
from wynot.agents.workers import LoneSandbox
from wynot.machine import procfs
from wynot.machine import run_folder as workdir
from wynot.machine.process_start import Child
from wynot.machine.reaper import hunt
from wynot.machine.run_folder import RunFolder, choose, sweep
from wynot.machine.run_label import RunLabel
from wynot.wire.run_request import Limits, RunRequest

PROGRAM = """
from wynot.core.files import Files
from wynot.agents.workers import LoneSandbox
from wynot.wire.run_request import Limits, RunRequest

sandbox = LoneSandbox()
sandbox.place(Files({"a/b/c": b"1"}))
script = '''
mkdir -p locked/in; touch locked/in/file; ln -s / root; chmod 500 locked/in; chmod 0 locked
setsid sleep $NAP & (env FOO=1 setsid sleep $NAP &) ; (env -i setsid sleep $NAP &)
echo "$PWD" > $READY
sleep $NAP
'''
sandbox.run(RunRequest(["sh", "-c", script], limits=Limits()))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that roots are in, those of no other process but the ones of this test."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def root_name(digits: str = "0123456789abcdef") -> str:
    """Return how a root of this user on this machine is called."""
    made = RunFolder(Path(tempfile.gettempdir()))
    made.close()
    return made.folder.name.replace(made.name, digits)


def asleep(nap: str) -> list[int]:
    """Return those that sleep so long; not those on the way there, which are other programs yet."""
    found = []
    for pid in procfs.everyone():
        with suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_bytes() == f"sleep\0{nap}\0".encode():
                found.append(pid)
    return found


@pytest.mark.parametrize("agents_too", [False, True])
def test_what_a_killed_run_has_left_goes(place: Path, *, agents_too: bool) -> None:
    """By its agents, which see that it is gone; or if they are killed too, by the next run."""
    ready = place / "ready"
    os.mkfifo(ready)
    nap = unique_nap()
    owner = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", PROGRAM], env={**os.environ, "NAP": nap, "READY": str(ready)}
    )
    folder = Path(ready.read_text().strip())
    root = root_of(folder)
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
        assert sandbox.folder.is_relative_to(place)
        sandbox.close()
        assert asleep(nap) == []
        assert not root.exists()
    else:
        until(lambda: asleep(nap) == [] and not root.exists(), "all of it to go")
    assert Path("/etc").is_dir()
    assert [path.name for path in place.iterdir()] == ["ready"]


def test_a_sweep_writes_nothing_where_roots_are(place: Path) -> None:
    """Python's way of finding the folder is to write a file into it."""
    program = "from wynot.machine.run_folder import sweep; sweep()"
    before = place.stat().st_mtime_ns
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - our own interpreter
    assert place.stat().st_mtime_ns == before


def test_processes_that_ended_but_were_not_reaped_are_not_hunted() -> None:
    """Their limits can still be seen, and nobody could end them once more."""
    root = "0123456789abcdef"
    label = RunLabel.of_next(root)
    if label.rlimit_tag is None:
        pytest.skip("limits cannot be used as tags")
    ours = [f"{name}={value}".encode() for name, value in os.environ.items()]
    null = os.open(os.devnull, os.O_RDWR)
    child = Child(["/bin/true"], Path("/"), ours, (null, null, null), label)
    os.close(null)
    while not child.has_ended():
        os.sched_yield()
    assert procfs.file_locks(child.pid) == label.rlimit_tag
    hunt({root})
    assert child.status() == 0


REMOVER = """
import os
from pathlib import Path
from wynot.machine import run_folder as workdir

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


def test_a_root_killed_while_it_is_removed_is_swept(place: Path) -> None:
    """At each step of its removal in turn, until it is all gone."""
    for count in range(100):
        ended = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", REMOVER],
            env={**os.environ, "COUNT": str(count)},
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        root = Path(ended.stdout.strip())
        assert root.parent == place
        sweep()
        assert not root.exists()
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL
    assert count > 3


def test_a_root_that_is_being_made_is_not_lost_to_a_sweep(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it looks as if it were old, as it does when the clock of the system is set."""
    monkeypatch.setattr(workdir, "_UNFINISHED_SECONDS", -3600.0)
    is_over = threading.Event()

    def sweep_on() -> None:
        while not is_over.is_set():
            sweep()

    sweeper = threading.Thread(target=sweep_on)
    sweeper.start()
    try:
        roots = [RunFolder(place) for _ in range(300)]
    finally:
        is_over.set()
        sweeper.join()
    assert all(root.folder.is_dir() for root in roots)
    for root in roots:
        root.close()
    sweep()
    assert list(place.iterdir()) == []


def test_only_roots_of_the_same_user_machine_and_place_are_swept(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = root_name()
    user, machine = f"-{os.getuid()}-", ours.split("-")[2]
    (place / ours).mkdir()
    (place / ours.replace(user, f"-{os.getuid() + 1}-")).mkdir()
    (place / ours.replace(machine, "0" * 8)).mkdir()
    (place / "another place").mkdir()
    (place / "another place" / ours).mkdir()
    (place / f".{ours}").mkdir()  # one that is being made
    if not os.getuid():  # only root can give it away
        strangers = place / root_name("f" * 16)
        strangers.mkdir()
        os.chown(strangers, 4711, 4711)
    before = set(place.rglob("*"))
    sweep()
    assert set(place.rglob("*")) == before - {place / ours}
    monkeypatch.setattr(workdir, "_UNFINISHED_SECONDS", -3600.0)
    sweep()
    assert set(place.rglob("*")) == before - {place / ours, place / f".{ours}"}


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
    root = sandbox.private.parent
    assert root.name.startswith(f"wynot-{os.getuid()}-")
    assert root.stat().st_mode & 0o777 == 0o700
    sweep()
    assert root.is_dir()
    sandbox.close()
    assert not root.exists()


def test_a_root_is_in_memory_only_if_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMPDIR", raising=False)
    assert choose(1 << 60) == Path(tempfile.gettempdir())


def test_a_root_is_where_the_user_wants_temporary_files(place: Path) -> None:
    assert choose(0) == place


def test_a_root_elsewhere_serves_as_well(tmp_path: Path) -> None:
    root = RunFolder(tmp_path)
    sandbox = LoneHostedSandbox(root)
    assert sandbox.run(
        RunRequest(["pwd"], limits=Limits(), capture=True)
    ).stdout.decode().strip() == str(sandbox.folder)
    sandbox.close()
    root.close()
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_root_is_left_alone(place: Path) -> None:
    (place / root_name("unlocked")).mkdir()
    (place / root_name("0" * 16)).touch()
    (place / root_name("1" * 16)).symlink_to("/etc")
    before = set(place.iterdir())
    sweep()
    assert set(place.iterdir()) == before
