"""Every wrong input ends in an error that names what was seen and says what to do next."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

import wynot
from domain import WIDTHS, needs

ITEMS = list(range(1, 9))
fails = needs(3)


def refuse(
    kind: type[wynot.WynotError], call: Callable[[], object], seen: str, hint: str
) -> wynot.WynotError:
    """Check that a call is refused with this in its message and in its hint."""
    with pytest.raises(kind) as caught:
        call()
    error = caught.value
    message, _, last = str(error).rpartition("\nhint: ")
    assert type(error) is kind
    assert seen in message
    assert hint in error.hint
    assert last == error.hint
    return error


# Items.


@pytest.mark.parametrize(
    ("items", "seen", "hint"),
    [
        (None, "items is None", "pass a list"),
        (5, "items is 5", "pass a list"),
        (fails, "items is <built-in method issubset", "the items come first"),
        ({1, 3}, "items is a set", "sorted"),
        (frozenset({3}), "items is a set", "sorted"),
    ],
)
def test_what_is_no_sequence_is_refused(items: Any, seen: str, hint: str) -> None:
    for call in (wynot.minimize, wynot.all_causes):
        refuse(wynot.InvalidArgument, lambda call=call: call(items, fails), seen, hint)  # type: ignore[misc]


@pytest.mark.parametrize("items", [[], "", (), iter([]), {}, range(0)])
def test_no_items_are_nothing_to_reduce(items: Any) -> None:
    refuse(wynot.NothingToReduce, lambda: wynot.minimize(items, fails), "no items", "what you pass")


@pytest.mark.parametrize(
    ("items", "left"),
    [
        ("a3b", ["3"]),
        (b"\x01\x03", [3]),
        (range(9), [3]),
        ((each for each in ITEMS), [3]),
        ({1: "a", 3: "b"}, [3]),
        ({3: "b"}.keys(), [3]),
    ],
)
def test_anything_that_can_be_gone_through_in_order_will_do(items: Any, left: list[Any]) -> None:
    assert wynot.minimize(items, lambda kept: 3 in kept or "3" in kept).items == left


def test_an_error_of_the_generator_that_makes_the_items_is_not_hidden() -> None:
    def broken() -> Iterator[int]:
        yield 3
        raise TypeError("of the generator itself")

    with pytest.raises(TypeError, match="of the generator itself"):
        wynot.minimize(broken(), fails)


@pytest.mark.parametrize("test", [None, "grep 3", 5, [fails]])
def test_a_test_that_cannot_be_called_is_refused(test: Any) -> None:
    refuse(wynot.InvalidArgument, lambda: wynot.minimize(ITEMS, test), repr(test), "a function")
    refuse(wynot.InvalidArgument, lambda: wynot.isolate([], ITEMS, test), repr(test), "a function")


# Two sides.


def test_two_sides_that_are_the_same_have_no_difference() -> None:
    refuse(wynot.NothingToReduce, lambda: wynot.isolate([3], [3], fails), "the same", "what you")
    refuse(wynot.NothingToReduce, lambda: wynot.isolate([], [], fails), "no items", "what you")


def test_sides_that_were_swapped_are_found_by_the_check() -> None:
    error = refuse(
        wynot.NotInteresting, lambda: wynot.isolate(ITEMS, [], fails), "uninteresting", "by hand"
    )
    assert isinstance(error.result, wynot.Isolated)
    assert error.result.passing == ITEMS
    assert error.result.failing == []


@pytest.mark.parametrize(
    ("passing", "failing", "seen"),
    [([1, 2, 4], [], "0 items"), ([1, 2, 4], [5], "1 item"), ([], [1, 2], "2 items")],
)
def test_the_size_of_a_side_is_told_as_the_test_sees_it(
    passing: list[int], failing: list[int], seen: str
) -> None:
    call = lambda: wynot.isolate(passing, failing, lambda _: False)  # noqa: E731
    refuse(wynot.NotInteresting, call, seen, "by hand")


def test_a_passing_side_that_does_not_pass_is_refused() -> None:
    for verdict in (True, None):
        answers = {8: True, 2: verdict}
        error = refuse(
            wynot.NotPassing,
            lambda answers=answers: wynot.isolate([1, 2], ITEMS, lambda kept: answers[len(kept)]),  # type: ignore[misc]
            "of 2 items",
            "must return False",
        )
        assert isinstance(error.result, wynot.Isolated)
        assert error.result.failing == ITEMS


def test_a_passing_side_that_is_no_part_of_the_failing_one_is_aligned_with_it() -> None:
    def refused(kept: list[str]) -> bool:
        return "b" not in kept or "x" in kept

    result = wynot.isolate("abc", "axc", refused)
    assert len(result.difference) == 1
    assert not refused(result.passing)
    assert refused(result.failing)


def test_the_failing_side_may_be_empty() -> None:
    result = wynot.isolate([1, 2, 4], [], lambda kept: 1 not in kept)
    assert result.difference == [1]


# Options.


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("job", "jobs"), ("serach", "search"), ("max_test", "max_tests"), ("granularty", "granul")],
)
def test_the_nearest_option_is_named_for_one_that_does_not_exist(wrong: str, nearest: str) -> None:
    options: dict[str, Any] = {wrong: 3}
    for call in (
        lambda: wynot.minimize(ITEMS, fails, **options),
        lambda: wynot.all_causes(ITEMS, fails, **options),
        lambda: wynot.isolate([], ITEMS, fails, **options),
    ):
        error = refuse(wynot.UnknownOption, call, repr(wrong), f"did you mean '{nearest}")
        assert isinstance(error, TypeError)
        assert error.result is None


@pytest.mark.parametrize("option", ["star", "combined", "weights", "subset_iterator"])
def test_an_option_of_minimize_alone_is_none_of_isolate(option: str) -> None:
    options: dict[str, Any] = {option: True}
    refuse(
        wynot.UnknownOption, lambda: wynot.isolate([], ITEMS, fails, **options), repr(option), "'"
    )


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("search", "ddmn", "did you mean 'ddmin'"),
        ("search", None, "one of 'auto', 'ddmin'"),
        ("search", [], "one of 'auto', 'ddmin'"),
        ("order", "subset-first", "did you mean 'subsets-first'"),
        ("split", "zeler", "did you mean 'zeller'"),
        ("memo", None, "did you mean 'none'"),
        ("pick", "first", "did you mean 'first-to-finish'"),
        ("subset_iterator", "forwards", "did you mean 'forward'"),
        ("complement_iterator", "reverse", "one of 'forward', 'backward', 'skip', 'random'"),
        ("workers", "thread", "did you mean 'threads'"),
        ("workers", 4, "one of 'threads', 'processes'"),
        ("jobs", 0, "at least 1"),
        ("jobs", -3, "at least 1"),
        ("max_tests", -1, "at least 0"),
        ("max_time", -0.5, "at least 0"),
        ("granularity", 1, "at least 2"),
        ("granularity", -7, "at least 2"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_told_the_nearest_that_it_does(
    option: str, value: Any, hint: str
) -> None:
    error = refuse(
        wynot.InvalidOption,
        lambda: wynot.minimize(ITEMS, fails, **{option: value}),
        f"{option} is {value!r}",
        hint,
    )
    assert isinstance(error, ValueError)
    assert error.result is None


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        *((option, True, "whole number") for option in ("jobs", "seed", "max_tests")),
        *((option, "4", "whole number") for option in ("jobs", "seed", "max_tests", "granularity")),
        *((option, 1.5, "whole number") for option in ("jobs", "seed", "max_tests", "granularity")),
        ("jobs", None, "whole number"),
        ("seed", None, "whole number"),
        ("granularity", math.nan, "whole number"),
        ("granularity", -math.inf, "whole number"),
        ("max_time", "60", "a number"),
        ("max_time", True, "a number"),
        ("max_time", math.nan, "a number"),
        *((option, 1, "True or False") for option in ("restart", "combined", "star", "check")),
        *((option, None, "True or False") for option in ("restart", "combined", "star", "check")),
        ("observe", None, "a function"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(option: str, value: Any, hint: str) -> None:
    error = refuse(
        wynot.InvalidArgument,
        lambda: wynot.minimize(ITEMS, fails, **{option: value}),
        f"{option} is {value!r}",
        hint,
    )
    assert isinstance(error, TypeError)
    assert error.result is None


@pytest.mark.parametrize(
    "options",
    [
        {"seed": 10**400},
        {"seed": -(10**400)},
        {"max_tests": 10**400},
        {"max_time": 10**400},
        {"max_time": 1e300},
        {"max_time": 1e10},
        {"max_time": math.inf},
        {"granularity": 10**400},
        {"granularity": 1000},
        {"granularity": math.inf},
        {"jobs": 1000},
        {"weights": [1e308] * 8},
        {"weights": [0] * 8},
    ],
    ids=lambda options: "-".join(f"{name}={str(value)[:9]}" for name, value in options.items()),
)
def test_no_number_is_too_large(options: dict[str, Any]) -> None:
    assert wynot.minimize(ITEMS, fails, **options).items == [3]


@pytest.mark.parametrize(
    ("weights", "kind", "seen", "hint"),
    [
        ([1, 2], wynot.InvalidOption, "2 weights for 8 items", "one weight for each"),
        ([-1] * 8, wynot.InvalidOption, "-1", "at least 0"),
        ([math.inf] * 8, wynot.InvalidOption, "inf", "finite"),
        ([10**400] * 8, wynot.InvalidOption, "1000000", "finite"),
        ([math.nan] * 8, wynot.InvalidArgument, "nan", "a number"),
        ("12345678", wynot.InvalidArgument, "'1'", "a number"),
        (lambda _: None, wynot.InvalidArgument, "None", "a number"),
        (5, wynot.InvalidArgument, "5", "one weight for each"),
    ],
)
def test_weights_must_be_one_finite_number_for_each_item(
    weights: Any, kind: type[wynot.WynotError], seen: str, hint: str
) -> None:
    refuse(kind, lambda: wynot.minimize(ITEMS, fails, weights=weights), seen, hint)


# Tests that are no test.


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("answer", [0, 1, 1.5])
def test_a_number_is_no_verdict_and_what_was_found_before_it_is_kept(
    answer: float, width: int
) -> None:
    error = refuse(
        wynot.BrokenTest,
        lambda: wynot.minimize(ITEMS, lambda c: answer if len(c) == 2 else 3 in c, jobs=width),
        repr(answer),
        "return True",
    )
    assert isinstance(error.result, wynot.Minimized)
    assert error.result.items == [1, 2, 3, 4]
    assert error.result.stopped == error.slug == "broken-test"


@pytest.mark.parametrize("answer", ["yes", [0], object(), wynot.Verdict.INTERESTING])
def test_whatever_is_true_is_interesting(answer: object) -> None:
    assert wynot.minimize(ITEMS, lambda kept: answer if 3 in kept else "").items == [3]


def test_an_answer_that_is_neither_true_nor_false_is_a_broken_test() -> None:
    class Ambiguous:
        def __bool__(self) -> bool:
            raise ValueError("the truth of an array is ambiguous")

    call = lambda: wynot.minimize(ITEMS, lambda _: Ambiguous())  # noqa: E731
    error = refuse(wynot.BrokenTest, call, "ambiguous", "catch it in the test")
    assert isinstance(error.__cause__, ValueError)


@pytest.mark.parametrize("verdict", [False, None])
def test_a_whole_that_does_not_fail_is_refused(verdict: bool | None) -> None:
    error = refuse(
        wynot.NotInteresting,
        lambda: wynot.minimize(ITEMS, lambda _: verdict),
        "of 8 items: the test says un",
        "must return True",
    )
    assert isinstance(error.result, wynot.Minimized)
    assert error.result.items == ITEMS


def test_a_test_that_accepts_the_empty_list_is_refused() -> None:
    error = refuse(
        wynot.AlwaysInteresting,
        lambda: wynot.minimize(ITEMS, lambda _: True),
        "empty list",
        "check=False",
    )
    assert isinstance(error.result, wynot.Minimized)
    assert error.result.items == []


@pytest.mark.parametrize("pick", ["in-order", "first-to-finish"])
def test_any_exception_of_a_test_is_told_even_one_that_cannot_be_hashed(pick: Any) -> None:
    @dataclass
    class Strange(Exception):
        code: int

        def __bool__(self) -> bool:
            return False

    def strange(kept: list[int]) -> bool:
        if len(kept) == 2:
            raise Strange(4)
        return 3 in kept

    error = refuse(
        wynot.BrokenTest,
        lambda: wynot.minimize(ITEMS, strange, jobs=4, pick=pick),
        "Strange(code=4)",
        "catch it",
    )
    assert isinstance(error.__cause__, Strange)
    assert isinstance(error.result, wynot.Minimized)
    assert error.result.items == [1, 2, 3, 4]


@pytest.mark.parametrize("width", [1, 4])
def test_a_test_may_do_what_it_likes_with_its_list(width: int) -> None:
    kept_for_later: list[list[int]] = []

    def rude(kept: list[int]) -> bool:
        kept_for_later.append(kept)
        answer = 3 in kept
        kept.reverse()
        kept.append(99)
        if answer:
            kept.clear()
        return answer

    result = wynot.minimize(ITEMS, rude, jobs=width)
    assert result.items == [3]
    assert [step.items for step in result.steps] == [
        [5, 6, 7, 8],
        [1, 2, 3, 4],
        [1, 2],
        [3, 4],
        [4],
        [3],
    ]
    assert len(set(map(id, kept_for_later))) == len(kept_for_later)


@pytest.mark.parametrize("width", [1, 4])
def test_a_test_may_minimize_something_itself(width: int) -> None:
    def nested(kept: list[int]) -> bool:
        return bool(kept) and 3 in wynot.minimize(kept, set(kept).issubset, jobs=2).items

    assert wynot.minimize(ITEMS, nested, jobs=width).items == [3]


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("event", [wynot.SessionStarted, wynot.CandidateJudged, wynot.SessionEnded])
def test_what_an_observer_raises_comes_out_with_the_result(event: type[object], width: int) -> None:
    seen: list[type[object]] = []

    def observe(each: wynot.Event) -> None:
        seen.append(type(each))
        if type(each) is event:
            raise LookupError(event.__name__)

    with pytest.raises(wynot.BrokenObserver, match=event.__name__) as caught:
        wynot.minimize(ITEMS, fails, observe=observe, jobs=width)
    assert isinstance(caught.value.__cause__, LookupError)
    found, usual = caught.value.result, wynot.minimize(ITEMS, fails, jobs=width)
    # How much is run ahead depends on the load.
    assert isinstance(found, wynot.Minimized)
    assert replace(found, tally=usual.tally) == usual
    assert found.tests == usual.tests
    assert seen.count(event) == 1
    assert seen[-1] is event


def test_weights_never_make_ddmin_leave_out_a_chunk() -> None:
    """The place to go on at, 1 of 5 chunks, scaled to 6, 8 and 10, is not quite 2 in floats."""
    weights = [3, 1, 1, 1, 2, 1, 9, 9, 9, 9, 2]
    smaller = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10]
    smallest = [0, 1, 3, 4, 5, 7, 8, 9, 10]
    failing = [list(range(11)), smaller, smallest]
    result = wynot.minimize(range(11), failing.__contains__, weights=weights, search="ddmin")
    assert result.items == smallest
    assert result.minimal
