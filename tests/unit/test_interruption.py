"""Whatever ends a session early, what was found until then is handed back."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import wynot
from domain import WIDTHS, Shuffled, needs

ITEMS = list(range(1, 9))


def raising(error: BaseException, *on: list[int]) -> Callable[[list[int]], bool]:
    """Return a test that needs 3, and raises this on some lists."""

    def test(kept: list[int]) -> bool:
        if kept in on:
            raise error
        return 3 in kept

    return test


def traced(result: object) -> list[object]:
    assert isinstance(result, wynot.Minimized)
    assert result.stopped != "finished"
    assert result.tests == len(result.steps) - result.memo_hits
    return [result.items, result.stopped, result.tests, *result.steps]


# A test that raises.


@pytest.mark.parametrize("width", WIDTHS)
def test_a_test_that_raises_ends_every_width_at_the_same_point(width: int) -> None:
    test = raising(LookupError("none"), [1, 2])
    with pytest.raises(
        wynot.BrokenTest, match=r"LookupError\('none'\) on r2/c1, of 2 items"
    ) as one:
        wynot.minimize(ITEMS, test)
    with Shuffled(width) as executor, pytest.raises(wynot.BrokenTest) as other:
        wynot.minimize(ITEMS, test, jobs=width, workers=executor)
    assert str(one.value) == str(other.value)
    assert isinstance(other.value.__cause__, LookupError)
    assert traced(one.value.result) == traced(other.value.result)
    assert isinstance(other.value.result, wynot.Minimized)
    assert other.value.result.items == [1, 2, 3, 4]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_test_that_raises_only_where_nobody_needs_to_ask_does_no_harm(width: int) -> None:
    asked = [step.items for step in wynot.minimize(ITEMS, needs(3)).steps]
    answers = {str(kept): 3 in kept for kept in [*asked, ITEMS]}
    with Shuffled(width) as executor:
        result = wynot.minimize(
            ITEMS, lambda kept: answers[str(kept)], jobs=width, workers=executor
        )
    assert result.items == [3]


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), BaseException("odd")])
def test_a_test_that_exits_is_broken_at_any_width(error: BaseException, width: int) -> None:
    with pytest.raises(wynot.BrokenTest) as caught:
        wynot.minimize(ITEMS, raising(error, [1, 2]), jobs=width)
    assert caught.value.__cause__ is error
    assert isinstance(caught.value.result, wynot.Minimized)
    assert caught.value.result.items == [1, 2, 3, 4]


@pytest.mark.parametrize("width", [1, 4])
def test_a_test_may_raise_on_the_empty_list(width: int) -> None:
    result = wynot.minimize(ITEMS, raising(LookupError("none"), []), jobs=width)
    assert result.items == [3]
    assert result.minimal


@pytest.mark.parametrize("width", [1, 4])
def test_both_sides_are_kept_when_a_test_of_isolate_raises(width: int) -> None:
    test = raising(LookupError("none"), [1, 2])
    with pytest.raises(wynot.BrokenTest) as caught:
        wynot.isolate([], ITEMS, test, jobs=width)
    result = caught.value.result
    assert isinstance(result, wynot.Isolated)
    assert (result.passing, result.failing) == ([], [1, 2, 3, 4])


@pytest.mark.parametrize("width", [1, 4])
def test_causes_that_were_found_are_kept_when_a_later_test_raises(width: int) -> None:
    def test(kept: list[int]) -> bool:
        if kept == [6, 7, 8]:  # of the rest without the first cause
            raise LookupError("none")
        return {1, 2} <= set(kept) or {3, 8} <= set(kept)

    with pytest.raises(wynot.BrokenTest) as caught:
        wynot.all_causes(ITEMS, test, jobs=width)
    result = caught.value.result
    assert isinstance(result, wynot.Causes)
    assert result.causes == [[1, 2], [3, 4, 5, 6, 7, 8]]


# Ctrl-C.


@pytest.mark.parametrize("width", [1, 4])
def test_an_interrupt_in_a_test_hands_back_the_best_so_far(width: int) -> None:
    with pytest.raises(wynot.Interrupted) as caught:
        wynot.minimize(ITEMS, raising(KeyboardInterrupt(), [1, 2]), jobs=width)
    error = caught.value
    assert isinstance(error, KeyboardInterrupt)
    assert not isinstance(error, Exception)
    assert isinstance(error.result, wynot.Minimized)
    assert error.result.items == [1, 2, 3, 4]
    assert error.result.stopped == error.slug == "interrupted"


@pytest.mark.parametrize("width", [1, 4])
def test_an_interrupt_in_the_first_check_hands_back_the_whole(width: int) -> None:
    with pytest.raises(wynot.Interrupted) as caught:
        wynot.minimize(ITEMS, raising(KeyboardInterrupt(), ITEMS), jobs=width)
    assert isinstance(caught.value.result, wynot.Minimized)
    assert caught.value.result.items == ITEMS


def printed(script: str, *arguments: object) -> str:
    """Run a script in a Python of its own, and return what it printed."""
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.strip()


INTERRUPTED_IN_A_TEST = """
    import signal, sys, threading, wynot

    released = threading.Event()

    def test(kept):
        if kept == [1, 2]:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            released.wait(300)
        return 3 in kept

    try:
        wynot.minimize(range(1, 9), test, jobs=int(sys.argv[1]))
    except wynot.Interrupted as interrupt:
        print(interrupt.result.items, interrupt.result.stopped)
    released.set()
