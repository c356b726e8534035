"""Workers, schedulers and clients that are killed, stop or differ: the run goes on all the same."""

import os
import random
import signal
import subprocess
from concurrent.futures import wait
from contextlib import suppress
from pathlib import Path

import pytest

from cluster_runs import (
    LONGEST,
    NUMBERS,
    alive,
    command,
    finish,
    pids,
    reduction,
    wait_until,
    write_test,
)
from clusters import real_cluster
from e2e.programs import told
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LocalWorkers
from wynot.cluster.cluster_address import parsed_cluster
from wynot.cluster.cluster_agents import ClusterAgents
from wynot.wire.run_request import Limits, RunRequest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in.txt").write_text(NUMBERS)
    write_test(tmp_path, "sleep 0.2; grep -q l9 in.txt && grep -q l33 in.txt")
    return tmp_path


@pytest.mark.slow
def test_a_worker_that_is_killed(folder: Path) -> None:
    with (
        real_cluster(folder / "cluster", 2, 2) as cluster,
        reduction(folder, cluster.address) as run,
    ):
        cluster.workers[0].kill()
        finish(folder, run)
        wait_until(lambda: not alive(folder))


@pytest.mark.slow
def test_a_worker_that_hangs(folder: Path) -> None:
    with (
        real_cluster(folder / "cluster", 2, 2) as cluster,
        reduction(folder, cluster.address) as run,
    ):
        cluster.workers[0].send_signal(signal.SIGSTOP)
        finish(folder, run)
        cluster.workers[0].send_signal(signal.SIGCONT)
        wait_until(lambda: not alive(folder))


@pytest.mark.slow
def test_a_scheduler_that_is_restarted(folder: Path) -> None:
    with (
        real_cluster(folder / "cluster", 2, 2) as cluster,
        reduction(folder, cluster.address) as run,
    ):
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        cluster.start_scheduler_again()
        cluster.add_worker(2)
        finish(folder, run)


@pytest.mark.slow
def test_workers_that_come_and_go_all_the_time(folder: Path) -> None:
    chance = random.Random(1)
    with (
        real_cluster(folder / "cluster", *[1] * 6) as cluster,
        reduction(folder, cluster.address) as run,
    ):
        while run.poll() is None:
            worker = cluster.workers.pop(chance.randrange(len(cluster.workers)))
            worker.kill()
            worker.wait()
            cluster.add_worker(1)
            with suppress(subprocess.TimeoutExpired):
                run.wait(2)
        finish(folder, run)
        wait_until(lambda: not alive(folder))


@pytest.mark.slow
def test_two_at_once(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    for name in ("in.txt", "test.sh"):
        (other / name).write_bytes(
            (folder / name).read_bytes().replace(bytes(folder), bytes(other))
        )
    (other / "test.sh").chmod(0o755)
    with (
        real_cluster(folder / "cluster", 2, 2) as cluster,
        reduction(folder, cluster.address) as run,
        reduction(other, cluster.address) as another,
    ):
        finish(folder, run)
        finish(other, another)


@pytest.mark.slow
def test_a_client_that_is_killed_leaves_nothing(folder: Path) -> None:
    lines = "lines=$(wc -l < in.txt); [ $lines = 0 ] && exit 1; [ $lines = 60 ] || exec sleep 600"
    write_test(folder, lines)
    with real_cluster(folder / "cluster", 2, 2) as cluster:
        with reduction(folder, cluster.address, tests=2) as run:
            wait_until(lambda: any(command(each).startswith("sleep") for each in pids(folder)))
            run.kill()
        wait_until(lambda: not alive(folder))


def installed(folder: Path, line: str) -> str:
    """Return a PATH where there is a program."""
    folder.mkdir()
    (folder / "prog").write_text(f"#!/bin/sh\n{line}\n")
    (folder / "prog").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.slow
def test_workers_that_are_not_like_the_others_are_not_used(folder: Path) -> None:
    write_test(folder, "prog in.txt")
    right = installed(folder / "right", "grep -q l9 $1")
    wrong = installed(folder / "wrong", "exit 3")
    with real_cluster(folder / "cluster") as cluster:
        for path in (right, right, wrong, os.environ["PATH"]):
            cluster.add_worker(1, PATH=path)
        cluster.await_workers(4)
        asked = ("reduce", "--cluster", cluster.address, "-o", "out.txt", "./test.sh", "in.txt")
        ran = told(folder, *asked)
    assert ran.code == 0, ran.err
    assert (folder / "out.txt").read_text() == "l9\n"
    notices = [line for line in ran.out.splitlines() if "quarantined" in line]
    assert len(notices) == 2


@pytest.mark.slow
def test_a_thousand_jobs_that_are_given_up_leave_no_process(tmp_path: Path) -> None:
    line = f"echo $$ >> {tmp_path}/pids; exec sleep 600"

    def job(sandbox: Sandbox) -> None:
        sandbox.run(RunRequest(["sh", "-c", line], limits=Limits(timeout=900, is_test=True)))

    with real_cluster(tmp_path / "cluster", 8, 8) as cluster:
        asked = parsed_cluster(cluster.address, insecure=False)
        workers = LocalWorkers(16, agents=ClusterAgents(asked, lambda _: None))
        for begun in range(16, 1001, 16):
            tasks = [workers.submit(job) for _ in range(16)]
            wait_until(lambda begun=begun: len(pids(tmp_path)) == begun)  # type: ignore[misc]
            given_up = [task.cancel() for task in tasks]
            assert all(given_up)
            wait(tasks, LONGEST)
            assert not [each for each in pids(tmp_path)[-16:] if command(each)]
        assert not alive(tmp_path)
        workers.close(wait=True)
