"""What is killed of a cluster that was started over ssh: the run goes on, and nothing is left."""

import os
import signal
from pathlib import Path

import pytest

import clusters  # noqa: F401 - skips all of it where dask is not installed
from cluster_runs import (
    NUMBERS,
    alive,
    command,
    finish,
    pids,
    reduction,
    wait_until,
    write_test,
)
from ssh_servers import ssh_server, started_over_ssh


def worker_processes(server: Path) -> list[int]:
    return [
        pid for pid in started_over_ssh(server) if "\0wynot.cluster.remote_worker\0" in command(pid)
    ]


def opened(pid: int) -> list[Path]:
    """Return what a process has opened."""
    return [each.readlink() for each in Path(f"/proc/{pid}/fd").iterdir()]


@pytest.mark.slow
def test_the_only_worker_is_killed_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(NUMBERS)
    write_test(tmp_path, "sleep 0.2; grep -q l9 in.txt && grep -q l33 in.txt")
    with (
        ssh_server(tmp_path / "server") as env,
        reduction(tmp_path, "ssh:one:2", env=env) as run,
    ):
        [worker] = worker_processes(tmp_path / "server")
        folders = [each for each in opened(worker) if each.name.startswith("wynot-")]
        os.kill(worker, signal.SIGKILL)
        finish(tmp_path, run)
        assert not alive(tmp_path)
        assert folders
        assert not [each for each in folders if each.exists()]
        assert not started_over_ssh(tmp_path / "server")


@pytest.mark.slow
def test_a_client_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(NUMBERS)
    lines = "lines=$(wc -l < in.txt); [ $lines = 0 ] && exit 1; [ $lines = 60 ] || exec sleep 600"
    write_test(tmp_path, lines)
    with ssh_server(tmp_path / "server") as env:
        with reduction(tmp_path, "ssh:one:2", tests=2, env=env) as run:
            wait_until(lambda: any(command(each).startswith("sleep") for each in pids(tmp_path)))
            run.kill()
        wait_until(lambda: not started_over_ssh(tmp_path / "server"))
