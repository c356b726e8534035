"""What every runner keeps."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from wynot.core.candidate import Candidate
from wynot.core.case import ItemsCase
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import Stage
from wynot.core.verdict import Verdict
from wynot.oracle.function_test import FunctionTest
from wynot.runners.processes import Processes
from wynot.runners.runner import Inline, Pool, Runner, Threads

CASE = ItemsCase(list("abcdefgh"))
STAGE = Stage(CASE)


def has_c(kept: list[str]) -> bool | None:
    """Fail with a c, raise with an h, be unsure without an a."""
    if "h" in kept:
        raise LookupError("h")
    return None if "a" not in kept else "c" in kept


@contextmanager
def inline() -> Iterator[Runner]:
    yield Inline(FunctionTest(has_c))


@contextmanager
def threads() -> Iterator[Runner]:
    runner = Threads(3, FunctionTest(has_c))
    yield runner
    runner.close(wait=True)


@contextmanager
def processes() -> Iterator[Runner]:
    runner = Processes(2, CASE, FunctionTest(has_c))
    yield runner
    runner.close(wait=True)


@contextmanager
def executor() -> Iterator[Runner]:
    with ThreadPoolExecutor(2) as pool:
        runner = Pool(pool, 2, FunctionTest(has_c))
        yield runner
        runner.close(wait=True)
        pool.submit(int).result()  # a borrowed executor is not shut down


RUNNERS = [inline, threads, processes, executor]


def keeping(letters: str) -> Candidate:
    whole = CASE.deltas
    return Candidate(whole, Edit.keep(Deltas.of("abcdefgh".index(each) for each in letters)), "")


@pytest.mark.parametrize("make", RUNNERS)
def test_it_says_what_the_test_says(make: Callable[[], Iterator[Runner]]) -> None:
    with make() as runner:  # type: ignore[attr-defined]
        futures = [runner.submit(STAGE, keeping(letters)) for letters in ("abc", "abd", "bcd", "")]
        assert [future.result(300).verdict for future in futures] == [
            Verdict.INTERESTING,
            Verdict.UNINTERESTING,
            Verdict.UNRESOLVED,
            Verdict.UNRESOLVED,
        ]
        assert runner.width >= 1


@pytest.mark.parametrize("make", RUNNERS)
def test_what_the_test_raises_is_in_its_future_and_the_runner_goes_on(
    make: Callable[[], Iterator[Runner]],
) -> None:
    with make() as runner:  # type: ignore[attr-defined]
        error = runner.submit(STAGE, keeping("ah")).exception(300)
        assert isinstance(error, LookupError)
        with pytest.raises(LookupError):
            runner.submit(STAGE, keeping("ah")).result(300)
        assert runner.submit(STAGE, keeping("ac")).result(300).verdict is Verdict.INTERESTING


@pytest.mark.parametrize("make", RUNNERS)
def test_whoever_asks_to_be_told_is_told_once(make: Callable[[], Iterator[Runner]]) -> None:
    told: list[object] = []
    with make() as runner:  # type: ignore[attr-defined]
        future = runner.submit(STAGE, keeping("ac"))
        future.add_done_callback(told.append)
        future.result(300)
    assert told == [future]
    assert not future.cancel()
    assert not future.cancelled()
    assert future.done()
