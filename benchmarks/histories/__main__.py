"""Put `wynot changes` beside `git bisect run`: ten histories made of real releases.

    python -m benchmarks.histories [NAME …] [--json FILE] [-j N] [--pause SECONDS] [--build]

For each: the tests that git needs for the commit; those that wynot needs until it has told it, and
in all, with the hunks and the revert; the time of both. Tests are counted from outside, by a log,
so that those run ahead in vain are counted too. A test waits a moment, as a build would: on a
machine with few cores that shows what several workers are worth. The longer it waits, the less it
matters how many cores there are: --pause 3 shows what the search itself makes of the workers.

The first run fetches the releases from PyPI and makes the histories, which takes a while; they are
kept in ~/.cache/wynot-bench (or $WYNOT_BENCH_HOME).
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.histories.build import built
from benchmarks.histories.cases import CASES
from benchmarks.histories.measured import Asked, Measured, measured

COMMIT_ALLOWANCE, ALLOWANCE = 2, 12
"""Tests more than git that it may take for the commit, and in all."""


def main() -> int:
    """Print a table; return 1 if something is wrong with an answer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(CASES)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all of it here, too")
    parser.add_argument("-j", "--jobs", type=int, default=8, help="beside one at a time")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds that a test waits")
    parser.add_argument("--build", action="store_true", help="only make the histories")
    given = parser.parse_args()
    names = given.names or list(CASES)
    if given.build:
        for name in names:
            _, truth = built(name, CASES[name])
            print(f"{name}: {truth['commits']} commits, {truth['merges']} merges", flush=True)
        return 0
    head(given.jobs)
    rows = []
    for name in names:
        rows.append(measured(name, CASES[name], given.jobs, given.pause))
        print_row(rows[-1])
    summary(rows, given.jobs)
    if given.json:
        given.json.write_text(json.dumps([row.row for row in rows], indent=1))
    return int(not all(is_right(row) for row in rows))


def head(jobs: int) -> None:
    """Print the first lines of the table."""
    columns = (
        "history", "commits", "merges", "unbuilt", "hunks", "git: tests", "time", "commit",
        "wynot: commit told", "in all", "time -j 1", f"-j {jobs}", "of it", "commit", "hunk",
        "cause", "revert", "untouched",
    )  # fmt: skip
    print("|".join(["", *(f" {each} " for each in columns), ""]))
    print("|".join(["", *(" --- " for _ in columns), ""]))


def print_row(row: Measured) -> None:
    """Print a line of the table."""
    both = (row.one, row.many)

    def said(about: Callable[[Asked], bool]) -> str:
        return "yes" if all(map(about, both)) else "**no**"

    cells = (
        row.name, row.commits, row.merges, row.unbuilt, row.pieces,
        row.git.tests, f"{row.git.seconds:.1f} s", "yes" if is_named(row, row.git) else "**no**",
        f"{row.one.told_after} {row.one.told_after - row.git.tests:+d}",
        f"{row.one.tests} {row.one.tests - row.git.tests:+d}",
        *(f"{each.seconds:.1f} s" for each in both), f"{row.ratio:.2f}",
        said(lambda each: is_named(row, each)), said(lambda each: each.hunk),
        said(lambda each: each.cause), "/".join({each.revert or "**no**": 0 for each in both}),
        said(lambda each: each.untouched),
    )  # fmt: skip
    print("|".join(["", *(f" {each} " for each in cells), ""]), flush=True)
    for asked in both:
        if asked.end:
            print(f"  {row.name}: {asked.end}", flush=True)


def is_named(row: Measured, asked: Asked) -> bool:
    """Tell whether the right commit was named."""
    return asked.commit == row.guilty


def is_right(row: Measured) -> bool:
    """Tell whether all is as it should be, but for the tests that it took."""
    return all(
        is_named(row, each) and each.hunk and each.cause and each.revert and each.untouched
        for each in (row.one, row.many)
    )


def summary(rows: Sequence[Measured], jobs: int) -> None:
    """Print medians, and the worst."""
    told = [row.one.told_after - row.git.tests for row in rows]
    more = [row.one.tests - row.git.tests for row in rows]
    print(
        f"\nright: {sum(map(is_right, rows))} of {len(rows)}\n"
        f"medians: git {median(row.git.tests for row in rows)} tests,"
        f" {median(row.git.seconds for row in rows):.1f} s;"
        f" wynot {median(row.one.told_after for row in rows)} until the commit was told,"
        f" {median(row.one.tests for row in rows)} in all,"
        f" {median(row.one.seconds for row in rows):.1f} s at -j 1,"
        f" {median(row.many.seconds for row in rows):.1f} s at -j {jobs},"
        f" {median(row.ratio for row in rows):.2f} of that"
        f" (worst {max(row.ratio for row in rows):.2f})\n"
        f"more than git until the commit was told: median {median(told):+}, worst {max(told):+}"
        f" (allowed: {COMMIT_ALLOWANCE:+})\n"
        f"more than git in all: median {median(more):+}, worst {max(more):+}"
        f" (allowed: {ALLOWANCE:+})"
    )


if __name__ == "__main__":
    raise SystemExit(main())
