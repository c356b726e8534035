"""States in a row, each of which can be run any number of times, as a case."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from typing import Generic, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.logs import description_of

Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class StateRuns(Generic[Subject]):
    """Circumstances that are applied one unit after the other; a delta more numbers the run.

    So each run is a question of its own: no memo and no journal takes it for another.
    """

    case: Circumstances[Subject]
    level: Level
    """The units, in the order in which they are applied."""
    begin: Deltas
    """What is applied before the first of them."""

    @property
    def levels(self) -> Sequence[Level]:
        """The one level there is."""
        return [self.level]

    @property
    def deltas(self) -> Deltas:
        """All steps."""
        return Deltas.first(len(self.level.units))

    @property
    def states(self) -> Sequence[Deltas]:
        """What is applied in each state."""
        return list(accumulate(self.level.units, Deltas.toggle, initial=self.begin))

    def state(self, candidate: Candidate) -> int:
        """Return which state a question is about."""
        return candidate.kept.rank(len(self.level.units))

    def render(self, candidate: Candidate) -> Subject:
        """Return what the test is given for any run of a state."""
        return self.case.render(self._whole(candidate))

    def digest(self, candidate: Candidate) -> bytes:
        """Return a key of this run alone: two states may well have the same content."""
        kept = candidate.kept
        name = f"{self.level.name} {self.state(candidate)} {kept.bounds[-1]} "
        return sha256(name.encode() + self.case.digest(self._whole(candidate))).digest()

    def size(self, deltas: Deltas) -> int:
        """Return how many steps there are."""
        return len(deltas)

    def objection(self, candidate: Candidate) -> str:
        """Return why a state cannot exist."""
        return self.case.objection(self._whole(candidate))

    def describe(self, candidate: Candidate) -> str:
        """Return what a state is, in words."""
        return description_of(self.case, self._whole(candidate))

    def _whole(self, candidate: Candidate) -> Candidate:
        applied = self.level.units[: self.state(candidate)]
        kept = Deltas.covering(run for each in (self.begin, *applied) for run in each.runs)
        return Candidate.whole(kept)
