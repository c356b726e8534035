"""How a round is answered."""

from collections.abc import Callable

from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import EveryRound, Merge, Reply
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import START, answer_round

NO = Verdict.UNINTERESTING


def answer(asked: EveryRound, fails: Callable[[set[int]], bool]) -> tuple[Reply, list[set[int]]]:
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
        found: Reply = end.value
        return found, questions


def drops(size: int) -> EveryRound:
    return EveryRound(Deltas.first(size), [Edit.drop(Deltas.of([i])) for i in range(size)])


def test_each_edit_is_tried_alone_and_then_all_together() -> None:
    found, asked = answer(drops(6), lambda kept: {1, 4} <= kept)
    assert found == Merge(Deltas.of([1, 4]))
    assert asked[:6] == [set(range(6)) - {gone} for gone in range(6)]
    assert asked[6:] == [{1, 4}]


def test_edits_that_do_not_go_together_are_merged_up_to_the_first_that_does_not() -> None:
    # 2 or 5 must stay: each can go alone, but not both.
    found, asked = answer(drops(8), lambda kept: bool(kept & {2, 5}) and 0 in kept)
    assert found == Merge(Deltas.of([0, 5]))
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
    assert found == Merge(Deltas.of([1]))
    assert set() not in asked


def test_a_later_group_is_tried_on_what_an_earlier_one_left() -> None:
    size = START + 10
    needed = {0, START + 3}
    found, asked = answer(drops(size), lambda kept: needed <= kept)
    assert found == Merge(Deltas.of(needed))
    assert len(asked) == START + 1 + 10 + 1
    assert asked[START + 1] == {0} | set(range(START + 1, size))
