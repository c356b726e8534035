"""Show that a change of the source has changed no result: what two versions of wynot made of cases.

    python benchmarks/peers.py --tools wynot=old/.venv/bin/wynot before.jsonl
    python benchmarks/peers.py --tools wynot=new/.venv/bin/wynot after.jsonl
    python benchmarks/same.py before.jsonl after.jsonl

For each case that both have: the bytes left and the tests, before and after. A run that was stopped
by the clock is compared as far as both have come. The exit code is 1 if a result is larger than
before, or if the geometric mean of the tests is more than 2 % off.
"""

import json
import sys
from math import exp, log
from pathlib import Path
from typing import Any

MAX_DEVIATION = 0.02
"""How far the tests may be off, on (geometric) average."""


def rows(path: str) -> dict[str, dict[str, Any]]:
    """Return the last run of wynot on each case."""
    runs = map(json.loads, Path(path).read_text().splitlines())
    return {run["case"]: run for run in runs if run["tool"] == "wynot"}


def steps(*runs: dict[str, Any]) -> list[list[list[int]]]:
    """Return the tests and bytes at each step, as far as all of the runs have come."""
    tests = min(run["steps"][-1][0] if run["steps"] else 0 for run in runs)
    return [[step for step in run["steps"] if step[0] <= tests] for run in runs]


def main(before: str, after: str) -> int:
    """Print a table, and the mean; return the exit code."""
    olds, news = rows(before), rows(after)
    ratios: list[float] = []
    larger = 0
    print(f"{'case':20} {'bytes':>7} {'now':>7} {'tests':>7} {'now':>7} {'ratio':>7}")
    for case in sorted(olds.keys() & news.keys()):
        old, new = olds[case], news[case]
        if not (old["tests"] and new["tests"]):
            print(f"{case:20} {old['after']:7} {new['after']:7}   failed")
            continue
        if old["timed_out"] or new["timed_out"]:
            was, now = steps(old, new)
            same = "the same so far" if was == now else "other steps"
            print(f"{case:20} {old['after']:7} {new['after']:7}   stopped; {same}")
            continue
        ratios.append(new["tests"] / old["tests"])
        larger += new["after"] > old["after"]
        other = "" if new["digest"] == old["digest"] else "  another result"
        print(
            f"{case:20} {old['after']:7} {new['after']:7} {old['tests']:7} {new['tests']:7} "
            f"{ratios[-1]:7.3f}{other}"
        )
    for case in sorted(olds.keys() ^ news.keys()):
        print(f"{case:20} only in {before if case in olds else after}")
    mean = exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0
    print(f"tests: {mean:.4f} of before (geometric mean of {len(ratios)}); {larger} results larger")
    return int(larger > 0 or abs(mean - 1) > MAX_DEVIATION)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
