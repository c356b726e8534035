"""Figures out of events."""

import pytest

from unit.reporters.story import BEGAN, EVERY, Clock, asked, ran
from wynot.core.events import Accepted, Noticed, PassStarted, SessionStarted
from wynot.core.verdict import Verdict
from wynot.reporters.run_figures import RunFigures


def test_the_figures_of_a_whole_reduction() -> None:
    progress = RunFigures(Clock())
    for event in EVERY:
        progress.fold(event)
    assert (progress.original, progress.size, progress.accepted) == (32_689, 20_000, 1)
    assert (progress.tests, progress.runs, progress.idle_tests) == (2, 1, 0)
    assert progress.verdicts[Verdict.INTERESTING] == 1
    assert progress.current == PassStarted("lines", 10, 1)
    assert [notice.slug for notice in progress.noticed] == ["slow-test"]


def test_what_the_memo_knew_is_no_test() -> None:
    progress = RunFigures(Clock())
    progress.fold(asked(from_memo=True))
    assert (progress.tests, progress.recalled) == (0, 1)


def test_time_and_tests_without_progress() -> None:
    clock = Clock()
    progress = RunFigures(clock)
    progress.fold(BEGAN)
    clock.now += 3
    progress.fold(Accepted(1, 10, 7, "lines", "c"))
    for _ in range(34):
        progress.fold(asked())
    clock.now += 12
    assert (progress.elapsed, progress.idle, progress.idle_tests) == (15, 12, 34)
    assert progress.tests == 41
    assert progress.silence == 15


def test_a_new_session_forgets_what_was_asked_last() -> None:
    progress = RunFigures(Clock())
    progress.fold(asked())
    progress.fold(SessionStarted(77, 1))
    assert progress.latest is None
    assert progress.deltas == 77


def test_before_the_beginning_there_is_nothing() -> None:
    progress = RunFigures(Clock())
    assert progress.original == 0
    assert progress.load() is None


@pytest.mark.parametrize("seconds", [0.01, 0.5, 3.0, 40.0])
def test_two_workers_that_never_rest_are_both_busy(seconds: float) -> None:
    clock = Clock()
    progress = RunFigures(clock)
    progress.fold(BEGAN)
    for _ in range(200):
        clock.now += seconds
        progress.fold(ran(seconds))
        progress.fold(ran(seconds))
    clock.now += seconds / 2
    load = progress.load()
    assert load is not None
    assert load.busy == pytest.approx(2, rel=0.1)
    assert load.rate == pytest.approx(2 / seconds, rel=0.3)
    assert load.seconds == pytest.approx(seconds)


def test_a_worker_that_rests_half_the_time_is_half_busy() -> None:
    clock = Clock()
    progress = RunFigures(clock)
    progress.fold(BEGAN._replace(jobs=1))
    for _ in range(200):
        clock.now += 0.2
        progress.fold(ran(0.1))
    load = progress.load()
    assert load is not None
    assert load.busy == pytest.approx(0.5, rel=0.1)


def test_when_nothing_ends_the_rate_falls() -> None:
    clock = Clock()
    progress = RunFigures(clock)
    for _ in range(100):
        clock.now += 0.1
        progress.fold(ran(0.1))
    clock.now += 1_000
    load = progress.load()
    assert load is not None
    assert load.rate < 0.01


def test_all_at_one_moment() -> None:
    progress = RunFigures(Clock())
    progress.fold(ran(0.0))
    assert progress.load() == (0.0, 0.0, 0.0)


def test_memory_does_not_grow_with_the_run() -> None:
    clock = Clock()
    progress = RunFigures(clock)
    progress.fold(BEGAN)
    for number in range(10_000):
        clock.now += 1
        progress.fold(ran())
        progress.fold(Accepted(number, 20_000 - number, number, "lines", "c"))
        progress.fold(Noticed("a", "b"))
    assert len(progress.steps) <= 2_000
    assert progress.steps[0] == (100, 32_689)
    assert progress.steps[-1] == (10_100, 10_001)
    assert progress.steps == sorted(progress.steps)
    assert len(progress.noticed) <= 20
