"""The course of an inquiry: its stages, and what each asks, as one search.

The search looks ahead (``engine.bets``), so it must not tell anybody anything. What is to be told
on the way it leaves as *notes*: they are done once all verdicts before them are committed, when the
next stage is entered or the search has come to its end.

So workers that are not needed for the question of the moment work on the one that will come next,
whichever that will be. A course is written as a plain function (``search.script``).
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import WynotError
from wynot.core.events import Event, LevelStarted, Narrowed
from wynot.core.result import Trace
from wynot.core.round import Cost, CostRound, Search, Stage
from wynot.core.verdict import Verdict
from wynot.engine.memo import ByContent
from wynot.engine.recorder import Commit, Recorder
from wynot.inquiries.circumstances import Circumstances, Level
from wynot.inquiries.questions import Question, clipped, in_words
from wynot.search.first_of import first_of, verdict_of
from wynot.search.script import Script
from wynot.search.sides.dd import Pair
from wynot.search.sides.limited import Limited, limited

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
        self._observe(commit.judged)
        asking.count(commit)


def _asking(stage: Any) -> QuestionStage:
    assert isinstance(stage, QuestionStage)  # noqa: S101 - an inquiry has no other stages
    return stage


Subject_contra = TypeVar("Subject_contra", contravariant=True)
Found = TypeVar("Found")


class Books(Protocol[Subject_contra]):
    """Where the tests of an inquiry are counted."""

    memo: ByContent
    tests: int

    def observe(self, event: Event, /) -> None:
        """Tell what happens."""

    def count_test(self, case: Circumstances[Subject_contra], commit: Commit) -> None:
        """Count a verdict that took a test."""


class Reached(NamedTuple):
    """The sides that a question has come to."""

    pair: Pair
    minimal: Callable[[], str]
    """Returns of what kind of groups it is proved that none can change sides; asked at the end."""

    @property
    def deltas(self) -> Deltas:
        """What the two differ in."""
        return self.pair.failing.toggle(self.pair.passing)


class Played(NamedTuple, Generic[Found]):
    """What a course has found, and all that is to be told of it."""

    found: Found | None
    """None: there was an error, which is raised by the last of the notes."""
    notes: Sequence[Note]


def tell_nothing(_pair: Pair) -> None:
    """Tell nothing if it is ended."""


class Course(Generic[Subject]):
    """What a course is made of; each method is a search."""

    def __init__(self, books: Books[Subject], script: Script) -> None:
        self._books = books
        self._script = script
        self.once = script.once
        self._notes: list[Note] = []
        self.otherwise: Otherwise = tell_nothing
        """What to tell if one of the next questions is not answered any more."""

    @classmethod
    def played(
        cls,
        books: Books[Subject],
        write: Callable[["Course[Subject]"], Search[Found]],
        script: Script,
    ) -> Search[Played[Found]]:
        """Follow a course; what goes wrong in it matters only if it really comes to that."""
        course = cls(books, script)
        found = None
        try:
            found = yield from write(course)
        except WynotError as error:
            course.note(partial(_raise, error))
        return Played(found, course._notes)

    def note(self, note: Note) -> None:
        """Have something told once it is known to be so."""
        self._notes.append(note)

    def tests(self, doing: str = "", least_odds: float = 0.0) -> Search[int]:
        """Return how many tests the course has taken.

        ``doing`` says what is done next, if that takes long; and ``least_odds`` how likely it must
        be to come to that for it to be done ahead of time.
        """
        return (yield from self._script.run(partial(_tests, doing, least_odds)))

    def narrowed(
        self,
        question: Question,
        case: Circumstances[Subject],
        pair: Pair,
        levels: Sequence[Level],
        most: float = inf,
    ) -> Search[Reached]:
        """Ask a question, from the coarsest level to the finest.

        ``most`` is how many tests it is worth: after so many the answer is left as it is.
        """
        until = inf if most == inf else most + (yield from self.tests())
        reached = Reached(pair, str)
        for some in [[level] for level in levels] if question.is_by_level else [levels]:
            reached = yield from self._narrow(question, case, some, reached.pair, until)
        return reached

    def first_of(
        self,
        case: Circumstances[Subject],
        kept: Sequence[Deltas],
        wanted: Verdict,
        odds: float | None = None,
    ) -> Search[Deltas | None]:
        """Return the first of some configurations that gets this verdict; None if none does."""
        return (yield from self.run(case, partial(first_of, kept, wanted, odds)))

    def verdict(
        self, case: Circumstances[Subject], kept: Deltas, odds: float | None = None
    ) -> Search[Verdict]:
        """Return what the test says of a configuration."""
        return (yield from self.run(case, partial(verdict_of, kept, odds)))

    def run(
        self,
        case: Circumstances[Subject],
        search: Callable[[], Search[Found]],
        count: Callable[[Circumstances[Subject], Commit], None] | None = None,
    ) -> Search[Found]:
        """Run any search; ``count`` is told of each verdict."""
        asked = PossibleCase(case)
        pair = Pair(NONE, case.deltas)
        stage = self.once(
            lambda: QuestionStage(
                asked,
                recorder=Recorder(asked, *pair),
                begin=lambda: None,
                count=partial(count or self._books.count_test, case),
                best=lambda: pair,
                notes=tuple(self._notes),
                otherwise=self.otherwise,
            )
        )
        return (yield from self._script.run(search, stage))

    def _narrow(
        self,
        question: Question,
        case: Circumstances[Subject],
        levels: Sequence[Level],
        pair: Pair,
        until: float,
    ) -> Search[Reached]:
        stage = self.once(lambda: self._asking(question, case, levels, pair))
        search = partial(question.search, pair, levels)
        if until == inf:
            found = yield from self._script.run(search, stage)
            return Reached(found, partial(self._minimal, question, stage, pair, levels, found))
        within = partial(_limited, pair, until, case, search)
        cut = yield from self._script.run(within, stage)
        if cut.found is None:
            return Reached(question.best(pair, cut.reached, Trace(pair.failing)), str)
        minimal = partial(self._minimal, question, stage, pair, levels, cut.found)
        return Reached(cut.found, minimal)

    def _asking(
        self,
        question: Question,
        case: Circumstances[Subject],
        levels: Sequence[Level],
        pair: Pair,
    ) -> QuestionStage:
        asked = PossibleCase(case)
        recorder = Recorder(asked, *pair, memo_proves=True)

        def best() -> Pair:
            return question.best(pair, Pair(recorder.passing, recorder.failing), recorder.trace)

        def begin() -> None:
            level, units = in_words(levels, pair)
            if units > 1:
                self._books.observe(LevelStarted(question.name, level, units))
            self._take_sides(asked, recorder, pair)

        return QuestionStage(
            asked,
            recorder=recorder,
            begin=begin,
            count=partial(self._count, question, levels, best, case),
            best=best,
            notes=tuple(self._notes),
            otherwise=self.otherwise,
        )

    def _take_sides(self, asked: Case[Any], recorder: Recorder, pair: Pair) -> None:
        """Have what is known of the sides count as proof."""
        for side in pair:
            candidate = Candidate.whole(side)
            known = self._books.memo.recall(candidate, asked.digest(candidate))
            if known is not None:
                recorder.checked(side, known.verdict)

    def _minimal(
        self,
        question: Question,
        stage: QuestionStage,
        pair: Pair,
        levels: Sequence[Level],
        found: Pair,
    ) -> str:
        """Return the kind of groups of which none can change sides."""
        self._take_sides(stage.case, stage.recorder, pair)  # it may not have asked anything
        is_proved = question.proof(stage.recorder, found, clipped(levels[-1], found))
        return levels[-1].name if is_proved else ""

    def _count(
        self,
        question: Question,
        levels: Sequence[Level],
        best: Callable[[], Pair],
        case: Circumstances[Subject],
        commit: Commit,
    ) -> None:
        """Count a verdict, and tell how far it has got."""
        self._books.count_test(case, commit)
        if commit.judged.decided:
            words = in_words(levels, best())
            self._books.observe(Narrowed(question.name, *words, self._books.tests))


def _tests(doing: str, least_odds: float) -> Search[int]:
    cost = yield CostRound(doing, least_odds)
    return cost.tests if isinstance(cost, Cost) else 0


def _limited(
    pair: Pair,
    until: float,
    case: Circumstances[Subject],
    search: Callable[[], Search[Pair]],
) -> Search[Limited]:
    def is_impossible(candidate: Candidate) -> bool:
        return bool(case.objection(candidate))

    return limited(pair, until, is_impossible, search())


def _raise(error: WynotError) -> None:
    raise error
