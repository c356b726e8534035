"""The search for the smallest inputs, with a test that is a function."""

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import pytest

from wynot.pytesting import shrink_report
from wynot.pytesting.inputs import file_of, input_of
from wynot.pytesting.shrink import Shrinking


def shrinking(
    test: Callable[..., bool | None], *values: object, most: int = 10_000, deadline: float = inf
) -> Shrinking:
    """Return a search on copies of these inputs."""
    inputs = [input_of(value, f"input {number}") for number, value in enumerate(values, 1)]
    clock = iter(range(10**6))

    def fails(candidates: Sequence[object]) -> bool | None:
        copies = [given.copy(each) for given, each in zip(inputs, candidates, strict=True)]
        return test(*copies)

    return Shrinking(inputs, fails, most, deadline, lambda: next(clock))


def test_it_goes_from_the_outside_in() -> None:
    def test(events: list[dict[str, Any]]) -> bool:
        events.reverse()
        return any(3 in event.get("ids", ()) for event in events)

    found = shrinking(test, [{"ids": [1, 2, 3], "who": "a"}, {"ids": [4]}] * 10)
    found.run()
    assert found.best == [[{"ids": [3]}]]
    assert found.is_minimal
    assert found.runs < 40


def test_inputs_that_allow_for_more_in_each_other_are_gone_through_again() -> None:
    # What is needed of the first depends on what is left of the second.
    found = shrinking(
        lambda first, second: len(first) >= len(second) and "needle" in second,
        ["a"] * 6,
        ["hay", "needle", "hay", "hay"],
    )
    found.run()
    assert found.best == [["a"], ["needle"]]
    assert found.is_minimal


def test_nothing_is_run_twice() -> None:
    seen: list[str] = []

    def test(text: str) -> bool:
        assert text not in seen
        seen.append(text)
        return "x" in text and "y" in text

    found = shrinking(test, "ab\nxcd\nef\ngyh\n")
    found.run()
    assert found.best == ["xy"]
    assert found.runs == len(seen)


def test_what_cannot_be_told_is_not_taken() -> None:
    found = shrinking(lambda items: True if {1, 2} <= set(items) else None, [1, 2, 3])
    found.run()
    assert (found.best, found.is_minimal) == ([[1, 2]], True)


def test_a_failure_that_needs_nothing_is_found_at_once() -> None:
    found = shrinking(lambda _items: True, list(range(100)))
    found.run()
    assert (found.best, found.runs, found.needs_nothing) == ([[]], 2, True)


def test_one_that_does_not_show_again_is_left_alone() -> None:
    found = shrinking(lambda _items: False, [1, 2])
    found.run()
    assert (found.is_reliable, found.runs, found.best) == (False, 1, [[1, 2]])


@pytest.mark.parametrize(("budget", "word"), [({"most": 9}, "tests"), ({"deadline": 9}, "time")])
def test_a_budget_ends_it_with_the_best_so_far(budget: dict[str, int], word: str) -> None:
    found = shrinking(lambda items: 17 in items, list(range(100)), **budget)
    found.run()
    assert f"--wynot-max-{word}" in found.stopped
    assert found.runs == 9
    (left,) = found.best
    assert isinstance(left, list)
    assert 17 in left
    assert 1 < len(left) < 100
    assert not found.is_minimal


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_what_a_run_raises_comes_out_and_the_best_is_kept(stop: type[BaseException]) -> None:
    def test(items: list[int]) -> bool:
        if 0 < len(items) < 10:
            raise stop
        return 17 in items

    found = shrinking(test, list(range(64)))
    with pytest.raises(stop) as raised:
        found.run()
    assert raised.type is stop
    (left,) = found.best
    assert isinstance(left, list)
    assert 10 <= len(left) < 64


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


def test_long_or_odd_inputs_are_shown_in_part() -> None:
    found = shrinking(lambda _items: True, ["x" * 70] * 1000, ["y" * 5000], [Unprintable()])
    text = shrink_report.minimal(found, (), is_shown=True)
    assert len(text.splitlines()) < 3 * shrink_report.MAX_SHOWN_LINES
    assert max(map(len, text.splitlines())) < shrink_report.MAX_LINE_CHARS + 10
    assert "(1000 lines; --wynot-save DIR" in text
    assert "cannot be written: RuntimeError" in text


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"a\n\nb\n", "\n  | a\n  | \n  | b\n"),
        (b"\xff", "\n  | b'\\xff'\n"),
        (b"a\x1b[31m\n", "\n  b'a\\x1b[31m\\n'\n"),
    ],
)
def test_files_are_shown_as_they_are_if_that_does_no_harm(content: bytes, shown: str) -> None:
    found = Shrinking([file_of(content, "f")], lambda _values: True, 1, 1, lambda: 0)
    assert shown in shrink_report.minimal(found, (), is_shown=True)


def test_a_report_without_a_traceback_has_a_section() -> None:
    about = pytest.TestReport("t", ("t", 1, "t"), {}, "failed", "words", "call")
    shrink_report.hint(about)
    assert [title for title, _ in about.sections] == ["wynot"]
