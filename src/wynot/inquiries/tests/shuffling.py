"""Running tests in one order after the other, until some fail that do not in their own."""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple

from wynot.core.ending import Ending
from wynot.core.errors import NotExecutable, NothingToReduce, NotInteresting, Unreadable
from wynot.core.phrases import some_of
from wynot.inquiries.tests.collection import collect, run
from wynot.inquiries.tests.orders import TestOrder
from wynot.inquiries.tests.outcome import FAILURES, MAX_ROW_BYTES, Seen, every_seen
from wynot.inquiries.tests.pytest_runs import PytestRuns, new_report, read_report
from wynot.inquiries.tests.selection import Listed, Selection, end_of
from wynot.runners.child import Limits
from wynot.runners.local_workers import LocalWorkers
from wynot.runners.sandbox import Sandbox
from wynot.runners.task import NAP_SECONDS

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
        passing = [test for test, said in zip(tests, seen, strict=True) if said.outcome == "passed"]
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
        if seen and all(said.outcome == "not run" for said in seen):
            raise NotExecutable(
                f"no test runs in {order.name} ({ending.words}):\n{end_of(ending)}",
                hint="try the command with two of its tests by hand",
            )
        return tuple(
            test
            for test, said in zip(order.tests, seen, strict=True)
            if said.outcome in FAILURES and test in self.passing
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
