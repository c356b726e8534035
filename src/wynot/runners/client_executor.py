"""Functions as tasks of a dask cluster: its client as an executor.

dask has one itself, which writes a traceback to standard error for each task that is cancelled.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

from wynot.core.errors import InvalidOption

Answer = TypeVar("Answer")


class ClientExecutor(Executor):
    """Whoever has made the client closes it."""

    def __init__(self, client: Any) -> None:
        """Take a client of dask; raise if it is one that cannot be asked, or not any more."""
        if getattr(client, "asynchronous", False):
            raise InvalidOption(
                "workers is a client that is to be awaited",
                hint="make it without asynchronous=True",
            )
        if getattr(client, "status", "running") == "closed":
            raise InvalidOption(
                "workers is a client that is closed",
                hint="call wynot before the client is closed: inside its with block, say",
            )
        self._client = client

    @property
    def slots(self) -> int:
        """How many tasks can run at once."""
        threads: Mapping[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, fn: Callable[..., Answer], /, *args: Any, **kwargs: Any) -> "Future[Answer]":
        """Have a function called, each time that it is asked for."""
        ours: Future[Answer] = Future()
        theirs = self._client.submit(fn, *args, **kwargs, pure=False)
        theirs.add_done_callback(lambda _: _settle(ours, theirs))
        ours.add_done_callback(lambda _: theirs.cancel() if ours.cancelled() else None)
        return ours


def _settle(ours: "Future[Any]", theirs: Any) -> None:
    """Tell what has become of a task."""
    if ours.cancelled():
        return
    with suppress(InvalidStateError):  # it is cancelled meanwhile
        try:
            answer = theirs.result()
        except Exception as error:  # noqa: BLE001 - it is the business of whoever asked
            if not theirs.cancelled():
                ours.set_exception(error)
            else:
                ours.cancel()
        else:
            ours.set_result(answer)
