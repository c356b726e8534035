"""A signal ends the run wherever it comes, and leaves no lock taken."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from types import TracebackType

import pytest

from wynot.cli.main import Interruption, Terminated


class SignalledLock:
    """A lock that sends a signal as soon as it is taken, or before it is released."""

    def __init__(self, moment: str) -> None:
        self.lock = threading.Lock()
        self.moment = moment
        self.acquire, self.release = self.lock.acquire, self.lock.release

    def __enter__(self) -> None:
        self.lock.acquire()
        self._send("enter")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._send("exit")
        self.lock.release()

    def _send(self, moment: str) -> None:
        if moment == self.moment:
            self.moment = ""
            signal.raise_signal(signal.SIGTERM)


@pytest.fixture(autouse=True)
def interruption() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, Interruption())
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize("moment", ["enter", "exit"])
def test_interruption_leaves_the_lock_of_a_future_free(moment: str) -> None:
    lock, future = SignalledLock(moment), Future[None]()
    future._condition = threading.Condition(lock)  # type: ignore[arg-type]  # noqa: SLF001
    with pytest.raises(Terminated):  # noqa: PT012 - the signal comes a moment later
        future.cancel()
        signal.pause()
    assert future.cancelled()
    assert not lock.lock.locked()


def test_interruption_raises_at_once_elsewhere() -> None:
    with pytest.raises(Terminated):
        signal.raise_signal(signal.SIGTERM)


def test_interruption_ignores_the_second_signal_of_a_pair() -> None:
    with pytest.raises(Terminated):
        signal.raise_signal(signal.SIGTERM)
    signal.raise_signal(signal.SIGTERM)
