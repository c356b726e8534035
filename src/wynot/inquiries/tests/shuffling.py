"""Orders in which tests could run, tried until some fail that do not in their own.

Of two orders of which one is the other reversed, each test comes before each other one in one of
them. So the reversed order is tried first, and each random order is followed by its reverse: what
one test does to another shows at once, unless a third one undoes it.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from random import Random
from typing import NamedTuple

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import NAP_SECONDS, LocalWorkers
from wynot.core.ending import Ending
from wynot.core.errors import NotExecutable, NothingToReduce, NotInteresting, Unreadable
from wynot.core.options.quantities import some_of
from wynot.inquiries.tests.collection import collect, run
from wynot.inquiries.tests.selection import (
    FAILURES,
    MAX_ROW_BYTES,
    Listed,
    Seen,
    Selection,
    end_of,
    every_seen,
)
from wynot.inquiries.tests.suite_runs import PytestRuns, new_report, read_report
from wynot.wire.run_request import Limits


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


_OUTCOMES = "outcomes"
LEAST_TESTS = 2
"""One test has no order."""
MAX_NAMED_VICTIMS = 4
"""So many tests that fail in an order are named before they are counted."""


class FailingOrder(NamedTuple):
    """An order in which tests fail that pass in their own."""

    order: TestOrder
    number: int
    """Which try it was, from 1."""
    victims: tuple[Listed, ...]
    """Those tests, as they run."""

    @property
    def words(self) -> str:
        """What is told of it."""
        count = len(self.victims)
        fail, their = ("test fails", "its") if count == 1 else ("tests fail", "their")
        names = some_of([test.name for test in self.victims], MAX_NAMED_VICTIMS)
        return f"{count:,} {fail} in {self.order.name}, but not in {their} own: {names}"


@dataclass(frozen=True, slots=True)
class OwnOrder:
    """What becomes of each test when all run in their own order; and what in another one."""

    runs: PytestRuns
    limits: Limits
    tests: tuple[Listed, ...]
    passing: frozenset[Listed]

    @classmethod
    def seen(cls, runs: PytestRuns, sandbox: Sandbox, limits: Limits) -> "OwnOrder":
        """Run all tests in their own order."""
        tests, ending = collect(runs, None, sandbox, limits, outcomes=_outcomes(sandbox))
        if ending is None or ending.limit or ending.status < 0:
            how = ending.words if ending else "not run"
            raise NotInteresting(
                f"the tests do not come to their end in their own order: {how}",
                hint="--timeout TIME sets how long they may take all together",
            )
        seen = _read(sandbox, len(tests), ending)
        passing = [
            test for test, result in zip(tests, seen, strict=True) if result.outcome == "passed"
        ]
        if len(passing) < LEAST_TESTS:
            raise NothingToReduce(
                f"of {len(tests):,} tests {len(passing)} pass: there is nothing to put in order",
                hint="is this the right folder? which files are given?",
            )
        return cls(runs, limits, tests, frozenset(passing))

    def victims(self, order: TestOrder, sandbox: Sandbox) -> tuple[Listed, ...]:
        """Return the tests that fail in an order, but not in their own."""
        task = self.runs.task(Selection(order.tests))
        given = self.runs.given(sandbox, {**task, "outcomes": _outcomes(sandbox)})
        ending = run(given, sandbox, self.limits)
        seen = _read(sandbox, len(order.tests), ending)
        if seen and all(result.outcome == "not run" for result in seen):
            raise NotExecutable(
                f"no test runs in {order.name} ({ending.words}):\n{end_of(ending)}",
                hint="try the command with two of its tests by hand",
            )
        return tuple(
            test
            for test, result in zip(order.tests, seen, strict=True)
            if result.outcome in FAILURES and test in self.passing
        )


def failing_orders(
    orders: Iterator[TestOrder],
    victims: Callable[[TestOrder, Sandbox], tuple[Listed, ...]],
    *,
    width: int,
    tries: int,
    tell: Callable[[int], bool],
) -> Generator[FailingOrder, None, None]:
    """Try so many orders, some at a time; yield those in which tests fail, in the order of tries.

    ``tell`` is told how many were tried, and says whether to go on.
    """
    workers, number = LocalWorkers(width), 0
    try:
        while tell(number) and (some := [*islice(orders, min(width, tries - number))]):
            futures = [workers.submit(partial(victims, order)) for order in some]
            for order, future in zip(some, futures, strict=True):
                while not future.done():
                    wait([future], timeout=NAP_SECONDS)
                number += 1
                if found := future.result():
                    yield FailingOrder(order, number, found)
    finally:
        workers.close(wait=True)


def _outcomes(sandbox: Sandbox) -> str:
    """Return where what becomes of each test is written; nothing is there yet."""
    return str(new_report(sandbox, _OUTCOMES))


def _read(sandbox: Sandbox, count: int, ending: Ending) -> Sequence[Seen]:
    most = 2 * MAX_ROW_BYTES * (count + 1)
    content = read_report(sandbox, _OUTCOMES, most + 1) or b""
    if len(content) > most:
        raise Unreadable(
            f"the outcomes of {count:,} tests take more than {most:,} bytes",
            hint="does a test write into the file that the task of WYNOT_TASK names?",
        )
    return every_seen(content, count, ending)
