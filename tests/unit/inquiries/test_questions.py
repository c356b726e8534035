"""Questions about deltas that come with others."""

from typing import cast

from wynot.core.deltas import NONE, Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.inquiries.circumstances import Level
from wynot.inquiries.questions import Question, cause_among, cure_among
from wynot.search.sides.dd import Pair

LEVEL = Level("packages", [Deltas.of([each]) for each in range(4)])
WHOLE = Pair(NONE, Deltas.first(4))


def closed(deltas: Deltas) -> Deltas:
    """Return deltas with what they bring along: the last one brings the one before it."""
    return Deltas.of([*deltas, *([2] if 3 in deltas else [])])


def found(question: Question, interesting: list[set[int]]) -> tuple[Pair, list[set[int]]]:
    asked = []
    cursor = SearchCursor(lambda: question.search(WHOLE, [LEVEL]))
    while cursor.question is not None:
        kept = set(closed(cursor.question.candidate.kept))
        asked.append(kept)
        is_so = kept in interesting
        cursor.tell(Outcome(Verdict.INTERESTING if is_so else Verdict.UNINTERESTING))
    return cast("Pair", cursor.found), asked


def test_what_is_brought_along_may_be_enough() -> None:
    fails = [{0, 1, 2, 3}, {2, 3}, {2}]  # and not {0, 1, 2}, by which it could have been found
    (_, cause), _ = found(cause_among(closed), fails)
    assert list(cause) == [2]


def test_what_is_brought_along_is_tried_without_what_brings_it() -> None:
    (_, cause), asked = found(cause_among(closed), [{0, 1, 2, 3}, {2, 3}])
    assert list(cause) == [3]
    assert {2} in asked


def test_a_guess_that_is_right_takes_one_question() -> None:
    (passing, _), asked = found(cure_among(closed, Deltas.of([1])), [{0, 1, 2, 3}])
    assert (list(passing), asked) == ([0, 2, 3], [{0, 2, 3}])


def test_a_guess_that_is_wrong_does_no_harm() -> None:
    fails = [{0, 1, 2, 3}, {0, 2, 3}, {1, 2, 3}, {2, 3}]
    (passing, _), asked = found(cure_among(lambda each: each, Deltas.of([1])), fails)
    assert asked[0] == {0, 2, 3}
    assert list(passing) == [0, 1, 2]
