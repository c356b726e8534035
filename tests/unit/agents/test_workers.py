"""Jobs in several sandboxes at once."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import pytest

from agents import agents, hosts
from faults.scripts import processes, unique_nap, until
from wynot.agents import sandbox as agent_connection
from wynot.agents.agent_source import AgentStarter
from wynot.agents.sandbox import AgentLost, Sandbox
from wynot.agents.workers import LocalWorkers
from wynot.core.errors import BrokenRunner
from wynot.core.files import Files
from wynot.wire.run_request import Limits, RunRequest

LIMITS = Limits(timeout=300)

Making = Callable[[int], LocalWorkers]


def submit(local: LocalWorkers, script: str) -> "Future[bytes]":
    return local.submit(partial(shell, script))


def shell(script: str, sandbox: Sandbox) -> bytes:
    if script == "raise":
        raise LookupError(script)
    if script == "exit":
        sys.exit(3)
    sandbox.place(Files({"script": script.encode()}))
    return sandbox.run(RunRequest(["sh", "script"], limits=LIMITS, capture=True)).stdout


def sandboxes(local: LocalWorkers) -> list[Sandbox]:
    """Return the first sandbox of each worker."""
    return [agent.lanes[0].sandbox for agent in local._workers]  # noqa: SLF001


@pytest.fixture
def make() -> Iterator[Making]:
    made: list[LocalWorkers] = []

    def one(width: int) -> LocalWorkers:
        made.append(LocalWorkers(width))
        return made[-1]

    yield one
    for local in made:
        local.close(wait=True)


@pytest.mark.parametrize("width", [1, 3])
def test_every_job_gets_its_answer(make: Making, width: int) -> None:
    local = make(width)
    assert local.width == len(sandboxes(local)) == width
    futures = [submit(local, f"echo {n}; cat script") for n in range(40)]
    for n, future in enumerate(futures):
        assert future.result(300) == f"{n}\necho {n}; cat script".encode()
    assert len({sandbox.folder for sandbox in sandboxes(local)}) == width


def test_what_is_raised_is_in_the_future_and_work_goes_on(make: Making) -> None:
    local = make(1)
    assert isinstance(submit(local, "raise").exception(300), LookupError)
    assert isinstance(submit(local, "exit").exception(300), SystemExit)
    assert submit(local, "echo 1").result(300) == b"1\n"


def running(local: LocalWorkers, pipe: Path, then: str) -> "Future[bytes]":
    """Return a job that certainly runs."""
    future = submit(local, f"echo > {pipe}; {then}")
    pipe.read_text()
    return future


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_job_that_runs_can_be_cancelled(make: Making, pipe: Path) -> None:
    local = make(1)
    told: SimpleQueue[Future[bytes]] = SimpleQueue()
    future = running(local, pipe, "sleep 1000")
    future.add_done_callback(told.put)
    waiting = submit(local, "echo 2")
    assert future.cancel()
    assert future.cancelled()
    assert future.cancel()
    assert waiting.result(300) == b"2\n"
    assert told.get(timeout=300) is future
    assert told.empty()
    assert future.done()
    with pytest.raises(CancelledError):
        future.result(300)


def test_a_job_that_waits_can_be_cancelled(make: Making, pipe: Path) -> None:
    local = make(1)
    future = running(local, pipe, "sleep 1000")
    waiting = submit(local, "echo 2")
    assert waiting.cancel()
    assert waiting.cancelled()
    assert future.cancel()
    assert submit(local, "echo 3").result(300) == b"3\n"


def test_a_job_that_is_over_cannot_be_cancelled(make: Making) -> None:
    local = make(1)
    future = submit(local, "echo 1")
    future.result(300)
    assert not future.cancel()
    assert not future.cancelled()
    assert future.result() == b"1\n"


def test_a_kill_that_is_swallowed_is_still_one() -> None:
    began = threading.Event()

    def stubborn(sandbox: Sandbox) -> str:
        began.set()
        try:
            sandbox.run(RunRequest(["sleep", "1000"], limits=LIMITS))
        except Exception:  # noqa: BLE001 - as careless callers do
            return "answer"
        return "none"

    local = LocalWorkers(1)
    future = local.submit(stubborn)
    began.wait(300)
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result(300)
    local.close(wait=True)


@pytest.mark.parametrize("wait_for_it", [True, False])
def test_closing_ends_everything(make: Making, tmp_path: Path, *, wait_for_it: bool) -> None:
    pipes = [tmp_path / str(n) for n in range(2)]
    before = threading.active_count()
    local = make(2)
    root = sandboxes(local)[0].private.parent
    futures = []
    for each in pipes:
        os.mkfifo(each)
        futures.append(running(local, each, "sleep 1000"))
    waiting = submit(local, "echo 3")
    local.close(wait=wait_for_it)
    done, _ = wait([*futures, waiting], 300)
    assert done == {*futures, waiting}
    assert all(future.cancelled() for future in done)
    local.close(wait=True)
    assert not root.exists()
    assert threading.active_count() == before
    assert not agents()


@pytest.mark.parametrize("width", [1, 2])
def test_large_candidates_and_answers_pass_each_other(make: Making, width: int) -> None:
    size = 1 << 20  # more than a socket holds
    script = f"head -c {size} script; exit 0\n" + size * "#"
    local = make(width)
    futures = [local.submit(partial(shell, script), is_short=True) for _ in range(6)]
    assert {future.result(300) for future in futures} == {script.encode()[:size]}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_connection, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(agent_connection, "LIFELESS_SECONDS", 6.0)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_another_agent_does_the_job_of_a_stopped_one(make: Making, tmp_path: Path) -> None:
    local = make(1)
    once = f"mkdir {tmp_path / 'once'} 2>/dev/null && kill -STOP $PPID && sleep 1000; echo 1"
    assert submit(local, once).result(300) == b"1\n"
    until(
        lambda: len(agents()) == 1, "the stopped agent ends"
    )  # the one that was stopped goes on, sees that, and ends


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_an_agent_whose_test_takes_long_gives_signs_of_life(make: Making, tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert submit(make(1), f"echo . >>{log}; sleep 8; echo 1").result(300) == b"1\n"
    assert log.read_text() == ".\n"


PROGRAM = """
import sys
import threading
from wynot.agents.sandbox import AgentLost
from wynot.agents.agent_source import AgentStarter
from wynot.wire.run_request import Limits, RunRequest
from wynot.agents.workers import LocalWorkers

