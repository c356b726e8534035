"""Orders in which tests could run, those first that show most.

Of two orders of which one is the other reversed, each test comes before each other one in one of
them. So the reversed order is tried first, and each random order is followed by its reverse: what
one test does to another shows at once, unless a third one undoes it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from random import Random
from typing import NamedTuple

from wynot.inquiries.tests.selection import Listed


class TestOrder(NamedTuple):
    """One order of all tests."""

    name: str
    seed: int | None
    """What to start from to get it again; None: without one it comes first."""
    tests: tuple[Listed, ...]


def orders(tests: Sequence[Listed], seed: int | None) -> Iterator[TestOrder]:
    """Go through orders without end; with a seed, from the random order that has it on."""
    if seed is None:
        yield TestOrder("the reversed order", None, tuple(reversed(tests)))
    for number in count(seed or 0):
        mixed = tuple(shuffled(tests, number))
        yield TestOrder(f"the order of seed {number}", number, mixed)
        yield TestOrder(f"the reversed order of seed {number}", number, mixed[::-1])


def orders_before(tests: Sequence[Listed], at: int, seed: int | None) -> Iterator[TestOrder]:
    """Go through orders in which all others run before one test: only that is of interest."""
    last = tests[at]
    others = [*tests[:at], *tests[at + 1 :]]
    if seed is None:
        yield TestOrder("the order with all others first", None, (*others, last))
    for name, number, mixed in orders(others, seed):
        yield TestOrder(name, number, (*mixed, last))


def shuffled(tests: Sequence[Listed], seed: int) -> Iterator[Listed]:
    """Mix the files, the classes of each, and the tests of each of those.

    What a file or class has set up for all its tests is so set up once, as in any run.
    """
    chance = Random(f"wynot {seed}")  # noqa: S311 - it is to be the same again
    for file in _mixed(tests, lambda test: test.path, chance):
        for group in _mixed(file, _class_of, chance):
            chance.shuffle(group)
            yield from group


def _class_of(test: Listed) -> str:
    return test.name.partition("[")[0].rpartition("::")[0]


def _mixed(
    tests: Sequence[Listed], key: Callable[[Listed], str], chance: Random
) -> list[list[Listed]]:
    """Return the tests in groups of the same key, in random order."""
    groups: dict[str, list[Listed]] = {}
    for test in tests:
        groups.setdefault(key(test), []).append(test)
    found = list(groups.values())
    chance.shuffle(found)
    return found
