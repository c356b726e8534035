"""One run of one tool on one list problem, in a process of its own; prints a line of JSON.

Usage: list_worker.py TOOL ITEMS NEEDED clustered|scattered

The list is 0 … ITEMS-1, and it fails if NEEDED of them are there: neighbours, or spread out. The
predicate looks them up by bisection, so that its own cost stays small beside the tool's.
"""

import json
import random
import resource
import sys
from bisect import bisect_left
from collections.abc import Callable
from time import perf_counter

MEMORY = 8 << 30  # bytes: a run that needs more is reported as such, not left to stop the machine


def problem(items: int, needed: int, kind: str) -> list[int]:
    """Return which items are needed."""
    if kind == "clustered":
        return list(range(items // 3, items // 3 + needed))
    return sorted(random.Random(needed).sample(range(items), needed))


def predicate(needed: list[int]) -> Callable[[list[int]], bool]:
    """Return a test of whether all needed items are in a sorted list."""

    def fails(kept: list[int]) -> bool:
        place = 0
        for item in needed:
            place = bisect_left(kept, item, place)
            if place == len(kept) or kept[place] != item:
                return False
        return True

    return fails


def run_wynot(
    items: list[int], fails: Callable[[list[int]], bool], search: str
) -> tuple[list[int], int]:
    """Minimize with wynot."""
    import wynot

    result = wynot.minimize(items, fails, search=search)  # type: ignore[arg-type]
    return result.items, result.tests


def run_picire(
    items: list[int], fails: Callable[[list[int]], bool], *, cache: bool, subsets: bool
) -> tuple[list[int], int]:
    """Minimize with Picire, as it comes or at its leanest."""
    import picire  # type: ignore[import-not-found]

    calls = 0

    def outcome(kept: list[int], _name: object) -> object:
        nonlocal calls
        calls += 1
        return picire.Outcome.FAIL if fails(kept) else picire.Outcome.PASS

    options: dict[str, object] = {}
    if not cache:
        options["cache"] = picire.outcome_cache.OutcomeCache()
    if not subsets:
        options["subset_iterator"] = picire.config_iterators.skip
    return picire.DD(outcome, **options)(items), calls


TOOLS: dict[str, Callable[[list[int], Callable[[list[int]], bool]], tuple[list[int], int]]] = {
    "wynot": lambda items, fails: run_wynot(items, fails, "auto"),
    "wynot-ddmin": lambda items, fails: run_wynot(items, fails, "ddmin"),
    "picire": lambda items, fails: run_picire(items, fails, cache=True, subsets=True),
    "picire-lean": lambda items, fails: run_picire(items, fails, cache=False, subsets=False),
}


def main() -> None:
    """Run, check the result, and print what it took."""
    tool, size, count, kind = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    needed = problem(size, count, kind)
    fails = predicate(needed)
    run = TOOLS[tool]
    run(list(range(8)), predicate([1, 6]))  # imports and first calls are not what is measured
    items = list(range(size))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = perf_counter()
    try:
        found, tests = run(items, fails)
    except MemoryError:
        print(json.dumps({"seconds": perf_counter() - start, "memory": "exhausted"}))
        return
    seconds = perf_counter() - start
    if found != needed:
        sys.exit(f"{tool} found {found[:20]}…, not {needed[:20]}…")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"seconds": seconds, "tests": tests, "memory": (peak - before) << 10}))


if __name__ == "__main__":
    main()
