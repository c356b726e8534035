"""Jobs that are given up, and those that are not."""

import pytest

from wynot.agents.kill_switch import KillSwitch
from wynot.wire.run_request import Killed


class Runs:
    """Counts how often what runs was to be ended."""

    def __init__(self) -> None:
        self.ended = 0
        self.switch = KillSwitch(self.end)

    def end(self) -> None:
        self.ended += 1


def test_there_is_nothing_to_kill_before_and_after_a_job() -> None:
    runs = Runs()
    assert not runs.switch.kill()
    runs.switch.begin()
    assert not runs.switch.finish()
    assert not runs.switch.kill()
    assert not runs.ended


def test_a_kill_lasts_as_long_as_its_job() -> None:
    runs = Runs()
    runs.switch.begin()
    runs.switch.require_on()
    assert runs.switch.kill()
    assert runs.switch.kill()  # a second time it is the same
    assert runs.ended == 1
    with pytest.raises(Killed):
        runs.switch.require_on()
    assert runs.switch.finish()
    runs.switch.begin()
    runs.switch.require_on()


def test_a_kill_is_for_the_job_that_it_names() -> None:
    runs, job, other = Runs(), object(), object()
    runs.switch.begin(job)
    assert not runs.switch.kill(other)
    runs.switch.begin(other)  # part of the job
    assert not runs.switch.kill(other)
    assert not runs.ended
    assert runs.switch.kill(job)
    assert runs.switch.finish()
    assert runs.switch.is_given_up  # the job itself goes on
    assert runs.switch.finish()
    assert not runs.switch.is_given_up
    assert runs.ended == 1
