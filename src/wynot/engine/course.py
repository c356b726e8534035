"""A search under way, and the way back to any of its rounds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wynot.core.round import Answer, Round, Search
from wynot.core.verdict import Verdict
from wynot.engine.settle import Question, Settling, settle

Start = Callable[[], Search[object]]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A round, and how to come to it: from a start, by way of these answers."""

    asked: Round
    start: Start
    answers: tuple[Answer, ...]

    def effect(self, verdict: Verdict) -> Verdict | None:
        """Return the verdict if it changes what is asked next, else None: all others are alike."""
        return verdict if verdict in self.asked.wanted else None


class Course:
    """A search and the settling of its present round, as one stream of questions.

    ``question`` is what it asks now (None: it has ended with ``found``), ``place`` the round that
    belongs to, ``position`` how many questions that round had before.
    """

    question: Question | None
    place: Place
    position: int
    found: object

    def __init__(self, start: Start, place: Place | None = None) -> None:
        """Begin at the start, or at a round of an earlier course."""
        self._search = start()
        self._settling: Settling
        if place is None:
            self._enter(None, start, ())
            return
        asked = next(self._search)
        for answer in place.answers:
            asked = self._search.send(answer)
        self.place, self.position = place, 0
        self._settling = settle(asked)
        self.question = next(self._settling)

    @classmethod
    def back_at(cls, place: Place, verdicts: Sequence[Verdict]) -> "Course":
        """Return the course as it was at a round after it was told these verdicts there."""
        course = cls(place.start, place)
        for verdict in verdicts:
            course.tell(verdict)
        return course

    def tell(self, verdict: Verdict) -> None:
        """Answer the question, and go on to the next."""
        try:
            self.question = self._settling.send(verdict)
            self.position += 1
        except StopIteration as end:
            self._enter(end.value, self.place.start, (*self.place.answers, end.value))

    def _enter(self, answer: Answer, start: Start, answers: tuple[Answer, ...]) -> None:
        """Go to the next round that has a question."""
        while True:
            try:
                asked = self._search.send(answer)
            except StopIteration as end:
                self.question, self.found = None, end.value
                return
            if asked.again is not None:
                start, answers = asked.again, ()
            self.place, self.position = Place(asked, start, answers), 0
            self._settling = settle(asked)
            try:
                self.question = next(self._settling)
            except StopIteration as end:  # nothing to ask: a round of skipped candidates
                answer = end.value
                answers = (*answers, answer)
            else:
                return
