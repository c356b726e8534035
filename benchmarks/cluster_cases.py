"""The same bytes on a cluster as with ``-j 1``: real failures, also while workers come and go.

    python benchmarks/cluster_cases.py [--from FOLDER] [NAME …]

The scheduler and its workers are processes on this machine. Each case is reduced with ``-j 1``, on
the cluster, and on the cluster while every two seconds a worker is killed with SIGKILL and another
one is started. It exits with 1 if a result is not the same, or if a process of a test is left.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

OWN_CASES = Path(__file__).parent / "cases"
NAMES = ("toml-tomlkit", "yaml-ruamel", "sql-sqlglot", "js-butternut", "lua-luamin")
OTHER_NAMES = ("text-markdown2", "c-csmith-segv", "sql-duckdb", "py-ruff", "json-dagre")
"""Those of the folder that ``--from`` names."""
WORKERS, SLOTS = 6, 1
TURN_SECONDS, LEAVING_SECONDS = 2.0, 30.0
ABOUT = ("meta.toml", "test.sh")
"""What is in the folder of a case beside its input."""


class Processes:
    """A scheduler, and workers; the oldest is killed first, so that each has time to start."""

    def __init__(self, folder: Path, mark: str) -> None:
        self._file = folder / "scheduler.json"
        self._where = ("--scheduler-file", str(self._file), "--no-dashboard")
        self._log = (folder / "log").open("wb")
        self._env = {**os.environ, "WYNOT_BENCH_MARK": mark}
        self._scheduler = self._started("scheduler", "--port", "0", "--host", "127.0.0.1")
        self._workers = [self._worker() for _ in range(WORKERS)]
        self.killed = 0

    @property
    def address(self) -> str:
        """Where the scheduler listens, as soon as it has said so."""
        while self._scheduler.poll() is None:
            with suppress(OSError, ValueError):  # there is no file yet, or half of one
                return str(json.loads(self._file.read_bytes())["address"])
            time.sleep(0.1)
        raise RuntimeError("the scheduler has ended")

    def replace_one(self) -> None:
        """Kill a worker, and start another one."""
        oldest = self._workers.pop(0)
        oldest.kill()
        oldest.wait()
        self._workers.append(self._worker())
        self.killed += 1

    def close(self) -> None:
        """Kill all of them."""
        for each in (*self._workers, self._scheduler):
            each.kill()
            each.wait()
        self._log.close()

    def _worker(self) -> "subprocess.Popen[bytes]":
        options = ("--nthreads", str(SLOTS), "--no-nanny", "--memory-limit", "0")
        return self._started("worker", *options)

    def _started(self, what: str, *options: str) -> "subprocess.Popen[bytes]":
        argv = [sys.executable, "-m", f"distributed.cli.dask_{what}", *self._where, *options]
        return subprocess.Popen(argv, stdout=self._log, stderr=self._log, env=self._env)


@contextmanager
def running(mark: str) -> Iterator[Processes]:
    """Have a cluster whose processes, and all that they start, can be told by a mark."""
    with TemporaryDirectory(prefix="wynot-bench-") as folder:
        processes = Processes(Path(folder), mark)
        try:
            yield processes
        finally:
            processes.close()


def marked(mark: str) -> list[int]:
    """Return the processes that a cluster has started, and those that they have."""
    said = f"WYNOT_BENCH_MARK={mark}\0".encode()
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if said in (each / "environ").read_bytes():
                found.append(int(each.name))
    return found


def left(mark: str) -> int:
    """Return how many processes are still there some time after the cluster was killed."""
    until = time.monotonic() + LEAVING_SECONDS
    while marked(mark) and time.monotonic() < until:
        time.sleep(0.1)
    return len(marked(mark))


def reduce(case: Path, folder: Path, *where: str) -> "subprocess.Popen[bytes]":
    """Begin to reduce a case; the result is in the folder."""
    [name] = [each.name for each in case.iterdir() if each.name not in ABOUT]
    (folder / name).write_bytes((case / name).read_bytes())
    argv = [sys.executable, "-m", "wynot", "reduce", "-q", "-o", "out", *where]
    return subprocess.Popen(
        [*argv, str(case.resolve() / "test.sh"), name], cwd=folder, stdout=subprocess.DEVNULL
    )


def result(case: Path, cluster: Processes | None, *, churn: bool = False) -> tuple[bytes, float]:
    """Return what is left of a case, and the seconds that it took."""
    began = time.monotonic()
    where = ("--cluster", cluster.address) if cluster else ("-j", "1")
    with TemporaryDirectory(prefix="wynot-bench-") as folder:
        run = reduce(case, Path(folder), *where)
        while cluster and churn and run.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                run.wait(TURN_SECONDS)
            cluster.replace_one()
        if run.wait():
            return b"", time.monotonic() - began
        return (Path(folder) / "out").read_bytes(), time.monotonic() - began


def main() -> int:
    """Print a row for each case; return 1 if anything is not as it must be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--from", dest="folder", type=Path, help="a folder with other cases")
    given = parser.parse_args()
    names = given.names or (OTHER_NAMES if given.folder else NAMES)
    is_good = True
    print(f"{'case':16}{'bytes':>7}{'-j 1':>9}{'cluster':>9}{'churn':>9}{'killed':>8}{'left':>6}")
    for name in names:
        case = (given.folder or OWN_CASES) / name
        mark = f"{name}-{os.getpid()}"
        one, alone = result(case, None)
        with running(mark) as cluster:
            there, shared = result(case, cluster)
            again, restless = result(case, cluster, churn=True)
            killed = cluster.killed
        is_same = bool(one) and one == there == again
        over = left(mark)
        is_good &= is_same and not over
        print(
            f"{name:16}{len(one):>7}{alone:>7.0f} s{shared:>7.0f} s{restless:>7.0f} s{killed:>8}"
            f"{over:>6}  {'the same' if is_same else 'NOT the same'}",
            flush=True,
        )
    return int(not is_good)


if __name__ == "__main__":
    sys.exit(main())