"""


# With several workers, [1, 2] may be run before the answer to [1, 2, 3, 4] is known.
@pytest.mark.parametrize(
    ("width", "best"),
    [(1, {"[1, 2, 3, 4]"}), (4, {"[1, 2, 3, 4]", "[1, 2, 3, 4, 5, 6, 7, 8]"})],
)
def test_ctrl_c_does_not_wait_for_the_tests_that_run(width: int, best: set[str]) -> None:
    assert printed(INTERRUPTED_IN_A_TEST, width) in {f"{items} interrupted" for items in best}


INTERRUPTED_AT_THE_END = """
    import signal, threading, wynot

    guessing, finished, released = threading.Event(), threading.Event(), threading.Event()

    def test(kept):
        if kept == [2, 3, 4]:  # a guess that is not needed, and goes on when all is done
            guessing.set()
            finished.wait(300)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            released.wait(1)
        if kept == [1, 2]:
            guessing.wait(300)
        return 1 in kept

    def observe(event):
        if isinstance(event, wynot.SessionEnded):
            finished.set()

    try:
        result = wynot.minimize([1, 2, 3, 4], test, jobs=3, observe=observe)
    except wynot.Interrupted as interrupt:
        result = interrupt.result
    except KeyboardInterrupt:
        result = None
    released.set()
    print("lost" if result is None else result.items)
"""


def test_ctrl_c_while_the_last_tests_are_waited_for_does_not_lose_the_result() -> None:
    assert printed(INTERRUPTED_AT_THE_END) == "[1]"


# Workers that are gone.


def dies_on_two(kept: list[int]) -> bool:
    if len(kept) == 2:
        os._exit(3)
    return 3 in kept


class TwoArguments(Exception):
    """An exception that can be pickled, but not be made again."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def raises_on_two(kept: list[int]) -> bool:
    if len(kept) == 2:
        raise TwoArguments("a", "b")
    return 3 in kept


@pytest.mark.parametrize("width", [1, 4])
def test_a_test_that_ends_its_process_is_told_and_the_best_so_far_is_kept(width: int) -> None:
    with pytest.raises(wynot.BrokenRunner, match="process") as caught:
        wynot.minimize(ITEMS, dies_on_two, jobs=width, workers="processes")
    assert isinstance(caught.value.result, wynot.Minimized)
    assert caught.value.result.items == [1, 2, 3, 4]
    assert caught.value.result.stopped == caught.value.slug


def test_an_exception_that_cannot_come_back_from_a_process_is_told_all_the_same() -> None:
    with pytest.raises(wynot.BrokenTest, match=r"TwoArguments.*of 2 items") as caught:
        wynot.minimize(ITEMS, raises_on_two, workers="processes")
    assert isinstance(caught.value.result, wynot.Minimized)
    assert caught.value.result.items == [1, 2, 3, 4]


def test_a_test_that_cannot_be_sent_to_a_process_is_refused() -> None:
    with pytest.raises(wynot.InvalidArgument, match="cannot be sent") as caught:
        wynot.minimize(ITEMS, lambda kept: 3 in kept, workers="processes")
    assert "workers='threads'" in caught.value.hint


def test_an_executor_that_is_shut_down_on_the_way_is_told() -> None:
    with ThreadPoolExecutor(2) as executor:

        def test(kept: list[int]) -> bool:
            if len(kept) == 2:
                executor.shutdown(wait=False)
            return 3 in kept

        with pytest.raises(wynot.BrokenRunner, match="shutdown") as caught:
            wynot.minimize(ITEMS, test, workers=executor)
    assert isinstance(caught.value.result, wynot.Minimized)
    assert 3 in caught.value.result.items


def test_an_executor_is_left_to_its_owner() -> None:
    with ThreadPoolExecutor(2) as executor:
        for error in (LookupError("none"), KeyboardInterrupt()):
            with pytest.raises((wynot.BrokenTest, wynot.Interrupted)):
                wynot.minimize(ITEMS, raising(error, [1, 2]), jobs=2, workers=executor)
        assert wynot.minimize(ITEMS, needs(3), jobs=2, workers=executor).items == [3]
