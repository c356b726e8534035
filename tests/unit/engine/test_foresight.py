"""What is bet on."""

from wynot.core.candidate import Candidate
from wynot.core.case import ItemsCase
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion
from wynot.engine.foresight import Foresight

BASE = Deltas.first(100)
STAGE, NEXT = Stage(ItemsCase(list(range(100)))), Stage(ItemsCase(list(range(100))))


def without(number: int, kind: str) -> Candidate:
    return Candidate(BASE, Edit.drop(BASE.part(number, number + 1)), kind)


def lucky() -> Foresight:
    """Return the foresight of a search in which all went well so far."""
    foresight = Foresight()
    for number in range(8):
        foresight.learn(without(number, "block"), STAGE, Verdict.INTERESTING)
    return foresight


def test_what_went_well_is_expected_to_go_on() -> None:
    assert lucky().guess(RoundQuestion(without(50, "loop")), STAGE) is Verdict.INTERESTING


def test_nothing_is_expected_of_a_kind_that_hung() -> None:
    foresight = lucky()
    foresight.learn(without(9, "loop"), STAGE, Verdict.UNRESOLVED)
    assert foresight.guess(RoundQuestion(without(50, "loop")), STAGE) is Verdict.UNRESOLVED
    assert foresight.guess(RoundQuestion(without(50, "block")), STAGE) is Verdict.INTERESTING


def test_a_kind_that_hung_may_be_of_use_again() -> None:
    foresight = lucky()
    foresight.learn(without(9, "loop"), STAGE, Verdict.UNRESOLVED)
    foresight.learn(without(10, "loop"), STAGE, Verdict.INTERESTING)
    assert foresight.guess(RoundQuestion(without(50, "loop")), STAGE) is Verdict.INTERESTING


def test_what_is_known_of_one_stage_says_nothing_of_the_next() -> None:
    foresight = lucky()
    assert foresight.guess(RoundQuestion(without(0, "block")), NEXT) is Verdict.UNRESOLVED
    foresight.forget_all_but(NEXT)
    assert foresight.guess(RoundQuestion(without(0, "block")), STAGE) is Verdict.UNRESOLVED
