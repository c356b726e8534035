"""One run of one tool on one list problem, in a process of its own; prints a line of JSON.

Usage: list_worker.py TOOL ITEMS NEEDED clustered|scattered SECONDS CALLS

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


class OutOfTime(BaseException):
    """The run has taken as long, or asked as often, as it may."""


def problem(items: int, needed: int, kind: str) -> list[int]:
    """Return which items are needed."""
    if kind == "clustered":
        return list(range(items // 3, items // 3 + needed))
    return sorted(random.Random(needed).sample(range(items), needed))


def predicate(needed: list[int]) -> Callable[[list[int]], bool]:
    """Return a test of whether all needed items are in a sorted list."""

    def all_there(kept: list[int]) -> bool:
        place = 0
        for item in needed:
            place = bisect_left(kept, item, place)
            if place == len(kept) or kept[place] != item:
                return False
        return True

    def neighbours_there(kept: list[int]) -> bool:
        place = bisect_left(kept, needed[0])
        last = place + len(needed) - 1
        return last < len(kept) and kept[place] == needed[0] and kept[last] == needed[-1]

    return neighbours_there if needed[-1] - needed[0] == len(needed) - 1 else all_there


def counted(
    fails: Callable[[list[int]], bool], deadline: float, most: int
) -> tuple[Callable[[list[int]], bool], list[int]]:
    """Return a test that counts its calls, and ends the run at the deadline or after the most."""
    calls = [0]

    def counts(kept: list[int]) -> bool:
        calls[0] += 1
        if calls[0] > most or perf_counter() > deadline:
            raise OutOfTime
        return fails(kept)

    return counts, calls


def run_wynot(items: list[int], fails: Callable[[list[int]], bool], search: str) -> list[int]:
    """Minimize with wynot."""
    import wynot

    search, _, order = search.partition("/")
    try:
        return wynot.minimize(
            items,
            fails,
            search=search,  # type: ignore[arg-type]
            order=order or "complements-only",  # type: ignore[arg-type]
        ).items
    except wynot.BrokenTest as broken:
        raise broken.__cause__ or broken from broken


def run_picire(
    items: list[int], fails: Callable[[list[int]], bool], *, cache: bool, subsets: bool
) -> list[int]:
    """Minimize with Picire, as it comes or at its leanest."""
    import picire  # type: ignore[import-not-found]

    def outcome(kept: list[int], _name: object) -> object:
        return picire.Outcome.FAIL if fails(kept) else picire.Outcome.PASS

    options: dict[str, object] = {}
    if not cache:
        options["cache"] = picire.outcome_cache.OutcomeCache()
    if not subsets:
        options["subset_iterator"] = picire.config_iterators.skip
    found: list[int] = picire.DD(outcome, **options)(items)
    return found


TOOLS: dict[str, Callable[[list[int], Callable[[list[int]], bool]], list[int]]] = {
    "wynot": lambda items, fails: run_wynot(items, fails, "auto"),
    "wynot-ddmin": lambda items, fails: run_wynot(items, fails, "ddmin"),
    "wynot-as-picire": lambda items, fails: run_wynot(items, fails, "ddmin/subsets-first"),
    "picire": lambda items, fails: run_picire(items, fails, cache=True, subsets=True),
    "picire-lean": lambda items, fails: run_picire(items, fails, cache=False, subsets=False),
}


def main() -> None:
    """Run, check the result, and print what it took."""
    tool, size, count, kind = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    needed = problem(size, count, kind)
    run = TOOLS[tool]
    run(list(range(8)), predicate([1, 6]))  # imports and first calls are not what is measured
    items = list(range(size))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = perf_counter()
    fails, calls = counted(predicate(needed), start + float(sys.argv[5]), int(sys.argv[6]))
    ended = ""
    try:
        found = run(items, fails)
    except OutOfTime:
        ended = "stopped"
    except MemoryError:
        ended = "memory full"
    seconds = perf_counter() - start
    if not ended and found != needed:
        sys.exit(f"{tool} found {found[:20]}…, not {needed[:20]}…")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    row = {"seconds": seconds, "calls": calls[0], "memory": (peak - before) << 10, "ended": ended}
    print(json.dumps(row))


if __name__ == "__main__":
    main()
