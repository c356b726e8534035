"""Questions that are asked one after the other, each answer looked at once more before it is told.

While that is done, workers are at the next question.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from wynot.core.circumstances import Circumstances, Level
from wynot.core.deltas import NONE
from wynot.core.events import InquiryEnded
from wynot.core.round import Search
from wynot.core.stop import Stop
from wynot.inquiries.asking import AskedAnew
from wynot.inquiries.course import Course, Reached
from wynot.inquiries.inquiry import Inquiry
from wynot.inquiries.questions import Question
from wynot.inquiries.worded import WordAnswer
from wynot.search.dd import Pair

Subject = TypeVar("Subject")


def answer(
    inquiry: Inquiry[Subject],
    questions: Sequence[Question],
    case: Circumstances[Subject],
    word: WordAnswer,
    *,
    levels: Callable[[Question], Sequence[Level]] | None = None,
    out: str = "",
) -> InquiryEnded:
    """Ask one question after the other; tell each answer, and write its files."""
    some = levels or (lambda _question: case.levels)
    _Settling(inquiry, case, word, some, out, [*questions]).run()
    return inquiry.conclude()


@dataclass(slots=True)
class _Settling(Generic[Subject]):
    """Some questions about one case."""

    inquiry: Inquiry[Subject]
    case: Circumstances[Subject]
    word: WordAnswer
    levels: Callable[[Question], Sequence[Level]]
    out: str
    left: list[Question]
    """Those that are not answered yet."""

    def run(self) -> None:
        """Ask them all, more often if asked again the test says something else."""
        inquiry = self.inquiry
        varying = inquiry.varying
        while self.left and varying.sides is None and inquiry.stopped == Stop.FINISHED:
            with suppress(AskedAnew):
                inquiry.narrowing.play(partial(self._asked, tuple(self.left)))
        if self.left and varying.sides is not None:
            first = self.left[0]
            found, told = varying.answer(first.name, self.case, self.word, self.levels(first))
            if told is not None:
                inquiry.report(first.name, told, found.minimal, self.out)

    def _asked(self, questions: Sequence[Question], course: Course[Subject]) -> Search[None]:
        whole = Pair(NONE, self.case.deltas)
        for each in questions:
            course.otherwise = partial(self._tell_so_far, each)
            found = yield from course.narrowed(each, self.case, whole, self.levels(each))
            course.note(partial(self._settle, each, found))

    def _settle(self, question: Question, found: Reached) -> None:
        """Look at an answer once more, and tell it; raise if it has to be asked anew."""
        if not self.inquiry.confirmed(question, self.case, found.pair):
            raise AskedAnew
        self._tell(question, found)
        self.left.remove(question)
        if self.inquiry.narrowing.ending is not None:
            raise self.inquiry.narrowing.ending

    def _tell_so_far(self, question: Question, pair: Pair) -> None:
        self._tell(question, Reached(pair, str))

    def _tell(self, question: Question, found: Reached) -> None:
        told = self.word(question.name, found.deltas)
        self.inquiry.report(question.name, told, found.minimal(), self.out)
