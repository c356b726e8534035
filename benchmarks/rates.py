"""Failures that show now and then: which commit made them more frequent, beside git bayesect.

Both search the same histories with the same coins (``coin_worker.py``). What is printed: how often
the right commit was named, and how many runs that took.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from statistics import mean, median

WORKER = Path(__file__).with_name("coin_worker.py")
RATES = (0.9, 0.8, 0.7)
"""How often the test fails after the change; before it, it passes as often."""
COMMITS = (32, 256, 1024)


def summary(python: str, tool: str, *arguments: float) -> str:
    """Return how often a tool was right, and the mean and median number of runs."""
    command = [python, str(WORKER), tool, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    ends = [json.loads(line) for line in done.stdout.splitlines()]
    runs = [end[2] for end in ends]
    return f"{mean(end[3] for end in ends):7.1%} {mean(runs):8.1f} {median(runs):7.0f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bayesect", required=True, help="a Python that has git-bayesect")
    parser.add_argument("--histories", type=int, default=200, help="for each line of the table")
    parser.add_argument("--runs", type=int, default=300, help="at most, for each history")
    options = parser.parse_args()
    print("right: how often the named commit is the right one; runs: mean and median")
    print(f"{'':17} {'wynot':>24}  {'git bayesect':>24}")
    columns = "right     runs  median"
    print(f"{'rates':>9} {'commits':>7} {columns:>24}  {columns:>24}")
    for rate in RATES:
        for commits in COMMITS:
            arguments = (commits, rate, options.histories, options.runs)
            ours = summary(sys.executable, "wynot", *arguments)
            theirs = summary(options.bayesect, "bayesect", *arguments)
            print(f"{1 - rate:4.1f}→{rate:4.1f} {commits:7,} {ours}  {theirs}", flush=True)


if __name__ == "__main__":
    main()
