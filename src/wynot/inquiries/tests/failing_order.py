"""An order in which a test fails that passes in its own: looked for before the cause is.

Of two orders of which one is the other reversed, each test comes before each other one in one of
them. So the reversed order is tried first, and each random order is followed by its reverse: what
one test does to another shows at once, unless a third one undoes it.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import wait
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from math import inf
from random import Random
from time import monotonic
from typing import NamedTuple, cast

from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import NAP_SECONDS, LocalWorkers
from wynot.commands.inquiry_options import EarlierTestsOptions
from wynot.core.ending import Ending
from wynot.core.errors import NotExecutable, NothingToReduce, NotInteresting, NotPassing, Unreadable
from wynot.core.events import Doing, Event, Noticed
from wynot.core.options.quantities import counted, some_of
from wynot.core.verdict import Verdict
from wynot.inquiries.logs import asked_by
from wynot.inquiries.tests.answer import OrderFound
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
from wynot.inquiries.tests.survey import SideRuns, Surveyed
from wynot.job.evaluator import LIMIT_HINT
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
    def summary(self) -> str:
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
            how = ending.description if ending else "not run"
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
                f"no test runs in {order.name} ({ending.description}):\n{end_of(ending)}",
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


class SurveyedTests(NamedTuple):
    """A test that fails in some order and not alone, or the other way round."""

    surveyed: Surveyed
    tests: Sequence[Listed]
    """All tests, in that order."""
    runs: int
    """How many runs it took to find that out."""
    order: OrderFound | None = None


@dataclass(slots=True)
class OrderSearch:
    """Tries orders, as far as the options let."""

    options: EarlierTestsOptions
    sides: SideRuns
    observe: Callable[[Event], None]
    tried: int = 0

    def before(self, tests: Sequence[Listed], at: int) -> SurveyedTests:
        """Look for an order in which a test fails that passes in its own and alone."""
        candidates = orders_before(tests, at, self.options.seed)
        with closing(self._failing(candidates, self._last)) as found:
            for order, _, _ in found:
                with suppress(NotInteresting):
                    surveyed = self.sides.survey(order.tests, len(order.tests) - 1)
                    return self._found(surveyed, order.tests, order, ())
        raise self._no_order(f"{tests[at].name!r} passes")

    def any(self) -> SurveyedTests:
        """Look for an order in which any test fails that passes in its own."""
        sides = self.sides
        longest = sides.limits.timeout
        self.observe(Doing("running all tests in their own order", LIMIT_HINT, longest))
        own = OwnOrder.seen(cast("PytestRuns", sides.runs), sides.sandbox, sides.limits)
        candidates = orders(own.tests, self.options.seed)
        with closing(self._failing(candidates, own.victims)) as found:
            for order, _, victims in found:
                for victim in victims:
                    try:
                        tests, surveyed = self._surveyed(victim, order.tests, own.tests)
                    except (NotInteresting, NotPassing, NothingToReduce):
                        why = f"{victim.name} failed in {order.name}, but does not again"
                        self.observe(Noticed("flaky", f"{why}: that may be chance"))
                        continue
                    others = tuple(test.name for test in victims if test != victim)
                    return self._found(surveyed, tests, order, others)
        raise self._no_order(f"none of {len(own.passing):,} tests that pass fails")

    def _surveyed(
        self, victim: Listed, failing: Sequence[Listed], own: Sequence[Listed]
    ) -> tuple[Sequence[Listed], Surveyed]:
        """Return the order that shows what a test depends on, and what it shows.

        That is the failing one if it is polluted there; if it fails alone, it needs a test that
        comes before it in its own order.
        """
        try:
            return failing, self.sides.survey(failing, failing.index(victim))
        except (NotPassing, NothingToReduce):
            return own, self.sides.survey(own, own.index(victim))

    def _failing(
        self,
        candidates: Iterator[TestOrder],
        victims: Callable[[TestOrder, Sandbox], tuple[Listed, ...]],
    ) -> Generator[FailingOrder, None, None]:
        """Try orders, and tell of those in which tests fail."""
        options = self.options
        most = min(options.tries, options.max_tests or options.tries)
        ends = monotonic() + (options.max_time or inf)

        def tell(number: int) -> bool:
            self.tried = number
            self.observe(Doing("running the tests in other orders", done=number, of=most))
            return monotonic() < ends

        with closing(
            failing_orders(candidates, victims, width=options.width, tries=most, tell=tell)
        ) as found:
            for failing in found:
                self.tried = failing.number
                self.observe(Noticed("order", failing.summary))
                self.sides.log.remark(failing.summary)
                yield failing

    def _last(self, order: TestOrder, sandbox: Sandbox) -> tuple[Listed, ...]:
        """Return the last test of an order, if it fails in it."""
        sides = self.sides
        ending = run(sides.runs.provision(Selection(order.tests), sandbox), sandbox, sides.limits)
        is_it = sides.criterion.after(ending).judge(ending) is Verdict.INTERESTING
        return order.tests[-1:] if is_it else ()

    def _found(
        self,
        surveyed: Surveyed,
        tests: Sequence[Listed],
        order: TestOrder,
        others: tuple[str, ...],
    ) -> SurveyedTests:
        again = asked_by(replace(self.options, seed=order.seed, log="", replay=""), "tests")
        own = not self.options.failing
        found = OrderFound(order.name, order.seed, again, others)
        return SurveyedTests(surveyed, tests, len(self.sides.done) + self.tried + own, found)

    def _no_order(self, what: str) -> NotInteresting:
        first = self.options.seed or 0
        return NotInteresting(
            f"{what} in {counted(self.tried, 'other order')}, from seed {first} on",
            hint=f"to try others: --seed {first + self.tried // 2 + 1}; to try more: --tries N",
        )
