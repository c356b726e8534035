"""One scheduler for any number of workers.

It commits verdicts in exactly the order in which a single worker would get them; so the result, the
steps and the counts do not depend on the width. What more workers do is work ahead: of all that the
search may ask next, depending on the verdicts it does not have yet, the likeliest are tested
(``bets``). When a verdict comes in, the tests that it rules out are cancelled; answers that they
have given already are kept.
"""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from queue import Empty, SimpleQueue
from typing import Generic, Literal, TypeVar, cast

from wynot.agents.workers import NAP_SECONDS, Task
from wynot.core.answer import Answer
from wynot.core.events import CandidateJudged, Doing, Event
from wynot.core.round import Search, Skip, Stage
from wynot.core.standing import Steering, Stop
from wynot.engine.bets import CERTAIN_ODDS, Bet, Bets
from wynot.engine.budget import Budget, Spent
from wynot.engine.memo import ByContent, Memo
from wynot.engine.recorder import Commit, Ledger
from wynot.engine.search_cursor import Outcome
from wynot.oracle.function_test import broken
from wynot.runners.runner import Runner

Found = TypeVar("Found")
PickPolicy = Literal["in-order", "first-to-finish"]

SWAP_FACTOR = 4.0
"""How many times likelier a question must be than another that is being tested to take its place.
"""


def never() -> Skip | None:
    """Skip nothing."""
    return None


