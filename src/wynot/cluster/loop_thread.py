"""An event loop in a thread of its own, for what other threads want done there."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class LoopThread:
    """Any thread may call it."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        # What dask does not look at any more, of workers that are lost say, is not for the user.
        self.loop.set_exception_handler(lambda *_: None)
        self._thread = threading.Thread(target=self.loop.run_forever, name=name, daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._thread.is_alive()

    def begin(self, work: Coroutine[Any, Any, Answer]) -> "Future[Answer]":
        """Have something done."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def do(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Have something done, and wait for it."""
        return self.begin(work).result()

    def end(self) -> None:
        """End the thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()
