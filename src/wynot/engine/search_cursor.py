"""A search under way, and the way back to any of its rounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

from wynot.core.answer import Answer
from wynot.core.diagnostics import NO_DIAGNOSTICS, Diagnostics
from wynot.core.round import (
    Cost,
    CostRound,
    Diagnosed,
    Pick,
    Reply,
    Round,
    Search,
    Skip,
    Stage,
    TestRound,
)
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundInProgress, RoundQuestion, answer_round

SearchStart = Callable[[], Search[object]]
Announce = Callable[[str], None]
"""Says what the search does before its next question."""


def announce_nothing(_doing: str) -> None:
    """Announce nothing: the search runs ahead, and the workers are busy."""


class Outcome(NamedTuple):
    """What comes of a question, for good or as a bet."""

    verdict: Verdict
    is_test: bool = True
    """Whether it takes a test, or is known from the memo."""
    is_final: bool = True
    """Whether the test had all its time."""
    diagnostics: Diagnostics = NO_DIAGNOSTICS
    """What the program reports, in a stage that wants that."""

    @classmethod
    def of(cls, answer: Answer, stage: Stage, *, is_test: bool) -> "Outcome":
        """Return the outcome of a question that has this answer in a stage."""
        diagnostics = answer.diagnostics if stage.wants_diagnostics else None
        return cls(answer.verdict, is_test, answer.is_final, diagnostics or NO_DIAGNOSTICS)


Plain = TypeVar("Plain", bound=Reply)
Effect: TypeAlias = tuple[Verdict | None, bool, bool, Diagnostics]
"""What of a verdict can change the questions to come."""


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """A round, and how to come to it: from a start, by way of these answers."""

    round_: TestRound
    start: SearchStart
    answers: tuple[Reply, ...]
    cost: Cost
    """What was spent before it."""

    def effect(self, outcome: Outcome) -> Effect:
        """Return what can change the questions to come: all unwanted verdicts are alike."""
        wanted = outcome.verdict if outcome.verdict in self.round_.wanted else None
        return wanted, outcome.is_test, outcome.is_final, outcome.diagnostics


def reply_of(round_: Round, answer: Plain, diagnostics: Diagnostics) -> Plain | Diagnosed:
    """Return the reply to a round, with the diagnostics if its stage wants them."""
    if round_.stage is None or not round_.stage.wants_diagnostics:
        return answer
    return Diagnosed(answer if isinstance(answer, Pick) else None, diagnostics)


class SearchCursor:
    """A search and the settling of its present round, as one stream of questions.

    ``question`` is what it asks now (None: it has ended with ``found``), ``checkpoint`` the round
    that belongs to, ``position`` how many questions that round had before. Only the scheduler's
    thread uses it.
    """

    question: RoundQuestion | None
    checkpoint: Checkpoint
    position: int
    found: object
    odds: float
    """How likely it is that the search goes this way."""
    is_held: bool = False
    """Whether it does not go on yet, since that is not likely enough for what it would take."""

    def __init__(
        self,
        start: SearchStart,
        checkpoint: Checkpoint | None = None,
        announce: Announce = announce_nothing,
        odds: float = 1.0,
    ) -> None:
        """Begin at the start, or at a round of an earlier course."""
        self.odds = odds
        self._search = start()
        self._progress: RoundInProgress
        self._round: TestRound
        """The present round; one with candidates of its own, which no other cursor takes."""
        self.cost = Cost() if checkpoint is None else checkpoint.cost
        if checkpoint is None:
            self._enter(None, start, (), announce)
            return
        round_ = next(self._search)
        for answer in checkpoint.answers:
            round_ = self._search.send(answer)
        assert not isinstance(round_, CostRound)  # noqa: S101 - it is the one of the checkpoint
        self._round = round_
        self.checkpoint = checkpoint

    @classmethod
    def back_at(cls, checkpoint: Checkpoint, outcomes: Sequence[Outcome]) -> "SearchCursor":
        """Return the course as it was at a round after these outcomes of its first questions."""
        cursor = cls(checkpoint.start, checkpoint)
        cursor.position, cursor._progress = 0, answer_round(cursor._round)
        cursor.question = next(cursor._progress)
        for outcome in outcomes:
            cursor.tell(outcome)
        return cursor

    @classmethod
    def decided(
        cls,
        checkpoint: Checkpoint,
        answer: Pick | Diagnosed | Skip,
        cost: Cost,
        odds: float = 1.0,
        announce: Announce = announce_nothing,
    ) -> "SearchCursor":
        """Return the course after something has decided a round; other candidates are not made."""
        cursor = cls(checkpoint.start, checkpoint, odds=odds)
        cursor.cost = cost
        cursor._answer(answer, announce)
        return cursor

    def tell(self, outcome: Outcome, announce: Announce = announce_nothing) -> None:
        """Reply the question, and go on to the next."""
        verdict, is_test, is_final, diagnostics = outcome
        self.cost = self.cost.after(is_test=is_test, is_final=is_final)
        try:
            self.question = self._progress.send(verdict)
            self.position += 1
        except StopIteration as end:
            self._answer(reply_of(self.checkpoint.round_, end.value, diagnostics), announce)

    def _answer(self, answer: Reply, announce: Announce) -> None:
        """Reply the present round, and go on to the next."""
        checkpoint = self.checkpoint
        self._enter(answer, checkpoint.start, (*checkpoint.answers, answer), announce)

    def _enter(
        self, answer: Reply, start: SearchStart, answers: tuple[Reply, ...], announce: Announce
    ) -> None:
        """Go to the next round that has a question."""
        while True:
            try:
                round_ = self._search.send(answer)
            except StopIteration as end:
                self.question, self.found = None, end.value
                return
            if round_.again is not None:
                start, answers = round_.again, ()
            if isinstance(round_, CostRound):
                if round_.least_odds > self.odds:
                    self.question, self.found, self.is_held = None, None, True
                    return
                if round_.doing:
                    announce(round_.doing)
                answer = self.cost
            else:
                self.checkpoint, self.position = Checkpoint(round_, start, answers, self.cost), 0
                self._round, self._progress = round_, answer_round(round_)
                try:
                    self.question = next(self._progress)
                except StopIteration as end:  # nothing to test: no candidates
                    answer = end.value
                else:
                    return
            answers = (*answers, answer)
