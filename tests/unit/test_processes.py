"""Tests in processes that end before their time."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import wynot
from wynot.core.candidate import Candidate
from wynot.core.case import ItemsCase
from wynot.core.round import Stage
from wynot.oracle.function_test import FunctionTest
from wynot.runners.processes import Processes

ITEMS = list(range(16))


def dies_without_3(kept: list[int]) -> bool:
    if 3 not in kept:
        os.kill(os.getpid(), signal.SIGKILL)
    return True


def has_3(kept: list[int]) -> bool:
    return 3 in kept


ASKED = {tuple(step.items) for step in wynot.minimize(ITEMS, has_3).steps} | {tuple(ITEMS), ()}


def dies_of_a_guess(kept: list[int]) -> bool:
    """End the process on whatever a single worker would not ask for."""
    if tuple(kept) not in ASKED:
        os._exit(1)
    return has_3(kept)


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_process_that_dies_of_what_the_search_asks_ends_the_run(jobs: int) -> None:
    # Python's fork server says 255 if it has lost sight of a process before it could tell.
    with pytest.raises(wynot.BrokenRunner, match=r"exit status (-9|255)") as caught:
        wynot.minimize(ITEMS, dies_without_3, workers="processes", jobs=jobs)
    assert isinstance(caught.value.result, wynot.Minimized)
    assert 3 in caught.value.result.items


UNSTARTED = """
import resource, wynot
def test(kept): return 3 in kept
if __name__ == "__main__":
    wynot.minimize([1, 2, 3], test, workers="processes", jobs=2)  # all is imported
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
    try:
        wynot.minimize([1, 2, 3], test, workers="processes", jobs=2)
    except wynot.BrokenRunner as error:
        print(error)
"""


def test_a_process_that_cannot_be_started_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "unstarted.py").write_text(UNSTARTED)
    command = [sys.executable, str(tmp_path / "unstarted.py")]
    done = subprocess.run(command, capture_output=True, check=True, timeout=300)  # noqa: S603
    assert b"no process can be started for a test: [Errno 24]" in done.stdout


@pytest.mark.slow
def test_many_sessions_with_dying_processes_all_end() -> None:
    for _ in range(10):
        with pytest.raises(wynot.BrokenRunner):
            wynot.minimize(ITEMS, dies_without_3, workers="processes", jobs=3)


@pytest.mark.slow
def test_a_process_that_dies_of_a_wrong_guess_is_replaced_and_changes_nothing() -> None:
    wide = wynot.minimize(ITEMS, dies_of_a_guess, workers="processes", jobs=4)
    alone = wynot.minimize(ITEMS, has_3)
    assert wide.items == alone.items == [3]
    assert wide.steps == alone.steps
    assert repr(wide.steps) == f"<{len(alone.steps)} steps>"


def exits(kept: list[int]) -> bool:
    if len(kept) == 8:
        sys.exit(3)
    return 3 in kept


def test_a_test_that_exits_is_broken_in_a_process_too() -> None:
    with pytest.raises(wynot.BrokenTest, match="SystemExit"):
        wynot.minimize(ITEMS, exits, workers="processes")


def starts_another(kept: list[str]) -> bool:
    """Start a process that would never end, say which, and wait for it."""
    child = subprocess.Popen(["sleep", "1000"])
    with Path(kept[0]).open("w") as pipe:  # opened by whoever reads it: both sides wait
        pipe.write(str(child.pid))
    child.wait()
    return True


@pytest.mark.parametrize("end", ["cancel", "close"])
def test_what_a_test_has_started_is_ended_with_it(tmp_path: Path, end: str) -> None:
    pipe = tmp_path / "pid"
    os.mkfifo(pipe)
    case = ItemsCase([str(pipe)])
    runner = Processes(1, case, FunctionTest(starts_another))
    future = runner.submit(Stage(case), Candidate.whole(case.deltas))
    child = os.pidfd_open(int(pipe.read_text()))
    if end == "cancel":
        while not future.cancel():  # not before it has run as long as a process takes to start
            os.sched_yield()
        assert future.cancelled()
    runner.close(wait=True)
    ended, _, _ = select.select([child], [], [], 300)  # a kill takes effect when it is delivered
    os.close(child)
    assert ended
