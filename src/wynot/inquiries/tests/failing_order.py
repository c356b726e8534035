"""An order in which a test fails that passes in its own: looked for before the cause is."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from typing import NamedTuple, cast

from wynot.agents.sandbox import Sandbox
from wynot.commands.inquiry_options import EarlierTestsOptions
from wynot.core.errors import NothingToReduce, NotInteresting, NotPassing
from wynot.core.events import Doing, Event, Noticed
from wynot.core.options.quantities import counted
from wynot.core.verdict import Verdict
from wynot.inquiries.logs import asked_by
from wynot.inquiries.tests.answer import OrderFound
from wynot.inquiries.tests.collection import run
from wynot.inquiries.tests.selection import Listed, Selection
from wynot.inquiries.tests.shuffling import (
    FailingOrder,
    OwnOrder,
    TestOrder,
    failing_orders,
    orders,
    orders_before,
)
from wynot.inquiries.tests.suite_runs import PytestRuns
from wynot.inquiries.tests.survey import SideRuns, Surveyed
from wynot.job.evaluator import LIMIT_HINT


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
                    return self._asked(surveyed, order.tests, order, ())
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
                    return self._asked(surveyed, tests, order, others)
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
                self.observe(Noticed("order", failing.words))
                self.sides.transcript.remark(failing.words)
                yield failing

    def _last(self, order: TestOrder, sandbox: Sandbox) -> tuple[Listed, ...]:
        """Return the last test of an order, if it fails in it."""
        sides = self.sides
        ending = run(sides.runs.provision(Selection(order.tests), sandbox), sandbox, sides.limits)
        is_it = sides.criterion.after(ending).judge(ending) is Verdict.INTERESTING
        return order.tests[-1:] if is_it else ()

    def _asked(
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
