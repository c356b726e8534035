"""wynot's library beside Picire's, on lists of a thousand to a million items.

Both get the same items and the same predicate, each in a process of its own. Picire is run as it
comes (subsets and complements, with its cache) and lean (complements only, no cache: the least it
can do); wynot as it comes, and with the same ddmin that lean Picire has.

Where Picire does not end within the limit or 8 GB, the ratio of times is a lower bound, and that of
times per call of the predicate shows the difference.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

WORKER = Path(__file__).with_name("list_worker.py")
KINDS = ("clustered", "scattered")
HEAD = (
    f"{'items':>9} {'wynot':>27} {'picire':>39} {'ratio':>8} {'a call':>7} {'lean':>7} {'grows':>6}"
)


class Run(NamedTuple):
    """What one run took; ``ended`` says what stopped it."""

    seconds: float
    calls: int
    memory: int
    ended: str

    def __str__(self) -> str:
        numbers = f"{self.seconds:9.3f} s {self.calls:6} c {self.memory / 1e6:5.0f} MB"
        return f"{numbers} {self.ended}".strip()


def run(python: str, tool: str, items: int, needed: int, kind: str, limit: float) -> Run:
    """Run one tool once."""
    command = [python, str(WORKER), tool, str(items), str(needed), kind, str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return Run(**json.loads(done.stdout))


def ratio(theirs: Run, ours: Run) -> str:
    """Return how many times faster ours is."""
    return f"{'>' if theirs.ended else ''}{theirs.seconds / ours.seconds:.1f}x"


def a_call(theirs: Run, ours: Run) -> str:
    """Return how many times less ours takes for a call of the predicate."""
    return f"{theirs.seconds / theirs.calls / (ours.seconds / ours.calls):.1f}x"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--picire", required=True, help="a Python that has picire installed")
    parser.add_argument("--items", default="1000,10000,100000,1000000")
    parser.add_argument("--needed", default="1,10,1000")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one run")
    parser.add_argument("--best-of", type=int, default=3, help="runs of which the fastest counts")
    options = parser.parse_args()

    def best(python: str, tool: str, items: int, needed: int, kind: str) -> Run:
        runs = [run(python, tool, items, needed, kind, options.limit)]
        while len(runs) < options.best_of and runs[0].seconds < 5:
            runs.append(run(python, tool, items, needed, kind, options.limit))
        return min(runs)

    print("s: seconds, c: calls of the predicate, MB: memory above the items themselves")
    print("ratio: Picire as it comes / wynot as it comes; a call: the same, by call")
    print("lean: lean Picire / wynot with the same ddmin")
    print("grows: wynot's time against that for ten times fewer items")
    for needed in map(int, options.needed.split(",")):
        for kind in KINDS:
            print(f"\n{needed} needed, {kind}\n{HEAD}")
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
                    f"{items:>9} {ours!s:>27} {theirs!s:>39} {ratio(theirs, ours):>8}"
                    f" {a_call(theirs, ours):>7} {ratio(lean, same):>7} {grows:>6}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
