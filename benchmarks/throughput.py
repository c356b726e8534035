"""How many tests a second: loops without a reducer, wynot, and with --peers other reducers.

    python benchmarks/throughput.py
    python benchmarks/throughput.py --peers
    python benchmarks/throughput.py --against PYTHON

Tables:

- a program that ends at once (/bin/false), with 1 and 2 workers. *spawn* is the least there can be:
  a loop of posix_spawn and a wait, nothing else. *subprocess* is what one would write by hand: it
  writes the candidate to a file and calls ``subprocess.run`` there, with the output captured. Of
  each loop there is one process for each worker. *wynot* is a reduction in which nothing can go:
  its tests a second once it searches, and in all, from the start of the command to its end. All
  take turns, so that a busy machine is busy for all; figures are medians of the rounds, and shares
  medians of the shares in each round;
- where the processor time of such a test goes: into wynot, its agents, the test itself;
- the same for a script that computes for 50 ms;
- with --peers: a script that counts itself and compares the file with the original, so that it can
  be given to other reducers too: tests a second of each, for at most ``--limit`` seconds;
- with --against, only this: the time of a test beside that of another version of wynot, free and
  confined. PYTHON is the interpreter of that version's environment. The two take turns.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from wynot.machine.process_start import spawn

NULL = subprocess.DEVNULL
LINES = 500
TEXT = "".join(f"line {number}\n" for number in range(LINES))
PROGRAM = ["/bin/false", "/nowhere/f.txt"]  # with an argument it takes longer, and wynot gives one
WYNOT = [sys.executable, "-m", "wynot"]
ENVIRON = [b"%s=%s" % each for each in os.environb.items()]


def spawn_once(_folder: Path) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.waitpid(spawn(PROGRAM, "/", ENVIRON, (null, null, null)), 0)
    os.close(null)


def subprocess_once(folder: Path) -> None:
    (folder / "f.txt").write_text(TEXT)
    subprocess.run(PROGRAM, cwd=folder, stdin=NULL, capture_output=True, check=False)


def loop_rate(once: Callable[[Path], None], folder: Path, workers: int, count: int) -> float:
    """Return how often a second something can be done by so many processes."""
    before = time.perf_counter()
    pids = []
    for number in range(workers):
        pid = os.fork()
        if pid == 0:
            own = folder / str(number)
            own.mkdir(exist_ok=True)
            for _ in range(count // workers):
                once(own)
            os._exit(0)
        pids.append(pid)
    for pid in pids:
        os.waitpid(pid, 0)
    return count / (time.perf_counter() - before)


class Reduction(NamedTuple):
    """What came of one run of wynot."""

    tests: int
    searching: float
    """Seconds from the first pass on."""
    whole: float
    """Seconds of the command."""


def reduction(folder: Path, workers: int, python: str = sys.executable, *more: str) -> Reduction:
    """Run a reduction in which nothing can go."""
    (folder / "f.txt").write_text(TEXT)
    options = ["--no-check", "--fresh", "--json", "--atoms", "lines", "-j", str(workers), *more]
    command = [python, "-m", "wynot", "reduce", *options, "/bin/false", "f.txt"]
    before = time.perf_counter()
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    whole = time.perf_counter() - before
    events = list(map(json.loads, ran.stdout.splitlines()))
    began = next(each["time"] for each in events if each["event"] == "pass_began")
    ended = events[-1]
    return Reduction(ended["tests"] + ended["extra"], ended["time"] - began, whole)


def beside_loops(folder: Path, count: int, rounds: int) -> None:
    print(f"tests a second, /bin/false: medians of {rounds} rounds; load {os.getloadavg()[0]:.1f}")
    names = ("spawn", "subprocess", "wynot", "in all", "of spawn", "of subprocess")
    print(f"{'workers':>8}", *(f"{name:>13}" for name in names))
    for workers in (1, 2):
        rows = []
        for _ in range(rounds):
            spawned = loop_rate(spawn_once, folder, workers, count)
            usual = loop_rate(subprocess_once, folder, workers, count)
            ours = reduction(folder, workers)
            steady = ours.tests / ours.searching
            whole = ours.tests / ours.whole
            rows.append((spawned, usual, steady, whole, steady / spawned, steady / usual))
        *rates, of_spawn, of_usual = (median(column) for column in zip(*rows, strict=True))
        figures = [f"{each:>13,.0f}" for each in rates]
        print(f"{workers:>8}", *figures, f"{of_spawn:>13.0%} {of_usual:>13.0%}")


def beside_version(folder: Path, python: str, rounds: int) -> None:
    print(f"µs a test, /bin/false, -j 1: medians of {rounds} rounds; load {os.getloadavg()[0]:.1f}")
    print(f"{'':>14} {'':>5} {'before':>8} {'now':>8} {'by turns':>8}")
    for confinement in ("--no-confine", "--confine"):
        rows = []
        for _ in range(rounds):
            row: list[float] = []
            for each in (python, sys.executable):
                own, below = times()
                ran = reduction(folder, 1, each, confinement)
                spent = sum(times()) - own - below
                row += (ran.searching / ran.tests * 1e6, spent / ran.tests * 1e6)
            rows.append(row)
        for name, at in (("clock", 0), ("cpu", 1)):
            before, now = median(row[at] for row in rows), median(row[at + 2] for row in rows)
            turns = median(row[at + 2] / row[at] for row in rows)
            print(f"{confinement:>14} {name:>5} {before:>8,.0f} {now:>8,.0f} {turns:>8.3f}")


USED = """
import json, os, resource, sys
from pathlib import Path
from wynot.cli.main import main
from wynot.machine import procfs
from wynot.agents.workers import LocalWorkers

