"""Jobs at several benches at once."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from pathlib import Path
from queue import SimpleQueue

import pytest

from wynot.core.files import Files
from wynot.runners.bench import Bench
from wynot.runners.child import Limits
from wynot.runners.local import Local

LIMITS = Limits(timeout=300)

Making = Callable[[int], "Local[str, bytes]"]


def shell(script: str, bench: Bench) -> bytes:
    if script == "raise":
        raise LookupError(script)
    if script == "exit":
        sys.exit(3)
    bench.place(Files({"script": script.encode()}))
    return bench.run(["sh", "script"], limits=LIMITS, capture=True).stdout


@pytest.fixture
def make() -> Iterator[Making]:
    made: list[Local[str, bytes]] = []

    def one(width: int) -> Local[str, bytes]:
        made.append(Local(width, shell))
        return made[-1]

    yield one
    for local in made:
        local.close(wait=True)


@pytest.mark.parametrize("width", [1, 3])
def test_every_job_gets_its_answer(make: Making, width: int) -> None:
    local = make(width)
    assert local.width == len(local.benches) == width
    futures = [local.submit(f"echo {n}; cat script") for n in range(40)]
    for n, future in enumerate(futures):
        assert future.result(300) == f"{n}\necho {n}; cat script".encode()
    assert len({bench.folder for bench in local.benches}) == width


def test_what_is_raised_is_in_the_future_and_work_goes_on(make: Making) -> None:
    local = make(1)
    assert isinstance(local.submit("raise").exception(300), LookupError)
    assert isinstance(local.submit("exit").exception(300), SystemExit)
    assert local.submit("echo 1").result(300) == b"1\n"


def test_what_is_raised_when_it_is_asked_whether_an_answer_can_wait_is_in_the_future() -> None:
    def can_wait(answer: bytes) -> bool:
        raise LookupError(answer)

    local = Local[str, bytes](1, shell, can_wait=can_wait)
    try:
        for _ in range(2):
            assert isinstance(local.submit("echo 1").exception(60), LookupError)
    finally:
        local.close(wait=True)


def running(local: Local[str, bytes], pipe: Path, then: str) -> "Future[bytes]":
    """Return a job that certainly runs."""
    future = local.submit(f"echo > {pipe}; {then}")
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
    waiting = local.submit("echo 2")
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
    waiting = local.submit("echo 2")
    assert waiting.cancel()
    assert waiting.cancelled()
    assert future.cancel()
    assert local.submit("echo 3").result(300) == b"3\n"


def test_a_job_that_is_over_cannot_be_cancelled(make: Making) -> None:
    local = make(1)
    future = local.submit("echo 1")
    future.result(300)
    assert not future.cancel()
    assert not future.cancelled()
    assert future.result() == b"1\n"


def test_a_kill_that_is_swallowed_is_still_one() -> None:
    began = threading.Event()

    def stubborn(_: str, bench: Bench) -> str:
        began.set()
        try:
            bench.run(["sleep", "1000"], limits=LIMITS)
        except Exception:  # noqa: BLE001 - as careless callers do
            return "answer"
        return "none"

    local = Local(1, stubborn)
    future = local.submit("")
    began.wait(300)
    assert future.cancel()
    with pytest.raises(CancelledError):
        future.result(300)
    local.close(wait=True)


@pytest.mark.parametrize("wait_for_it", [True, False])
def test_closing_ends_everything(make: Making, tmp_path: Path, *, wait_for_it: bool) -> None:
    pipes = [tmp_path / str(n) for n in range(2)]
    local = make(2)
    root = local.benches[0].folder.parent.parent
    futures = []
    for each in pipes:
        os.mkfifo(each)
        futures.append(running(local, each, "sleep 1000"))
    waiting = local.submit("echo 3")
    local.close(wait=wait_for_it)
    done, _ = wait([*futures, waiting], 300)
    assert done == {*futures, waiting}
    assert all(future.cancelled() for future in done)
    local.close(wait=True)
    assert not root.exists()
    assert all(not thread.is_alive() for thread in local._threads)  # noqa: SLF001 - no other way


PROGRAM = """
import sys
from wynot.core.files import Files
from wynot.runners.child import Limits
from wynot.runners.local import Local

def ask(job, bench):
    print(bench.folder, flush=True)
    bench.run(["sleep", "1000"], limits=Limits())

local = Local(1, ask)
local.submit(1)
while not (local.benches[0]._depth):
    pass
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
    root = Path(done.stdout.strip()).parent.parent
    assert root.name.startswith("wynot-")
    assert not root.exists()
