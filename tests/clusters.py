"""Real schedulers and workers on this machine, for tests: processes of their own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="wynot[cluster] is not installed")

from distributed import Client
from distributed.security import Security

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

    def add_worker(
        self, slots: int = 2, *, before: Sequence[str] = (), **env: str
    ) -> subprocess.Popen[bytes]:
        """Start a worker, without a nanny that would start it again.

        ``before`` is a command that runs it in some special way.
        """
        options = ("--nthreads", str(slots), "--no-nanny", "--memory-limit", "0")
        worker = self._started(
            "dask_worker", *options, "--death-timeout", "20", env=env, before=before
        )
        self.workers.append(worker)
        return worker

    def client(self, *, asynchronous: bool = False) -> Client:
        """Return a client of it."""
        return Client(self.address, asynchronous=asynchronous)

    def await_workers(self, count: int) -> None:
        """Return when the scheduler knows of so many workers."""
        until = time.monotonic() + LONGEST
        while (self.folder / "dask_scheduler.log").read_text().count("Register worker") < count:
            assert time.monotonic() < until
            time.sleep(0.02)

    def close(self) -> None:
        """End all of it."""
        for each in (*self.workers, self.scheduler):
            each.kill()
            each.wait()

    def _started(
        self,
        program: str,
        *options: str,
        env: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
    ) -> "subprocess.Popen[bytes]":
        where = ("--scheduler-file", str(self._file), "--host", "127.0.0.1")
        argv = [*before, sys.executable, "-m", f"distributed.cli.{program}", *where, *QUIET]
        with (self.folder / f"{program}.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - ours
                [*argv, *self._tls, *options],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **(env or {})},
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
        cluster.await_workers(len(slots))
        yield cluster
    finally:
        cluster.close()


def certificates(folder: Path) -> dict[str, str]:
    """Make an authority and a certificate; return the settings of dask by which both are used."""
    folder.mkdir()
    made = Security.temporary()
    files = {"ca": made.tls_ca_file, "cert": made.tls_client_cert, "key": made.tls_client_key}
    for name, text in files.items():
        (folder / name).write_text(text)
    settings = "DASK_DISTRIBUTED__COMM__TLS__"
    return {
        f"{settings}CA_FILE": str(folder / "ca"),
        f"{settings}CLIENT__CERT": str(folder / "cert"),
        f"{settings}CLIENT__KEY": str(folder / "key"),
    }


def tls_options(settings: Mapping[str, str]) -> list[str]:
    """Return the options of a scheduler or worker that has these certificates."""
    names = ("--tls-ca-file", "--tls-cert", "--tls-key")
    return [word for each in zip(names, settings.values(), strict=True) for word in each]