began = threading.Event()

def job(sandbox):
    print(sandbox.private.parent, flush=True)
    began.set()
    sandbox.run(RunRequest(["sleep", "1000"], limits=Limits()))

local = LocalWorkers(1)
local.submit(job)
began.wait()
{end}
"""


@pytest.mark.parametrize("end", ["", "sys.exit(3)", "raise KeyboardInterrupt"])
def test_a_program_that_does_not_close_it_leaves_nothing(end: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", PROGRAM.format(end=end)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    root = Path(done.stdout.strip())
    assert root.name.startswith("wynot-")
    assert not root.exists()


@pytest.mark.parametrize("lane", [0, 1])
def test_a_job_whose_agent_is_killed_is_done_again(make: Making, tmp_path: Path, lane: int) -> None:
    local = make(1)
    pipes = [tmp_path / "first", tmp_path / "second"]
    for each in pipes:
        os.mkfifo(each)
    tries: list[Path] = []
    nap = unique_nap()

    def job(sandbox: Sandbox) -> bytes:
        tries.append(sandbox.folder)
        script = "cat a"
        if len(tries) < 3:
            script = f"cat {pipes[len(tries) - 1]}; sleep {nap} & setsid sleep {nap} & wait"
        sandbox.place(Files({"a": b"%d" % len(tries)}))
        return sandbox.run(RunRequest(["sh", "-c", script], limits=LIMITS, capture=True)).stdout

    hold = threading.Event()
    first = [local.submit(lambda _: hold.wait(300)) for _ in range(lane)]  # it has the first lane
    future = local.submit(job, is_short=True)
    for number in range(2):
        pipes[number].write_text("it runs")
        [agent] = agents()
        os.kill(agent, signal.SIGKILL)
    assert future.result(300) == b"3"
    hold.set()
    assert all(each.result(300) for each in first)
    assert len(set(tries)) == 3
    # What the killed ones have left goes: by the next agent, or at the end if that one began while
    # the kernel was still closing their files, or by any other wynot that is at it just now.
    local.close(wait=True)
    until(
        lambda: not processes(nap) and not any(folder.exists() for folder in tries),
        "all of it to go",
    )


def test_python_that_cannot_be_started_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    before = os.listdir("/dev/fd")  # noqa: PTH208 - names
    with pytest.raises(BrokenRunner, match="cannot be started") as raised:
        AgentStarter()
    assert os.listdir("/dev/fd") == before, raised  # noqa: PTH208 - names


def test_a_job_that_costs_three_agents_is_an_error(make: Making) -> None:
    local = make(1)

    def job(sandbox: Sandbox) -> int:
        return sandbox.run(
            RunRequest(["sh", "-c", "kill -9 $PPID; sleep 1000"], limits=LIMITS)
        ).status

    with pytest.raises(AgentLost, match="has ended 3 times in a row") as caught:
        local.submit(job).result(300)
    assert "The same command again continues" in caught.value.hint
    assert submit(local, "echo 1").result(300) == b"1\n"


def test_agents_are_forked_from_a_new_process_if_the_first_is_killed(make: Making) -> None:
    local = make(2)
    assert submit(local, "echo 1").result(300) == b"1\n"
    [host] = hosts()
    os.kill(host, signal.SIGKILL)
    os.waitid(os.P_PID, host, os.WEXITED | os.WNOWAIT)
    futures = [submit(local, f"echo {n}") for n in range(8)]
    assert [future.result(300) for future in futures] == [b"%d\n" % n for n in range(8)]


def test_what_was_given_up_before_it_was_sent_is_not_taken_for_sent(make: Making) -> None:
    """The next files are said as edits of what the agent really has."""
    local = make(1)
    assert submit(local, "echo 1").result(300) == b"1\n"

    def given_up(sandbox: Sandbox) -> bytes:
        sandbox.switch.kill()
        return shell("echo 2", sandbox)

    assert local.submit(given_up).exception(300) is not None
    assert submit(local, "echo 2").result(300) == b"2\n"
