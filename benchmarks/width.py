"""How much faster wynot is with N workers, with tests that sleep.

Prints the speed-up over one worker, and what share of N that is, on problems that have that much
parallelism; and Example D of Hodován & Kiss 2016 with tests of one second on 64 workers, which took
58 s in their Table 4. The counts show what the same answer at any width costs in extra tests.
"""

import argparse
import time
from collections.abc import Callable

import wynot

WIDTHS = (1, 2, 4, 8, 16, 32, 64)


def sleeping(seconds: float, fails: Callable[[list[int]], bool]) -> Callable[[list[int]], bool]:
    """Return a test that takes so long."""

    def test(kept: list[int]) -> bool:
        time.sleep(seconds)
        return fails(kept)

    return test


def timed(
    items: range, test: Callable[[list[int]], bool], search: str, jobs: int
) -> tuple[wynot.Minimized[int], float]:
    """Run once, and say how long it took."""
    start = time.perf_counter()
    result = wynot.minimize(items, test, search=search, jobs=jobs, check=False)  # type: ignore[arg-type]
    return result, time.perf_counter() - start


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ms", type=float, default=20, help="how long a test sleeps")
    options = parser.parse_args()
    problems: list[tuple[str, range, Callable[[list[int]], bool], str]] = [
        ("512 items, all needed, ddmin", range(512), lambda kept: len(kept) == 512, "ddmin"),
        (
            "2,048 items, 10 scattered needed, zigzag",
            range(2048),
            has(range(9, 2048, 205)),
            "zigzag",
        ),
        (
            "2,048 items, 293 scattered needed, zigzag",
            range(2048),
            has(range(0, 2048, 7)),
            "zigzag",
        ),
        ("2,048 items, 293 scattered needed, sweep", range(2048), has(range(0, 2048, 7)), "sweep"),
    ]
    for name, items, fails, search in problems:
        print(f"\n{name}, {options.ms:g} ms a test")
        alone = 0.0
        for jobs in WIDTHS:
            result, seconds = timed(items, sleeping(options.ms / 1000, fails), search, jobs)
            alone = alone or seconds
            speed_up = alone / seconds
            print(
                f"  {jobs:3} workers {seconds:8.2f} s  speed-up {speed_up:5.1f}"
                f" = {speed_up / jobs:4.2f} N   {result.tests} tests + {result.extra} extra",
                flush=True,
            )

    print("\nExample D, tests of 1 s, 64 workers")
    for search in ("ddmin", "zigzag", "sweep"):
        result, seconds = timed(range(100), sleeping(1, has(range(0, 100, 2))), search, 64)
        print(
            f"  wynot {search:6} {seconds:5.1f} s, {result.tests} tests + {result.extra} extra;"
            f" 000 Table 4: 58 s (472 s with one)",
            flush=True,
        )


def has(needed: range) -> Callable[[list[int]], bool]:
    """Return a test of whether all of these are there."""
    return frozenset(needed).issubset


if __name__ == "__main__":
    main()
