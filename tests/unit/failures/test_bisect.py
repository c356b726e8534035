"""The exit statuses of ``git bisect run``, and what the bad side teaches."""

import pytest

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.criteria import ByBisect

TRACE = b'Traceback (most recent call last):\n  File "a.py", line 1, in f\n%s: no\n'
COMPILER = b"a.c:3:5: error: 'x' undeclared\n"


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (0, Verdict.UNINTERESTING),
        (1, Verdict.INTERESTING),
        (124, Verdict.INTERESTING),
        (125, Verdict.UNRESOLVED),
        (126, Verdict.UNRESOLVED),
        (127, Verdict.UNRESOLVED),
        (139, Verdict.UNRESOLVED),
        (-11, Verdict.UNRESOLVED),
    ],
)
def test_statuses(status: int, verdict: Verdict) -> None:
    assert ByBisect().judge(Ending(status, 0.1)) is verdict


def test_a_run_that_takes_too_long_says_nothing() -> None:
    assert ByBisect().judge(Ending(1, 9.0, "timeout")) is Verdict.UNRESOLVED


def test_a_crash_is_bad_if_the_bad_side_crashes_so() -> None:
    learned = ByBisect().after(Ending(-11, 0.1))
    assert learned.judge(Ending(-11, 0.1)) is Verdict.INTERESTING
    assert learned.judge(Ending(-6, 0.1)) is Verdict.UNRESOLVED
    assert "SIGSEGV" in learned.words


def test_another_kind_of_error_says_nothing() -> None:
    learned = ByBisect().after(Ending(1, 0.1, "", b"", TRACE % b"AssertionError"))
    assert "AssertionError" in learned.words
    for error, verdict in (
        (TRACE % b"AssertionError", Verdict.INTERESTING),
        (TRACE % b"ImportError", Verdict.UNRESOLVED),
        (COMPILER, Verdict.UNRESOLVED),
        (b"", Verdict.UNRESOLVED),
    ):
        assert learned.judge(Ending(1, 0.1, "", b"", error)) is verdict


def test_an_error_says_nothing_if_the_bad_side_reports_none() -> None:
    learned = ByBisect().after(Ending(1, 0.1, "", b"3 of 4 passed\n"))
    assert learned.judge(Ending(2, 0.1, "", b"2 of 4 passed\n")) is Verdict.INTERESTING
    assert learned.judge(Ending(2, 0.1, "", b"", COMPILER)) is Verdict.UNRESOLVED


@pytest.mark.parametrize("first", [Ending(0, 0.1), Ending(125, 0.1), Ending(1, 9.0, "timeout")])
def test_a_run_that_does_not_show_the_failure_teaches_nothing(first: Ending) -> None:
    assert ByBisect().after(first) == ByBisect()
