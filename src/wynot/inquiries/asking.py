"""What an inquiry asks at a time: a stage of its search, and what is done as it gets there.

The search looks ahead (``engine.bets``), so it must not tell anybody anything. What is to be told
on the way it leaves as *notes*: they are done once all verdicts before them are committed, when the
next stage is entered or the search has come to its end.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.circumstances import Circumstances
from wynot.core.deltas import Deltas
from wynot.core.events import Event
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.commit import Commit
from wynot.engine.recorder import Recorder
from wynot.oracle.memo import ByContent
from wynot.search.dd import Pair

Subject = TypeVar("Subject")
Note: TypeAlias = Callable[[], None]
Otherwise: TypeAlias = Callable[[Pair], None]
"""Done if the inquiry is ended before its time, with the sides that it has come to."""


class AskedAnew(Exception):
    """Asked again, the test says something else: it is asked more often from now on."""


class Impossible(bytes):
    """The digest of a candidate that cannot exist: it is not tested."""

    __slots__ = ()


class VerdictMemo(ByContent):
    """What is known of candidates by their content; what cannot exist is unresolved."""

    def recall(self, candidate: Candidate, digest: Hashable) -> Verdict | None:
        """Return the verdict, if it is known without a test."""
        if isinstance(digest, Impossible):
            return Verdict.UNRESOLVED
        return super().recall(candidate, digest)


@dataclass(frozen=True, slots=True)
class PossibleCase(Generic[Subject]):
    """Circumstances as the engine sees them: the digest says whether a candidate can exist."""

    circumstances: Circumstances[Subject]

    @property
    def deltas(self) -> Deltas:
        """All deltas."""
        return self.circumstances.deltas

    def render(self, candidate: Candidate) -> Subject:
        """Return what the test is given."""
        return self.circumstances.render(candidate)

    def digest(self, candidate: Candidate) -> bytes:
        """Return a key for the candidate."""
        digest = self.circumstances.digest(candidate)
        return Impossible(digest) if self.circumstances.objection(candidate) else digest

    def size(self, deltas: Deltas) -> int:
        """Return how much the test sees."""
        return self.circumstances.size(deltas)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class QuestionStage(Stage):
    """One question, or a guess, in the course of an inquiry."""

    recorder: Recorder
    begin: Note
    """Done as it is entered."""
    count: Callable[[Commit], None]
    """Done with each verdict after it is recorded."""
    best: Callable[[], Pair]
    """The sides that it has come to, at any moment."""
    notes: Sequence[Note]
    """All that is to be told before it."""
    otherwise: Otherwise


class InquiryLedger:
    """Takes the verdicts of an inquiry: each goes to what it was asked for."""

    def __init__(self, observe: Callable[[Event], None]) -> None:
        self.stage: QuestionStage | None = None
        """What is asked now, or was last."""
        self._observe = observe
        self._noted = 0

    def enter(self, stage: Stage) -> None:
        """Begin to ask something, after all that is to be told before it."""
        asking = _asking(stage)
        self.take(asking.notes)
        self.stage = asking
        asking.begin()

    def take(self, notes: Sequence[Note]) -> None:
        """Do what is noted and was not done yet."""
        for note in notes[self._noted :]:
            self._noted += 1
            note()

    def commit(self, commit: Commit) -> None:
        """Take a verdict."""
        asking = _asking(commit.stage)
        asking.recorder.commit(commit)
        self._observe(commit.asked)
        asking.count(commit)


def _asking(stage: Any) -> QuestionStage:
    assert isinstance(stage, QuestionStage)  # noqa: S101 - an inquiry has no other stages
    return stage
