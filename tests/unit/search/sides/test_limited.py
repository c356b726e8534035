"""limited: a search may take so many tests, and the sides that it has reached are kept."""

from collections.abc import Callable
from functools import partial
from math import inf
from typing import cast

import pytest

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.sides.dd import Pair, dd
from wynot.search.sides.limited import Limited, limited

WHOLE = Pair(NONE, Deltas.first(64))


def none(_candidate: Candidate) -> bool:
    return False


def needs(delta: int) -> Callable[[Deltas], Verdict]:
    return lambda kept: Verdict.INTERESTING if delta in kept else Verdict.UNINTERESTING


def started(until: float, is_wasted: Callable[[Candidate], bool] = none) -> SearchCursor:
    return SearchCursor(lambda: limited(WHOLE, until, is_wasted, dd(WHOLE)))


def asked(cursor: SearchCursor, test: Callable[[Deltas], Verdict]) -> tuple[Limited, int]:
    tests = 0
    while cursor.question is not None:
        cursor.tell(Outcome(test(cursor.question.candidate.kept)))
        tests += 1
    return cast("Limited", cursor.found), tests


@pytest.mark.parametrize("until", [6, 7, inf])
def test_what_needs_no_more_comes_to_its_end(until: float) -> None:
    (found, reached), tests = asked(started(until), needs(40))
    assert found == reached == Pair(Deltas.first(40), Deltas.first(41))
    assert tests == 6


@pytest.mark.parametrize("until", range(6))
def test_what_needs_more_is_left_where_it_is(until: int) -> None:
    (found, reached), tests = asked(started(until), needs(40))
    assert (found, tests) == (None, until)
    assert len(reached.failing.toggle(reached.passing)) == 64 >> until


def test_what_is_not_resolved_counts_and_moves_no_side() -> None:
    (found, reached), tests = asked(started(9), lambda _kept: Verdict.UNRESOLVED)
    assert (found, reached, tests) == (None, WHOLE, 9)


def test_what_takes_no_test_counts_as_one() -> None:
    cursor, asked_for = started(5, lambda _candidate: True), 0
    while cursor.question is not None:
        cursor.tell(Outcome(Verdict.UNRESOLVED, is_test=False))
        asked_for += 1
    assert asked_for == 5


@pytest.mark.parametrize("verdict", Verdict)
def test_the_way_back_leads_to_the_same_question(verdict: Verdict) -> None:
    cursor = started(20)
    for said in (Verdict.UNINTERESTING, Verdict.UNRESOLVED, Verdict.INTERESTING, verdict):
        assert cursor.question is not None
        back = SearchCursor.back_at(cursor.checkpoint, [])
        assert back.question == cursor.question
        back.tell(Outcome(said))
        cursor.tell(Outcome(said))
        assert back.question == cursor.question
        assert back.cost == cursor.cost
    test = partial(needs, 33)()
    assert asked(back, test) == asked(cursor, test)
