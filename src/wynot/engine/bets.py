"""The questions that a search asks if the bets hold that were made on its verdicts.

An example with two workers. The search asks about A; not knowing, the scheduler bets that A is
uninteresting, tells the course so, and the course asks about B::

    bets   A ?no   B ?no        both run; the course stands at B, which it has not been told of yet

B ends first: its verdict is known but waits, since A comes before it. Then A turns out to be
interesting, against the bet, so everything after A was asked on a wrong base. The bets after A are
dropped, the cursor is built anew at A's round (``SearchCursor.back_at``: from the last way back
that a round has offered, by the answers since then) and is told what A really is. It asks about B',
say::

    bets   A yes   B' ?no       B is off the course; its verdict stays in ``known``, should it be
                                asked about again; A is committed, since nothing is before it
"""

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion
from wynot.engine.foresight import Foresight
from wynot.engine.search_cursor import Announce, Checkpoint, SearchCursor, SearchStart, Told
from wynot.oracle.memo import Memo

BETS_A_WORKER = 8
"""How many bets a worker may be ahead of the first uncommitted one: enough to ride out one slow
test, few enough that a wrong bet is cheap to take back."""
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


@dataclass(slots=True)
class Bets:
    """A course, and the questions on it that are not committed yet, in order.

    Only the scheduler's thread uses it.
    """

    start: SearchStart
    stage: Stage | None
    """That of rounds which do not name one."""
    memo: Memo
    is_final: Callable[[Stage, Hashable], bool]
    announce: Announce
    known: dict[object, Verdict | BaseException] = field(default_factory=dict)
    """What tests have said that were run ahead, by ticket."""
    _foresight: Foresight = field(default_factory=Foresight)
    _cursor: SearchCursor = field(init=False)
    _open: deque[Bet] = field(default_factory=deque)
    _is_told: bool = True
    """Whether the course was told of the last bet; if not, it still asks about that."""
    _checkpoint: Checkpoint | None = None
    _settled: list[Told] = field(default_factory=list)
    """What was committed of the round that is being committed, ``_checkpoint``."""

    def __post_init__(self) -> None:
        self._cursor = SearchCursor(self.start, announce=self.announce)

    @property
    def first(self) -> Bet | None:
        """The question that is to be committed next; None: the search has come to its end."""
        return self._open[0] if self._open else None

    @property
    def found(self) -> object:
        """What the search has found, at its end."""
        return self._cursor.found

    @property
    def needed(self) -> dict[object, Bet]:
        """Whose tests are to run, by ticket, the most urgent first."""
        return {bet.ticket: bet for bet in self._open if bet.known is None}

    def look_ahead(self, width: int) -> None:
        """Extend the course until there is a test for every worker."""
        horizon = 1 + BETS_A_WORKER * (width - 1)
        unknown = sum(bet.known is None for bet in self._open)
        ahead = {bet.ticket for bet in self._open if bet.told.is_final}
        while unknown < width and len(self._open) < horizon:
            if not self._is_told:
                self._cursor.tell(self._open[-1].told)
                self._is_told = True
            if self._cursor.question is None:
                return
            bet = self._bet_on(self._cursor.question, self._cursor.checkpoint)
            unknown += self._look_up(bet) is None
            bet.told = self._expected(bet, ahead)
            self._open.append(bet)
            self._is_told = False

    def take_in(self, bet: Bet, said: Verdict | BaseException) -> None:
        """Take note of what a test said, also if it is off the course by now."""
        if isinstance(said, Verdict):
            self._foresight.learn(bet.question.candidate, bet.stage, said)
        if self.memo.shares or bet in self._open:
            self.known[bet.ticket] = said

    def take_back_wrong_ones(self) -> None:
        """Go back to the first bet that is no longer what one would bet."""
        untold = None if self._is_told else self._open[-1]
        ahead: set[object] = set()
        for index, bet in enumerate(self._open):
            if bet.known is None:
                bet.known = self.known.get(bet.ticket)
            before, bet.told = bet.told, self._expected(bet, ahead)
            wrong = bet.checkpoint.effect(before) != bet.checkpoint.effect(bet.told)
            if wrong and bet is not untold:
                self._rewind(index)
                return

    def prefer_first_to_finish(self) -> None:
        """Let the first wanted verdict decide the present round, though earlier ones are open.

        The papers' ``parallel break`` (``000`` Alg. 3): quicker, but not repeatable.
        """
        checkpoint = self._open[0].checkpoint
        if checkpoint.asked.base is not None:
            return
        finished = {bet.ticket: bet for bet in self._open if bet.checkpoint is checkpoint}
        for ticket, known in self.known.items():
            verdict = known if isinstance(known, Verdict) else Verdict.UNRESOLVED
            if ticket in finished and verdict in checkpoint.asked.wanted:
                bet = finished[ticket]
                self._checkpoint, self._settled = checkpoint, [UNKNOWN] * bet.position
                self._open = deque([bet])
                self._rewind(0)
                return

    def next_known(self) -> Bet | None:
        """Take out the first bet, if it is known by now what came of it."""
        if self._open and self._look_up(self._open[0]) is not None:
            bet = self._open.popleft()
            self.known.pop(bet.ticket, None)
            return bet
        return None

    def enter(self, stage: Stage) -> None:
        """Forget what helped to guess in stages that are over."""
        self._foresight.forget_all_but(stage, *(bet.stage for bet in self._open))

    def settle(self, bet: Bet, told: Told) -> None:
        """Tell the course what came of a bet for good, if it was told nothing or otherwise."""
        checkpoint = bet.checkpoint
        if checkpoint is not self._checkpoint:
            self._checkpoint, self._settled = checkpoint, []
        self._settled.append(told)
        if not self._open and not self._is_told:
            self._cursor.tell(told, self.announce)
            self._is_told = True
        elif checkpoint.effect(told) != checkpoint.effect(bet.told):
            # The monotone memo can come to another verdict than the test has given; and what was
            # to be recalled takes a test after all, if the one before it was cut off early.
            self._cursor = SearchCursor.back_at(checkpoint, self._settled)
            self._open.clear()
            self._is_told = True

    def _bet_on(self, question: RoundQuestion, checkpoint: Checkpoint) -> Bet:
        stage = checkpoint.asked.stage or self.stage
        assert stage is not None  # noqa: S101 - one or the other names the case
        digest = stage.case.digest(question.candidate)
        # A test that may be cut off early is not one that may not.
        ticket = (digest, stage.hurried) if self.memo.shares else object()
        return Bet(question, stage, digest, ticket, checkpoint, self._cursor.position)

    def _look_up(self, bet: Bet) -> Verdict | BaseException | None:
        """Return what is known of a bet by now, from its own test or from the memo."""
        if bet.known is None:
            bet.known = self.known.get(bet.ticket)
        if bet.known is None:
            bet.known = self.memo.recall(bet.question.candidate, bet.digest)
            bet.recalled = bet.known is not None
        return bet.known

    def _expected(self, bet: Bet, ahead: set[object]) -> Told:
        """Return what to tell the course of a bet: what is known of it, and a guess at the rest.

        ``ahead`` has what is asked before it: the same content is not tested twice.
        """
        is_final = True
        if isinstance(bet.known, Verdict):
            verdict = bet.known
            is_final = bet.recalled or self.is_final(bet.stage, bet.digest)
        else:
            verdict = self._foresight.guess(bet.question, bet.stage)
        is_test = not bet.recalled and bet.ticket not in ahead
        if is_final:
            ahead.add(bet.ticket)
        return Told(verdict, is_test, is_final)

    def _rewind(self, index: int) -> None:
        """Put the course back to this bet, before it is told of it."""
        while len(self._open) > index + 1:
            self._open.pop()
        checkpoint = self._open[index].checkpoint
        told = list(self._settled) if checkpoint is self._checkpoint else []
        told += [bet.told for bet in self._open if bet.checkpoint is checkpoint][:-1]
        self._cursor = SearchCursor.back_at(checkpoint, told)
        self._is_told = False
