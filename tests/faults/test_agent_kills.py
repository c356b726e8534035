"""Agents that are killed, stopped or starved: no process, no folder and no verdict is lost."""

import json
import os
import resource
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from agents import agents, hosts
from faults.scripts import (
    Ended,
    Place,
    begun,
    finish,
    has,
    killed_at_last,
    logging,
    processes,
    read,
    size,
    soon,
    text,
    unique_nap,
    until,
)
from tiers import slow_after, slow_but
from wynot.machine.run_folder import sweep

WORDS = ("needle", "thread", "button")
ORIGINAL = text(*WORDS, lines=24)
RESULT = b"needlethreadbutton\n"


def count_of(how: Ended) -> int:
    """Return how many tests a run has counted."""
    assert how.code == 0, how.said
    events = map(json.loads, how.out.splitlines())
    [ended] = [event for event in events if event["event"] == "ended"]
    return int(ended["tests"])


class Scene(NamedTuple):
    """A case, a test that logs what it is asked, and the command on both."""

    place: Place
    log: Path
    test: Path

    @classmethod
    def at(cls, folder: Path, body: str = has(*WORDS)) -> "Scene":
        folder.mkdir(exist_ok=True)
        test = logging(folder / "test", folder / "log", body)
        return cls(Place(folder / "there", ORIGINAL), folder / "log", test)

    def start(self, jobs: int, *options: str) -> "subprocess.Popen[str]":
        return self.place.start("--json", f"-j{jobs}", *options, self.test, self.place.name)

    def reached(self, process: "subprocess.Popen[str]", count: int) -> bool:
        """Wait for so many tests in all; tell whether it still runs then."""
        until(lambda: process.poll() is not None or begun(self.log, 0) >= count, "so many tests")
        return process.poll() is None

    def recovered(self, process: "subprocess.Popen[str]", jobs: int) -> bool:
        """Wait until each worker has answered for a test again; tell whether it still runs then.

        On a busy machine one may answer for nine while the other has not begun with the test that
        was killed: the third time that is met in a row, the run ends.
        """
        start, before = size(self.log), begun(self.log, 0)

        def has_recovered() -> bool:
            workers = {line.folder for line in read(self.log, start) if line.what == "end"}
            count = begun(self.log, 0) - before
            return (count >= 9 and len(workers) == jobs) or count >= 40

        until(lambda: process.poll() is not None or has_recovered(), "a test by each worker")
        return process.poll() is None

    def nothing_is_left(self) -> bool:
        """Tell whether all processes and folders of all runs are gone."""
        return not processes(self.test) and not any(line.root.exists() for line in read(self.log))

    def is_over(self, how: Ended, usual: int) -> None:
        """Check the end: as if nothing had happened."""
        assert count_of(how) == usual
        assert self.place.file.read_bytes() == RESULT
        assert self.place.backup.read_bytes() == ORIGINAL
        assert not self.place.others()
        assert soon(self.nothing_is_left)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return how many tests it takes if nobody is killed."""
    return count_of(finish(Scene.at(tmp_path_factory.mktemp("usual")).start(2)))


def send(number: int, pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


WHO: dict[str, Callable[[int], list[int]]] = {
    "an agent": lambda pid: agents(pid)[:1],
    "all agents": agents,
    "who forks them": hosts,
    "all of them": lambda pid: [*hosts(pid), *agents(pid)],
}


@pytest.mark.slow
@pytest.mark.parametrize("jobs", slow_but([2], [1, 2]))
@pytest.mark.parametrize("who", slow_but(["an agent", "all of them"], WHO))
def test_agents_that_are_killed_again_and_again_change_nothing(
    tmp_path: Path, who: str, jobs: int, usual: int
) -> None:
    scene = Scene.at(tmp_path)
    kills = 0
    with killed_at_last(scene.start(jobs)) as process:
        while kills < 5 * usual and scene.recovered(process, jobs):
            victims = WHO[who](process.pid)
            send(signal.SIGKILL, victims)
            kills += len(victims)
        how = finish(process)
    assert kills > 3 or (kills and who == "who forks them")  # it is missed only then
    if who in {"who forks them", "all of them"}:
        sweep()  # as the next run does: after the last test nobody is left here to clear up
    scene.is_over(how, usual)


@pytest.mark.slow
def test_agents_that_are_killed_before_they_have_said_a_word_change_nothing(
    tmp_path: Path, usual: int
) -> None:
    scene = Scene.at(tmp_path)
    with killed_at_last(scene.start(2)) as process:
        until(lambda: bool(hosts(process.pid)), "who forks agents")
        send(signal.SIGKILL, hosts(process.pid))
        until(lambda: bool(agents(process.pid)), "an agent")
        send(signal.SIGKILL, agents(process.pid))
        how = finish(process)
    scene.is_over(how, usual)


@pytest.mark.slow
@pytest.mark.parametrize("also", slow_but(["all of them"], ["nobody", *WHO]))
def test_a_run_that_is_killed_with_its_agents_goes_on_where_it_was(
    tmp_path: Path, also: str
) -> None:
    scene = Scene.at(tmp_path)
    for count in (1, 20, 40):
        with killed_at_last(scene.start(2)) as process:
            assert scene.reached(process, count)
            victims = WHO[also](process.pid) if also in WHO else []
            send(signal.SIGKILL, [*victims, process.pid])
            finish(process)
        if also in {"nobody", "an agent", "all agents"}:  # who is left clears up
            assert soon(scene.nothing_is_left)
    how = finish(scene.start(2))
    assert how.code == 0, how.said
    assert scene.place.file.read_bytes() == RESULT
    assert scene.place.backup.read_bytes() == ORIGINAL
    assert soon(scene.nothing_is_left)


@pytest.mark.slow
def test_an_agent_that_is_stopped_goes_on_when_it_may(tmp_path: Path, usual: int) -> None:
    scene = Scene.at(tmp_path)
    with killed_at_last(scene.start(2)) as process:
        assert scene.reached(process, 10)
        stopped = agents(process.pid)
        send(signal.SIGSTOP, stopped)
        send(signal.SIGCONT, stopped)
        how = finish(process)
    scene.is_over(how, usual)


@pytest.mark.slow
@pytest.mark.parametrize("who", slow_but(["all of them"], ["all agents", "all of them"]))
def test_a_run_whose_agents_are_stopped_can_be_interrupted(tmp_path: Path, who: str) -> None:
    scene = Scene.at(tmp_path)
    with killed_at_last(scene.start(2)) as process:
        assert scene.reached(process, 10)
        stopped = WHO[who](process.pid)
        send(signal.SIGSTOP, stopped)
        try:
            process.send_signal(signal.SIGINT)
            assert finish(process).code == 130
        finally:
            send(signal.SIGCONT, stopped)
    assert soon(scene.nothing_is_left)
    assert finish(scene.start(2)).code == 0
    assert scene.place.file.read_bytes() == RESULT


SHORTAGES = [
    (resource.RLIMIT_NOFILE, 6),
    (resource.RLIMIT_AS, 1 << 20),
    (resource.RLIMIT_FSIZE, 0),
]


@pytest.mark.parametrize(("limit", "most"), slow_after(1, SHORTAGES))
def test_agents_that_lack_something_say_so_or_are_replaced(
    tmp_path: Path, limit: int, most: int
) -> None:
    scene = Scene.at(tmp_path)
    with killed_at_last(scene.start(2)) as process:
        assert scene.reached(process, 10)
        for pid in agents(process.pid):
            resource.prlimit(pid, limit, (most, most))
        how = finish(process)
    if how.code:
        assert how.code in {4, 5}, how.said
        assert "hint: " in how.err
        assert "Traceback" not in how.err
        assert soon(scene.nothing_is_left)
        assert finish(scene.start(2)).code == 0
    assert scene.place.file.read_bytes() == RESULT
    assert soon(scene.nothing_is_left)


@pytest.mark.slow
def test_a_test_that_kills_its_parent_once_in_a_while_is_asked_again(
    tmp_path: Path, usual: int
) -> None:
    once = f"mkdir '{tmp_path}/'${{d%% *}} 2>/dev/null && kill -9 $PPID"
    scene = Scene.at(tmp_path, f"case $d in [0-3]*) {once};; esac\n{has(*WORDS)}")
    scene.is_over(finish(scene.start(2)), usual)


def test_a_test_that_always_kills_its_parent_is_told_of(tmp_path: Path) -> None:
    scene = Scene.at(tmp_path, f"{has(*WORDS)} || kill -9 $PPID; {has(*WORDS)}")
    how = finish(scene.start(2))
    assert how.code == 5, how.said
    assert "hint: " in how.err
    assert "Traceback" not in how.err
    assert scene.place.file.read_bytes() == ORIGINAL
    assert soon(scene.nothing_is_left)


SCRIBBLES = r"""
for each in /proc/$$/fd/*; do
    n=${each##*/}
    [ "$n" -lt 3 ] || [ "$n" -gt 9 ] || eval "echo '{\"error\": 1}' >&$n; exec $n>&-" 2>/dev/null
