"""Jobs that are given up, and those that are not."""

import select
from collections.abc import Iterator

import pytest

from wynot.runners.kill_switch import Killed, KillSwitch


@pytest.fixture
def switch() -> Iterator[KillSwitch]:
    made = KillSwitch()
    yield made
    made.close()


def is_woken(switch: KillSwitch) -> bool:
    return bool(select.select([switch.woken], [], [], 0)[0])


def test_there_is_nothing_to_kill_before_and_after_a_job(switch: KillSwitch) -> None:
    assert not switch.kill()
    switch.begin()
    assert not switch.finish()
    assert not switch.kill()
    assert not is_woken(switch)


def test_a_kill_wakes_for_as_long_as_its_job_lasts(switch: KillSwitch) -> None:
    switch.begin()
    switch.require_on()
    assert switch.kill()
    assert switch.kill()  # a second time it is the same
    assert is_woken(switch)
    with pytest.raises(Killed):
        switch.require_on()
    assert switch.finish()
    assert not is_woken(switch)
    switch.begin()
    switch.require_on()


def test_a_kill_is_for_the_job_that_it_names(switch: KillSwitch) -> None:
    job, other = object(), object()
    switch.begin(job)
    assert not switch.kill(other)
    switch.begin(other)  # part of the job
    assert not switch.kill(other)
    assert switch.kill(job)
    assert switch.finish()
    assert is_woken(switch)  # the job itself goes on
    assert switch.finish()
    assert not is_woken(switch)
