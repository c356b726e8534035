"""Measures what Tables 3(b) and 4 of Hodován & Kiss 2016 are about: tests at a time, and the clock.

Threads that wait stand for tests, as in the paper's Examples. Times, and what the first test to
finish happens to be, differ from run to run: so they are written down once, and read by what draws.
"""

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import wynot
from website.papers.problems import EXAMPLES

RECORD = Path(__file__).with_name("measured.json")
ORDERS = ("subsets-first", "complements-first", "complements-only")
WIDTHS = (1, 4, 16, 64)
TEST_SECONDS = 0.1
"""A tenth of the paper's."""
PACES = {"0 s": (0.0, 0.0), "0.1 s": (1.0, 1.0), "0.1 to 0.3 s": (1.0, 3.0)}
"""How long a test takes: the least and the most, in units of the above."""
RULES: dict[str, dict[str, Any]] = {
    "in order": {"pick": "in-order"},
    "parallel": {"pick": "first-to-finish"},
    "combined": {"pick": "first-to-finish", "combined": True},
}


class Timed(NamedTuple):
    """One minimization."""

    example: str
    pace: str
    rule: str
    order: str
    width: int
    seconds: float
    tests: int
    """Tests that were run, those that were not needed too."""
    memo_hits: int
    iterations: int
    left: int


def timed(example: str, pace: str, rule: str, order: str, width: int) -> Timed:
    """Run one of them."""
    items, fails = EXAMPLES[example]
    least, most = PACES[pace]

    def test(kept: list[Any]) -> object:
        share = random.Random(repr(kept)).random()  # noqa: S311 - the same for the same list
        if most:
            time.sleep(TEST_SECONDS * (least + share * (most - least)))
        return fails(kept)

    options = {**RULES[rule], "order": order, "jobs": width, "check": False, "search": "ddmin"}
    began = time.monotonic()
    result = wynot.minimize(items, test, **options)
    seconds = time.monotonic() - began
    tests = result.tests + result.extra
    left = len(result.items)
    return Timed(
        *(example, pace, rule, order, width, round(seconds, 4)),
        *(tests, result.memo_hits, result.iterations, left),
    )


def combinations() -> Iterator[tuple[str, str, str, str, int]]:
    """Yield what is measured; with one worker all rules are the same."""
    for example in EXAMPLES:
        for pace in PACES:
            for order in ORDERS:
                for width in WIDTHS:
                    for rule in list(RULES)[: 1 if width == 1 else None]:
                        yield example, pace, rule, order, width


def measured() -> list[Timed]:
    """Return what was written down."""
    return [Timed(*row) for row in json.loads(RECORD.read_text())]


if __name__ == "__main__":
    timed("A", "0 s", "in order", ORDERS[0], 2)  # what is loaded on first use is loaded now
    rows = [timed(*each) for each in combinations()]
    RECORD.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")