done
"""


@pytest.mark.slow
def test_a_test_that_writes_to_whatever_is_open_reaches_no_agent(
    tmp_path: Path, usual: int
) -> None:
    listed = tmp_path / "listed"
    scene = Scene.at(tmp_path, f"ls /proc/self/fd >>'{listed}'{SCRIBBLES}{has(*WORDS)}")
    scene.is_over(finish(scene.start(2)), usual)
    # The three streams, that of ls itself, and the one that the shell reads its script from.
    assert set(listed.read_text().split()) <= {"0", "1", "2", "3", "10", "255"}


@pytest.mark.slow
def test_many_agents_that_are_killed_change_nothing(tmp_path: Path, usual: int) -> None:
    """Each third of them once: what costs three agents in a row is believed to be its fault."""
    scene = Scene.at(tmp_path)
    with killed_at_last(scene.start(64)) as process:
        for third in range(3):
            assert scene.reached(process, 40 * (third + 1))
            send(signal.SIGKILL, agents(process.pid)[third::3])
        how = finish(process)
    scene.is_over(how, usual)


@pytest.mark.slow
def test_what_daemons_of_killed_agents_hold_is_let_go(tmp_path: Path, usual: int) -> None:
    nap = unique_nap()
    daemon = f"(env -i setsid sleep {nap} &) >/dev/null 2>&1"
    scene = Scene.at(tmp_path, f"{daemon}\n{has(*WORDS)}")
    with killed_at_last(scene.start(2)) as process:
        for count in (5, 15, 25):
            assert scene.reached(process, count)
            send(signal.SIGKILL, agents(process.pid))
        how = finish(process)
    scene.is_over(how, usual)
    assert soon(lambda: not processes(nap))


@pytest.mark.slow
def test_a_script_that_ends_its_session_ends_nobody_else(tmp_path: Path) -> None:
    """All that it has started, and itself: neither the agent nor wynot is in there."""
    nap = unique_nap()
    session = f"(sleep {nap} &); ps -o pid= -s $$ | xargs kill -9"
    scene = Scene.at(tmp_path, f"{has(*WORDS)} || {{ {session}; }}")
    how = finish(scene.start(2))
    assert how.code == 0, how.said
    assert scene.place.file.read_bytes() == RESULT
    assert soon(scene.nothing_is_left)
    assert not processes(nap)
