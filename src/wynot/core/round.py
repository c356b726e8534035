"""A round: what a search asks at once, and how it wants the answer.

A search is a generator: it yields rounds, is sent answers, and returns what it found. It knows no
test, memo, clock or worker. Three kinds of rounds are enough: *first*, where the order of the
candidates is part of the algorithm; *every*, where the edits are independent of each other; and
*cost*, which runs no test: it asks what all questions have cost so far. A search that is made of
others, such as the plan of a reduction, adds to each round which case its candidates are cut from.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import Deltas
from wynot.core.diagnostics import Diagnostics
from wynot.core.edit import Edit
from wynot.core.verdict import Verdict

ONLY_INTERESTING = frozenset({Verdict.INTERESTING})
RESOLVED = frozenset({Verdict.INTERESTING, Verdict.UNINTERESTING})


class Pick(NamedTuple):
    """The candidate that decided a round: where it stood, and what the test said."""

    position: int
    verdict: Verdict
    candidate: Candidate


class Diagnosed(NamedTuple):
    """The reply to a round of a stage that wants diagnostics: the usual one, and those."""

    pick: Pick | None
    diagnostics: Diagnostics
    """What the program has said of the candidate that was asked about last."""


class Merge(NamedTuple):
    """What became of independent edits: the base with all that worked together taken out."""

    kept: Deltas


class Skip(NamedTuple):
    """The end of a stage before its time: someone has asked for it."""

    kept: Deltas
    """What the stage has reached."""


class Cost(NamedTuple):
    """What the questions of a search have cost so far, in commit order: the same at any width."""

    tests: int = 0
    provisional: int = 0
    """Verdicts of tests that were cut off early, which are to be asked for again."""

    def after(self, *, is_test: bool, is_final: bool) -> "Cost":
        """Return the cost after one more verdict."""
        return Cost(self.tests + is_test, self.provisional + (not is_final))


NO_COST = Cost()

Reply: TypeAlias = Pick | Diagnosed | Merge | Cost | Skip | None
"""What a round is answered with; None: no candidate was what the round wanted."""

Found = TypeVar("Found")
Search: TypeAlias = Generator["Round", Reply, Found]
"""A search: yields rounds, is sent answers, returns what it found."""
Again: TypeAlias = Callable[[], Generator["Round", Reply, object]] | None
"""The way back to a round."""


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """A part of a search that has a case of its own, as a pass of a reduction has."""

    case: Case[Any]
    short_timeout: bool = False
    """Whether its tests may be cut off early."""
    wants_diagnostics: bool = False
    """Whether its rounds, all of the first kind, are answered with the diagnostics of the program,
    too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnyRound:
    """What is true of each round, of whichever kind."""

    iteration: int = 1
    """Which time the search goes through its loop."""
    again: Again = None
    """Makes a search that asks this same round next, and then goes on as this one would.

    With it the engine can look ahead, and take a wrong guess back, without replaying the search
    from its start. A round without it is reached by replaying from the last one that had it.
    """
    so_far: object = None
    """What a search that finds several things has found before this round."""
    stage: Stage | None = None
    """What its candidates are cut from; None: the case that the search was started on."""


@dataclass(frozen=True, slots=True)
class FirstRound(_AnyRound):
    """Asks for the first candidate, in this order, that gets a wanted verdict: the papers' ∃i.

    The reply is a Pick or None. The candidates may be lazy: those after the pick are not made.
    """

    candidates: Iterable[Candidate]
    wanted: frozenset[Verdict] = field(default=ONLY_INTERESTING, kw_only=True)
    odds: float | None = field(default=None, kw_only=True)
    """How likely each candidate is to be interesting, if the search can say: what workers do ahead
    of time depends on it, nothing else."""
    sweep: int | None = field(default=None, kw_only=True)
    """How many questions there are at most from the first of this round to the end of the way over
    all parts that it belongs to, if that is known: for those who want to know how long it takes."""


@dataclass(frozen=True, slots=True)
class EveryRound(_AnyRound):
    """Asks which of these independent drops work, alone and then together.

    The reply is a Merge, or None if none works.
    """

    base: Deltas
    edits: Iterable[Edit]
    sweep: int | None = field(default=None, kw_only=True)
    """As for a first round."""
    wanted: ClassVar = ONLY_INTERESTING


@dataclass(frozen=True, slots=True)
class CostRound(_AnyRound):
    """Asks what all rounds have cost so far. The reply is a Cost; no test is run for it."""

    doing: str = ""
    """What the search does before its next question, if that may take a while."""
    least_odds: float = 0.0
    """How likely it must be that the search comes to this for it to go on ahead of time: what it
    does next takes so long that it is not done on the off chance."""
    iteration: int = field(default=0, kw_only=True)


TestRound: TypeAlias = FirstRound | EveryRound
"""A round that is answered by tests."""
Round: TypeAlias = TestRound | CostRound
"""What a search asks at once."""
