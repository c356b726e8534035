"""How a round is answered."""

from collections.abc import Callable

from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import Answer, Merge, Round
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import START, answer_round

NO = Verdict.UNINTERESTING


def answer(asked: Round, fails: Callable[[set[int]], bool]) -> tuple[Answer, list[set[int]]]:
    """Settle a round; return its answer and what was asked."""
    settling = answer_round(asked)
    questions: list[set[int]] = []
    try:
        question = next(settling)
        while True:
            questions.append(set(question.candidate.kept))
            verdict = Verdict.INTERESTING if fails(questions[-1]) else Verdict.UNINTERESTING
            question = settling.send(verdict)
    except StopIteration as end:
        found: Answer = end.value
        return found, questions


def drops(size: int) -> Round:
    return Round.every(Deltas.first(size), [Edit.drop(Deltas.of([i])) for i in range(size)])


def test_each_edit_is_tried_alone_and_then_all_together() -> None:
    found, asked = answer(drops(6), lambda kept: {1, 4} <= kept)
    assert found == Merge(Deltas.of([1, 4]), (0, 2, 3, 5), (0, 2, 3, 5))
    assert asked[:6] == [set(range(6)) - {gone} for gone in range(6)]
    assert asked[6:] == [{1, 4}]


def test_edits_that_do_not_go_together_are_merged_up_to_the_first_that_does_not() -> None:
    # 2 or 5 must stay: each can go alone, but not both.
    found, asked = answer(drops(8), lambda kept: bool(kept & {2, 5}) and 0 in kept)
    assert found == Merge(Deltas.of([0, 5]), (1, 2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 6, 7))
    # Alone, all together, then by bisection the longest prefix, then the rest on top of it.
    assert asked[8:] == [{0}, {0, 5, 6, 7}, {0, 6, 7}, {0, 5}]


def test_nothing_is_answered_if_nothing_works() -> None:
    found, asked = answer(drops(5), lambda _kept: False)
    assert found is None
    assert len(asked) == 5


def test_the_empty_configuration_is_never_asked_for() -> None:
    found, asked = answer(drops(1), lambda _kept: True)
    assert (found, asked) == (None, [])
    found, asked = answer(drops(2), lambda _kept: True)
    assert found == Merge(Deltas.of([1]), (0, 1), (0,))
    assert set() not in asked


def test_a_later_group_is_tried_on_what_an_earlier_one_left() -> None:
    size = START + 10
    needed = {0, START + 3}
    found, asked = answer(drops(size), lambda kept: needed <= kept)
    gone = tuple(each for each in range(size) if each not in needed)
    assert found == Merge(Deltas.of(needed), gone, gone)
    assert len(asked) == START + 1 + 10 + 1
    assert asked[START + 1] == {0} | set(range(START + 1, size))


def test_edits_may_overlap_have_names_and_odds_and_may_leave_nothing() -> None:
    spans = [(0, 4), (3, 6), (2, 3)]
    asked = Round.every(
        Deltas.first(6),
        [Edit.drop(Deltas(span)) for span in spans],
        names=["a", "b", "c"],
        odds=[0.1, 0.2, 0.3],
        asks_empty=True,
    )
    found, questions = answer(asked, lambda _kept: True)
    assert found == Merge(NONE, (0, 1, 2), (0, 1, 2))
    assert questions == [{4, 5}, {0, 1, 2}, {0, 1, 3, 4, 5}, set()]
    settling = answer_round(asked)
    first, second, third = [next(settling), *(settling.send(NO) for _ in range(2))]
    assert [question.candidate.name for question in (first, second, third)] == ["a", "b", "c"]
    assert [question.odds for question in (first, second, third)] == [0.1, 0.2, 0.3]
    assert [each.is_independent for each in (first, second, third)] == [True, True, False]


def overlapping(size: int, *spans: tuple[int, int]) -> Round:
    edits = [Edit.drop(Deltas(span)) for span in spans]
    return Round.every(Deltas.first(size), edits, overlaps=True)


def test_of_overlapping_edits_what_goes_with_others_is_not_asked_about() -> None:
    asked = overlapping(8, (0, 4), (0, 2), (3, 6), (4, 6), (6, 7))
    found, questions = answer(asked, lambda kept: kept >= {6, 7} and (0 in kept or 5 in kept))
    # What is in 0-3 and 3-5, which both may go, is not asked about; but the two cannot go together.
    assert questions == [{4, 5, 6, 7}, {0, 1, 2, 6, 7}, {0, 1, 2, 3, 4, 5, 7}, {6, 7}]
    assert found == Merge(Deltas((4, 8)), (0, 2), (0,))
    found, questions = answer(asked, lambda kept: kept >= {0, 6, 7})
    assert questions[0] == {4, 5, 6, 7}
    assert found == Merge(Deltas.of([0, 1, 2, 6, 7]), (2,), (2,))


def test_of_overlapping_edits_none_is_merged_after_one_that_is_in_the_way() -> None:
    spans = [(number, number + 1) for number in range(6)]
    found, _ = answer(overlapping(8, *spans), lambda kept: 1 in kept or 2 in kept)
    assert found == Merge(Deltas((2, 8)), (0, 1, 2, 3, 4, 5), (0, 1))
    found, _ = answer(
        Round.every(Deltas.first(8), [Edit.drop(Deltas(span)) for span in spans]),
        lambda kept: 1 in kept or 2 in kept,
    )
    assert found == Merge(Deltas.of([2, 6, 7]), (0, 1, 2, 3, 4, 5), (0, 1, 3, 4, 5))
