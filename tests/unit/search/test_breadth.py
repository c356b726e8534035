"""Breadth: what is tried on one base, what waits, and what becomes of the answers."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import run
from unit.search.segments import NO, OPEN, YES, Runs, Worse, needs, single, whole
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import SearchCursor, Told
from wynot.search.breadth import LEAST_ATTEMPTS, Broad
from wynot.search.combinators import Minimizer, mapped
from wynot.search.largest import LargestFirst, Segment
from wynot.search.lessons import Record


def broad(structure: Runs, breadth: int = 64, **more: Any) -> Broad:
    return Broad(LargestFirst(structure, **more), breadth)


def rounds(
    search: Broad | LargestFirst, size: int, fails: Callable[[Deltas], Verdict] = lambda _: NO
) -> list[list[str]]:
    """Return what the questions of each round would leave out."""
    found: list[list[str]] = []
    place = None
    cursor: Any = SearchCursor(lambda: search(Deltas.first(size)))
    while cursor.question is not None:
        if cursor.checkpoint is not place:
            place = cursor.checkpoint
            found.append([])
        candidate: Candidate = cursor.question.candidate
        found[-1].append(repr(candidate.edit.deltas).removeprefix("Deltas"))
        cursor.tell(Told(fails(candidate.kept)))
    return found


def singles(count: int, **more: Any) -> Runs:
    return Runs([single(number, **more) for number in range(count)])


def test_what_promises_most_is_tried_on_one_base_and_what_works_is_merged() -> None:
    first, *later = rounds(broad(singles(8)), 8, needs(3))
    alone = ["(7)", "(6)", "(5)", "(4)", "(3)", "(2)", "(1)", "(0)"]
    assert first == [*alone, "(0-2,4-7)"]
    assert later == [["(3)"]]  # from what is left, it might go


def test_no_more_are_tried_at_once_than_the_breadth_says() -> None:
    asked = rounds(broad(singles(20), 8), 20)
    assert [len(each) for each in asked] == [7, 7, 6]  # with one more to spare


def test_a_few_are_tried_one_after_another() -> None:
    count = LEAST_ATTEMPTS - 1
    assert [len(each) for each in rounds(broad(singles(count)), count)] == [1] * count
    assert [len(each) for each in rounds(broad(singles(count + 1)), count + 1)] == [count + 1]


def test_it_is_cut_finer_before_it_is_known_whether_it_can_go_and_only_once() -> None:
    assert rounds(broad(whole(8)), 8) == [
        [
            *("(0-7)", "(4-7)", "(0-3)", "(2-3)", "(0-1)", "(6-7)", "(4-5)"),
            *("(5)", "(4)", "(7)", "(6)", "(1)", "(0)", "(3)", "(2)"),
        ]
    ]


def test_what_is_inside_of_something_that_goes_is_not_asked_about() -> None:
    (first, *later) = rounds(broad(whole(8)), 8, needs(6))
    assert first == ["(0-7)", "(4-7)", "(0-3)", "(6-7)", "(4-5)", "(7)", "(6)", "(0-5,7)"]
    assert {question for asked in later for question in asked} == {"(6)"}  # in a smaller case


def test_the_same_is_asked_once_if_two_segments_come_to_it() -> None:
    twice = [single(number, category=sort) for number in range(8) for sort in "xy"]
    (asked,) = rounds(broad(Runs(twice)), 8)
    assert sorted(asked) == [f"({number})" for number in range(8)]


def test_what_works_alone_but_not_with_the_others_is_tried_again() -> None:
    def fails(kept: Deltas) -> Verdict:
        return YES if 0 in kept or 1 in kept else NO

    (first, *later) = rounds(broad(singles(8)), 8, fails)
    assert first[8:] == ["(0-7)", "(4-7)", "(2-7)", "(1-7)"]
    assert later == [["(0)"]]


def test_it_begins_again_when_much_has_gone() -> None:
    # The run can go only when nothing else is left that is bound up with it.
    runs = Runs([Segment(8, "run", (0, 8)), *(single(number) for number in range(8, 20))])

    def fails(kept: Deltas) -> Verdict:
        is_bound = any(number in kept for number in range(9, 20))
        return YES if 8 in kept and (not is_bound or all(map(kept.__contains__, range(8)))) else NO

    first, second, *later = rounds(broad(runs), 20, fails)
    assert (first[0], first[-1]) == ("(0-7)", "(9-19)")
    assert second[0] == "(0-7)"
    assert later == [["(8)"]]


def test_it_goes_on_where_it_was_when_little_has_gone() -> None:
    runs = Runs([single(number) for number in range(100)])
    asked = rounds(broad(runs, 16), 100, needs(*range(4, 100)))
    assert sum(map(len, asked)) == 100 + 1  # each once, and the union of four


def test_what_is_known_to_parse_worse_in_vain_is_cut_without_a_question() -> None:
    search = broad(whole(16), gate=Worse(0), lessons={"parses worse": Record(12, 0)})
    asked = [question for each in rounds(search, 16) for question in each]
    assert not any(question.startswith("(0") for question in asked)
    assert "(1)" in asked


def test_patience_counts_what_is_tried_at_once() -> None:
    many = Runs([single(number, weight=1) for number in range(400)])
    asked = rounds(broad(many, 64, patience=20), 400)
    assert sum(map(len, asked)) == 20


def test_what_is_much_smaller_waits() -> None:
    large = [Segment(1000, "run", (at, at + 10)) for at in range(0, 80, 10)]
    runs = Runs([*large, *(single(number) for number in range(80, 90))], halve=False)
    assert [len(each) for each in rounds(broad(runs), 90)] == [8, 10]


# By the engine.


def left(search: Broad | LargestFirst) -> Minimizer:
    """Return the search without what it learns."""
    return lambda kept: mapped(search(kept), lambda learned: learned.kept)


@pytest.mark.parametrize(("breadth", "tests", "wide"), [(1, 26, 27), (16, 34, 3), (64, 33, 2)])
def test_how_many_tests_and_rounds_it_takes(breadth: int, tests: int, wide: int) -> None:
    search = broad(whole(128), breadth) if breadth > 1 else LargestFirst(whole(128))
    found = run(left(search), range(128), {20, 90}.issubset)
    assert (found.items, found.tests) == ([20, 90], tests)
    asked = rounds(search, 128, needs(20, 90))
    assert sum(len(each) > 1 or breadth == 1 for each in asked) == wide  # the others are known


sizes = st.integers(1, 70)
seeds = st.integers(0, 2**32)
breadths = st.integers(2, 70)


@pytest.mark.slow
@given(sizes, breadths, seeds, st.booleans(), st.sampled_from([3.0, float("inf")]))
def test_the_engine_can_come_back_to_any_question(
    size: int, breadth: int, seed: int, gated: bool, patience: float
) -> None:
    # From each question, a course that was taken back there asks the same and ends the same.
    gate = Worse(*range(0, size, 3)) if gated else None
    search = broad(whole(size), breadth, gate=gate, patience=patience)
    cursor: Any = SearchCursor(lambda: search(Deltas.first(size)))
    place, told = None, list[Told]()
    while cursor.question is not None:
        if cursor.checkpoint is not place:
            place, told = cursor.checkpoint, []
        back = SearchCursor.back_at(cursor.checkpoint, told)
        assert back.question == cursor.question
        answer = Told((YES, NO, OPEN)[hash((seed, cursor.question.candidate.kept.bounds)) % 3])
        told = [*told, answer]
        cursor.tell(answer)
        back.tell(answer)
        assert back.question == cursor.question
        if cursor.question is None:
            assert back.found == cursor.found


@pytest.mark.slow
@given(sizes, breadths, st.data())
def test_without_a_gate_what_is_needed_is_what_is_left(
    size: int, breadth: int, data: st.DataObject
) -> None:
    wanted = data.draw(st.sets(st.integers(0, size - 1)))
    found = run(left(broad(whole(size), breadth)), range(size), wanted.issubset)
    assert found.items == sorted(wanted)


@pytest.mark.slow
@given(sizes, breadths, seeds)
def test_what_is_left_is_the_smallest_that_was_seen_to_fail(
    size: int, breadth: int, seed: int
) -> None:
    failing = [size]

    def fails(kept: list[int]) -> bool:
        is_so = hash((seed, *kept)) % 3 == 0
        failing.extend([len(kept)] * is_so)
        return is_so

    found = run(left(broad(whole(size), breadth)), range(size), fails)
    assert len(found.items) == min(failing)  # so whoever keeps the smallest has the same
    assert len(found.items) == size or fails(found.items)


@pytest.mark.parametrize("width", [1, 4])
def test_the_whole_is_asked_about_first_if_that_is_not_known(width: int) -> None:
    search = broad(whole(8), whole_first=True)
    nothing = run(left(search), range(8), lambda _kept: False, width=width)
    assert (nothing.items, nothing.tests) == ([*range(8)], 1)
    assert run(left(search), range(8), lambda kept: 3 in kept, width=width).items == [3]
