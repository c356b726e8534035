"""What a confined program can write to, and what it cannot."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shlex import quote

import pytest

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LocalWorkers, LoneSandbox
from wynot.core.files import Files
from wynot.machine import landlock
from wynot.machine.confined import KEPT_PRIVILEGES, Confined, Fence
from wynot.wire.run_request import Limits, RunRequest

pytestmark = pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")

CONFINED = Limits(timeout=60, writable=(), is_test=True)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder with a file and a folder in it."""
    (tmp_path / "file").write_text("precious")
    (tmp_path / "folder").mkdir()
    return tmp_path


def status(
    sandbox: Sandbox, script: str, limits: Limits = CONFINED, folder: Path | None = None
) -> int:
    return sandbox.run(RunRequest(["sh", "-c", script], limits, folder=folder)).status


ATTEMPTS = [
    "echo x > {}/file",
    "echo x >> {}/file",
    "rm {}/file",
    "rmdir {}/folder",
    "rm -rf {}/*",
    "mkdir {}/new",
    "echo x > {}/new",
    "ln -s a {}/new",
    "touch own && ln own {}/new",
    "mkfifo {}/new",
    "mv {}/file .",
    "mv {}/file {}/folder/file",
    "touch own && mv own {}/file",
    "truncate -s 0 {}/file",
    "python3 -c 'import os; os.truncate(\"{}/file\", 0)'",
    "ln -s {} link && rm -rf link/*",
    "cd {} && rm file",
    "setsid sh -c 'rm {}/file'",
]


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_nothing_outside_can_be_changed(sandbox: Sandbox, outside: Path, attempt: str) -> None:
    sandbox.place(Files({"case": b"1"}))
    status(sandbox, attempt.replace("{}", str(outside)))
    assert sorted(path.name for path in outside.iterdir()) == ["file", "folder"]
    assert (outside / "file").read_text() == "precious"
    assert list((outside / "folder").iterdir()) == []


@pytest.mark.parametrize(
    "script",
    [
        "echo 1 > new && mkdir -p a/b && mv new a/b/ && ln a/b/new hard && ln -s a soft && rm -r a",
        'echo 1 > "$TMPDIR/new" && mv "$TMPDIR/new" . && cp new "$TMPDIR" && mktemp',
        "echo 1 > /dev/null && echo 1 > /dev/stdout && echo 1 > /dev/stderr && echo 1 > /dev/fd/1",
        "cat /etc/passwd > copy && sh -c 'sleep 1000 & kill $!'",
        f"{quote(sys.executable)} -c 'import pty; pty.openpty()'",
    ],
)
def test_whatever_is_private_can_be_changed(sandbox: Sandbox, script: str) -> None:
    sandbox.place(Files({"case": b"1"}))
    ending = sandbox.run(RunRequest(["sh", "-c", script], limits=CONFINED, capture=True))
    assert ending.status == 0, ending
    sandbox.place(Files({"case": b"2"}))
    assert status(sandbox, script) == 0  # and without a file that takes its output


def test_more_folders_can_be_given(sandbox: Sandbox, outside: Path) -> None:
    limits = CONFINED._replace(writable=(str(outside / "folder"),))
    assert status(sandbox, f"echo 1 > {outside}/folder/new", limits) == 0
    assert status(sandbox, f"echo 1 > {outside}/new", limits) != 0
    assert status(sandbox, f"echo 1 > {outside}/folder/other") != 0
    assert sorted(path.name for path in (outside / "folder").iterdir()) == ["new"]


def test_the_folder_that_it_runs_in_can_be_changed_if_it_is_given(
    sandbox: Sandbox, outside: Path
) -> None:
    given = CONFINED._replace(writable=(str(outside / "folder"),))
    folder = outside / "folder"
    assert status(sandbox, "echo 1 > new", folder=folder) != 0
    assert status(sandbox, "echo 1 > new", given, folder) == 0
    assert status(sandbox, "echo 1 > ../new", given, folder) != 0
    assert status(sandbox, "echo 1 > other", folder=folder) != 0
    assert [path.name for path in (outside / "folder").iterdir()] == ["new"]


def test_what_wynot_keeps_for_itself_cannot_be_changed(sandbox: Sandbox) -> None:
    own = sandbox.private / "own"
    own.write_text("precious")
    private = sandbox.private
    for attempt in ("echo 1 > own", "rm own", "mv scratch old", "ln -sf / own", "touch new"):
        assert status(sandbox, attempt, folder=private) != 0
    assert status(sandbox, "mkdir scratch/mine && touch scratch/mine/file", folder=private) == 0
    assert sorted(path.name for path in sandbox.private.iterdir()) == ["own", "scratch"]
    assert own.read_text() == "precious"
    assert sandbox.folder.is_relative_to(sandbox.scratch)


def test_wynot_itself_is_not_confined(sandbox: Sandbox, outside: Path) -> None:
    assert status(sandbox, "true") == 0
    (outside / "file").write_text("changed")
    assert status(sandbox, f"echo 1 > {outside}/new", Limits()) == 0


