"""Put wynot beside its peers, from what a run of several reducers on the same cases has recorded.

    run.py --tools wynot,shrinkray,cvise -j 2 --out results.jsonl
    python benchmarks/compare.py results.jsonl …

For each case: what is left (bytes that are not white space), and of the best peer's tests and time
that it took to end where it ended, which part wynot needed to be as small. Each line of the input
is one run: case, tool, calls, wall, after (bytes left), after_nb, and the curve of seconds, tests
and bytes at each new smallest case.
"""

import json
import sys
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

OURS = "wynot"
MOST_TESTS, MOST_TIME = 0.1, 0.2
"""Which part of the best peer's tests and time is to be enough."""


class Row(NamedTuple):
    """One case, compared."""

    case: str
    ours: int
    peer: str
    theirs: int
    tests: float | None
    """Our tests to be as small as the best peer ended, as a part of all of its tests."""
    time: float | None


def compared(runs: dict[str, Any], case: str) -> Row:
    """Compare the runs of one case, by tool."""
    ours = runs[OURS]
    peer = min((run for tool, run in runs.items() if tool != OURS), key=lambda run: run["after_nb"])
    reached = next((step for step in ours["curve"] if step[2] <= peer["after"]), None)
    tests = time = None
    if reached is not None:
        tests, time = reached[1] / peer["calls"], reached[0] / peer["wall"]
    return Row(case, ours["after_nb"], peer["tool"], peer["after_nb"], tests, time)


def mean(parts: list[float]) -> float:
    """Return the geometric mean."""
    return exp(sum(map(log, parts)) / len(parts))


def main(paths: list[str]) -> None:
    """Print a table, the means, and the worst cases."""
    cases: dict[str, dict[str, Any]] = {}
    for path in paths:
        for line in Path(path).read_text().splitlines():
            run = json.loads(line)
            cases.setdefault(run["case"], {})[run["tool"]] = run
    rows = [compared(runs, case) for case, runs in cases.items() if OURS in runs and len(runs) > 1]
    print(f"{'case':20} {'left':>6} {'best peer':>18} {'tests':>8} {'time':>8}")
    for row in rows:
        parts = [" never" if part is None else f"{part:7.1%}" for part in (row.tests, row.time)]
        best = f"{row.peer} {row.theirs}"
        print(f"{row.case:20} {row.ours:6} {best:>18} {parts[0]:>8} {parts[1]:>8}")
    reached = [row for row in rows if row.tests is not None and row.time is not None]
    smaller = sum(row.ours <= row.theirs for row in rows)
    print(f"as small as the best peer, or smaller: {smaller} of {len(rows)}")
    for name, most in (("tests", MOST_TESTS), ("time", MOST_TIME)):
        found = {row.case: getattr(row, name) for row in reached}
        worst = max(found, key=lambda case: found[case])
        print(
            f"{name} to be as small: {mean(list(found.values())):.1%} of the best peer's "
            f"(geometric mean; {most:.0%} is the aim), worst {found[worst]:.1%} ({worst})"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
