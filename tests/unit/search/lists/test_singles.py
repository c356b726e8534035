"""singles: each unit left out alone."""

from collections.abc import Callable
from math import inf
from typing import cast

import pytest

from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.lists.singles import singles

UNITS = [Deltas((each, each + 2)) for each in range(0, 12, 2)]
WHOLE = Deltas.first(12)


def asked(
    says: Callable[[Deltas], Verdict], most: float = inf
) -> tuple[tuple[int, ...], list[Deltas]]:
    """Return what is found, and what was left out for each question."""
    gone: list[Deltas] = []
    cursor = SearchCursor(lambda: singles(WHOLE, UNITS, most))
    while cursor.question is not None:
        kept = cursor.question.candidate.kept
        gone.append(WHOLE.toggle(kept))
        cursor.tell(Outcome(says(kept)))
    return cast("tuple[int, ...]", cursor.found), gone


def without(*needed: int) -> Callable[[Deltas], Verdict]:
    """Return a test that fails as long as it has all of these."""
    return lambda kept: (
        Verdict.INTERESTING if all(each in kept for each in needed) else Verdict.UNINTERESTING
    )


def test_all_are_found_whatever_comes_of_the_others() -> None:
    found, gone = asked(without(3, 4, 11))
    assert found == (1, 2, 5)
    assert gone == UNITS


def test_what_cannot_be_told_is_not_found() -> None:
    assert asked(lambda _: Verdict.UNRESOLVED) == ((), UNITS)
    assert asked(lambda _: Verdict.INTERESTING) == ((), UNITS)


@pytest.mark.parametrize(("most", "found", "tests"), [(1, (1,), 2), (2, (1, 2), 3), (0, (), 0)])
def test_it_ends_with_the_first_ones(most: int, found: tuple[int, ...], tests: int) -> None:
    said, gone = asked(without(3, 4, 11), most)
    assert (said, len(gone)) == (found, tests)
