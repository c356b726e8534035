"""A question that may be asked, in the tree of those that are possible (``bets``)."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from wynot.core.round import Cost, Round, Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion
from wynot.engine.search_cursor import Checkpoint, Effect, SearchCursor, Told


@dataclass(slots=True, eq=False)
class Bet:
    """A question that the search asks if it is told certain verdicts."""

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
    told: Told | None
    """What the search was told of the question before it, to come here."""
    repeats: Told | None = None
    """What it was told of the same content on the way here: that is not tested twice."""
    known: Verdict | BaseException | None = None
    recalled: bool = False
    """Whether the memo knew it."""
    children: "dict[Effect, Bet | SearchEnd]" = field(default_factory=dict)
    held: dict[Effect, float] = field(default_factory=dict)
    """Where the search did not go on ahead of time, and how likely that was."""

    @property
    def memo_key(self) -> Hashable:
        """What the memo has its verdict by: one that comes with what was said is another."""
        return (self.digest, "heard") if self.stage.hears else self.digest

    def earlier(self) -> "Iterator[tuple[Bet, Told]]":
        """Go back through the questions on the way here, with what the search was told of them."""
        bet = self
        while bet.before is not None and bet.told is not None:
            yield bet.before, bet.told
            bet = bet.before

    def leading_on(self, outcomes: Sequence[tuple[Told, float]]) -> Told | None:
        """Return the likeliest outcome, if the next question is the same after each."""
        if not self.question.is_independent or not outcomes:
            return None
        return max(outcomes, key=itemgetter(1))[0]


class Branch(NamedTuple):
    """What may be told of a question; sorted, what is likeliest to be told comes first."""

    unlikeliness: float
    """Of the question that follows to be asked."""
    number: int
    bet: Bet
    told: Told
    odds: float
    """Of all verdicts on the way there: less, where the same is asked whatever some of them are."""
    aside: Round | None
    """A round whose questions are thought of already, by another branch."""


class SearchEnd(NamedTuple):
    """The end of the search, and what it has found."""

    found: object
