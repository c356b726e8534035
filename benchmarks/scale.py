"""wynot's library beside Picire's, on lists of a thousand to a million items.

Both get the same items and the same predicate, each in a process of its own. Picire is run as it
comes (subsets and complements, with its cache) and lean (complements only, no cache: the least it
can do); wynot as it comes, and with the same ddmin that lean Picire has.

Where Picire does not end within the limit or 8 GB, wynot is run again with the same algorithm and
order, for as many calls of the predicate as Picire came to: the same candidates, so that the times
can be compared. Such ratios are marked with the number of calls.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

WORKER = Path(__file__).with_name("list_worker.py")
KINDS = ("clustered", "scattered")
HEAD = f"{'items':>9} {'wynot':>27} {'picire':>39} {'ratio':>20} {'lean':>20} {'grows':>6}"


class Run(NamedTuple):
    """What one run took; ``ended`` says what stopped it."""

    seconds: float
    calls: int
    memory: int
    ended: str

    def __str__(self) -> str:
        numbers = f"{self.seconds:9.3f} s {self.calls:6} c {self.memory / 1e6:5.0f} MB"
        return f"{numbers} {self.ended}".strip()


def run(
    python: str, tool: str, items: int, needed: int, kind: str, limit: float, most: int = 10**9
) -> Run:
    """Run one tool once."""
    command = [python, str(WORKER), tool, str(items), str(needed), kind, str(limit), str(most)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return Run(**json.loads(done.stdout))


def ratio(theirs: Run, ours: Run) -> str:
    """Return how many times faster ours is; both have done the same, if only in part."""
    return f"{theirs.seconds / ours.seconds:.1f}x"


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

    def compared(
        theirs: Run, ended: str, cut_short: str, items: int, needed: int, kind: str
    ) -> str:
        if not theirs.ended:
            return ratio(theirs, best(sys.executable, ended, items, needed, kind))
        part = run(sys.executable, cut_short, items, needed, kind, options.limit, theirs.calls)
        return f"{ratio(theirs, part)} ({theirs.calls} calls)"

    print("s: seconds, c: calls of the predicate, MB: memory above the items themselves")
    print("ratio: Picire as it comes / wynot as it comes")
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
                theirs = best(options.picire, "picire", items, needed, kind)
                lean = best(options.picire, "picire-lean", items, needed, kind)
                by_ratio = compared(theirs, "wynot", "wynot-as-picire", items, needed, kind)
                by_lean = compared(lean, "wynot-ddmin", "wynot-ddmin", items, needed, kind)
                grows = f"{ours.seconds / before:.1f}x" if before else ""
                before = ours.seconds
                print(
                    f"{items:>9} {ours!s:>27} {theirs!s:>39} {by_ratio:>20} {by_lean:>20}"
                    f" {grows:>6}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
