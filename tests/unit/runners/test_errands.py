"""Jobs that are one command, done by the thread that waits for them."""

import os
import select
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from agents import agent_in_thread, agents
from wynot.core.ending import Ending
from wynot.core.files import Files
from wynot.runners import agent_connection
from wynot.runners.agent_sandbox import AgentSandbox
from wynot.runners.child import Limits
from wynot.runners.errand import Job
from wynot.runners.errands import Errands
from wynot.runners.kill_switch import Killed
from wynot.runners.local_workers import LocalWorkers
from wynot.runners.sandbox import Sandbox
from wynot.runners.seats import Seat, SubmittedJob
from wynot.runners.task import Task

LIMITS = Limits(timeout=300)
ARGV = ["sh", "script"]
LARGE = 1 << 20
"""More bytes than a socket holds."""


class Script:
    """A script as an errand: all of it is done again by a thread if it ends with 9."""

    def __init__(self, script: str) -> None:
        self.script = script.encode()
        self.files = Files({"script": self.script})
        self.threads: list[str] = []
        """Where it was begun, and what did the rest."""

    def begin(self, sandbox: AgentSandbox) -> None:
        self.threads.append(threading.current_thread().name)
        sandbox.place(self.files)
        sandbox.begin(ARGV, limits=LIMITS, capture=True)

    def rest(self, outcome: Ending | Exception) -> Job[bytes] | None:
        ended = isinstance(outcome, Killed) or (isinstance(outcome, Ending) and outcome.status != 9)
        return None if ended else self.whole

    def conclude(self, outcome: Ending | Exception, sandbox: Sandbox) -> bytes:  # noqa: ARG002
        if isinstance(outcome, Exception):
            raise outcome
        if outcome.status == 8:
            raise LookupError("8")
        return outcome.stdout

    def whole(self, sandbox: Sandbox) -> bytes:
        self.threads.append(threading.current_thread().name)
        sandbox.place(self.files)
        return b"whole " + sandbox.run(ARGV, limits=LIMITS, capture=True).stdout


def submit(local: LocalWorkers, script: str) -> tuple[Script, Task[bytes]]:
    errand = Script(script)
    return errand, local.submit(errand.whole, is_short=True, errand=errand)


def answer(local: LocalWorkers, task: Task[bytes]) -> bytes:
    while not task.done():
        local.attend(0.2)
    return task.result()


@pytest.fixture(params=[1, 2])
def local(request: pytest.FixtureRequest) -> Iterator[LocalWorkers]:
    """Return workers whose agents are there: errands are begun only where nothing takes long."""
    local = LocalWorkers(request.param)
    try:
        # The last of them are errands already, if the machine is slow to ask.
        for task in [submit(local, "echo 0")[1] for _ in range(2 * local.width)]:
            assert answer(local, task) in {b"whole 0\n", b"0\n"}
        yield local
    finally:
        local.close(wait=True)


def running(local: LocalWorkers, pipe: Path, then: str) -> tuple[Script, Task[bytes]]:
    """Return an errand that certainly runs."""
    os.mkfifo(pipe)
    begun = submit(local, f"echo > {pipe}; {then}")
    pipe.read_text()
    return begun


def test_all_are_begun_and_concluded_by_who_attends(local: LocalWorkers) -> None:
    begun = [submit(local, f"echo {n}; cat script") for n in range(40)]
    for n, (errand, task) in enumerate(begun):
        assert answer(local, task) == f"{n}\necho {n}; cat script".encode()
        assert errand.threads == [threading.current_thread().name]


def test_what_it_raises_is_in_the_future_and_work_goes_on(local: LocalWorkers) -> None:
    task = submit(local, "exit 8")[1]
    with pytest.raises(LookupError):
        answer(local, task)
    assert answer(local, submit(local, "echo 1")[1]) == b"1\n"


def test_what_takes_longer_is_done_by_a_thread(local: LocalWorkers) -> None:
    errand, task = submit(local, "echo 1; exit 9")
    assert answer(local, task) == b"whole 1\n"
    assert errand.threads == [threading.current_thread().name, "wynot"]


def test_one_that_was_given_up_is_killed_and_its_seat_is_free(
    local: LocalWorkers, tmp_path: Path
) -> None:
    _, task = running(local, tmp_path / "pipe", "sleep 1000")
    waiting = [submit(local, f"echo {n}")[1] for n in range(6)]
    assert task.cancel()
    assert waiting[-1].cancel()
    assert [answer(local, each) for each in waiting[:-1]] == [b"%d\n" % n for n in range(5)]
    with pytest.raises(CancelledError):
        answer(local, task)
    assert task.cancelled()


