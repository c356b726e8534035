"""Reporters that raise: what is reported goes on, and what they raise is not lost."""

import threading

import pytest

from wynot.core.errors import NoSpace
from wynot.core.events import Doing, Event
from wynot.reporters.reporter import ticking


class Faulty:
    """Raises where it is told to."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.has_looked = threading.Event()
        self.is_closed = False

    def handle(self, _event: Event) -> None:
        self._raise("handle")

    def look(self) -> None:
        self.has_looked.set()
        self._raise("look")

    def close(self) -> None:
        self.is_closed = True

    def _raise(self, where: str) -> None:
        if self.where == where:
            raise LookupError(where)


@pytest.mark.parametrize("where", ["handle", "look"])
def test_what_a_reporter_raises_comes_out_at_the_end(where: str) -> None:
    faulty, done = Faulty(where), []
    with pytest.raises(LookupError, match=where), ticking(faulty) as reporter:  # noqa: PT012
        reporter.handle(Doing("this"))
        if where == "look":
            faulty.has_looked.wait(300)
        reporter.handle(Doing("that"))
        done.append("all")
    assert done == ["all"]
    assert faulty.is_closed


def test_an_error_of_what_is_reported_goes_before() -> None:
    faulty = Faulty("handle")
    with pytest.raises(NoSpace) as caught, ticking(faulty) as reporter:  # noqa: PT012
        reporter.handle(Doing("this"))
        raise NoSpace("the disk is full")
    assert caught.value.__notes__ == ["before that, the observer raised LookupError('handle')"]
    assert faulty.is_closed
