"""One scheduler for any number of workers.

It commits verdicts in exactly the order in which a single worker would get them; so the result, the
steps and the counts do not depend on the width. What more workers do is work ahead: the scheduler
bets on the verdicts it does not have yet, drives the search on by these bets, and starts the tests
that it will ask for if they hold. When a verdict comes in against its bet, the course is taken back
to that question and goes on from there; tests off the course are cancelled, and what they had
already said is kept.

An example with two workers. The search asks about A; not knowing, the scheduler bets that A is
uninteresting, tells the course so, and the course asks about B::

    bets   A ?no   B ?no        both run; the course stands at B, which it has not been told of yet

B ends first: its verdict is known but waits, since A comes before it. Then A turns out to be
interesting, against the bet, so everything after A was asked on a wrong base. The bets after A are
dropped, the cursor is built anew at A's round (``SearchCursor.back_at``: from the last way back
that a round has offered, by the answers since then) and is told what A really is. It asks about B',
say::

    bets   A yes   B' ?no       B is off the course; its verdict stays in ``_known``, should it be
                                asked about again; A is committed, since nothing is before it
"""

from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from queue import Empty, SimpleQueue
from typing import Generic, Literal, TypeVar, cast

from wynot.core.events import CandidateJudged, Doing, Event
from wynot.core.round import Search, Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion
from wynot.engine.budget import Budget
from wynot.engine.commit import Commit, Ledger
from wynot.engine.foresight import Foresight
from wynot.engine.search_cursor import Checkpoint, SearchCursor, Told
from wynot.oracle.function_test import broken
from wynot.oracle.memo import ByContent, Memo
from wynot.runners.runner import Runner

Found = TypeVar("Found")
PickPolicy = Literal["in-order", "first-to-finish"]

MAX_BETS_AHEAD = 8
"""How many bets a worker may be ahead of the first uncommitted one: enough to ride out one slow
test, few enough that a wrong bet is cheap to take back."""


NAP_SECONDS = 0.2
"""Seconds that it waits at most before it looks again."""


UNKNOWN = Told(Verdict.UNRESOLVED)


@dataclass(slots=True, eq=False)
class Bet:
    """A question on the course, and what the course was told of it so far."""

    question: RoundQuestion
    stage: Stage
    digest: Hashable
    ticket: object
    """What its test goes by: the digest, or itself alone if nothing is to be shared."""
    checkpoint: Checkpoint
    position: int
    known: Verdict | BaseException | None = None
    recalled: bool = False
    """Whether the memo knew it."""
    told: Told = UNKNOWN


