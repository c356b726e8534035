"""wynot's library beside Picire's, on lists of a thousand to a million items.

Both get the same items and the same predicate, each in a process of its own. Picire is run as it
comes (subsets and complements, with its cache) and lean (complements only, no cache: the least it
can do); wynot as it comes, and with the same ddmin that lean Picire has. Runs above the limit are
stopped, and the ratio is then a lower bound.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

WORKER = Path(__file__).with_name("list_worker.py")
KINDS = ("clustered", "scattered")


@dataclass(frozen=True)
class Run:
    """What one run took; a bound if it was stopped."""

    seconds: float
    tests: int | None = None
    memory: int | None = None
    why: str = ""

    def __str__(self) -> str:
        if self.why:
            return f">{self.seconds:8.3f} s {self.why:>9}"
        assert self.memory is not None  # noqa: S101 - a run that ended says so
        return f"{self.seconds:9.3f} s {self.tests:6} t {self.memory / 1e6:5.0f} MB"


def run(python: str, tool: str, items: int, needed: int, kind: str, limit: float) -> Run:
    """Run one tool once."""
    command = [python, str(WORKER), tool, str(items), str(needed), kind]
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, text=True, check=False)
    except subprocess.TimeoutExpired:
        return Run(limit, why="stopped")
    if done.returncode:
        sys.exit(done.stderr)
    row = json.loads(done.stdout)
    if row["memory"] == "exhausted":
        return Run(row["seconds"], why=">8 GB")
    return Run(row["seconds"], row["tests"], row["memory"])


def ratio(theirs: Run, ours: Run) -> str:
    """Return how many times faster ours is."""
    return f"{'>' if theirs.why else ''}{theirs.seconds / ours.seconds:.1f}x"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picire", required=True, help="a Python that has picire installed")
    parser.add_argument("--items", default="1000,10000,100000,1000000")
    parser.add_argument("--needed", default="1,10,1000")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run")
    parser.add_argument("--best-of", type=int, default=3, help="runs of which the fastest counts")
    options = parser.parse_args()

    def best(python: str, tool: str, items: int, needed: int, kind: str) -> Run:
        runs = [run(python, tool, items, needed, kind, options.limit)]
        while len(runs) < options.best_of and not runs[0].why and runs[0].seconds < 5:
            runs.append(run(python, tool, items, needed, kind, options.limit))
        return min(runs, key=lambda each: each.seconds)

    print("s: seconds, t: tests, MB: memory above the items themselves")
    print("ratio: Picire as it comes / wynot as it comes; lean: lean Picire / wynot's same ddmin")
    print("grows: wynot's time against ten times fewer items")
    for needed in map(int, options.needed.split(",")):
        for kind in KINDS:
            print(f"\n{needed} needed, {kind}")
            print(
                f"{'items':>9} {'wynot':>29} {'picire':>29} {'ratio':>9} {'lean':>8} {'grows':>7}"
            )
            before: float | None = None
            for items in map(int, options.items.split(",")):
                if needed * 2 > items:
                    continue
                ours = best(sys.executable, "wynot", items, needed, kind)
                same = best(sys.executable, "wynot-ddmin", items, needed, kind)
                theirs = best(options.picire, "picire", items, needed, kind)
                lean = best(options.picire, "picire-lean", items, needed, kind)
                grows = f"{ours.seconds / before:.1f}x" if before else ""
                before = ours.seconds
                print(
                    f"{items:>9} {ours} {theirs!s:>29} {ratio(theirs, ours):>9}"
                    f" {ratio(lean, same):>8} {grows:>7}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
