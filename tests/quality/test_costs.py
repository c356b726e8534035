"""What problems may cost: exact, since searches are deterministic. Lower is better; say so here."""

from collections.abc import Callable
from typing import Any

import pytest

import wynot
from domain import needs

SCATTERED = (17, 1203, 2750, 2751, 4096, 5555, 7001, 8190, 9000, 9999)


def chained(step: int) -> Callable[[list[int]], bool]:
    """Return a test that needs the even ones, and lets an odd one go only after its neighbour."""

    def fails(kept: list[int]) -> bool:
        there = set(kept)
        return all(n in there or (n % 2 == 1 and n + step not in there) for n in range(256))

    return fails


PROBLEMS: dict[str, tuple[range, Callable[[list[int]], bool]]] = {
    "one of 10,000": (range(10_000), needs(7_001)),
    "ten of 10,000": (range(10_000), needs(*SCATTERED)),
    "a hundred neighbours of 10,000": (range(10_000), needs(*range(5_000, 5_100))),
    "every third of 300": (range(300), needs(*range(0, 300, 3))),
    "256, odd ones after the next": (range(256), chained(2)),
    "256, odd ones after the last": (range(256), chained(-2)),
}

MOST_TESTS = 10_000
"""A problem that takes more tests than these is slow."""

COSTS: dict[str, dict[str, tuple[int, int]]] = {
    "one of 10,000": {
        "auto": (19, 1),
        "zigzag": (19, 1),
        "sweep": (26, 1),
        "opdd": (20, 1),
        "ddmin": (20, 1),
        "cdd": (1007, 1),
    },
    "ten of 10,000": {
        "auto": (206, 10),
        "zigzag": (206, 10),
        "sweep": (220, 10),
        "opdd": (199, 10),
        "ddmin": (278, 10),
        "cdd": (1066, 10),
    },
    "a hundred neighbours of 10,000": {
        "auto": (214, 100),
        "zigzag": (214, 100),
        "sweep": (283, 100),
        "opdd": (282, 100),
        "ddmin": (325, 100),
        "cdd": (1200, 100),
    },
    "every third of 300": {
        "auto": (612, 100),
        "zigzag": (612, 100),
        "sweep": (686, 100),
        "opdd": (582, 100),
        "ddmin": (764, 100),
        "cdd": (530, 100),
        "probdd": (509, 100),
    },
    "256, odd ones after the next": {
        "auto": (891, 128),
        "zigzag": (891, 128),
        "sweep": (25021, 128),
        "opdd": (510, 255),
        "ddmin": (24895, 128),
        "cdd": (538, 254),
        "probdd": (520, 254),
    },
    "256, odd ones after the last": {
        "auto": (638, 128),
        "zigzag": (638, 128),
        "sweep": (25021, 128),
        "opdd": (510, 128),
        "ddmin": (638, 128),
        "cdd": (539, 128),
        "probdd": (519, 255),
    },
}


@pytest.mark.parametrize(
    ("problem", "search", "tests", "left"),
    [
        pytest.param(problem, search, *cost, marks=pytest.mark.slow if cost[0] > MOST_TESTS else ())
        for problem, row in COSTS.items()
        for search, cost in row.items()
    ],
)
def test_a_problem_costs_so_many_tests(problem: str, search: Any, tests: int, left: int) -> None:
    items, fails = PROBLEMS[problem]
    result = wynot.minimize(items, fails, search=search)
    assert (result.tests, len(result.items)) == (tests, left)
