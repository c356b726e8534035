"""patient: a search is left when its tests tell nothing."""

from collections.abc import Callable
from typing import cast

import pytest

from wynot.core.deltas import NONE, Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.sides.dd import Pair, dd
from wynot.search.sides.limited import patient

WHOLE = Pair(NONE, Deltas.first(64))


def asked(rounds: int, test: Callable[[Deltas], Verdict]) -> tuple[Pair, int]:
    """Return what is found, and in how many tests."""
    cursor, tests = SearchCursor(lambda: patient(WHOLE, rounds, dd(WHOLE))), 0
    while cursor.question is not None:
        cursor.tell(Outcome(test(cursor.question.candidate.kept)))
        tests += 1
    return cast("Pair", cursor.found), tests


def test_it_is_the_search_itself_if_tests_are_resolved() -> None:
    found, tests = asked(
        1, lambda kept: Verdict.INTERESTING if 40 in kept else Verdict.UNINTERESTING
    )
    assert list(found.failing.toggle(found.passing)) == [40]
    assert tests == 6


@pytest.mark.parametrize(("rounds", "tests"), [(1, 4), (2, 12)])
def test_it_is_left_after_rounds_that_tell_nothing(rounds: int, tests: int) -> None:
    assert asked(rounds, lambda _kept: Verdict.UNRESOLVED) == (WHOLE, tests)


def test_what_was_found_before_is_kept() -> None:
    """The last 16 have to be there together, or not at all."""

    def test(kept: Deltas) -> Verdict:
        some = sum(each in kept for each in range(48, 64))
        if 0 < some < 16:
            return Verdict.UNRESOLVED
        return Verdict.INTERESTING if some else Verdict.UNINTERESTING

    found, tests = asked(1, test)
    assert found == Pair(Deltas.first(48), Deltas.first(64))
    assert tests == 2 + 4


def test_the_way_back_leads_to_the_same_question() -> None:
    cursor = SearchCursor(lambda: patient(WHOLE, 2, dd(WHOLE)))
    for verdict in (Verdict.UNINTERESTING, Verdict.UNRESOLVED, Verdict.INTERESTING):
        assert cursor.question is not None
        back = SearchCursor.back_at(cursor.checkpoint, [])
        for _ in range(cursor.position):
            back.tell(Outcome(Verdict.UNRESOLVED))
        assert back.question is not None
        assert back.question.candidate == cursor.question.candidate
        cursor.tell(Outcome(verdict))
