"""No process outlives its test, and no other is touched."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from agents import agents, left_by_tests
from faults.scripts import unique_nap
from tiers import slow_but
from wynot.agents.sandbox import AgentLost, Sandbox
from wynot.agents.workers import LocalWorkers, LoneSandbox
from wynot.core.files import Files
from wynot.machine import procfs
from wynot.wire.run_request import Killed, Limits, RunRequest

LIMITS = Limits(timeout=300)

AWAITED = "& until [ -e out ]; do :; done"

CLOSED = """
import os, resource, sys
ready, done = os.pipe()
if os.fork():
    os.close(done)
    os.read(ready, 1)
    sys.exit()
for _ in range(2):
    os.setsid()
    if os.fork():
        os._exit(0)
resource.setrlimit(10, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
os.closerange(0, 256)
os.execve("/bin/sleep", ["sleep", sys.argv[1]], {})
"""
"""A daemon without environment, limit and files; all of that is so when its first process ends."""

# Each leaves processes of its own kind behind; all of them run `sleep $NAP`.
ESCAPES = {
    "child": "sleep $NAP &",
    "children": "sleep $NAP & sleep $NAP & sh -c 'sleep $NAP & wait' &",
    "group": "timeout 1000 sleep $NAP &",
    "session": "setsid sleep $NAP &",
    "daemon": "(setsid sh -c 'sleep $NAP & sleep $NAP &' &)",
    "parent": "setsid sh -c 'sleep $NAP & setsid sleep $NAP & wait' &",
    "nameless": "env -i setsid sleep $NAP &",
    "nameless daemon": "(env -i NAP=$NAP setsid sh -c '(setsid sleep $NAP &)' &)",
    "deaf": "trap '' TERM HUP INT; setsid sh -c 'sleep $NAP; sleep $NAP' &",
    "stopped": "setsid sh -c 'kill -STOP $$; sleep $NAP' & sleep $NAP &",
    "without a tag": "prlimit --locks=unlimited setsid sh -c 'sleep $NAP & touch out' " + AWAITED,
    "without any mark": "prlimit --locks=unlimited env -i setsid "
    "sh -c 'sleep '$NAP' & touch out' " + AWAITED,
    "without any mark, at once": "prlimit --locks=unlimited setsid env -i sleep $NAP &",
    "without a mark or an open file": f"'{sys.executable}' -c '{CLOSED}' $NAP",
    "nohup": "nohup setsid timeout 1000 sleep $NAP > /dev/null &",
}


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


def named(nap: str) -> list[int]:
    """Return the living processes that have this word in their command."""
    found = []
    for pid in procfs.everyone():
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if nap.encode() in words and pid != os.getpid():
                found.append(pid)
    return found


def zombies() -> list[int]:
    """Return the dead that nobody has reaped."""
    return [pid for pid in left_by_tests() if (seen := procfs.stat(pid)) and seen.is_dead]


def until(condition: Callable[[], object], seconds: float = 300) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


@pytest.mark.parametrize("script", ESCAPES.values(), ids=list(ESCAPES))
@pytest.mark.parametrize("end", ["exit", "timeout", "kill"])
def test_nothing_is_left_however_it_ends(sandbox: Sandbox, script: str, end: str) -> None:
    nap = unique_nap()
    env = {"NAP": nap}
    last = "exit 7" if end == "exit" else "wait; sleep $NAP"
    argv = ["sh", "-c", f"{script}\n{last}"]
    if end == "kill":
        killer = threading.Thread(
            target=lambda: until(lambda: named(nap)) and sandbox.switch.kill()
        )
        killer.start()
        with pytest.raises(Killed):
            sandbox.run(RunRequest(argv, limits=LIMITS, env=env))
        killer.join()
    else:
        limits = LIMITS if end == "exit" else Limits(timeout=0.2)
        ending = sandbox.run(RunRequest(argv, limits=limits, env=env))
        assert ending.status == (7 if end == "exit" else -9)
    assert named(nap) == []
    assert zombies() == []


def test_what_ended_by_itself_is_reaped(sandbox: Sandbox) -> None:
    for script in ("setsid true & sleep 0.05", "(setsid sh -c 'true &' &); sleep 0.05", "true &"):
        sandbox.run(RunRequest(["sh", "-c", script], limits=LIMITS))
        assert zombies() == []


def test_the_family_of_a_process_without_its_first_thread_ends(sandbox: Sandbox) -> None:
    """Such a process looks as if it were dead."""
    nap = unique_nap()
    code = (
        "import ctypes, os, sys, threading, time\n"
        "os.setsid() if os.fork() == 0 else os._exit(0)\n"
        "threading.Thread(target=lambda: time.sleep(1000)).start()\n"
        "ctypes.CDLL(None).pthread_exit(None)\n"
    )
    sandbox.run(RunRequest([sys.executable, "-c", code, nap], limits=LIMITS))
    assert named(nap) == []


@pytest.mark.parametrize("many", slow_but([40], [40, 200]))
def test_cancelled_tests_leave_nothing(many: int) -> None:
    nap = unique_nap()
    script = (
        "trap '' TERM\ntimeout 100 sleep $NAP &\nsetsid sleep $NAP &\n"
        "(setsid sh -c 'sleep $NAP & sleep $NAP' &)\nsleep $NAP\n"
    )

    def job(sandbox: Sandbox) -> int:
        sandbox.place(Files({"script": script.encode()}))
        return sandbox.run(RunRequest(["sh", "script"], limits=LIMITS, env={"NAP": nap})).status

    def has(count: int) -> bool:
        return len(named(nap)) >= count

    local = LocalWorkers(8)
    cancelled = 0
    while cancelled < many:
        futures = [local.submit(job) for _ in range(8)]
        # At a different moment of their lives each time.
        until(partial(has, cancelled % 40))
        cancelled += sum(future.cancel() for future in futures)
        assert all(future.cancelled() for future in futures)
    assert until(lambda: not named(nap))
    assert until(lambda: not zombies())
    local.close(wait=True)


def test_what_a_killed_agent_leaves_ends_at_the_end(tmp_path: Path) -> None:
    """Also what has nothing any more by which the next run would know it."""
    nap = unique_nap()
    sandbox = LoneSandbox()
    escape = ESCAPES["without any mark"].replace("out", str(tmp_path / "out"))
    argv = ["sh", "-c", f"{escape}; touch {tmp_path}/ready; wait; sleep $NAP"]

    def run() -> None:
        with suppress(Killed, AgentLost):
            sandbox.run(RunRequest(argv, limits=LIMITS, env={"NAP": nap}))

    thread = threading.Thread(target=run)
    thread.start()
    assert until(lambda: (tmp_path / "ready").exists() and named(nap))
    for pid in agents():
        os.kill(pid, signal.SIGKILL)
    sandbox.switch.kill()
    thread.join(300)
    sandbox.close()
    assert named(nap) == []


@pytest.mark.parametrize("end", ["run", "close"])
def test_what_a_server_leaves_without_any_mark_ends_with_a_run_or_with_the_server(end: str) -> None:
    nap = f"{1000 + os.getpid()}.{time.monotonic_ns()}"
    escape = ESCAPES["without any mark, at once"]
    answer = f'while read id question; do ({escape}) ; echo "$id 7"; done'
    argv = ["sh", "-c", f"echo ready; {answer}"]
    sandbox = LoneSandbox()
    asked = [
        sandbox.run(RunRequest(argv, question="?", limits=LIMITS, env={"NAP": nap}))
        for _ in range(3)
    ]
    assert [ending.status for ending in asked] == [7] * 3
    if end == "run":

        def are_gone() -> bool:
            """Tell whether a run ends them: not before they have lost the marks of the server."""
            sandbox.run(RunRequest(["true"], limits=LIMITS))
            return not named(nap)

        assert until(are_gone)
        assert (
            sandbox.run(RunRequest(argv, question="?", limits=LIMITS, env={"NAP": nap})).status == 7
        )
    sandbox.close()
    assert named(nap) == []


def test_other_children_are_not_touched(sandbox: Sandbox) -> None:
    with (
        subprocess.Popen(["sleep", "1000"]) as plain,
        subprocess.Popen(["sleep", "1000"], start_new_session=True) as apart,
        subprocess.Popen(["sh", "-c", "exit 5"]) as ended,
        subprocess.Popen(["sh", "-c", "exit 6"], start_new_session=True) as ended_apart,
        subprocess.Popen(["sleep", "1000"], start_new_session=True, env={}) as nameless,
    ):
        for script in ESCAPES.values():
            sandbox.run(RunRequest(["sh", "-c", script], limits=LIMITS, env={"NAP": "1000"}))
            sandbox.run(
                RunRequest(["sh", "-c", f"{script} sleep 1000"], limits=Limits(timeout=0.1))
            )
        living = (plain, apart, nameless)
        assert [each.poll() for each in living] == [None] * 3
        assert ended.wait() == 5
        assert ended_apart.wait() == 6
        for each in living:
            each.kill()
        assert [each.wait() for each in living] == [-9] * 3


def test_two_benches_do_not_hit_each_other(tmp_path: Path) -> None:
    """One test lives with many around it that escape and are killed."""
    steady, busy = LoneSandbox(), LoneSandbox()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    statuses = []
    script = f"setsid sh -c 'cat {pipe} > got' & (setsid sleep 1000 &) ; wait; exit 9"
    thread = threading.Thread(
        target=lambda: statuses.append(steady.run(RunRequest(["sh", "-c", script], LIMITS)).status)
    )
    thread.start()
    for escape in ESCAPES.values():
        busy.run(RunRequest(["sh", "-c", escape], LIMITS, env={"NAP": "1000"}))
        busy.run(RunRequest(["sh", "-c", f"{escape} sleep 1000"], Limits(timeout=0.1)))
    pipe.write_text("still there")
    thread.join(300)
    assert statuses == [9]
    assert (steady.folder / "got").read_text() == "still there"
    steady.close()
    busy.close()


# The fuse is a file that grows with every process: there are never more than 1,500 in all, and none
# forks any more when it is gone.
BOMB = """
import os, sys, time
fuse, kind = sys.argv[1:3]
while True:
    try:
        file = os.open(fuse, os.O_WRONLY | os.O_APPEND)
        os.write(file, b".")
        if os.fstat(file).st_size > 1500:
            break
        os.close(file)
    except FileNotFoundError:
        break
    if os.fork() == 0 and kind == "apart":
        os.setsid()
time.sleep(600)
"""


@pytest.mark.parametrize("kind", slow_but(["together"], ["together", "apart"]))
def test_a_fork_bomb_is_stopped(sandbox: Sandbox, tmp_path: Path, kind: str) -> None:
    """Every process forks on and on, each into a session of its own or all in one."""
    fuse = tmp_path / f"fuse-{time.monotonic_ns()}"
    fuse.touch()
    net = threading.Timer(400, fuse.unlink)
    net.start()
    try:
        argv = [sys.executable, "-c", BOMB, str(fuse), kind]
        ending = sandbox.run(RunRequest(argv, limits=Limits(timeout=300, processes=100)))
        assert fuse.exists()
        assert ending.limit == "processes"
        assert named(str(fuse)) == []
        assert zombies() == []
    finally:
        net.cancel()
        fuse.unlink(missing_ok=True)
