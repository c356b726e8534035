"""Commands in a sandbox: what they are given, and what is told of them."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from agents import left_by_tests
from wynot.agent.mirrored_folder import CLOCK
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.files import Files
from wynot.wire.run_request import Killed, Limits, RunRequest

LIMITS = Limits(timeout=300)
CASE = Files({"case.c": b"int x;\n"})


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


def shell(sandbox: Sandbox, script: str, limits: Limits = LIMITS) -> str:
    return sandbox.run(
        RunRequest(["sh", "-c", script], limits=limits, capture=True)
    ).stdout.decode()


@pytest.mark.parametrize("script", ["exit 0", "exit 1", "exit 124", "exit 255"])
def test_the_status_is_told(sandbox: Sandbox, script: str) -> None:
    ending = sandbox.run(RunRequest(["sh", "-c", script], limits=LIMITS))
    assert ending.status == int(script.split()[1])
    assert not ending.limit
    assert ending.seconds > 0


@pytest.mark.parametrize("name", ["SEGV", "ABRT", "KILL", "TERM"])
def test_the_signal_that_ended_it_is_told(sandbox: Sandbox, name: str) -> None:
    ending = sandbox.run(RunRequest(["sh", "-c", f"kill -{name} $$"], limits=LIMITS))
    assert -ending.status == signal.Signals[f"SIG{name}"]
    assert ending.description == f"killed by SIG{name}"


def test_output_is_captured_if_it_is_asked_for(sandbox: Sandbox) -> None:
    argv = ["sh", "-c", "echo out; echo err >&2"]
    told = sandbox.run(RunRequest(argv, limits=LIMITS, capture=True))
    assert (told.stdout, told.stderr) == (b"out\n", b"err\n")
    untold = sandbox.run(RunRequest(argv, limits=LIMITS))
    assert (untold.stdout, untold.stderr) == (b"", b"")


def test_it_runs_in_the_folder_of_the_candidate(sandbox: Sandbox) -> None:
    sandbox.place(CASE)
    assert shell(sandbox, "pwd; echo $PWD; ls -A; cat case.c").split("\n") == [
        str(sandbox.folder),
        str(sandbox.folder),
        "case.c",
        "int x;",
        "",
    ]


def test_input_is_a_file_of_the_folder_or_nothing(sandbox: Sandbox) -> None:
    sandbox.place(CASE)
    given = sandbox.run(RunRequest(["cat"], limits=LIMITS, stdin="case.c", capture=True))
    assert given.stdout == b"int x;\n"
    assert sandbox.run(RunRequest(["cat"], limits=LIMITS, capture=True)).stdout == b""
    with pytest.raises(FileNotFoundError):
        sandbox.run(RunRequest(["cat"], limits=LIMITS, stdin="other.c"))


def test_it_can_run_elsewhere(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.place(CASE)
    (tmp_path / "here").write_text("there")
    request = RunRequest(["cat"], LIMITS, stdin="here", capture=True, folder=tmp_path)
    ending = sandbox.run(request)
    assert ending.stdout == b"there"
    assert shell(sandbox, "ls") == "case.c\n"


def test_the_environment_is_ours_and_what_is_added(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = sandbox.run(
        RunRequest(
            ["sh", "-c", 'echo "$PATH"; echo "$ADDED"; echo "$WYNOT_TEST"'],
            limits=LIMITS,
            capture=True,
            env={"ADDED": "ü"},
        )
    )
    path, added, first = ending.stdout.decode().splitlines()
    assert path == os.environ["PATH"]
    assert added == "ü"
    assert shell(sandbox, 'echo "$ADDED"') == "\n"
    assert shell(sandbox, 'echo "$WYNOT_TEST"') != first  # each run has its own
    monkeypatch.setenv("WYNOT_TEST", "outer.1")
    inner = LoneSandbox()
    assert shell(inner, 'echo "$WYNOT_TEST"').startswith("outer.1:")
    inner.close()


def test_temporary_files_go_with_the_test(sandbox: Sandbox) -> None:
    script = 'echo "$TMPDIR $TMP $TEMP"; cd "$TMPDIR"; pwd; mkdir -p a/b; echo 1 > a/b/c; mktemp'
    first, second, made = shell(sandbox, script).splitlines()
    assert first.split() == [second] * 3
    assert not Path(second).is_relative_to(sandbox.folder)
    assert not Path(made).exists()
    assert list(Path(second).iterdir()) == []
    assert shell(sandbox, 'cd "$TMPDIR" && ls -A && pwd') == f"{second}\n"
    sandbox.run(RunRequest(["sh", "-c", 'rm -rf "$TMPDIR"; ln -s /etc "$TMPDIR"'], limits=LIMITS))
    assert shell(sandbox, 'cd "$TMPDIR" && ls -A && pwd -P') == f"{second}\n"
    assert Path("/etc/passwd").exists()


def test_what_cannot_be_run_is_an_error(sandbox: Sandbox) -> None:
    sandbox.place(Files({"text": b"\0\1", "run": b"\0\1"}, {"run": 0o755}))
    for argv in (["no-such-program"], ["./no-such-program"], ["/no/such/program"]):
        with pytest.raises(FileNotFoundError, match=r"such.program"):
            sandbox.run(RunRequest(argv, limits=LIMITS))
    with pytest.raises(PermissionError):
        sandbox.run(RunRequest(["./text"], limits=LIMITS))
    with pytest.raises(OSError, match="Exec format error"):
        sandbox.run(RunRequest(["./run"], limits=LIMITS))
    assert sandbox.run(RunRequest(["true"], limits=LIMITS)).status == 0


def test_a_program_is_found_by_the_path_it_is_given(sandbox: Sandbox, tmp_path: Path) -> None:
    program = tmp_path / "only-here"
    program.write_text("#!/bin/sh\necho found\n")
    program.chmod(0o755)
    env = {"PATH": f"/nowhere:{tmp_path}:{os.environ['PATH']}"}
    ending = sandbox.run(RunRequest(["only-here"], limits=LIMITS, capture=True, env=env))
    assert ending.stdout == b"found\n"


def test_time_is_limited(sandbox: Sandbox) -> None:
    ending = sandbox.run(RunRequest(["sleep", "1000"], limits=Limits(timeout=0.1)))
    assert (ending.limit, ending.status) == ("timeout", -signal.SIGKILL)
    assert 0.1 <= ending.seconds < 1000


@pytest.mark.slow
def test_memory_is_limited(sandbox: Sandbox) -> None:
    argv = [sys.executable, "-c", "x = bytearray(1 << 30)"]
    assert sandbox.run(RunRequest(argv, limits=LIMITS)).status == 0
    ending = sandbox.run(RunRequest(argv, limits=Limits(memory=1 << 29), capture=True))
    assert ending.status == 1
    assert b"MemoryError" in ending.stderr
    assert shell(sandbox, "ulimit -c") == "0\n"


@pytest.mark.parametrize("place", [".", "$TMPDIR", "..", "../.."])
def test_disk_is_limited(sandbox: Sandbox, place: str) -> None:
    sandbox.place(CASE)
    limits = Limits(timeout=300, disk=8 << 20, is_test=True)
    script = f"cd {place}; for i in 1 2 3 4; do head -c 4M /dev/zero > f$i; done; sleep 1000"
    assert sandbox.run(RunRequest(["sh", "-c", script], limits=limits)).limit == "disk"
    sandbox.place(CASE)
    assert shell(sandbox, "ls -A . && ls -A $TMPDIR") == "case.c\n"


NAMELESS = {
    "removed": "file = open('x', 'wb'); os.unlink('x')",
    "never named": "file = open(os.open('.', os.O_TMPFILE | os.O_WRONLY), 'wb')",
    "in memory": "file = open(os.memfd_create('x'), 'wb')",
    "of a child": "file = open('x', 'wb'); os.unlink('x'); os.fork() or os.setsid()",
}


@pytest.mark.skipif(sys.platform != "linux", reason="open files are seen by /proc")
@pytest.mark.parametrize("script", NAMELESS.values(), ids=list(NAMELESS))
def test_disk_is_limited_for_files_without_a_name(sandbox: Sandbox, script: str) -> None:
    sandbox.place(CASE)
    limits = Limits(timeout=300, disk=8 << 20, is_test=True)
    code = f"import os, time; {script}; file.write(bytes(16 << 20)); file.flush(); time.sleep(1000)"
    assert (
        sandbox.run(RunRequest([sys.executable, "-c", code], limits=limits, capture=True)).limit
        == "disk"
    )


def test_what_was_there_before_does_not_count(sandbox: Sandbox) -> None:
    """An environment or a work tree stays, and may be large."""
    kept = [folder / "kept" for folder in (sandbox.private, sandbox.scratch)]
    for path in kept:
        path.write_bytes(os.urandom(2 << 20))
    last = max(path.stat().st_ctime_ns for path in kept)
    while time.clock_gettime_ns(CLOCK) <= last:
        sleep(0.001)
    limits = Limits(timeout=300, disk=1 << 20, is_test=True)
    assert sandbox.run(RunRequest(["sleep", "0.2"], limits=limits)).limit == ""
    script = "head -c 2M /dev/zero; sleep 0.2"  # an output has a limit of its own
    assert sandbox.run(RunRequest(["sh", "-c", script], limits=limits, capture=True)).limit == ""


def test_long_output_keeps_its_beginning_and_its_end(sandbox: Sandbox) -> None:
    script = "seq 1 2000000; echo the-end"
    ending = sandbox.run(RunRequest(["sh", "-c", script], limits=Limits(output=1000), capture=True))
    assert ending.stdout.startswith(b"1\n2\n3\n")
    assert ending.stdout.endswith(b"2000000\nthe-end\n")
    assert b"bytes left out" in ending.stdout
    assert 1000 < len(ending.stdout) < 1100


def test_output_that_comes_slowly_loses_nothing_of_its_end(sandbox: Sandbox) -> None:
    """The end may be written in parts, with cuts in between."""
    script = "for i in 1 2 3 4 5 6; do seq 100; sleep 0.06; done; printf abcdefghij"
    ending = sandbox.run(RunRequest(["sh", "-c", script], limits=Limits(output=40), capture=True))
    assert ending.stdout.startswith(b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10")
    assert ending.stdout.endswith(b"9\n100\nabcdefghij")
    whole = 6 * len(b"\n".join(b"%d" % n for n in range(1, 101)) + b"\n") + 10
    assert b"[... %d bytes left out ...]" % (whole - 40) in ending.stdout


def test_endless_output_takes_neither_memory_nor_disk(sandbox: Sandbox) -> None:
    # After each part it waits until less than 8 MB are kept, in blocks of 512 bytes.
    cut = "[ $(stat -L -c %b /proc/$$/fd/1) -lt 16384 ]"
    script = f"for i in 1 2 3 4; do head -c 64M /dev/zero; until {cut}; do sleep 0.01; done; done"
    limits = LIMITS._replace(output=1 << 20)
    ending = sandbox.run(RunRequest(["sh", "-c", script], limits=limits, capture=True))
    assert (ending.status, ending.limit) == (0, "")
    assert len(ending.stdout) < (1 << 20) + 100


def test_a_kill_ends_what_runs(sandbox: Sandbox) -> None:
    def kill() -> None:
        while not sandbox.switch.kill():  # there is nothing to kill yet
            sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(Killed):
        sandbox.run(RunRequest(["sleep", "1000"], limits=LIMITS))
    killer.join()


def test_a_kill_is_not_for_what_comes_later(sandbox: Sandbox) -> None:
    assert not sandbox.switch.kill()
    assert sandbox.run(RunRequest(["true"], limits=LIMITS)).status == 0
    assert not sandbox.switch.kill()
    assert sandbox.run(RunRequest(["true"], limits=LIMITS)).status == 0


def test_a_kill_is_for_the_whole_of_a_job(sandbox: Sandbox) -> None:
    job = object()
    sandbox.switch.begin(job)
    assert not sandbox.switch.kill(object())
    assert sandbox.switch.kill(job)
    assert sandbox.switch.kill(job)
    for _ in range(2):
        with pytest.raises(Killed):
            sandbox.run(RunRequest(["true"], limits=LIMITS))
    assert sandbox.switch.finish()
    sandbox.switch.begin()
    assert sandbox.run(RunRequest(["true"], limits=LIMITS)).status == 0
    assert not sandbox.switch.finish()


def test_kills_at_any_moment(sandbox: Sandbox) -> None:
    """Whatever the moment, a run ends in one of two ways, and the next one is not concerned."""
    stop = threading.Event()
    kills = 0

    def keep_killing() -> None:
        nonlocal kills
        while not stop.is_set():
            kills += sandbox.switch.kill()

    killer = threading.Thread(target=keep_killing)
    killer.start()
    killed = 0
    for _ in range(100):
        try:
            assert sandbox.run(RunRequest(["true"], limits=LIMITS)).status == 0
        except Killed:
            killed += 1
    stop.set()
    killer.join()
    assert kills >= killed > 0
    assert sandbox.run(RunRequest(["true"], limits=LIMITS)).status == 0
    assert not left_by_tests()


def test_nothing_of_it_is_left_when_it_is_closed() -> None:
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208 - numbers
    sandbox = LoneSandbox()
    root = sandbox.private.parent
    sandbox.place(CASE)
    sandbox.run(RunRequest(["cat"], limits=LIMITS, stdin="case.c", capture=True))
    with pytest.raises(FileNotFoundError):
        sandbox.run(RunRequest(["no-such-program"], limits=LIMITS, capture=True))
    sandbox.close()
    sandbox.close()
    assert not root.exists()
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - numbers
