"""An event loop in a thread of its own, to which other threads can give work."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from wynot.core.debug_log import log_ignored

Answer = TypeVar("Answer")


class LoopThread:
    """Any thread may call it."""

    def __init__(self, name: str) -> None:
        self.loop = asyncio.new_event_loop()
        # Errors that nobody awaits any more, say those of lost workers, do not concern the user.
        self.loop.set_exception_handler(
            lambda _, context: log_ignored(context["message"], context.get("exception"))
        )
        self._thread = threading.Thread(target=self.loop.run_forever, name=name, daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._thread.is_alive()

    def begin(self, work: Coroutine[Any, Any, Answer]) -> "Future[Answer]":
        """Have a coroutine run there."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def do(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Have a coroutine run there, and wait for what it returns."""
        return self.begin(work).result()

    def end(self) -> None:
        """End the thread."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()