def test_threads_wait_for_them_when_something_else_is_to_be_done(
    local: LocalWorkers, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    _, task = running(local, tmp_path / "pipe", f"cat {gate}")
    _, given_up = submit(local, "sleep 1000")
    given_up.cancel()
    other = local.submit(Script("echo 2").whole)
    gate.write_text("1")
    assert other.result(300) == b"whole 2\n"
    assert task.result(300) == b"1"
    assert given_up.cancelled()


def test_one_whose_agent_is_killed_is_done_by_another(local: LocalWorkers, tmp_path: Path) -> None:
    once = f"mkdir {tmp_path / 'once'} 2>/dev/null && kill -9 $PPID; echo 1"
    begun = [submit(local, once)[1], *(submit(local, f"echo {n}")[1] for n in range(10))]
    said = [answer(local, task).removeprefix(b"whole ") for task in begun]
    assert said == [b"1\n", *(b"%d\n" % n for n in range(10))]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_connection, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(agent_connection, "LIFELESS_SECONDS", 6.0)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("is_errand", [True, False])
def test_what_a_stopped_agent_was_at_is_done_by_another(tmp_path: Path, *, is_errand: bool) -> None:
    local = LocalWorkers(1)
    assert answer(local, submit(local, "echo 0")[1]) == b"whole 0\n"
    once = f"mkdir {tmp_path / 'once'} 2>/dev/null && kill -STOP $PPID && sleep 1000; echo 1"
    task = submit(local, once)[1] if is_errand else local.submit(Script(once).whole)
    assert answer(local, task) == b"whole 1\n"
    while len(agents()) > 1:  # the one that was stopped goes on, sees that, and ends
        os.sched_yield()
    [agent] = agents()
    local.close(wait=True)
    with pytest.raises(ProcessLookupError):
        os.kill(agent, signal.SIGCONT)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_an_agent_whose_test_takes_long_gives_signs_of_life(tmp_path: Path) -> None:
    local = LocalWorkers(1)
    assert answer(local, submit(local, "echo 0")[1]) == b"whole 0\n"
    log = tmp_path / "log"
    for task in (
        submit(local, f"echo . >>{log}; sleep 8; echo 1")[1],
        local.submit(Script(f"echo . >>{log}; sleep 8; echo 1").whole),
    ):
        assert answer(local, task).endswith(b"1\n")
    assert log.read_text() == ".\n.\n"
    local.close(wait=True)


def test_none_is_left_when_all_is_closed(tmp_path: Path) -> None:
    local = LocalWorkers(2)
    assert answer(local, submit(local, "echo 0")[1]) == b"whole 0\n"
    _, task = running(local, tmp_path / "pipe", "sleep 1000")
    before = agents()
    local.close(wait=True)
    assert task.cancelled()
    for pid in before:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def test_agent_takes_large_candidate_while_its_large_answer_waits() -> None:
    with agent_in_thread(2) as (one, other):
        for sandbox in (one, other):
            assert sandbox.run(["true"], limits=LIMITS).status == 0
        one.begin(["head", "-c", str(LARGE), "/dev/zero"], limits=LIMITS, capture=True)
        select.select([one.descriptor], [], [])  # the agent answers, and nobody reads that
        other.place(Files({"data": b"x" * LARGE}))
        other.begin(["cat", "data"], limits=LIMITS, capture=True)
        for sandbox, letter in ((other, b"x"), (one, b"\0")):
            while (ending := sandbox.ended(wait=True)) is None:
                pass
            assert ending.stdout == LARGE * letter


def test_large_candidate_and_answer_take_one_turn_of_the_scheduler() -> None:
    errands, errand = Errands(), Script(f"head -c {LARGE} script; exit 0\n" + LARGE * "#")
    with agent_in_thread() as [sandbox]:
        assert sandbox.run(["true"], limits=LIMITS).status == 0
        errands.begin(Seat(sandbox), SubmittedJob(Task(), errand.whole, errand=errand))
        [(_, _, outcome)] = errands.ended(300)
    errands.close()
    assert isinstance(outcome, Ending)
    assert outcome.stdout == errand.script[:LARGE]
