"""The questions of a story as the engine asks them, and what they have come to."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, cast

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.events import LevelStarted, Narrowed
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.memo import ByContent
from wynot.engine.recorder import Commit, Recorder
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.questions import Question, clipped, in_words
from wynot.search.sides.dd import Pair

Subject = TypeVar("Subject")


class Impossible(bytes):
    """The digest of a candidate that cannot exist: it is not tested."""

    __slots__ = ()


class VerdictMemo(ByContent):
    """The verdicts of candidates by their content; what cannot exist is unresolved."""

    def recall(self, candidate: Candidate, digest: Hashable) -> Answer | None:
        """Return the answer, if it is known without a test."""
        if isinstance(digest, Impossible):
            return Answer(Verdict.UNRESOLVED)
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
    """A question of a story, or a guess."""

    recorder: Recorder
    found: tuple[object, ...]
    """What the story had found before it asked this."""
    on_verdict: Callable[[Commit], None] | None = None
    """Counts a verdict, if not as usual."""

    @property
    def circumstances(self) -> Circumstances[Any]:
        """What the candidates are cut from."""
        return cast("PossibleCase[Any]", self.case).circumstances


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NarrowingStage(QuestionStage):
    """A question that narrows two sides."""

    memo: ByContent
    question: Question
    levels: Sequence[Level]
    pair: Pair

    @property
    def best(self) -> Pair:
        """The sides that it has come to, at any moment."""
        moved = Pair(self.recorder.passing, self.recorder.failing)
        return self.question.best(self.pair, moved, self.recorder.trace)

    def begin(self) -> Iterator[LevelStarted]:
        """Begin with both sides; yield how much there is to narrow, if it is more than one."""
        self._take_sides()
        level, units = in_words(self.levels, self.pair)
        if units > 1:
            yield LevelStarted(self.question.name, level, units)

    def progress(self, tests: int) -> Narrowed:
        """Return how much there is still to narrow, after so many tests."""
        return Narrowed(self.question.name, *in_words(self.levels, self.best), tests)

    def minimal(self, found: Pair) -> str:
        """Return the kind of groups of which it is proved that none can change sides, or none."""
        self._take_sides()  # if it asked nothing, it has not begun
        is_proved = self.question.proof(self.recorder, found, clipped(self.levels[-1], found))
        return self.levels[-1].name if is_proved else ""

    def _take_sides(self) -> None:
        """Have what is known of the sides count as proof."""
        for side in self.pair:
            candidate = Candidate.whole(side)
            known = self.memo.recall(candidate, self.case.digest(candidate))
            if known is not None:
                self.recorder.checked(side, known.verdict)


class Reached(NamedTuple):
    """The sides that a question has come to."""

    pair: Pair
    stage: NarrowingStage | None = None
    """The last one, if it came to its end."""
    is_ended: bool = False
    """Whether the inquiry has ended in the midst of the question."""

    @property
    def deltas(self) -> Deltas:
        """The difference between the two."""
        return self.pair.failing.toggle(self.pair.passing)

    @property
    def minimal(self) -> str:
        """Of which kind of groups it is proved that none can change sides."""
        return self.stage.minimal(self.pair) if self.stage else ""
