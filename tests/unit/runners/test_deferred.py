"""Answers that wait until telling them costs no time."""

from concurrent.futures import Future

from wynot.runners.deferred import Deferred


def held(deferred: Deferred[int], urgent: str) -> list[Future[int]]:
    """Put answers there: an exclamation mark is one that is urgent."""
    futures = [Future[int]() for _ in urgent]
    for number, future in enumerate(futures):
        deferred.put(future, number, urgent=urgent[number] == "!")
    return futures


def test_what_is_urgent_is_told_when_a_program_runs_with_all_that_came_before() -> None:
    deferred = Deferred[int]()
    told: list[int] = []
    futures = held(deferred, ".!.")
    for future in futures:
        future.add_done_callback(lambda each: told.append(each.result()))
    assert not any(future.done() for future in futures)
    deferred.program_runs()
    assert told == [0, 1, 2]


def test_what_is_not_urgent_waits_until_it_has_to_be_told() -> None:
    deferred = Deferred[int]()
    futures = held(deferred, "..")
    deferred.program_runs()
    assert not any(future.done() for future in futures)
    deferred.tell()
    assert [future.result(0) for future in futures] == [0, 1]


def test_each_answer_is_told_once_and_the_next_one_is_not_urgent_for_it() -> None:
    deferred = Deferred[int]()
    held(deferred, "!")
    deferred.program_runs()
    deferred.tell()
    (later,) = held(deferred, ".")
    deferred.program_runs()
    assert not later.done()
