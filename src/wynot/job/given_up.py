"""Tests that are given up while they run, as those who watch are told of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from wynot.core.events import Event, GivenUp
from wynot.runners.kill_switch import Killed


@contextmanager
def told_if_killed(observe: Callable[[Event], None], worker: int, start: float) -> Iterator[None]:
    """Tell of a test that was given up while it ran, since that time."""
    try:
        yield
    except Killed:
        observe(GivenUp(worker, monotonic() - start))
        raise
