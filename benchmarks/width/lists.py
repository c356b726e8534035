"""Lists of items with the library: how much of N workers is used where there is enough to do.

Two problems that have that much parallelism; and Example D of Hodován & Kiss 2016 with tests of one
second on 64 workers, which took 58 s in their Table 4.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from benchmarks.width.markdown import print_head, print_row

import wynot
from wynot.settings import SearchName

WIDTHS = (1, 4, 16, 64)
SHORT_SECONDS = 0.02
Test = Callable[[list[int]], bool]


class Problem(NamedTuple):
    """Items, and which of them are needed."""

    name: str
    items: range
    fails: Test
    search: SearchName


def has(needed: range) -> Test:
    """Return a test of whether all of these are there."""
    return frozenset(needed).issubset


PROBLEMS = (
    Problem("512 items, all needed", range(512), has(range(512)), "ddmin"),
    Problem("2,048 items, 10 needed", range(2048), has(range(9, 2048, 205)), "zigzag"),
    Problem("2,048 items, 293 needed", range(2048), has(range(0, 2048, 7)), "sweep"),
)


def sleeping(seconds: float, fails: Test) -> Test:
    """Return a test that takes so long."""

    def test(kept: list[int]) -> bool:
        time.sleep(seconds)
        return fails(kept)

    return test


def timed(problem: Problem, seconds: float, jobs: int) -> tuple[wynot.Minimized[int], float]:
    """Run once, and say how long it took."""
    test, start = sleeping(seconds, problem.fails), time.perf_counter()
    result = wynot.minimize(problem.items, test, search=problem.search, jobs=jobs, check=False)
    return result, time.perf_counter() - start


def print_lists() -> None:
    """Print the tables."""
    print(
        f"\nlists of items, by the library, {SHORT_SECONDS * 1000:g} ms a test: seconds (speed-up)"
    )
    print_head("problem", "search", "tests", *(f"jobs={jobs}" for jobs in WIDTHS))
    for problem in PROBLEMS:
        runs = [timed(problem, SHORT_SECONDS, jobs) for jobs in WIDTHS]
        (first, alone), cells = runs[0], []
        for _, seconds in runs:
            cells.append(f"{seconds:.1f} ({alone / seconds:.1f})")
        print_row(problem.name, problem.search, first.tests, *cells)
    print("\nExample D, tests of 1 s, 64 workers: 58 s in Table 4 (472 s with one)")
    print_head("search", "seconds", "tests", "extra")
    for search in ("ddmin", "zigzag", "sweep"):
        example = Problem("Example D", range(100), has(range(0, 100, 2)), search)
        result, seconds = timed(example, 1, 64)
        print_row(search, f"{seconds:.1f}", result.tests, result.extra)
