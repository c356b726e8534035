"""How many tests a second: bare loops, wynot, and its peers, with tests that cost next to nothing.

Three tables:

- a program that ends at once (/bin/false): a loop of ``subprocess.Popen``, a loop of wynot's own
  spawn call, and `wynot reduce`, with 1 and 2 workers;
- a script that counts itself and compares the file with the original, so that it can be given to
  other reducers too: tests a second of each, for as long as it runs, at most ``--limit`` seconds;
- a script that computes for 50 ms: wynot's own processor time as a share of that of the tests.
"""

import argparse
import json
import os
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from wynot.core.files import Files
from wynot.runners.child import Limits
from wynot.runners.lone_sandbox import LoneSandbox
from wynot.runners.spawn import spawn

NULL = subprocess.DEVNULL
LINES = 1500
PROGRAM = ["/bin/false", "/nowhere/f.txt"]  # with an argument it takes longer, and wynot gives one
WYNOT = [sys.executable, "-m", "wynot"]


def popen_once() -> None:
    child = subprocess.Popen(PROGRAM, stdin=NULL, stdout=NULL, stderr=NULL, start_new_session=True)
    wait(child.pid)
    child.wait()


def wait(pid: int) -> None:
    descriptor = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.poll()
    os.close(descriptor)


ENVIRON = [b"%s=%s" % each for each in os.environb.items()]


def spawn_once() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    pid = spawn(PROGRAM, "/", ENVIRON, (null, null, null))
    wait(pid)
    os.waitpid(pid, 0)
    os.close(null)


