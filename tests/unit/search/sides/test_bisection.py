"""bisection: the first state that fails, in the steps of ``git bisect``."""

from collections.abc import Callable, Sequence
from math import ceil, log2
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.sides.bisection import Ancestry, bisection

Parents = Sequence[Sequence[int]]


def asked(parents: Parents, judge: Callable[[int], Verdict]) -> tuple[list[int], list[int]]:
    """Return the suspects that are left, and each state that was asked about."""
    ancestry, states = Ancestry(parents), []
    cursor = SearchCursor(lambda: bisection(ancestry, ancestry.line(len(parents) - 1)))
    while cursor.question is not None:
        kept = cursor.question.candidate.kept
        state = kept.index(len(kept) - 1)
        assert kept == ancestry.line(state), "a state that existed"
        states.append(state)
        cursor.tell(Outcome(judge(state)))
    return list(cast("Deltas", cursor.found)), states


def linear(size: int) -> Parents:
    return [(each - 1,) if each else () for each in range(size)]


def since(first: int, *unresolved: int) -> Callable[[int], Verdict]:
    """Judge states of a linear history."""

    def judge(state: int) -> Verdict:
        if state in unresolved:
            return Verdict.UNRESOLVED
        return Verdict.INTERESTING if state >= first else Verdict.UNINTERESTING

    return judge


@st.composite
def graphs(draw: st.DrawFn) -> Parents:
    """Draw states that all lead to the last one."""
    size = draw(st.integers(1, 40))
    parents: list[tuple[int, ...]] = [()]
    loose = {0}
    for each in range(1, size):
        some = draw(st.sets(st.integers(max(0, each - 6), each - 1), min_size=1, max_size=3))
        parents.append(tuple(sorted(some)))
        loose = (loose - some) | {each}
    parents.append(tuple(sorted(loose)))
    return parents


def lines(parents: Parents) -> list[set[int]]:
    found: list[set[int]] = []
    for each, those in enumerate(parents):
        found.append({each}.union(*(found[parent] for parent in those)))
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 100, 1000])
def test_a_linear_history_takes_a_binary_search(size: int) -> None:
    for first in {0, size // 3, size // 2, size - 1}:
        found, states = asked(linear(size), since(first))
        assert found == [first]
        assert len(states) <= ceil(log2(size))


def test_each_question_halves_what_is_left() -> None:
    found, states = asked(linear(8), since(5))
    assert (found, states) == ([5], [3, 5, 4])


def test_a_merge_is_entered() -> None:
    """Six commits on the side, of which the third is to blame, and six on the other one."""
    parents = [(), *((each,) for each in range(6)), (0,), *((each,) for each in range(7, 12))]
    parents.append((6, 12))
    all_lines = lines(parents)
    bad = 9
    found, states = asked(
        parents,
        lambda state: Verdict.INTERESTING if bad in all_lines[state] else Verdict.UNINTERESTING,
    )
    assert found == [bad]
    assert len(states) <= 5


def test_a_merge_whose_parents_pass_is_the_first_one() -> None:
    parents = [(), (0,), (0,), (1, 2), (3,)]
    found, _ = asked(
        parents, lambda state: Verdict.INTERESTING if state >= 3 else Verdict.UNINTERESTING
    )
    assert found == [3]


def test_what_cannot_be_told_is_gone_around_in_long_strides() -> None:
    broken = range(40, 60)
    found, states = asked(linear(100), since(20, *broken))
    assert found == [20]
    assert len(states) <= ceil(log2(100)) + 3, "not one neighbour after the other"
    found, states = asked(linear(100), since(80, *broken))
    assert found == [80]
    assert len(states) <= ceil(log2(100)) + 3


def test_where_only_unresolved_ones_are_left_any_may_be_the_first() -> None:
    found, _ = asked(linear(20), since(12, 9, 10, 11))
    assert found == [9, 10, 11, 12]
    found, _ = asked(linear(20), since(10, 9, 10, 11))
    assert found == [9, 10, 11, 12]


def test_thousands_of_states_with_merges() -> None:
    """The sets of what each takes in are not kept for all of them at once."""
    rest = range(1, 6000)
    parents = [(each - 1, max(0, each - 7)) if each % 5 == 0 else (each - 1,) for each in rest]
    found, states = asked([(), *parents], since(4321))
    assert found == [4321]
    assert len(states) <= 13


@given(graphs(), st.data())
def test_what_is_found_fails_and_comes_from_nothing_that_does(
    parents: Parents, data: st.DataObject
) -> None:
    size, all_lines = len(parents), lines(parents)
    guilty = data.draw(st.integers(0, size - 1))
    broken = data.draw(st.sets(st.integers(0, size - 2), max_size=6)) if size > 1 else set()

    def judge(state: int) -> Verdict:
        if state in broken:
            return Verdict.UNRESOLVED
        is_bad = guilty in all_lines[state]
        return Verdict.INTERESTING if is_bad else Verdict.UNINTERESTING

    found, states = asked(parents, judge)
    assert len(states) == len(set(states)), "nothing is asked twice"
    assert guilty in found
    *others, last = found
    assert others or last == guilty
    assert all(each in broken for each in others)
    assert judge(last) is Verdict.INTERESTING
    for each in found:
        before = set(parents[each]) - set(found)
        assert all(judge(parent) is not Verdict.INTERESTING for parent in before)


@given(graphs(), st.data())
def test_the_way_back_leads_to_the_same_questions(parents: Parents, data: st.DataObject) -> None:
    ancestry = Ancestry(parents)
    verdicts = data.draw(st.lists(st.sampled_from(list(Verdict)), max_size=8))
    cursor = SearchCursor(lambda: bisection(ancestry, ancestry.all))
    for verdict in verdicts:
        if cursor.question is None:
            break
        back = SearchCursor.back_at(cursor.checkpoint, [])
        assert back.question is not None
        assert back.question.candidate == cursor.question.candidate
        cursor.tell(Outcome(verdict))
