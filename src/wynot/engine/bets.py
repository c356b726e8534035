"""The questions that a search may ask next, as a tree: each verdict leads to another branch.

A chunk that could go from one base can mostly go from the next as well (``002``'s unambiguity), so
the last verdict on taking out these very deltas is the best bet. Else what the search itself says
is, which may know how often the like has worked; else what came of the last few candidates: at
first most chunks of a case can go, at the end hardly any. But nothing is expected of a kind that
hung when it was tried last: while such a one runs into its time limit, the others are not to work
on what would follow if it were of use. A wrong bet costs tests, never the result.

The likeliest of them are tested ahead of time. An example with three workers. The search asks about
A, which works one time in three; if it does not, B comes next, which works one time in ten; if it
does, B'::

    A ── no, 0.67 ──▶ B  ── no,  0.60 ──▶ C
      │                  └─ yes, 0.07 ──▶ C'
      └─ yes, 0.33 ─▶ B' ── …

A, B and C are tested: the three likeliest questions of all courses that are still possible, by the
product of the odds on the way there. With a fourth worker B' would be, too. When A turns out to be
interesting, B' is the root, and all that could only follow from the other verdict goes: its tests
are cancelled, what they have said already is kept, should it be asked again. Verdicts are committed
at the root only, so the search takes the very course it takes with one worker.

A generator cannot be copied. One branch of a question goes on with the search that has asked it,
for others the search is made anew at that round (``Round.again``).
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter
from typing import NamedTuple

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.round import Cost, EveryRound, FirstRound, Pick, Round, Skip, Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion
from wynot.engine.memo import Memo
from wynot.engine.search_cursor import (
    Announce,
    Checkpoint,
    Effect,
    Outcome,
    SearchCursor,
    SearchStart,
    reply_of,
)

REMEMBERED_CANDIDATES = 4
"""How many candidates the estimate is of, about."""
FIRST_ODDS = 0.25
"""How likely it is to be interesting what comes first."""
REPEATED_ODDS = 0.85
"""How likely it is that what was taken out before has the same effect again."""
HUNG_ODDS = 0.02
"""How likely it is to be interesting what hung when it was tried last."""
HIGHEST_ODDS = 0.97
"""Nothing is likelier than this, and nothing less likely than the rest to one."""


class Odds(NamedTuple):
    """How likely the verdicts are; the rest is unresolved."""

    interesting: float
    uninteresting: float

    def items(self) -> tuple[tuple[Verdict, float], ...]:
        """Return each with its verdict."""
        return (
            (Verdict.INTERESTING, self.interesting),
            (Verdict.UNINTERESTING, self.uninteresting),
        )


class _Seen:
    """What came of the candidates of one stage."""

    def __init__(self) -> None:
        self.last: dict[int, Verdict] = {}
        self.successes = FIRST_ODDS
        self.resolved = HIGHEST_ODDS
        self.unresolved: set[str] = set()
        """Kinds of which the last one was unresolved, as it is if it hangs."""


class Foresight:
    """Remembers, for each stage, what came of a drop last, and how many of the last few worked."""

    def __init__(self) -> None:
        self._seen: dict[Stage, _Seen] = {}

    def forget_all_but(self, *stages: Stage) -> None:
        """Keep what is known of these stages; others are over."""
        self._seen = {stage: self._seen[stage] for stage in stages if stage in self._seen}

    def learn(self, candidate: Candidate, stage: Stage, verdict: Verdict) -> None:
        """Take note of what came of a candidate."""
        seen = self._seen.setdefault(stage, _Seen())
        is_resolved = verdict is not Verdict.UNRESOLVED
        if candidate.edit.verb == "drop":
            seen.last[candidate.edit.deltas.key] = verdict
            (seen.unresolved.discard if is_resolved else seen.unresolved.add)(candidate.name)
        seen.successes += _step(seen.successes, is_so=verdict is Verdict.INTERESTING)
        seen.resolved += _step(seen.resolved, is_so=is_resolved)

    def odds(self, question: RoundQuestion, stage: Stage) -> Odds:
        """Return how likely each verdict is."""
        edit, seen = question.candidate.edit, self._seen.get(stage) or _Seen()
        interesting = seen.successes if question.odds is None else question.odds
        if edit.verb == "drop":
            last = seen.last.get(edit.deltas.key)
            if last is Verdict.INTERESTING:
                interesting = REPEATED_ODDS
            elif last is not None:
                interesting = min(interesting, 1 - REPEATED_ODDS)
            elif question.candidate.name in seen.unresolved:
                interesting = HUNG_ODDS
        interesting = min(HIGHEST_ODDS, max(1 - HIGHEST_ODDS, interesting))
        return Odds(interesting, (1 - interesting) * min(HIGHEST_ODDS, seen.resolved))


def _step(estimate: float, *, is_so: bool) -> float:
    """Return by how much one more observation moves an estimate."""
    return (is_so - estimate) / REMEMBERED_CANDIDATES


@dataclass(slots=True, eq=False)
class Bet:
    """A question that the search asks after certain outcomes of those before it."""

    question: RoundQuestion
    stage: Stage
    digest: Hashable
    ticket: object
    """What its test goes by: the digest, or itself alone if nothing is to be shared."""
    checkpoint: Checkpoint
    position: int
    """How many questions of the same round come before it."""
    cost: Cost
    cursor: SearchCursor | None
    """The search as it asks this; None if it has gone on from here."""
    before: "Bet | None"
    came_by: Outcome | None
    """The outcome of the question before it that leads here."""
    repeats: Outcome | None = None
    """The outcome of the same content on the way here: that is not tested twice."""
    known: Answer | BaseException | None = None
    recalled: bool = False
    """Whether the memo knew it."""
    children: "dict[Effect, Bet | SearchEnd]" = field(default_factory=dict)
    held: dict[Effect, float] = field(default_factory=dict)
    """Where the search did not go on ahead of time, and how likely that was."""

    @property
    def memo_key(self) -> Hashable:
        """The key of its answer in the memo: answers of stages that want diagnostics are apart.

        Other answers may have diagnostics, too: if the same content was tested for such a stage
        before, ahead of time or in an earlier run. Nothing may depend on that.
        """
        return (self.digest, "diagnosed") if self.stage.wants_diagnostics else self.digest

    def earlier(self) -> "Iterator[tuple[Bet, Outcome]]":
        """Go back through the questions on the way here, with their outcomes."""
        bet = self
        while bet.before is not None and bet.came_by is not None:
            yield bet.before, bet.came_by
            bet = bet.before

    def independent_outcome(self, outcomes: Sequence[tuple[Outcome, float]]) -> Outcome | None:
        """Return the likeliest outcome, if the next question is the same after each."""
        if not self.question.is_independent or not outcomes:
            return None
        return max(outcomes, key=itemgetter(1))[0]


class Branch(NamedTuple):
    """An outcome of a question that was looked at; the likeliest comes first when sorted."""

    negative_odds: float
    """Of the question that follows to be asked at all."""
    number: int
    bet: Bet
    outcome: Outcome
    path_odds: float
    """Of all outcomes on the way there: less, where the same is asked whatever some of them are."""
    expanded: Round | None
    """A round whose questions another branch looks at."""


class SearchEnd(NamedTuple):
    """The end of the search, and what it has found."""

    found: object


BETS_A_WORKER = 8
"""How many questions are looked at for each worker but the first, if the verdicts of most of them
are known: enough to ride out one slow test."""
CERTAIN_ODDS = 1.0
LEAST_ODDS = 0.005
"""What is less likely than this to be asked is not tested: many workers would be busy with hardly
anything else, and what is likelier would wait until all of that is thought of."""


@dataclass(slots=True)
class Bets:
    """The tree of questions that are still possible; its root is to be committed next.

    Only the scheduler's thread uses it.
    """

    start: SearchStart
    stage: Stage | None
    """That of rounds which do not name one."""
    memo: Memo
    announce: Announce
    known: dict[object, Answer | BaseException] = field(default_factory=dict)
    """The answers of tests that were run ahead, by ticket."""
    _foresight: Foresight = field(default_factory=Foresight)
    _root: Bet | SearchEnd = field(init=False)
    _checkpoint: Checkpoint | None = None
    _settled: list[Outcome] = field(default_factory=list)
    """What was committed of the round that is being committed, ``_checkpoint``."""

    def __post_init__(self) -> None:
        self._root = self._standing_at(SearchCursor(self.start, announce=self.announce))

    @property
    def first(self) -> Bet | None:
        """The question that is to be committed next; None: the search has come to its end."""
        return self._root if isinstance(self._root, Bet) else None

    @property
    def found(self) -> object:
        """What the search has found, at its end."""
        return self._root.found if isinstance(self._root, SearchEnd) else None

    @property
    def possible(self) -> set[object]:
        """The tickets of all questions that were thought of, and may still be asked."""
        return {bet.ticket for bet in self._thought_of()}

    def likeliest(self, width: float) -> Iterator[tuple[float, Bet]]:
        """Yield the likeliest questions that take a test, one for each worker, and their odds.

        The questions of a round over independent edits are asked whatever comes of each. So the
        branch of the likeliest outcome keeps the odds to be *asked*; the others have only those of
        their *path*, and know that the round is ``expanded`` already. An example: three edits, each
        works one time in four; if none does, D comes next. Branches are (asked, path)::

            looked at   asked  path   if it does not work    if it works
            A           1      1      to B: (1, 0.75)        to B: (0.25, 0.25), expanded
            B           1      0.75   to C: (1, 0.56)        to C: (0.19, 0.19), expanded
            C, the last 1      0.56   to D: (0.42, 0.42)     to D': (0.14, 0.14)

        Three workers test A, B and C, although the path to C has odds of 0.56 only. A fourth one
        tests D: the other way to B needs no test of its own, as equal content shares one.
        """
        if not isinstance(self._root, Bet):
            return
        yielded, looked_at, numbers = set[object](), 1, count()
        branches: list[Branch] = []
        horizon = 1 + BETS_A_WORKER * (width - 1)
        bet, asked_odds, path_odds, expanded = self._root, CERTAIN_ODDS, CERTAIN_ODDS, None
        while True:
            if self._look_up(bet) is None and bet.ticket not in yielded:
                yielded.add(bet.ticket)
                yield asked_odds, bet
            if len(yielded) >= width or looked_at >= horizon:
                return
            outcomes = list(self._outcomes(bet))
            here = bet.checkpoint.round_
            main = None if expanded is here else bet.independent_outcome(outcomes)
            for outcome, share in outcomes:
                path = path_odds * share
                odds = asked_odds if outcome is main else path
                others = expanded if main is None or outcome is main else here
                if odds >= LEAST_ODDS:
                    branch = Branch(-odds, next(numbers), bet, outcome, path, others)
                    heappush(branches, branch)
            following = self._next_branch(branches)
            if following is None:
                return
            bet, asked_odds, path_odds, expanded = following
            looked_at += 1

    def take_in(self, bet: Bet, answer: Answer | BaseException) -> None:
        """Take note of what a test said, also if nobody can ask for it any more."""
        if isinstance(answer, Answer):
            self._foresight.learn(bet.question.candidate, bet.stage, answer.verdict)
        if self.memo.shares or bet.ticket in self.possible:
            self.known[bet.ticket] = answer

    def prefer_first_to_finish(self) -> None:
        """Let the first wanted verdict decide the present round, though earlier ones are open.

        The papers' ``parallel break`` (``000`` Alg. 3): quicker, but not repeatable.
        """
        if not isinstance(self._root, Bet) or isinstance(self._root.checkpoint.round_, EveryRound):
            return
        checkpoint = self._root.checkpoint
        in_round = {bet.ticket: bet for bet in self._in_round(self._root)}
        for ticket, known in self.known.items():
            verdict = known.verdict if isinstance(known, Answer) else Verdict.UNRESOLVED
            if ticket in in_round and verdict in checkpoint.round_.wanted:
                before = self._open_outcomes(in_round[ticket])
                self._move_to(in_round[ticket], checkpoint, before)
                return

    def next_known(self) -> Bet | None:
        """Return the question that is to be committed next, if its verdict is known by now."""
        if isinstance(self._root, Bet) and self._look_up(self._root) is not None:
            self.known.pop(self._root.ticket, None)
            return self._root
        return None

    def enter(self, stage: Stage) -> None:
        """Forget what helped to guess in stages that are over."""
        self._foresight.forget_all_but(stage, *(bet.stage for bet in self._thought_of()))

    def settle(self, bet: Bet, outcome: Outcome) -> None:
        """Give the search the outcome of the first question for good; it goes on from there."""
        checkpoint = bet.checkpoint
        following = bet.children.get(checkpoint.effect(outcome))
        if following is None:
            cursor = bet.cursor or SearchCursor.back_at(checkpoint, self._settled_of(checkpoint))
            cursor.odds = CERTAIN_ODDS
            cursor.tell(outcome, self.announce)
            following = self._standing_at(cursor)
        self._move_to(following, checkpoint, [outcome])

    def skip(self, bet: Bet, skip: Skip) -> None:
        """End the stage of the first question, which is not asked any more."""
        checkpoint, cost = bet.checkpoint, bet.cost
        cursor = SearchCursor.decided(checkpoint, skip, cost, announce=self.announce)
        self._move_to(self._standing_at(cursor), checkpoint, [])

    def _move_to(
        self, root: Bet | SearchEnd, checkpoint: Checkpoint, outcomes: Sequence[Outcome]
    ) -> None:
        """Go on from another question, after these verdicts on a round; all others are over."""
        if checkpoint is not self._checkpoint:
            self._checkpoint, self._settled = checkpoint, []
        self._settled += outcomes
        self._root = root
        if isinstance(root, Bet):
            root.before = root.came_by = None

    def _thought_of(self) -> Iterator[Bet]:
        """Yield all questions of the tree."""
        waiting = [self._root]
        while waiting:
            bet = waiting.pop()
            if isinstance(bet, Bet):
                yield bet
                waiting += bet.children.values()

    def _standing_at(
        self, cursor: SearchCursor, before: Bet | None = None, outcome: Outcome | None = None
    ) -> Bet | SearchEnd:
        """Return the question that a search asks now."""
        question = cursor.question
        if question is None:
            return SearchEnd(cursor.found)
        checkpoint = cursor.checkpoint
        stage = checkpoint.round_.stage or self.stage
        assert stage is not None  # noqa: S101 - one or the other names the case
        digest = stage.case.digest(question.candidate)
        # A test that may be cut off early is not one that may not.
        ticket = (
            (digest, stage.short_timeout, stage.wants_diagnostics) if self.memo.shares else object()
        )
        bet = Bet(
            *(question, stage, digest, ticket, checkpoint),
            *(cursor.position, cursor.cost, cursor, before, outcome),
        )
        bet.repeats = next(
            (outcome for each, outcome in bet.earlier() if each.ticket == ticket), None
        )
        return bet

    def _next_branch(self, branches: list[Branch]) -> tuple[Bet, float, float, Round | None] | None:
        """Go to the likeliest question that was not looked at yet; None if there is none."""
        while branches:
            branch = heappop(branches)
            odds = -branch.negative_odds
            following = self._after(branch.bet, branch.outcome, odds)
            if isinstance(following, Bet):
                return following, odds, branch.path_odds, branch.expanded
        return None

    def _after(self, bet: Bet, outcome: Outcome, odds: float) -> Bet | SearchEnd | None:
        """Return what the search asks after this outcome of a question; None: it is held there."""
        effect = bet.checkpoint.effect(outcome)
        following = bet.children.get(effect)
        if following is None and odds > bet.held.get(effect, 0.0):
            cursor = self._cursor_after(bet, outcome, odds)
            if cursor.is_held:
                bet.held[effect] = odds
                return None
            following = bet.children[effect] = self._standing_at(cursor, bet, outcome)
        return following

    def _cursor_after(self, bet: Bet, outcome: Outcome, odds: float) -> SearchCursor:
        """Return the search after this outcome of a question.

        A verdict that ends the round needs no candidates of it: so the search that has asked, and
        has come that far in the round, is left for the other verdicts.
        """
        checkpoint, round_ = bet.checkpoint, bet.checkpoint.round_
        if isinstance(round_, FirstRound) and outcome.verdict in round_.wanted:
            pick = Pick(bet.position, outcome.verdict, bet.question.candidate)
            cost = bet.cost.after(is_test=outcome.is_test, is_final=outcome.is_final)
            answer = reply_of(round_, pick, outcome.diagnostics)
            return SearchCursor.decided(checkpoint, answer, cost, odds)
        cursor, bet.cursor = bet.cursor, None
        if cursor is None:
            before = [*self._settled_of(checkpoint), *self._open_outcomes(bet)]
            cursor = SearchCursor.back_at(checkpoint, before)
        cursor.odds = odds
        cursor.tell(outcome)
        return cursor

    def _settled_of(self, checkpoint: Checkpoint) -> list[Outcome]:
        """Return what was committed of a round."""
        return self._settled if checkpoint is self._checkpoint else []

    def _open_outcomes(self, bet: Bet) -> list[Outcome]:
        """Return the assumed outcomes of the questions of the same round before this one."""
        found = [outcome for each, outcome in bet.earlier() if each.checkpoint is bet.checkpoint]
        return found[::-1]

    def _in_round(self, bet: Bet) -> Iterator[Bet]:
        """Yield the questions of a round that were thought of, in order."""
        following: Bet | None = bet
        while following is not None:
            yield following
            after = following.children.values()
            same = (each for each in after if isinstance(each, Bet))
            following = next((each for each in same if each.checkpoint is bet.checkpoint), None)

    def _look_up(self, bet: Bet) -> Answer | BaseException | None:
        """Return what is known of a question by now, from its own test or from the memo."""
        if bet.known is None:
            bet.known = self.known.get(bet.ticket)
        if bet.known is None:
            bet.known = self.memo.recall(bet.question.candidate, bet.memo_key)
            bet.recalled = bet.known is not None
        return bet.known

    def _outcomes(self, bet: Bet) -> Iterator[tuple[Outcome, float]]:
        """Yield what may come of a question, and how likely that is."""
        same = bet.repeats if bet.repeats is not None and bet.repeats.is_final else None
        is_test = not bet.recalled and same is None
        if isinstance(bet.known, Answer):
            yield Outcome.of(bet.known, bet.stage, is_test=is_test), CERTAIN_ODDS
        elif same is not None:  # the same content is not tested twice
            yield same._replace(is_test=is_test), CERTAIN_ODDS
        elif bet.known is None:
            odds = self._foresight.odds(bet.question, bet.stage)
            wanted = bet.checkpoint.round_.wanted
            shares = {verdict: share for verdict, share in odds.items() if verdict in wanted}
            # Nobody can guess diagnostics, on which it depends what the search asks next.
            if not bet.stage.wants_diagnostics:
                shares[Verdict.UNRESOLVED] = CERTAIN_ODDS - sum(shares.values())
            yield from ((Outcome(verdict, is_test), share) for verdict, share in shares.items())