@pytest.mark.skipif(landlock.version() < 6, reason="signals are not confined here")
def test_processes_outside_cannot_be_signalled(sandbox: Sandbox) -> None:
    with subprocess.Popen(["sleep", "1000"]) as other:
        assert status(sandbox, f"kill -9 {other.pid}") != 0
        assert other.poll() is None
        other.send_signal(signal.SIGKILL)


def test_a_folder_that_is_made_again_can_be_changed_again(sandbox: Sandbox) -> None:
    for _ in range(3):
        sandbox.place(Files({"case": b"1"}))
        assert status(sandbox, "echo 1 > new") == 0
        sandbox.run(RunRequest(["rm", "-rf", str(sandbox.private)], limits=Limits()))


def test_what_cannot_be_started_is_told_and_the_next_one_can(sandbox: Sandbox) -> None:
    with pytest.raises(FileNotFoundError):
        sandbox.run(RunRequest(["no-such-program"], limits=CONFINED))
    assert status(sandbox, "exit 7") == 7


PRIVILEGED = [
    "import os; os.mknod('device', 0o20600, os.makedev(1, 3))",
    "import fcntl, os, sys; fcntl.ioctl(os.open(sys.argv[1], 2 | os.O_NOCTTY), 0x5412, b'x')",
    "import socket; socket.sethostname(socket.gethostname())",
]
"""What root can do to a system without writing to any path: devices, typing (TIOCSTI), settings."""


@pytest.mark.parametrize("program", PRIVILEGED)
def test_root_has_no_way_around_paths(sandbox: Sandbox, program: str) -> None:
    ours, theirs = os.openpty()
    try:
        command = [sys.executable, "-I", "-S", "-c", program, os.ttyname(theirs)]
        answer = sandbox.run(RunRequest(command, limits=CONFINED, capture=True))
    finally:
        os.close(ours)
        os.close(theirs)
    assert answer.status == 1
    assert b"Operation not permitted" in answer.stderr


def test_privileges_do_not_come_back_and_others_stay(sandbox: Sandbox) -> None:
    script = "sh -c 'sed -n s/^Cap.*:.//p /proc/self/status'"
    ran = sandbox.run(RunRequest(["sh", "-c", script], limits=CONFINED, capture=True))
    masks = ran.stdout.split()
    kept = sum(1 << number for number in KEPT_PRIVILEGES)
    inheritable, permitted, effective, bounding, _ambient = (int(mask, 16) for mask in masks)
    assert not (inheritable | permitted | effective) & ~kept
    if os.geteuid() == 0:
        assert not bounding & ~kept
        assert effective == bounding


def test_a_folder_that_is_not_there_is_told(sandbox: Sandbox, outside: Path) -> None:
    with pytest.raises(FileNotFoundError):
        status(sandbox, "true", CONFINED._replace(writable=(str(outside / "none"),)))
    fence = Fence((str(outside / "none"),), ((0, 0),))
    with pytest.raises(FileNotFoundError):
        Confined(fence)


def test_many_at_a_time_and_no_thread_is_left(outside: Path) -> None:
    before = threading.active_count()

    def ask(number: int, sandbox: Sandbox) -> int:
        sandbox.place(Files({"case": b"%d" % number}))
        return status(sandbox, f"echo 1 > new; echo 1 > {outside}/{number}")

    local = LocalWorkers(8)
    futures = [local.submit(partial(ask, number)) for number in range(64)]
    assert 0 not in {future.result() for future in futures}
    local.close(wait=True)
    assert len(list(outside.iterdir())) == 2
    while threading.active_count() > before:
        os.sched_yield()


@pytest.mark.parametrize("known", range(1, landlock.version() + 1))
def test_every_version_of_the_interface_will_do(tmp_path: Path, known: int) -> None:
    (tmp_path / "inside").mkdir()
    told: list[str] = []

    def work() -> None:
        landlock.restrict([str(tmp_path / "inside")], known)
        (tmp_path / "inside" / "new").write_text("1")
        try:
            (tmp_path / "new").write_text("1")
        except PermissionError:
            told.append("refused")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert told == ["refused"]
    assert [path.name for path in tmp_path.iterdir()] == ["inside"]


def test_wynot_itself_may_be_confined(tmp_path: Path) -> None:
    program = f"""
from wynot.machine import landlock
from wynot.agents.workers import LoneSandbox
from wynot.machine.confined import KEPT_PRIVILEGES
from wynot.wire.run_request import Limits, RunRequest
landlock.restrict([{str(tmp_path)!r}])
sandbox = LoneSandbox()
request = RunRequest(["sh", "-c", "touch own && exit 7"], Limits(writable=()))
print(sandbox.folder, sandbox.run(request).status)
sandbox.close()
"""
    ran = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-c", program],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout.startswith(f"{tmp_path}/")
    assert ran.stdout.endswith(" 7\n")
    assert list(tmp_path.iterdir()) == []