@dataclass(slots=True)
class Scheduler(Generic[Found]):
    """Answers the rounds of one search. All of it runs on the thread that calls ``run``."""

    start: Callable[[], Search[Found]]
    _: KW_ONLY
    stage: Stage | None = None
    """That of rounds which do not name one."""
    runner: Runner
    ledger: Ledger
    memo: Memo = field(default_factory=ByContent)
    budget: Budget = field(default_factory=Budget)
    pick: PickPolicy = "in-order"
    observe: Callable[[Event], None] = lambda _event: None
    steering: Steering = field(default_factory=Steering)
    skip: Callable[[], Skip | None] = never
    """Tells before each question whether its stage is to end there, and with what."""
    tests: int = 0
    started: int = 0
    _entered: Stage | None = None
    _running: dict[object, Future[Answer]] = field(default_factory=dict)
    """Tests under way, by their bet's ticket."""
    _done: "SimpleQueue[tuple[Bet, Future[Answer]]]" = field(default_factory=SimpleQueue)
    """Futures that are done: the only thing here that workers' threads write to."""

    @property
    def extra(self) -> int:
        """Tests that were started and not asked for in the end."""
        return self.started - self.tests

    def run(self) -> Found:
        """Drive the search to its end, and return what it found."""
        try:
            return self._drive(Bets(self.start, self.stage, self.memo, self._announce))
        finally:
            for future in self._running.values():
                self.started -= isinstance(future, Task) and future.waits
                future.cancel()

    def _drive(self, bets: Bets) -> Found:
        while True:
            first = bets.first
            if first is None:
                return cast("Found", bets.found)
            if self._enter_or_skip(first, bets):
                self._keep_busy(bets)
                if first.known is None:
                    self._release(first)
                    self._wait(bets)
                if self.pick == "first-to-finish":
                    bets.prefer_first_to_finish()
            self._commit_known(bets)

    def _commit_known(self, bets: Bets) -> None:
        """Commit what is known by now, as far as it is what the search asks."""
        while bet := bets.first:
            if self._enter_or_skip(bet, bets):
                if bets.next_known() is None:
                    return
                bets.settle(bet, self._commit(bet))

    def _enter_or_skip(self, first: Bet, bets: Bets) -> bool:
        """Begin the stage of the first question, unless that was done; tell if it goes on.

        What a person asks for is done here, between two verdicts, and nowhere else: so it has a
        place in the order of things that a later run can find again.
        """
        self._enter(first.stage, bets)
        if self.steering.is_stopped:
            raise Spent(Stop.BY_HAND)
        skip = self.skip()
        if skip is not None:
            bets.skip(first, skip)
        return skip is None

    def _release(self, first: Bet) -> None:
        """Let the test run that is needed now, if it was only made ready so far."""
        if self.steering.is_paused:
            return
        future = self._running.get(first.ticket)
        if isinstance(future, Task):
            future.ask()

    def _enter(self, stage: Stage, bets: Bets) -> None:
        """Begin the next stage, once all verdicts before it are committed."""
        if stage is not self._entered:
            self._entered = stage
            bets.enter(stage)
            self.ledger.enter(stage)

    def _announce(self, doing: str) -> None:
        self.observe(Doing(doing))

    def _keep_busy(self, bets: Bets) -> None:
        """Cancel tests that nobody can ask for any more; start the likeliest of the others.

        An example with a ``width`` of three workers, one of which is free. A and C run, and the
        tree says: A 1.0, D 0.6, E 0.1, and C 0.05. A, D and E are ``likely``. D takes the free
        worker. C is unlikely, but to take its place, E would have to be four times as likely as the
        ``least`` of the likely ones, which it is itself. Did three unlikely tests run instead, A
        would take the place of one since it is certain, and D as 0.6 is more than four times 0.1.
        """
        if self._running:
            for ticket in self._running.keys() - bets.possible:
                self._cancel(ticket)
        if self.steering.is_paused:
            return
        width = min(self.runner.width, self.budget.left(self.tests))
        likely: dict[object, tuple[float, Bet]] = {}
        for odds, bet in bets.likeliest(width):
            if not likely:
                self.budget.seconds()  # no test is started when the time is up
            likely[bet.ticket] = odds, bet
            if bet.ticket not in self._running and len(self._running) < width:
                self._start(bet)
            if not self._done.empty():
                return  # what it says comes before what else there might be to test
        if likely and width:
            self._swap_unlikely(likely)

    def _swap_unlikely(self, likely: dict[object, tuple[float, Bet]]) -> None:
        """Let likely questions take the place of unlikely ones that are being tested."""
        unlikely = [ticket for ticket in self._running if ticket not in likely]
        least, _ = list(likely.values())[-1]  # what is not among them is no likelier than this
        for ticket, (odds, bet) in likely.items():
            is_worth_it = odds == CERTAIN_ODDS or odds >= SWAP_FACTOR * least
            if not unlikely or not is_worth_it:
                return
            if ticket not in self._running and self._cancel(unlikely.pop()):
                self._start(bet)

    def _cancel(self, ticket: object) -> bool:
        """Stop a test; tell whether its worker is free now."""
        is_free = self._running[ticket].cancel()
        if is_free:
            del self._running[ticket]
        return is_free

    def _start(self, bet: Bet) -> None:
        future = self.runner.submit(bet.stage, bet.question.candidate)
        self.started += 1
        self._running[bet.ticket] = future
        future.add_done_callback(lambda done: self._done.put((bet, done)))

    def _wait(self, bets: Bets) -> None:
        """Wait for a test to end, and take in all that have."""
        self.budget.require(self.tests)
        if self._done.empty():
            seconds = self.budget.seconds()
            nap = NAP_SECONDS if seconds is None else min(NAP_SECONDS, seconds)
            if self.steering.is_paused and not self._running:
                self._announce("a pause by hand")
                self.steering.wait(nap)
            else:
                with suppress(Empty):
                    self._take_in(bets, *self._done.get(timeout=nap))
        while not self._done.empty():
            self._take_in(bets, *self._done.get())

    def _take_in(self, bets: Bets, bet: Bet, future: Future[Answer]) -> None:
        if self._running.get(bet.ticket) is future:
            del self._running[bet.ticket]
        if future.cancelled():
            self.started -= 1
        else:
            error = future.exception()
            bets.take_in(bet, future.result() if error is None else error)  # which may be falsy

    def _commit(self, bet: Bet) -> Outcome:
        """Make an answer final, and hand it to the ledger."""
        candidate, round_ = bet.question.candidate, bet.checkpoint.round_
        # In commit order, whatever was tested ahead: so the counts are the same at any width.
        recalled = self.memo.recall(candidate, bet.memo_key)
        is_test = recalled is None
        if is_test:
            self.budget.require(self.tests)
        answer = recalled or bet.known
        if isinstance(answer, BaseException):
            raise broken(candidate.name, bet.stage.case.size(candidate.kept), answer)
        assert answer is not None  # noqa: S101 - only what is known is committed
        if is_test:
            self.tests += 1
            if answer.is_final:
                self.memo.learn(candidate, bet.memo_key, answer)
        judged = CandidateJudged(
            candidate,
            answer.verdict,
            from_memo=not is_test,
            decided=answer.verdict in round_.wanted,
            iteration=round_.iteration,
            so_far=round_.so_far,
            left=None if round_.sweep is None else max(0, round_.sweep - bet.position - 1),
        )
        self.ledger.commit(Commit(bet.stage, judged, bet.digest, answer))
        return Outcome.of(answer, bet.stage, is_test=is_test)
