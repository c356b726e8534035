"""Largest first: what is asked, in what order, and what is learned from the answers."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import drive
from trees import run
from unit.search.segments import NO, OPEN, YES, Runs, Worse, needs, single, whole
from wynot.core.deltas import NONE, Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.search.combinators import Minimizer, mapped
from wynot.search.largest import (
    AGAIN_FACTOR,
    BELIEF_TRIES,
    MAX_WORSE_PARSES,
    NO_RECORD,
    WORSE,
    LargestFirst,
    Record,
    Segment,
    State,
)


def asked(
    search: LargestFirst, size: int, fails: Callable[[Deltas], Verdict] = lambda _: NO
) -> list[str]:
    """Return what each question would leave out."""
    return [
        repr(candidate.edit.deltas).removeprefix("Deltas")
        for candidate, _ in drive(search(Deltas.first(size)), fails)
    ]


def test_the_heaviest_goes_first_and_of_equals_the_last() -> None:
    runs = Runs([single(0, 1), single(1, 3), single(2, 2), single(3, 3), single(4, 1)])
    assert asked(LargestFirst(runs), 5, lambda _: YES) == ["(3)", "(1)", "(2)", "(4)", "(0)"]


def test_of_equals_the_last_also_after_failures() -> None:
    runs = Runs([single(number) for number in range(5)])
    assert asked(LargestFirst(runs), 5) == ["(4)", "(3)", "(2)", "(1)", "(0)"]


def test_without_weights_what_works_most_often_goes_first_and_of_equals_the_first() -> None:
    runs = Runs([single(0, 1), single(1, 3), single(2, 2, "y"), single(3, 9, "y")])
    search = LargestFirst(runs, ignores_weight=True)
    assert asked(search, 4, lambda _: YES) == ["(0)", "(1)", "(2)", "(3)"]
    assert asked(search, 4) == ["(0)", "(2)", "(1)", "(3)"]
    assert asked(replace(search, lessons={"y": Record(5, 5)}), 4)[:1] == ["(2)"]


def test_what_cannot_go_as_a_whole_is_cut_finer_and_waits_its_turn() -> None:
    assert asked(LargestFirst(whole(8)), 8, needs(2)) == [
        *("(0-7)", "(4-7)", "(0-3)", "(2-3)", "(0-1)", "(3)", "(2)"),
    ]


def test_promise_is_weight_times_how_often_its_sort_works() -> None:
    runs = Runs([single(0, 10), single(1, 9), single(2, 8), single(3, 7, "y")])
    # After one failure of x, two thirds of 9 are less than 7.
    assert asked(LargestFirst(runs), 4) == ["(0)", "(3)", "(1)", "(2)"]
    assert asked(LargestFirst(runs), 4, lambda _: YES) == ["(0)", "(1)", "(2)", "(3)"]


def test_what_was_learned_before_counts_and_the_odds_count_until_then() -> None:
    runs = Runs([single(0, 10), single(1, 9, "y")])
    assert asked(LargestFirst(runs), 2) == ["(0)", "(1)"]
    assert asked(LargestFirst(runs, lessons={"x": Record(5, 0)}), 2) == ["(1)", "(0)"]
    assert asked(LargestFirst(runs, lessons={"y": Record(5, 5)}), 2) == ["(1)", "(0)"]
    unlikely = Runs([single(0, 10, odds=0.1), single(1, 9, "y")])
    assert asked(LargestFirst(unlikely), 2) == ["(1)", "(0)"]


def test_what_was_tried_in_vain_before_promises_less() -> None:
    runs = Runs([single(0, 10, "x"), single(1, 9, "y")], {(0, 1): "#seen"})
    once = {"#seen": Record(1, 0)}
    assert asked(LargestFirst(runs, lessons=once), 2) == ["(1)", "(0)"]
    heavy = Runs([single(0, 9 / AGAIN_FACTOR + 1, "x"), single(1, 9, "y")], {(0, 1): "#seen"})
    assert asked(LargestFirst(heavy, lessons=once), 2) == ["(0)", "(1)"]


def test_lessons_are_not_changed_by_a_search() -> None:
    lessons = {"x": Record(1, 1)}
    asked(LargestFirst(Runs([single(0)]), lessons=lessons), 1)
    assert lessons == {"x": Record(1, 1)}


def test_a_record_is_believed_bit_by_bit() -> None:
    assert NO_RECORD.rate(0.4) == pytest.approx(0.4)
    assert Record(2, 1).rate(0.4) == pytest.approx((1 + 0.4 * BELIEF_TRIES) / (2 + BELIEF_TRIES))
    assert Record(1000, 0).rate(0.4) < 0.001
    assert Record().after(worked=True).after(worked=False) == Record(2, 1)


def test_ways_are_tried_one_after_the_other_until_one_works() -> None:
    def ways(gone: Deltas) -> Iterable[Deltas]:
        return [gone, NONE, gone.part(0, 2), gone.part(0, 1)]

    runs = Runs([Segment(3, "x", (0, 3))], ways_of=ways, halve=False)
    assert asked(LargestFirst(runs), 3) == ["(0-2)", "(0-1)", "(0)"]
    assert asked(LargestFirst(runs), 3, needs(2)) == ["(0-2)", "(0-1)"]


def test_what_has_gone_with_something_else_is_not_asked_about() -> None:
    runs = Runs([Segment(9, "x", (0, 3)), single(1), single(3)])
    assert asked(LargestFirst(runs), 4, lambda _: YES) == ["(0-2)", "(3)"]


# The gate.


def test_after_so_many_in_vain_nothing_that_parses_worse_is_asked_about() -> None:
    runs = Runs([single(number) for number in range(40)])
    broken = range(0, 40, 2)
    gone = asked(LargestFirst(runs, Worse(*broken)), 40)
    assert sum(f"({number})" in gone for number in broken) == MAX_WORSE_PARSES
    assert all(f"({number})" in gone for number in range(1, 40, 2))


def test_the_gate_stays_open_when_one_of_them_works() -> None:
    runs = Runs([single(number) for number in range(40)])
    # The last are tried first.
    late = 40 - MAX_WORSE_PARSES
    gone = asked(LargestFirst(runs, Worse(*range(40))), 40, needs(*({*range(40)} - {late})))
    assert len(gone) == 40
    later = needs(*({*range(40)} - {late - 1}))
    assert len(asked(LargestFirst(runs, Worse(*range(40))), 40, later)) == MAX_WORSE_PARSES


def test_what_was_learned_of_the_gate_holds_from_pass_to_pass() -> None:
    runs = Runs([single(number) for number in range(40)])
    shut = {WORSE: Record(MAX_WORSE_PARSES, 0)}
    assert asked(LargestFirst(runs, Worse(*range(40)), shut), 40) == []
    useful = {WORSE: Record(100, 1)}
    assert len(asked(LargestFirst(runs, Worse(*range(40)), useful), 40)) == 40


def test_what_is_behind_the_gate_is_cut_finer_all_the_same() -> None:
    shut = {WORSE: Record(MAX_WORSE_PARSES, 0)}
    assert {*asked(LargestFirst(whole(4), Worse(0), shut), 4)} == {"(2-3)", "(3)", "(2)", "(1)"}


def test_a_failure_behind_the_gate_says_nothing_of_its_sort() -> None:
    runs = Runs([single(0, 10), single(1, 9), single(2, 7, "y")])
    assert asked(LargestFirst(runs, Worse(0)), 3) == ["(0)", "(1)", "(2)"]
    assert asked(LargestFirst(runs), 3) == ["(0)", "(2)", "(1)"]


# Patience.


def test_it_ends_after_so_many_failures_in_a_row() -> None:
    runs = Runs([single(number, 1, f"sort {number}") for number in range(400)])
    assert len(asked(LargestFirst(runs, patience=5), 400)) == 5
    # A success in between has it begin anew.
    works = needs(*({*range(400)} - {397}))
    assert len(asked(LargestFirst(runs, patience=5), 400, works)) == 3 + 5


def test_failures_of_what_promises_much_do_not_count() -> None:
    few = (single(number, 1, f"sort {number}") for number in range(390))
    runs = Runs([*few, *(single(number, 20, f"sort {number}") for number in range(390, 400))])
    # Ten that promise a hundredth of all or more.
    gone = asked(LargestFirst(runs, patience=5), 400)
    assert gone[:10] == [f"({number})" for number in reversed(range(390, 400))]
    assert len(gone) == 10 + 5


# What is learned comes with what is found.


def test_what_the_verdicts_have_taught_comes_with_what_is_left() -> None:
    runs = Runs([single(0, 3), single(1, 2, "y")], {(1, 2): "#mine"})
    search = LargestFirst(runs, Worse(0), lessons={"y": Record(4, 3)})
    cursor = SearchCursor(lambda: search(Deltas.first(2)))
    names = []
    while cursor.question is not None:
        names.append(cursor.question.candidate.name)
        cursor.tell(Outcome(NO))
    assert names == ["y", "x"]  # that has worked so far
    once = Record(1, 0)
    lessons = {WORSE: once, "#(0, 1)": once, "y": Record(5, 3), "#mine": once}
    assert cursor.found == (Deltas.first(2), lessons)
    assert search.lessons == {"y": Record(4, 3)}  # it has changed nothing that it was given


# By the engine.


def left(search: LargestFirst) -> Minimizer:
    """Return the search without what it learns."""
    return lambda kept: mapped(search(kept), lambda learned: learned.kept)


def test_there_is_a_way_back_to_every_segment() -> None:
    search = LargestFirst(whole(64))(Deltas.first(64))
    ways = [round_.again is not None for round_ in search]
    assert all(ways)  # each segment here has but one way to go


sizes = st.integers(1, 70)
seeds = st.integers(0, 2**32)


@given(sizes, seeds, st.booleans(), st.sampled_from([3.0, float("inf")]))
def test_the_engine_can_come_back_to_any_question(
    size: int, seed: int, gated: bool, patience: float
) -> None:
    # From each question, a course that was taken back there asks the same and ends the same.
    gate = Worse(*range(0, size, 3)) if gated else None
    search = LargestFirst(whole(size), gate, patience=patience)
    cursor: Any = SearchCursor(lambda: search(Deltas.first(size)))
    while cursor.question is not None:
        back = SearchCursor.back_at(cursor.checkpoint, [])
        assert back.question == cursor.question
        answer = Outcome((YES, NO, OPEN)[hash((seed, cursor.question.candidate.kept.bounds)) % 3])
        cursor.tell(answer)
        back.tell(answer)
        assert back.question == cursor.question
        if cursor.question is None:
            assert back.found == cursor.found


@given(sizes, st.data())
def test_without_a_gate_what_is_needed_is_what_is_left(size: int, data: st.DataObject) -> None:
    wanted = data.draw(st.sets(st.integers(0, size - 1)))
    found = run(left(LargestFirst(whole(size))), range(size), wanted.issubset)
    assert found.items == sorted(wanted)


# A whole that may not fail.


@pytest.mark.parametrize("width", [1, 4])
def test_the_whole_is_asked_about_first_if_that_is_not_known(width: int) -> None:
    search = LargestFirst(whole(8), whole_first=True)
    nothing = run(left(search), range(8), lambda _kept: False, width=width)
    assert (nothing.items, nothing.tests, nothing.accepted) == ([*range(8)], 1, [])
    found = run(left(search), range(8), lambda kept: 3 in kept, width=width)
    assert found.items == [3]
    assert len(found.all[0].deltas) == 0


def test_a_fork_goes_its_own_way() -> None:
    state = State(Deltas.first(9), {})
    for weight in (1, 2, 3):
        state.push(Segment(weight, "sort", (weight,)), str(weight))
    fork = state.fork()
    assert [fork.pop()[0].segment.weight for _ in range(3)] == [3, 2, 1]
    assert not fork.queues
    waiting, promise = state.pop()
    assert waiting.segment.weight == 3
    assert promise == pytest.approx(3 * 0.4)
    state.learn("sort", worked=True)
    assert state.pop()[1] == pytest.approx(2 * 1.8 / 3)
