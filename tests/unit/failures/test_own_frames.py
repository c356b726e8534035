"""The functions of an input that is itself the program are no part of the failure."""

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.expectation import Expectation
from wynot.failures.wording import Vocabulary

PROGRAM = b"import statistics\ndef spread(values):\n    return statistics.stdev(values)\n"


def trace(*functions: str, message: str = "statistics.StatisticsError: too few") -> Ending:
    frames = "".join(f'  File "x.py", line 1, in {name}\n' for name in functions)
    said = f"Traceback (most recent call last):\n{frames}{message}\n"
    return Ending(1, 0.1, stderr=said.encode())


def learned(first: Ending, *, is_run: bool, same: str = "auto") -> Expectation:
    vocabulary = Vocabulary(lambda: [PROGRAM], is_run=is_run)
    return Expectation.learned(first, same, vocabulary)  # type: ignore[arg-type]


@pytest.mark.parametrize("functions", [(), ("a",), ("main", "<genexpr>", "a"), ("spread",)])
def test_functions_of_the_program_may_be_renamed_and_go(functions: tuple[str, ...]) -> None:
    first = trace("<module>", "spread", "<genexpr>", "spread")
    assert learned(first, is_run=True).judge(trace(*functions)) is Verdict.INTERESTING
    as_input = learned(first, is_run=False).judge(trace(*functions))
    assert as_input is Verdict.UNRESOLVED


def test_what_the_program_calls_has_to_stay() -> None:
    expectation = learned(trace("<module>", "spread", "variance", "_ss"), is_run=True)
    assert "_ss ← variance" in expectation.words
    assert "spread" not in expectation.words
    assert expectation.judge(trace("<module>", "a", "variance", "_ss")) is Verdict.INTERESTING
    assert expectation.judge(trace("<module>", "a", "mean", "_ss")) is Verdict.UNRESOLVED


def test_the_message_has_to_stay() -> None:
    expectation = learned(trace("spread"), is_run=True)
    assert expectation.judge(trace("a", message="TypeError: too few")) is Verdict.UNRESOLVED


def test_who_asks_for_the_trace_gets_it() -> None:
    expectation = learned(trace("<module>", "spread"), is_run=True, same="trace")
    assert expectation.judge(trace("<module>", "a")) is Verdict.UNRESOLVED
