"""Real schedulers and workers on this machine, for tests: processes of their own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

LONGEST = 60.0
"""Seconds after which something that should start does not."""
QUIET = ("--no-dashboard",)


class RealCluster:
    """A scheduler that listens on the loopback device, and its workers."""

    def __init__(self, folder: Path, tls: Sequence[str] = ()) -> None:
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self._tls = tls
        self._file = folder / "scheduler.json"
        self.scheduler = self._started("dask_scheduler", "--port", "0")
        self.address = self._address()

    def start_scheduler_again(self) -> None:
        """Start one at the same address, after the first was killed."""
        port = self.address.rpartition(":")[2]
        self._file.unlink()
        self.scheduler = self._started("dask_scheduler", "--port", port)
        self._address()

    def add_worker(self, slots: int = 2) -> subprocess.Popen[bytes]:
        """Start a worker, without a nanny that would start it again."""
        options = ("--nthreads", str(slots), "--no-nanny", "--memory-limit", "0")
        worker = self._started("dask_worker", *options, "--death-timeout", "20")
        self.workers.append(worker)
        return worker

    def close(self) -> None:
        """End all of it."""
        for each in (*self.workers, self.scheduler):
            each.kill()
            each.wait()

    def _started(self, program: str, *options: str) -> "subprocess.Popen[bytes]":
        where = ("--scheduler-file", str(self._file), "--host", "127.0.0.1")
        argv = [sys.executable, "-m", f"distributed.cli.{program}", *where, *QUIET]
        with (self.folder / f"{program}.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - ours
                [*argv, *self._tls, *options],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "0"},
            )

    def _address(self) -> str:
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            try:
                return str(json.loads(self._file.read_bytes())["address"])
            except (OSError, ValueError):
                assert self.scheduler.poll() is None
                time.sleep(0.02)
        raise TimeoutError


@contextmanager
def real_cluster(folder: Path, *slots: int, tls: Sequence[str] = ()) -> Iterator[RealCluster]:
    """Have a scheduler, and a worker for each number of slots."""
    folder.mkdir(exist_ok=True)
    cluster = RealCluster(folder, tls)
    try:
        for each in slots:
            cluster.add_worker(each)
        yield cluster
    finally:
        cluster.close()
