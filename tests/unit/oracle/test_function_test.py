"""What a test's answer means."""

from decimal import Decimal

import pytest

import wynot
from wynot.oracle.function_test import FunctionTest


class Truthy:
    def __bool__(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (True, "interesting"),
        (False, "uninteresting"),
        (None, "unresolved"),
        (wynot.Verdict.UNRESOLVED, "unresolved"),
        ([], "uninteresting"),
        ("yes", "interesting"),
        (Truthy(), "interesting"),
    ],
)
def test_answers_are_verdicts(answer: object, verdict: str) -> None:
    assert FunctionTest(lambda _: answer)([]).value == verdict


@pytest.mark.parametrize("answer", [0, 1, 1.0, 1j, Decimal(1), NotImplemented])
def test_what_may_mean_anything_is_refused(answer: object) -> None:
    with pytest.raises(wynot.BrokenTest, match="the test returned") as caught:
        FunctionTest(lambda _: answer)([])
    assert "return True" in caught.value.hint


def test_a_coroutine_is_no_answer() -> None:
    async def fails(kept: list[int]) -> bool:
        return 3 in kept

    with pytest.raises(wynot.BrokenTest, match="coroutine"):
        wynot.minimize(range(8), fails)


def test_a_session_inside_a_test_that_breaks_breaks_that_test() -> None:
    def inner(kept: list[int]) -> bool:
        raise LookupError(kept)

    def outer(kept: list[int]) -> bool:
        return bool(wynot.minimize(kept, inner).items)

    with pytest.raises(wynot.BrokenTest, match="BrokenTest") as caught:
        wynot.minimize(range(8), outer)
    assert isinstance(caught.value.result, wynot.Minimized)
    assert caught.value.result.items == list(range(8))
