"""What a cluster costs: sleeping tests on many slots, beside as many workers without one.

The cluster is on this machine, so that nothing but the way to it differs: a scheduler, some worker
processes, encrypted connections on the loopback device. Each figure is the best of some rounds,
both ways in turn.
"""

import argparse
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LocalWorkers
from wynot.cluster.cluster_address import parsed_cluster
from wynot.cluster.cluster_agents import ClusterAgents
from wynot.core.files import Files
from wynot.wire.run_request import Limits, RunRequest

SECONDS, WAVES, ROUNDS = 0.5, 4, 2
SINGLES, KILLS = 60, 20
FILES = Files({"in.txt": b"x" * 2000})


def half_a_second(sandbox: Sandbox) -> None:
    sandbox.place(FILES)
    sandbox.run(RunRequest(["sleep", str(SECONDS)], limits=Limits(timeout=60, is_test=True)))


def short(sandbox: Sandbox) -> float:
    began = perf_counter()
    sandbox.place(FILES)
    sandbox.run(RunRequest(["true"], limits=Limits(timeout=60, is_test=True)))
    return perf_counter() - began


def speed_up(workers: LocalWorkers) -> float:
    """Return how many times faster some waves of tests are than one after the other."""
    count = WAVES * workers.width
    began = perf_counter()
    wait([workers.submit(half_a_second) for _ in range(count)])
    return count * SECONDS / (perf_counter() - began)


def one_test(workers: LocalWorkers) -> float:
    """Return the seconds that a test takes which does nothing, in the middle of some."""
    return median(workers.submit(short).result() for _ in range(SINGLES))


def slowest_kill(workers: LocalWorkers) -> float:
    """Return the most seconds from giving a test up to the end of its process, of some."""
    with TemporaryDirectory() as folder:
        return max(kill(workers, Path(folder) / str(each)) for each in range(KILLS))


def kill(workers: LocalWorkers, note: Path) -> float:
    line = f"echo $$ > {note}.part; mv {note}.part {note}; exec sleep 600"

    def job(sandbox: Sandbox) -> None:
        sandbox.run(RunRequest(["sh", "-c", line], limits=Limits(timeout=900, is_test=True)))

    task = workers.submit(job)
    while not note.exists():
        sleep(0.002)
    process = Path("/proc") / note.read_text().strip()
    began = perf_counter()
    task.cancel()
    while process.exists():
        sleep(0.002)
    return perf_counter() - began


def best(measure: Callable[[LocalWorkers], float], *workers: LocalWorkers) -> list[list[float]]:
    return [[measure(each) for each in workers] for _ in range(ROUNDS)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slots", type=int, nargs="*", default=[16, 64, 256])
    arguments = parser.parse_args()
    print(
        f"{WAVES} waves of tests that sleep for {SECONDS} s; a test of `true`; the slowest of "
        f"{KILLS} kills"
    )
    heads = ("-j", "cluster", "ratio", "-j", "cluster", "over", "kill -j", "cluster")
    print(f"{'slots':>6}" + "".join(f"{each:>10}" for each in heads))
    for slots in arguments.slots:
        here = LocalWorkers(slots)
        there = LocalWorkers(
            slots, agents=ClusterAgents(parsed_cluster(f"local:{slots}", insecure=False), print)
        )
        try:
            for workers in (here, there):  # agents are started by the first wave
                speed_up(workers)
            fast = [max(each) for each in zip(*best(speed_up, here, there), strict=True)]
            long = [min(each) for each in zip(*best(one_test, here, there), strict=True)]
            kills = [slowest_kill(each) for each in (here, there)]
        finally:
            here.close(wait=True)
            there.close(wait=True)
        milliseconds = [1000 * each for each in (*long, long[1] - long[0], *kills)]
        print(
            f"{slots:>6}{fast[0]:>9.1f}x{fast[1]:>9.1f}x{fast[1] / fast[0]:>10.2f}"
            + "".join(f"{each:>7.1f} ms" for each in milliseconds),
            flush=True,
        )


if __name__ == "__main__":
    main()
