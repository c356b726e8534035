"""What is bet on."""

from wynot.core.candidate import Candidate
from wynot.core.case import ItemsCase
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.engine.answer_round import RoundQuestion
from wynot.engine.bets import Foresight

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


def is_expected(foresight: Foresight, candidate: Candidate, stage: Stage) -> bool:
    return foresight.odds(RoundQuestion(candidate), stage).interesting > 0.5


def test_what_went_well_is_expected_to_go_on() -> None:
    assert is_expected(lucky(), without(50, "loop"), STAGE)


def test_nothing_is_expected_of_a_kind_that_hung() -> None:
    foresight = lucky()
    foresight.learn(without(9, "loop"), STAGE, Verdict.UNRESOLVED)
    assert not is_expected(foresight, without(50, "loop"), STAGE)
    assert is_expected(foresight, without(50, "block"), STAGE)


def test_a_kind_that_hung_may_be_of_use_again() -> None:
    foresight = lucky()
    foresight.learn(without(9, "loop"), STAGE, Verdict.UNRESOLVED)
    foresight.learn(without(10, "loop"), STAGE, Verdict.INTERESTING)
    assert is_expected(foresight, without(50, "loop"), STAGE)


def test_what_is_known_of_one_stage_says_nothing_of_the_next() -> None:
    foresight = lucky()
    assert not is_expected(foresight, without(0, "block"), NEXT)
    foresight.forget_all_but(NEXT)
    assert not is_expected(foresight, without(0, "block"), STAGE)
