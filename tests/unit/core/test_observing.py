"""Observers that raise, and the runs that they observe."""

import pytest

from wynot.core.errors import BrokenObserver, NoSpace
from wynot.core.events import Doing, Event
from wynot.core.system.debug_log import Observe, Observer, observed

FIRST, SECOND, THIRD = Doing("first"), Doing("second"), Doing("third")


class Careless:
    """Remembers what it is told, and raises at the second event."""

    def __init__(self, error: BaseException) -> None:
        self.told: list[Event] = []
        self._error = error

    def __call__(self, event: Event) -> None:
        self.told.append(event)
        if event is SECOND:
            raise self._error


def run(observe: Observe) -> str:
    for event in (FIRST, SECOND, THIRD):
        observe(event)
    return "done"


def test_who_raises_is_told_nothing_more_and_the_run_goes_on_to_its_end() -> None:
    careless = Careless(LookupError("gone"))
    with pytest.raises(BrokenObserver, match=r"LookupError\('gone'\)") as caught:
        observed(careless, run)
    assert careless.told == [FIRST, SECOND]
    assert caught.value.result == "done"
    assert isinstance(caught.value.__cause__, LookupError)


def test_who_does_not_raise_is_told_everything() -> None:
    told: list[Event] = []
    assert observed(told.append, run) == "done"
    assert told == [FIRST, SECOND, THIRD]


def test_if_the_run_raises_too_its_error_comes_out_and_tells_of_the_other() -> None:
    def full(observe: Observe) -> str:
        raise NoSpace(run(observe))

    with pytest.raises(NoSpace) as caught:
        observed(Careless(LookupError("gone")), full)
    assert caught.value.__notes__ == ["before that, the observer raised LookupError('gone')"]
    with pytest.raises(NoSpace) as caught:
        observed(lambda _event: None, full)
    assert not hasattr(caught.value, "__notes__")


def test_ctrl_c_while_it_is_told_is_not_its_error() -> None:
    observer = Observer(Careless(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        run(observer.handle)
    assert observer.error is None