def rate(once: Callable[[], None], workers: int, count: int) -> float:
    """Return how often a second something can be done in so many threads."""

    def work() -> None:
        for _ in range(count // workers):
            once()

    threads = [threading.Thread(target=work) for _ in range(workers)]
    before = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count / (time.perf_counter() - before)


def wynot_rate(folder: Path, workers: int) -> float:
    """Return the tests a second of a whole reduction in which nothing can go."""
    (folder / "f.txt").write_text("".join(f"line {number}\n" for number in range(LINES)))
    options = ["--no-check", "--fresh", "--json", "--atoms", "lines", "-j", str(workers)]
    printed = subprocess.run(
        [*WYNOT, "reduce", *options, "/bin/false", "f.txt"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    ended = json.loads(printed.splitlines()[-1])
    return float((ended["tests"] + ended["extra"]) / ended["seconds"])


def bare(folder: Path, count: int, rounds: int) -> None:
    print(f"tests a second, /bin/false, the best of {rounds}")
    print(f"{'workers':>8} {'Popen':>9} {'spawn':>9} {'wynot':>9} {'of Popen':>9} {'of spawn':>9}")
    for workers in (1, 2):
        popen = max(rate(popen_once, workers, count) for _ in range(rounds))
        own = max(rate(spawn_once, workers, count) for _ in range(rounds))
        wynot = max(wynot_rate(folder, workers) for _ in range(rounds))
        print(
            f"{workers:>8} {popen:>9,.0f} {own:>9,.0f} {wynot:>9,.0f} "
            f"{wynot / popen:>9.0%} {wynot / own:>9.0%}"
        )


COUNTING = """#!/bin/sh
printf . >> {log}
case $1 in */f.txt) cd "${{1%/*}}" ;; esac
exec cmp -s f.txt {original}
"""


def peers(folder: Path, home: Path, limit: float) -> None:
    print(f"\ntests a second, a script that ends in `cmp`, for at most {limit:.0f} s")
    print(f"{'tool':>12} {'workers':>8} {'tests':>8} {'seconds':>8} {'a second':>9}")
    for workers in (1, 2):
        tools = {
            "bare loop": None,
            "wynot": [*WYNOT, "reduce", "t.sh", "f.txt", "-q", "-j", str(workers)],
            "shrinkray": [
                *(str(home / "peers/bin/shrinkray"), "--ui", "basic", "--no-llm", "--no-history"),
                *("--formatter", "none", "--parallelism", str(workers), "t.sh", "f.txt"),
            ],
            "cvise": ["cvise", "--n", str(workers), "t.sh", "f.txt"],
            "picire": [
                *(str(home / "pic/bin/picire"), "-i", "f.txt", "--test", "t.sh", "-q", "-o", "out"),
                *(["-p", "-j", str(workers)] if workers > 1 else []),
            ],
        }
        for name, command in tools.items():
            if command is not None and not shutil.which(command[0]):
                print(f"{name:>12} {workers:>8}   is not there")
                continue
            tests, seconds = counted(
                folder / f"{name.split()[0]}{workers}", command, workers, limit
            )
            print(f"{name:>12} {workers:>8} {tests:>8,} {seconds:>8.1f} {tests / seconds:>9,.0f}")


def counted(
    folder: Path, command: list[str] | None, workers: int, limit: float
) -> tuple[int, float]:
    """Return how many tests a tool has run, and in how many seconds."""
    folder.mkdir()
    text = "".join(f"line {number}\n" for number in range(LINES))
    (folder / "f.txt").write_text(text)
    (folder / "original").write_text(text)
    script = folder / "t.sh"
    log = folder / "log"
    script.write_text(COUNTING.format(log=log, original=folder / "original"))
    script.chmod(0o755)
    before = time.perf_counter()
    if command is None:
        popen = [str(script), str(folder / "f.txt")]

        def once() -> None:
            subprocess.run(popen, check=False, stdin=NULL)

        rate(once, workers, 2000)
    else:
        child = subprocess.Popen(
            command, cwd=folder, stdin=NULL, stdout=NULL, stderr=NULL, start_new_session=True
        )
        try:
            child.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 2)
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                child.wait()
    return log.stat().st_size, time.perf_counter() - before


BURNING = """#!/bin/sh
cmp -s f.txt {original} && exit 0
i=0; while [ $i -lt {turns} ]; do i=$((i+1)); done
exit 1
"""

SHARE = """
import resource, sys
from wynot.cli.main import main
main(sys.argv[1:])
own, tests = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(own.ru_utime + own.ru_stime, tests.ru_utime + tests.ru_stime)
"""


def share(folder: Path) -> None:
    """Print how much processor time wynot takes beside its tests."""
    text = "".join(f"line {number}\n" for number in range(100))
    (folder / "f.txt").write_text(text)
    (folder / "original").write_text(text)
    script = folder / "t.sh"
    turns = 20_000
    for _ in range(3):  # until it takes 50 ms here
        script.write_text(BURNING.format(original=folder / "nothing", turns=turns))
        script.chmod(0o755)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([str(script)], cwd=folder, check=False, stderr=NULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        turns = int(turns * 0.05 / took)
    script.write_text(BURNING.format(original=folder / "original", turns=turns))
    print("\nprocessor time beside tests of 50 ms")
    for workers in (1, 2):
        printed = subprocess.run(
            [
                *(sys.executable, "-c", SHARE, "reduce", "t.sh", "f.txt", "--fresh", "-q"),
                *("-j", str(workers), "--atoms", "lines"),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        own, tests = map(float, printed.splitlines()[-1].split())
        print(f"{workers:>8} workers: own {own:.2f} s, tests {tests:.2f} s: {own / tests:.1%}")


def bench_alone(count: int) -> None:
    """Print what placing a file and running a program at a bench costs, without the engine."""
    bench = LoneSandbox()
    files = Files({"f.txt": b"x" * 10_000})
    before, used = time.perf_counter(), time.process_time()
    for _ in range(count):
        bench.place(files)
        bench.run(PROGRAM, limits=Limits(), stdin="f.txt")
    seconds, own = time.perf_counter() - before, time.process_time() - used
    bench.close()
    print(f"{'':>8} one bench, no engine: {count / seconds:,.0f}; {own / count * 1e6:.0f} µs each")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=15)
    parser.add_argument(
        "--peers", type=Path, default=Path.home() / ".cache/wynot-bench/peers", metavar="FOLDER"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "false").mkdir()
        (folder / "share").mkdir()
        bare(folder / "false", given.count, given.rounds)
        bench_alone(given.count)
        peers(folder, given.peers, given.limit)
        share(folder / "share")


if __name__ == "__main__":
    main()
