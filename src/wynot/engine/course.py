"""A search under way, and the way back to any of its rounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wynot.core.round import Answer, Cost, Round, Search
from wynot.core.verdict import Verdict
from wynot.engine.settle import Question, Settling, settle

Start = Callable[[], Search[object]]
Announce = Callable[[str], None]
"""Says what the search does before its next question."""


def say_nothing(_doing: str) -> None:
    """Announce nothing: the search runs ahead, and the workers are busy."""


class Told(NamedTuple):
    """A verdict as the search is told of it, for good or as a bet."""

    verdict: Verdict
    is_test: bool = True
    """Whether it takes a test, or is known from the memo."""
    is_final: bool = True
    """Whether the test had all its time."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A round, and how to come to it: from a start, by way of these answers."""

    asked: Round
    start: Start
    answers: tuple[Answer, ...]
    cost: Cost
    """What was spent before it."""

    def effect(self, told: Told) -> tuple[Verdict | None, bool, bool]:
        """Return what can change the questions to come: all unwanted verdicts are alike."""
        wanted = told.verdict if told.verdict in self.asked.wanted else None
        return wanted, told.is_test, told.is_final


class Course:
    """A search and the settling of its present round, as one stream of questions.

    ``question`` is what it asks now (None: it has ended with ``found``), ``place`` the round that
    belongs to, ``position`` how many questions that round had before. Only the scheduler's thread
    uses it.
    """

    question: Question | None
    place: Place
    position: int
    found: object

    def __init__(
        self, start: Start, place: Place | None = None, announce: Announce = say_nothing
    ) -> None:
        """Begin at the start, or at a round of an earlier course."""
        self._search = start()
        self._settling: Settling
        self._cost = Cost() if place is None else place.cost
        if place is None:
            self._enter(None, start, (), announce)
            return
        asked = next(self._search)
        for answer in place.answers:
            asked = self._search.send(answer)
        self.place, self.position = place, 0
        self._settling = settle(asked)
        self.question = next(self._settling)

    @classmethod
    def back_at(cls, place: Place, told: Sequence[Told]) -> "Course":
        """Return the course as it was at a round after it was told these verdicts there."""
        course = cls(place.start, place)
        for each in told:
            course.tell(each)
        return course

    def tell(self, told: Told, announce: Announce = say_nothing) -> None:
        """Answer the question, and go on to the next."""
        verdict, is_test, is_final = told
        self._cost = self._cost.after(is_test=is_test, is_final=is_final)
        try:
            self.question = self._settling.send(verdict)
            self.position += 1
        except StopIteration as end:
            place = self.place
            self._enter(end.value, place.start, (*place.answers, end.value), announce)

    def _enter(
        self, answer: Answer, start: Start, answers: tuple[Answer, ...], announce: Announce
    ) -> None:
        """Go to the next round that has a question."""
        while True:
            try:
                asked = self._search.send(answer)
            except StopIteration as end:
                self.question, self.found = None, end.value
                return
            if asked.again is not None:
                start, answers = asked.again, ()
            if asked.doing:
                announce(asked.doing)
            self.place, self.position = Place(asked, start, answers, self._cost), 0
            self._settling = settle(asked)
            try:
                self.question = next(self._settling)
            except StopIteration as end:  # nothing to test: the cost, or skipped candidates
                answer = self._cost if asked.asks_cost else end.value
                answers = (*answers, answer)
            else:
                return