def always(_stage: Stage, _digest: Hashable) -> bool:
    """Take every verdict for final."""
    return True


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
    is_final: Callable[[Stage, Hashable], bool] = always
    """Whether what the test says of a candidate stays as it is."""
    tests: int = 0
    started: int = 0
    _foresight: Foresight = field(default_factory=Foresight)
    _cursor: SearchCursor = field(init=False)
    _bets: deque[Bet] = field(default_factory=deque)
    _told: bool = True
    """Whether the course was told of the last bet; if not, it still asks about that."""
    _entered: Stage | None = None
    _checkpoint: Checkpoint | None = None
    _round_verdicts: list[Told] = field(default_factory=list)
    """What was committed of the round that is being committed, ``_place``."""
    _running: dict[object, Future[Verdict]] = field(default_factory=dict)
    _known: dict[object, Verdict | BaseException] = field(default_factory=dict)
    _done: "SimpleQueue[tuple[Bet, Future[Verdict]]]" = field(default_factory=SimpleQueue)
    """Futures that are done: the only thing here that workers' threads write to."""

    @property
    def extra(self) -> int:
        """Tests that were started and not asked for in the end."""
        return self.started - self.tests

    def run(self) -> Found:
        """Drive the search to its end, and return what it found."""
        try:
            self._cursor = SearchCursor(self.start, announce=self._announce)
            return self._drive()
        finally:
            for future in self._running.values():
                future.cancel()

    def _drive(self) -> Found:
        while True:
            self._look_ahead()
            if not self._bets:
                return cast("Found", self._cursor.found)
            self._enter(self._bets[0].stage)
            self._keep_busy()
            if self._bets[0].known is None:
                self._wait()
                self._take_back_wrong_bets()
            if self.pick == "first-to-finish":
                self._prefer_first_to_finish()
            while self._bets and self._look_up(self._bets[0]) is not None:
                self._commit(self._bets.popleft())

    def _enter(self, stage: Stage) -> None:
        if stage is not self._entered:
            self._entered = stage
            self._foresight.forget_all_but(stage, *(bet.stage for bet in self._bets))
            self.ledger.enter(stage)

    def _announce(self, doing: str) -> None:
        self.observe(Doing(doing))

    def _look_up(self, bet: Bet) -> Verdict | BaseException | None:
        """Return what is known of a bet by now, from its own test or from the memo."""
        if bet.known is None:
            bet.known = self._known.get(bet.ticket)
        if bet.known is None:
            bet.known = self.memo.recall(bet.question.candidate, bet.digest)
            bet.recalled = bet.known is not None
        return bet.known

    def _expected(self, bet: Bet, ahead: set[object]) -> Told:
        """Return what to tell the course of a bet: what is known of it, and a guess at the rest.

        ``ahead`` has what is asked before it: the same content is not tested twice.
        """
        is_known = isinstance(bet.known, Verdict)
        verdict = bet.known if isinstance(bet.known, Verdict) else self._guess(bet)
        is_final = not is_known or bet.recalled or self.is_final(bet.stage, bet.digest)
        is_test = not bet.recalled and bet.ticket not in ahead
        if is_final:
            ahead.add(bet.ticket)
        return Told(verdict, is_test, is_final)

    def _guess(self, bet: Bet) -> Verdict:
        return self._foresight.guess(bet.question, bet.stage)

    # Working ahead.

    def _look_ahead(self) -> None:
        """Extend the course until there is a test for every worker."""
        width = self.runner.width
        horizon = 1 + MAX_BETS_AHEAD * (width - 1)
        open_bets = sum(bet.known is None for bet in self._bets)
        ahead = {bet.ticket for bet in self._bets if bet.told.is_final}
        while open_bets < width and len(self._bets) < horizon:
            if not self._told:
                self._cursor.tell(self._bets[-1].told)
                self._told = True
            if self._cursor.question is None:
                return
            bet = self._next_bet(self._cursor.question, self._cursor.checkpoint)
            open_bets += self._look_up(bet) is None
            bet.told = self._expected(bet, ahead)
            self._bets.append(bet)
            self._told = False

    def _next_bet(self, question: RoundQuestion, checkpoint: Checkpoint) -> Bet:
        stage = checkpoint.asked.stage or self.stage
        assert stage is not None  # noqa: S101 - one or the other names the case
        digest = stage.case.digest(question.candidate)
        # A test that may be cut off early is not one that may not.
        ticket = (digest, stage.hurried) if self.memo.shares else object()
        return Bet(question, stage, digest, ticket, checkpoint, self._cursor.position)

    def _keep_busy(self) -> None:
        """Cancel tests that are off the course, and start those that are on it, in its order."""
        needed = {bet.ticket: bet for bet in self._bets if bet.known is None}
        for ticket in self._running.keys() - needed.keys():
            if self._running[ticket].cancel():
                del self._running[ticket]
        if needed:
            self.budget.seconds()  # no test is started when the time is up
        allowed = self.budget.left(self.tests)
        for count, (ticket, bet) in enumerate(needed.items()):
            if count >= allowed or len(self._running) >= self.runner.width:
                break
            if ticket not in self._running:
                self._start(bet)

    def _start(self, bet: Bet) -> None:
        future = self.runner.submit(bet.stage, bet.question.candidate)
        self.started += 1
        self._running[bet.ticket] = future
        future.add_done_callback(lambda done: self._done.put((bet, done)))

    def _wait(self) -> None:
        """Wait for a test to end, and take in all that have."""
        self.budget.require(self.tests)
        if self._done.empty():
            # A signal that comes just before it blocks is seen only when it wakes: so not for long.
            seconds = self.budget.seconds()
            nap = NAP_SECONDS if seconds is None else min(NAP_SECONDS, seconds)
            with suppress(Empty):
                self._take_in(*self._done.get(timeout=nap))
        while not self._done.empty():
            self._take_in(*self._done.get())

    def _take_in(self, bet: Bet, future: Future[Verdict]) -> None:
        if self._running.get(bet.ticket) is future:
            del self._running[bet.ticket]
        if future.cancelled():
            self.started -= 1
            return
        error = future.exception()
        if error is None:
            self._foresight.learn(bet.question.candidate, bet.stage, future.result())
        if self.memo.shares or bet in self._bets:
            self._known[bet.ticket] = future.result() if error is None else error

    def _take_back_wrong_bets(self) -> None:
        """Go back to the first bet that is no longer what one would bet."""
        untold = None if self._told else self._bets[-1]
        ahead: set[object] = set()
        for index, bet in enumerate(self._bets):
            if bet.known is None:
                bet.known = self._known.get(bet.ticket)
            before, bet.told = bet.told, self._expected(bet, ahead)
            wrong = bet.checkpoint.effect(before) != bet.checkpoint.effect(bet.told)
            if wrong and bet is not untold:
                self._rewind(index)
                return

    def _rewind(self, index: int) -> None:
        """Put the course back to this bet, before it is told of it."""
        while len(self._bets) > index + 1:
            self._bets.pop()
        checkpoint = self._bets[index].checkpoint
        told = list(self._round_verdicts) if checkpoint is self._checkpoint else []
        told += [bet.told for bet in self._bets if bet.checkpoint is checkpoint][:-1]
        self._cursor = SearchCursor.back_at(checkpoint, told)
        self._told = False

    # Committing.

    def _commit(self, bet: Bet) -> None:
        """Make a verdict final: the ledger is told, then the course, if it was told otherwise."""
        candidate, checkpoint = bet.question.candidate, bet.checkpoint
        self._enter(bet.stage)
        # In commit order, whatever was tested ahead: so the counts are the same at any width.
        recalled = self.memo.recall(candidate, bet.digest)
        if recalled is None:
            self.budget.require(self.tests)
        self._known.pop(bet.ticket, None)
        verdict = bet.known if recalled is None else recalled
        if isinstance(verdict, BaseException):
            raise broken(candidate.name, bet.stage.case.size(candidate.kept), verdict)
        assert verdict is not None  # noqa: S101 - only what is known is committed
        is_final = recalled is not None or self.is_final(bet.stage, bet.digest)
        told = Told(verdict, recalled is None, is_final)
        if told.is_test:
            self.tests += 1
        if told.is_test and is_final:
            self.memo.learn(candidate, bet.digest, verdict)
        if checkpoint is not self._checkpoint:
            self._checkpoint, self._round_verdicts = checkpoint, []
        self._round_verdicts.append(told)
        asked = CandidateJudged(
            candidate,
            verdict,
            from_memo=not told.is_test,
            decided=verdict in checkpoint.asked.wanted,
            iteration=checkpoint.asked.iteration,
            so_far=checkpoint.asked.so_far,
        )
        self.ledger.commit(Commit(bet.stage, asked, bet.digest, is_final))
        if not self._bets and not self._told:
            self._cursor.tell(told, self._announce)
            self._told = True
        elif checkpoint.effect(told) != checkpoint.effect(bet.told):
            # Only the monotone memo can come to another verdict than the test has given.
            self._cursor = SearchCursor.back_at(checkpoint, self._round_verdicts)
            self._bets.clear()
            self._told = True

    def _prefer_first_to_finish(self) -> None:
        """Let the first wanted verdict decide the present round, though earlier ones are open.

        The papers' ``parallel break`` (``000`` Alg. 3): quicker, but not repeatable.
        """
        checkpoint = self._bets[0].checkpoint
        if checkpoint.asked.base is not None:
            return
        finished = {bet.ticket: bet for bet in self._bets if bet.checkpoint is checkpoint}
        for ticket, known in self._known.items():
            verdict = known if isinstance(known, Verdict) else Verdict.UNRESOLVED
            if ticket in finished and verdict in checkpoint.asked.wanted:
                bet = finished[ticket]
                self._checkpoint, self._round_verdicts = checkpoint, [UNKNOWN] * bet.position
                self._bets = deque([bet])
                self._rewind(0)
                return