def used(pid):
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((each / "schedstat").read_text().split()[0]) for each in tasks) / 1e9

found = {}
init, close = LocalWorkers.__init__, LocalWorkers.close

def begin(self, *given, **named):
    found["start"] = used(os.getpid())
    init(self, *given, **named)

def end(self, **named):
    if "own" not in found:
        found["own"] = used(os.getpid())
        hosts = procfs.children(os.getpid())
        found["agents"] = sum(used(pid) for host in hosts for pid in procfs.children(host))
        found["host"] = sum(map(used, hosts))
    close(self, **named)

LocalWorkers.__init__, LocalWorkers.close = begin, end
main(sys.argv[1:])
below = resource.getrusage(resource.RUSAGE_CHILDREN)
found["below"] = below.ru_utime + below.ru_stime
print()
print(json.dumps(found))
"""


class Used(NamedTuple):
    """Processor seconds of a run, without the start of the interpreters."""

    tests: int
    own: float
    agents: float
    below: float
    """Of the tests themselves."""


def used(folder: Path, workers: int, *command: str) -> Used:
    """Return where the processor time of a reduction goes."""
    options = ["--no-check", "--fresh", "--json", "--atoms", "lines", "-j", str(workers)]
    line = [sys.executable, "-c", USED, "reduce", *options, *command]
    ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=True)
    *_, ended, _, last = ran.stdout.splitlines()
    event, found = json.loads(ended), json.loads(last)
    below = found["below"] - found["agents"] - found["host"]
    tests = event["tests"] + event["extra"]
    return Used(tests, found["own"] - found["start"], found["agents"], below)


def where_it_goes(folder: Path) -> None:
    """Print the processor time of a test of /bin/false, and that of a bare loop."""
    print("\nprocessor time of a test, in µs: /bin/false")
    print(f"{'':>14} {'own':>8} {'agents':>8} {'test':>8}")
    (folder / "f.txt").write_text(TEXT)
    for once in (spawn_once, subprocess_once):
        count, before = 400, times()
        for _ in range(count):
            once(folder)
        own, below = ((now - then) / count * 1e6 for now, then in zip(times(), before, strict=True))
        print(f"{once.__name__.removesuffix('_once'):>14} {own:>8.0f} {'':>8} {below:>8.0f}")
    for workers in (1, 2):
        tests, *seconds = used(folder, workers, "/bin/false", "f.txt")
        print(f"{f'wynot -j {workers}':>14}", *(f"{each / tests * 1e6:>8.0f}" for each in seconds))


def times() -> tuple[float, float]:
    """Return the processor seconds of this process, and of those that it has waited for."""
    seen = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    own, below = (each.ru_utime + each.ru_stime for each in seen)
    return own, below


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


def repeated(once: Callable[[], None], count: int) -> None:
    for _ in range(count):
        once()


def counted(
    folder: Path, command: list[str] | None, workers: int, limit: float
) -> tuple[int, float]:
    """Return how many tests a tool has run, and in how many seconds."""
    folder.mkdir()
    (folder / "f.txt").write_text(TEXT)
    (folder / "original").write_text(TEXT)
    script = folder / "t.sh"
    log = folder / "log"
    script.write_text(COUNTING.format(log=log, original=folder / "original"))
    script.chmod(0o755)
    before = time.perf_counter()
    if command is None:
        popen = [str(script), str(folder / "f.txt")]

        def once() -> None:
            subprocess.run(popen, check=False, stdin=NULL)

        threads = [
            threading.Thread(target=repeated, args=(once, 2000 // workers)) for _ in range(workers)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
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


def share(folder: Path) -> None:
    """Print how much processor time wynot takes beside its tests."""
    text = "".join(f"line {number}\n" for number in range(40))
    (folder / "f.txt").write_text(text)
    (folder / "original").write_text(text)
    script = folder / "t.sh"
    turns = 20_000
    for _ in range(3):  # until it takes 50 ms here
        script.write_text(BURNING.format(original=folder / "nothing", turns=turns))
        script.chmod(0o755)
        before = times()[1]
        subprocess.run([str(script)], cwd=folder, check=False, stderr=NULL)
        turns = int(turns * 0.05 / (times()[1] - before))
    script.write_text(BURNING.format(original=folder / "original", turns=turns))
    print("\nprocessor time beside tests of 50 ms")
    for workers in (1, 2):
        _, own, agents, tests = used(folder, workers, "./t.sh", "f.txt")
        part = (own + agents) / tests
        print(f"{workers:>8} workers: {own + agents:.2f} s, tests {tests:.2f} s: {part:.1%}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=15)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--against", metavar="PYTHON", help="that of another version of wynot")
    parser.add_argument(
        "--peers-in", type=Path, default=Path.home() / ".cache/wynot-bench/peers", metavar="FOLDER"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "false").mkdir()
        (folder / "share").mkdir()
        if given.against:
            beside_version(folder / "false", given.against, given.rounds)
            return
        beside_loops(folder / "false", given.count, given.rounds)
        where_it_goes(folder / "false")
        share(folder / "share")
        if given.peers:
            peers(folder, given.peers_in, given.limit)


if __name__ == "__main__":
    main()
